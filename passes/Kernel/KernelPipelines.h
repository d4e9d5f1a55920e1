//===- KernelPipelines.h - Kernel level pipelines -------------------------===//
#ifndef GNNC_PASSES_KERNEL_KERNELPIPELINES_H
#define GNNC_PASSES_KERNEL_KERNELPIPELINES_H

#include "mlir/Pass/PassManager.h"

namespace gnnc {

/// Kernel functions with host schedules -> the llvm dialect.
void addCpuLowering(mlir::OpPassManager &pm);
/// Kernel functions with GPU schedules -> one gpu.module in the nvvm dialect.
void addCudaLowering(mlir::OpPassManager &pm);

/// Registers both by name: gnn-cpu-lowering-pipeline, gnn-cuda-lowering-pipeline.
void registerKernelPipelines();

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_KERNELPIPELINES_H
