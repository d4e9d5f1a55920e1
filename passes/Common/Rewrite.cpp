//===- Rewrite.cpp - Apply patterns, and hear why some did not match ------===//
#include "passes/Common/Rewrite.h"

#include "passes/Common/Blocker.h"

using namespace mlir;

namespace {
struct TellWhyNot final : RewriterBase::ForwardingListener {
  TellWhyNot(StringRef pass, OpBuilder::Listener *next) : ForwardingListener(next), pass(pass) {}

  void notifyMatchFailure(Location loc, function_ref<void(Diagnostic &)> reason) override {
    Diagnostic text(loc, DiagnosticSeverity::Remark);
    reason(text);
    gnnc::reportAnalysed(loc, pass, text.str());
    ForwardingListener::notifyMatchFailure(loc, reason);
  }

  StringRef pass;
};
} // namespace

LogicalResult gnnc::applyPatterns(Operation *root, const FrozenRewritePatternSet &patterns,
                                  StringRef pass, GreedyRewriteConfig config) {
  TellWhyNot listener(pass, config.getListener());
  if (root->getContext()->getRemarkEngine()) // somebody may want to know
    config.setListener(&listener);
  if (succeeded(applyPatternsGreedily(root, patterns, config)))
    return success();
  return root->emitError() << pass << ": the rewrite did not converge";
}
