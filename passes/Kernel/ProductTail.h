//===- ProductTail.h - A matrix product and what joins it -----------------===//
//
// In: a matrix product of a program. Out: the ops behind it that the libraries'
// products compute on the way: a bias, a sum with a stored tensor, a ReLU; and why
// the next op is none of them.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_KERNEL_PRODUCTTAIL_H
#define GNNC_PASSES_KERNEL_PRODUCTTAIL_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/Common/Blocker.h"

namespace gnnc {

/// A matrix product with the tail that libraries fuse.
struct Product {
  mlir::Operation *matmul;             ///< linalg.matmul, or the last op of a HeadProduct
  mlir::arith::AddFOp add;             ///< + bias, or null
  mlir::linalg::BroadcastOp broadcast; ///< that repeats the bias, or null
  mlir::Value bias;                    ///< tensor<N>
  mlir::arith::AddFOp sum;             ///< + residual, or null
  mlir::Value residual;                ///< tensor<MxN>
  mlir::arith::MaximumFOp relu;        ///< or null
  mlir::Value last;                    ///< what all of it computes
  /// Of the product and all of its tail.
  mlir::Location location();
  mlir::Value result() { return last; }
  /// Takes `op` along, which computes with the result so far.
  void append(mlir::Operation *op) { last = op->getResult(0); }
};

/// The one use of `value` that is no tensor.dim, or null.
mlir::OpOperand *singleRealUse(mlir::Value value);
/// The last op of a HeadProduct: heads side by side where nothing reads them apart.
bool isHeadProduct(mlir::Operation &op);
Product matchProductTail(mlir::Operation *matmul);
/// Why what follows `product` does not join it.
Blocker findTailBlocker(Product &product);

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_PRODUCTTAIL_H
