//===- CleanUp.cpp - Fold, merge equal ops, erase dead ones ---------------===//
//
// In: what a pass left. Out: the same without ops that nobody reads or that are
// there twice. Upstream's canonicalize and cse in one, except that both drop the
// location of what they replace, and an explanation of the program needs it.
//
//===----------------------------------------------------------------------===//
#include "passes/Common/KeepLocations.h"
#include "passes/Common/Rewrite.h"
#include "passes/Program/Passes.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace gnnc {
#define GEN_PASS_DEF_GNNCLEANUPPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

namespace {
struct CleanUp final : gnnc::impl::GnnCleanUpPassBase<CleanUp> {
protected:
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet collected(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(collected);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(collected, context);
    patterns = std::move(collected);
    return success();
  }

  void runOnOperation() override {
    gnnc::KeepLocations keep;
    GreedyRewriteConfig config;
    config.setListener(&keep);
    if (failed(gnnc::applyPatterns(getOperation(), patterns, "gnn-clean-up", config)))
      return signalPassFailure();
    IRRewriter rewriter(&getContext(), &keep);
    eliminateCommonSubExpressions(rewriter, getAnalysis<DominanceInfo>(), getOperation());
  }

private:
  FrozenRewritePatternSet patterns;
};
} // namespace
