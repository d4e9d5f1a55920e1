//===- KeepLoop.h - Loops that stay as they are written -------------------===//
//
// How many edges or terms are under way at a time is a matter of the schedule. LLVM and
// ptxas are told not to unroll such a loop once more: they would mix its iterations
// and, short of registers, put each load next to its use.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_KERNEL_KEEPLOOP_H
#define GNNC_PASSES_KERNEL_KEEPLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace gnnc {

/// lib/Codegen/Translate hands the annotation on to LLVM's loop.
void keepLoop(mlir::scf::ForOp loop);

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_KEEPLOOP_H
