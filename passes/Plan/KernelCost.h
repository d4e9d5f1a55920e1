//===- KernelCost.h - Bytes and operations of a kernel, for profiles ------===//
#ifndef GNNC_PASSES_PLAN_KERNELCOST_H
#define GNNC_PASSES_PLAN_KERNELCOST_H

#include "dialects/Plan/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gnnc {

/// Sets `bytes` and `flops` of the launch of `kernel`: each buffer moves once,
/// but tensors read at the source end move one row for each of `edges`, and all
/// rows once more where they are read at the destination too; each float operation
/// counts 1 an element, a reduction 1 for each message element, a softmax 2 and
/// 4 for each score.
/// `operands` has the buffer of each function argument (null for a graph), `rows`
/// is the kernel's own domain. Estimates: caches are not modelled.
void annotateCost(plan::LaunchOp launch, mlir::func::FuncOp kernel,
                  mlir::ArrayRef<mlir::Value> operands, const plan::Formula &edges,
                  const plan::Formula &rows);

} // namespace gnnc

#endif // GNNC_PASSES_PLAN_KERNELCOST_H
