//===- FuseAggregate.cpp - gather, elementwise, scatter -> one traversal --===//
//
// In: scatters whose message is built by tensor ops over all edges.
// Out: gnn.aggregate ops that compute the message of one edge at a time, so
// that no tensor of edges x features is ever stored.
//
//===----------------------------------------------------------------------===//
#include "passes/Common/Blocker.h"
#include "passes/Common/RowRegion.h"
#include "passes/Common/RowSpaces.h"
#include "passes/Program/Passes.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNFUSEAGGREGATEPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc
using namespace gnnc;

/// Scatters at the destinations of `graph` compute a shared message each on its
/// own, so that it dies with the last of them.
static bool isFusableScatter(OpOperand &use, Value graph) {
  auto scatter = dyn_cast<ScatterOp>(use.getOwner());
  return scatter && scatter.getEnd() == End::Dst && scatter.getGraph() == graph;
}

/// Why `scatter` cannot become an aggregate; on success `inside` holds the ops
/// that its message region computes.
static std::optional<Blocker> findChain(ScatterOp scatter, OpSet &inside) {
  if (scatter.getEnd() == End::Src)
    return Blocker(scatter, "a scatter at src walks edges by source; it needs gnn.transpose first");
  Value message = scatter.getEdges();
  auto type = cast<RankedTensorType>(message.getType());
  if (llvm::any_of(type.getShape().drop_front(), ShapedType::isDynamic))
    return Blocker(scatter, "the features of the message are not static");
  auto isScatter = [&](OpOperand &use) { return isFusableScatter(use, scatter.getGraph()); };
  if (message.getDefiningOp())
    for (OpOperand &use : message.getUses())
      if (!isScatter(use) && !isa<tensor::DimOp>(use.getOwner()))
        return Blocker(use.getOwner(), "the message is also read by '" +
                                           use.getOwner()->getName().getStringRef() +
                                           "', so it must exist as a tensor");
  inside = collectRowOps({message}, isScatter);
  return std::nullopt;
}

namespace {
/// scatter(R, f(gather(x, src), gather(y, dst), e)) at dst -> aggregate(R) { f(x[u], y[v], e) }
struct FuseScatter final : OpRewritePattern<ScatterOp> {
  FuseScatter(MLIRContext *context, unsigned &numFused)
      : OpRewritePattern(context), numFused(numFused) {}
  LogicalResult matchAndRewrite(ScatterOp scatter, PatternRewriter &rewriter) const override {
    OpSet inside;
    if (auto blocker = findChain(scatter, inside))
      return rewriter.notifyMatchFailure(scatter, blocker->text);
    auto aggregate =
        createAggregate(rewriter, scatter.getLoc(), scatter.getGraph(), scatter.getKind(),
                        scatter.getAcc(), scatter.getEdges(), scatter.getType(), inside);
    rewriter.replaceOp(scatter, aggregate);
    ++numFused;
    return success();
  }
  unsigned &numFused;
};

struct FuseAggregate final : gnnc::impl::GnnFuseAggregatePassBase<FuseAggregate> {
protected:
  void runOnOperation() override {
    takeRowCountsFromArguments(getOperation());
    unsigned fused = 0;
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseScatter>(&getContext(), fused);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      getOperation().emitError("gnn-fuse-aggregate: the rewrite did not converge");
      signalPassFailure();
    }
    numFused += fused;
  }
};
} // namespace
