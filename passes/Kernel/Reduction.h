//===- Reduction.h - The reductions of gnn.scatter and gnn.aggregate ------===//
//
// One place for what sum, mean, max, min, mul and softmax mean (GnnOps.td,
// gnn.scatter and gnn.aggregate): the value to start from, the step, the merge of
// two parts, and what is done with it at the end.
//
// Softmax is computed in one pass (Milakov and Gimelshein, "Online normalizer
// calculation for softmax", 2018): with the largest score m so far it keeps
// sum exp(s - m) row, sum exp(s - m) and m, and scales both sums when m grows.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_KERNEL_REDUCTION_H
#define GNNC_PASSES_KERNEL_REDUCTION_H

#include "passes/Kernel/RowEmitter.h"

namespace gnnc {

/// One value that an aggregate carries from edge to edge. Softmax has three in this
/// order: weighted sum, denominator, maximum.
struct Accumulator {
  enum class Role { Plain, SoftmaxSum, SoftmaxDenominator, SoftmaxMaximum };
  gnn::ReduceKind kind;
  Role role;
  RowShape shape;
  mlir::FloatType element;
};
llvm::SmallVector<Accumulator> accumulatorsOf(gnn::AggregateOp op, const RowFrame &frame);

/// The accumulator before the first edge; combining it with x gives x.
Row reductionStart(RowEmitter &rows, mlir::OpBuilder &builder, mlir::Location loc,
                   const Accumulator &accumulator);
/// All accumulators after one more edge, whose message yields `messages`.
llvm::SmallVector<Row> reductionStep(RowEmitter &rows, mlir::OpBuilder &builder, mlir::Location loc,
                                     llvm::ArrayRef<Accumulator> accumulators,
                                     llvm::ArrayRef<Row> state, llvm::ArrayRef<Row> messages);
/// All accumulators of two parts of a node's edges as those of both.
llvm::SmallVector<Row> reductionMerge(RowEmitter &rows, mlir::OpBuilder &builder,
                                      mlir::Location loc, llvm::ArrayRef<Accumulator> accumulators,
                                      llvm::ArrayRef<Row> a, llvm::ArrayRef<Row> b);
/// What the epilogue gets for a node with `count` (i32) edges.
llvm::SmallVector<Row> reductionEnd(RowEmitter &rows, mlir::OpBuilder &builder, mlir::Location loc,
                                    llvm::ArrayRef<Accumulator> accumulators,
                                    llvm::ArrayRef<Row> state, mlir::Value count);

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_REDUCTION_H
