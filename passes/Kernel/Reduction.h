//===- Reduction.h - The reductions of gnn.scatter and gnn.aggregate ------===//
//
// One place for what sum, mean, max, min and mul mean (GnnOps.td, gnn.scatter):
// the value to start from, the step, and what is done with it at the end.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_KERNEL_REDUCTION_H
#define GNNC_PASSES_KERNEL_REDUCTION_H

#include "passes/Kernel/RowEmitter.h"

namespace gnnc {

/// The accumulator before the first edge; combining it with x gives x.
Row reductionStart(RowEmitter &rows, mlir::OpBuilder &builder, mlir::Location loc,
                   gnn::ReduceKind kind, mlir::Type regionType);
/// The accumulator after one more message (or one more partial result).
Row reductionStep(RowEmitter &rows, mlir::OpBuilder &builder, mlir::Location loc,
                  gnn::ReduceKind kind, const Row &accumulator, const Row &message);
/// The result of a node with `count` (i32) edges.
Row reductionEnd(RowEmitter &rows, mlir::OpBuilder &builder, mlir::Location loc,
                 gnn::ReduceKind kind, const Row &accumulator, mlir::Value count);

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_REDUCTION_H
