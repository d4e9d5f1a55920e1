//===- Passes.h - Declarations of the plan level passes ---------------------===//
#ifndef GNNC_PASSES_PLAN_PASSES_H
#define GNNC_PASSES_PLAN_PASSES_H

#include "dialects/Plan/Plan.h"
#include "mlir/Pass/Pass.h"

namespace gnnc {
#define GEN_PASS_DECL
#include "passes/Plan/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/Plan/Passes.h.inc"
} // namespace gnnc

#endif // GNNC_PASSES_PLAN_PASSES_H
