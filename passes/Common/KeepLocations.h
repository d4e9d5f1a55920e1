//===- KeepLocations.h - What replaces an op is made of it, too -----------===//
//
// Folding and merging equal ops replace a value by one that is there already. Its
// op then gets the location of what it stands for, fused with its own, so that a
// location always names every part of the source that an op computes.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_COMMON_KEEPLOCATIONS_H
#define GNNC_PASSES_COMMON_KEEPLOCATIONS_H

#include "mlir/IR/PatternMatch.h"
#include "passes/Common/Blocker.h"

namespace gnnc {

/// Listener for rewriters and greedy drivers. Not for rewrites that let two ops
/// change places: there the location of each stays with its own kind.
struct KeepLocations final : mlir::RewriterBase::Listener {
  using Listener::notifyOperationReplaced;
  void notifyOperationReplaced(mlir::Operation *op, mlir::ValueRange values) override {
    for (mlir::Value value : values) {
      mlir::Operation *def = value.getDefiningOp();
      if (!def) // an argument keeps its name; whoever listens is told
        reportMissed(op, "gnn-clean-up", Blocker(op, "its value is that of an argument"));
      else if (def != op)
        def->setLoc(mlir::FusedLoc::get(op->getContext(), {def->getLoc(), op->getLoc()}));
    }
  }
};

} // namespace gnnc

#endif // GNNC_PASSES_COMMON_KEEPLOCATIONS_H
