//===- ExpandSoftmax.cpp - segment_softmax -> scatters and gathers --------===//
//
// In: edge softmaxes that no traversal took along (their weights are returned, or
// read by more than sums). Out: two scatters, two gathers and arithmetic, all of
// which have kernels.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Program/GraphHandling.h"
#include "passes/Program/Passes.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNEXPANDSOFTMAXPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

namespace {
/// segment_softmax(s, g) -> exp(s - max) / (sum + 1e-16)
struct Expand final : OpRewritePattern<SegmentSoftmaxOp> {
  Expand(MLIRContext *context, unsigned &numExpanded)
      : OpRewritePattern(context), numExpanded(numExpanded) {}

  LogicalResult matchAndRewrite(SegmentSoftmaxOp op, PatternRewriter &rewriter) const override {
    Value graph = op.getGraph();
    if (!graph)
      return rewriter.notifyMatchFailure(op, "a row pointer has no edges to scatter along");
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getScores().getType());
    RankedTensorType wide = type.clone(op.getAcc());
    Value scores = op.getScores();
    if (type != wide)
      scores = arith::ExtFOp::create(rewriter, loc, wide, scores);
    auto reduceAndGather = [&](ReduceKind kind, Value edges) -> Value {
      Value nodes = ScatterOp::create(rewriter, loc, kind, edges, graph, *op.getEnd(), op.getAcc());
      return GatherOp::create(rewriter, loc, wide, nodes, graph, *op.getEnd());
    };
    Value maximum = reduceAndGather(ReduceKind::Max, scores);
    Value shifted = arith::SubFOp::create(rewriter, loc, scores, maximum);
    Value power = math::ExpOp::create(rewriter, loc, shifted);
    Value sum = reduceAndGather(ReduceKind::Sum, power);
    Value tiny = gnnc::createFilledLike(rewriter, loc, scores, 1e-16);
    Value safe = arith::AddFOp::create(rewriter, loc, sum, tiny);
    Value result = arith::DivFOp::create(rewriter, loc, power, safe);
    if (type != wide)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    ++numExpanded;
    return success();
  }

  unsigned &numExpanded;
};

struct ExpandSoftmax final : gnnc::impl::GnnExpandSoftmaxPassBase<ExpandSoftmax> {
  void runOnOperation() override {
    unsigned expanded = 0;
    RewritePatternSet patterns(&getContext());
    patterns.add<Expand>(&getContext(), expanded);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      getOperation().emitError("gnn-expand-softmax: the rewrite did not converge");
      signalPassFailure();
    }
    numExpanded += expanded;
  }
};
} // namespace
