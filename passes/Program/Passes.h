//===- Passes.h - Declarations of the program level passes ---------------------===//
#ifndef GNNC_PASSES_PROGRAM_PASSES_H
#define GNNC_PASSES_PROGRAM_PASSES_H

#include "mlir/Pass/Pass.h"

namespace gnnc {
#define GEN_PASS_DECL
#include "passes/Program/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

#endif // GNNC_PASSES_PROGRAM_PASSES_H
