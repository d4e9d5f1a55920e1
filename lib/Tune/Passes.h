//===- Passes.h - The pass that measures ----------------------------------===//
#ifndef GNNC_LIB_TUNE_PASSES_H
#define GNNC_LIB_TUNE_PASSES_H

#include "lib/Tune/Tuner.h"
#include "mlir/Pass/Pass.h"

namespace gnnc {
#define GEN_PASS_DECL
#include "lib/Tune/Passes.h.inc"

/// `open` reads the graph that the options name; `report`, where given, gets what came
/// of it and outlives the pass.
std::unique_ptr<mlir::Pass> createAutotunePass(tune::OpenWorkload open,
                                               GnnAutotunePassOptions options = {},
                                               tune::TuneReport *report = nullptr);

/// Makes gnn-autotune known by name.
void registerAutotunePass(const tune::OpenWorkload &open);

} // namespace gnnc

#endif // GNNC_LIB_TUNE_PASSES_H
