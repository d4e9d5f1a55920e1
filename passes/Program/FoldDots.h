//===- FoldDots.h - Dot products behind a product go into its weight ------===//
//
// sum over c of (x W)[n, h, c] a[h, c] is x V with V[h, k] = sum over c of W[h c, k] a[h, c],
// which @prepare computes once. Who may do that, and when it pays, callers decide:
// gnn-fold-inference where nothing else reads x W, gnn-reorder-attention where that is
// computed no more.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_PROGRAM_FOLDDOTS_H
#define GNNC_PASSES_PROGRAM_FOLDDOTS_H

#include "passes/Common/Blocker.h"
#include "passes/Program/WeightProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace gnnc {

/// Dot products of each head of a product's rows with a vector of weights.
struct Dots {
  mlir::arith::MulFOp scaled;
  mlir::tensor::ExpandShapeOp apart; ///< the rows x W, apart in heads
  WeightProduct product;
  mlir::Value vectors; ///< a, one row per head
};
/// Why `reduce` is no such dot products, otherwise their parts.
std::optional<Blocker> findDots(mlir::linalg::ReduceOp reduce, Dots &found);

/// Replaces `reduce` by the product with V.
void foldDots(mlir::PatternRewriter &rewriter, mlir::linalg::ReduceOp reduce, Dots dots);

/// Adds the pattern that folds dot products where nothing else reads the rows; it
/// counts its rewrites in `numFolded`.
void addFoldDots(mlir::RewritePatternSet &patterns, unsigned &numFolded);

} // namespace gnnc

#endif // GNNC_PASSES_PROGRAM_FOLDDOTS_H
