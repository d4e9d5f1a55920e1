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
#include "passes/Common/Rewrite.h"
#include "passes/Program/GraphHandling.h"
#include "passes/Program/Passes.h"
#include "passes/Program/SoftmaxExpansion.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNEXPANDSOFTMAXPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

Value gnnc::createExpandedSoftmax(OpBuilder &builder, SegmentSoftmaxOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getScores().getType());
  RankedTensorType wide = type.clone(op.getAcc());
  Value graph = op.getGraph(), scores = op.getScores();
  if (type != wide)
    scores = arith::ExtFOp::create(builder, loc, wide, scores);
  auto reduceAndGather = [&](ReduceKind kind, Value edges) -> Value {
    Value nodes = ScatterOp::create(builder, loc, kind, edges, graph, *op.getEnd(), op.getAcc());
    return GatherOp::create(builder, loc, wide, nodes, graph, *op.getEnd());
  };
  Value maximum = reduceAndGather(ReduceKind::Max, scores);
  Value shifted = arith::SubFOp::create(builder, loc, scores, maximum);
  Value power = math::ExpOp::create(builder, loc, shifted);
  Value sum = reduceAndGather(ReduceKind::Sum, power);
  Value tiny = createFilledLike(builder, loc, scores, 1e-16);
  Value safe = arith::AddFOp::create(builder, loc, sum, tiny);
  Value result = arith::DivFOp::create(builder, loc, power, safe);
  if (type != wide)
    result = arith::TruncFOp::create(builder, loc, type, result);
  return result;
}

namespace {
/// segment_softmax(s, g) -> exp(s - max) / (sum + 1e-16)
struct Expand final : OpRewritePattern<SegmentSoftmaxOp> {
  Expand(MLIRContext *context, unsigned &numExpanded)
      : OpRewritePattern(context), numExpanded(numExpanded) {}

  LogicalResult matchAndRewrite(SegmentSoftmaxOp op, PatternRewriter &rewriter) const override {
    if (!op.getGraph())
      return rewriter.notifyMatchFailure(op, "a row pointer has no edges to scatter along");
    rewriter.replaceOp(op, createExpandedSoftmax(rewriter, op));
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
    if (failed(applyPatterns(getOperation(), std::move(patterns), "gnn-expand-softmax")))
      signalPassFailure();
    numExpanded += expanded;
  }
};
} // namespace
