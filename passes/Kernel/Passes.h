//===- Passes.h - Declarations of the kernel level passes ---------------------===//
#ifndef GNNC_PASSES_KERNEL_PASSES_H
#define GNNC_PASSES_KERNEL_PASSES_H

#include "mlir/Pass/Pass.h"

namespace gnnc {
#define GEN_PASS_DECL
#include "passes/Kernel/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/Kernel/Passes.h.inc"
} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_PASSES_H
