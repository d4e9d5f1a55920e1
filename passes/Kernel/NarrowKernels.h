//===- NarrowKernels.h - Kernels that read and write 16 bits --------------===//
//
// In: a kernel function whose signature has the types of its buffers, 16 bits in some,
// and a body that is still of f32. Out: a body that fits: rows are widened where they
// enter a region and rounded where they leave it, products have the new types.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_KERNEL_NARROWKERNELS_H
#define GNNC_PASSES_KERNEL_NARROWKERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace gnnc {

/// A region's row with other elements: the region's own code stays on f32.
mlir::Type rowWith(mlir::Type row, mlir::Type element);
/// The product on the types that the kernel's arguments and result now have.
void rewriteProduct(mlir::func::FuncOp kernel, mlir::OpBuilder &builder);
/// The gnn.aggregate or gnn.map of `kernel`, likewise; `storage` is the narrow type.
mlir::LogicalResult rewriteRowOp(mlir::func::FuncOp kernel, mlir::Type storage,
                                 mlir::OpBuilder &builder);

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_NARROWKERNELS_H
