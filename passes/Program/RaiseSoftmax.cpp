//===- RaiseSoftmax.cpp - The steps of an edge softmax -> one op ----------===//
//
// In: exp(s - max) / (sum + 1e-16) spelled out over a graph, as PyG's and DGL's
// functions come out of an import. Out: gnn.segment_softmax, which fusion knows.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Common/Rewrite.h"
#include "passes/Common/RowOps.h"
#include "passes/Program/Passes.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNRAISESOFTMAXPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

/// Too small to change a sum that is at least 1 in f64.
static bool isTiny(Value tensor) {
  auto number = dyn_cast_or_null<FloatAttr>(splatValue(tensor));
  if (!number)
    return false;
  double value = number.getValueAsDouble();
  return value >= 0 && value <= 1.0001e-16;
}

/// `value` without the tiny number that is added to it, if one is.
static Value withoutTiny(Value value) {
  auto add = value.getDefiningOp<arith::AddFOp>();
  if (!add)
    return value;
  if (isTiny(add.getRhs()))
    return add.getLhs();
  return isTiny(add.getLhs()) ? add.getRhs() : value;
}

/// The scatter whose result `edges` gathers back at the same end of its graph.
static ScatterOp scatterBehind(Value edges, ReduceKind kind, bool mayAddTiny) {
  if (mayAddTiny)
    edges = withoutTiny(edges);
  auto gather = edges.getDefiningOp<GatherOp>();
  if (!gather)
    return {};
  Value nodes = mayAddTiny ? withoutTiny(gather.getNodes()) : gather.getNodes();
  auto scatter = nodes.getDefiningOp<ScatterOp>();
  if (!scatter || scatter.getKind() != kind || scatter.getGraph() != gather.getGraph() ||
      scatter.getEnd() != gather.getEnd())
    return {};
  return scatter;
}

namespace {
/// divf(p = exp(s - gather(scatter max s)), gather(scatter sum p) + 1e-16) -> segment_softmax(s)
struct Raise final : OpRewritePattern<arith::DivFOp> {
  Raise(MLIRContext *context, unsigned &numRaised)
      : OpRewritePattern(context), numRaised(numRaised) {}

  LogicalResult matchAndRewrite(arith::DivFOp op, PatternRewriter &rewriter) const override {
    auto power = op.getLhs().getDefiningOp<math::ExpOp>();
    auto shifted = power ? power.getOperand().getDefiningOp<arith::SubFOp>() : arith::SubFOp();
    if (!shifted)
      return rewriter.notifyMatchFailure(op, "no power of a difference is divided");
    ScatterOp sum = scatterBehind(op.getRhs(), ReduceKind::Sum, /*mayAddTiny=*/true);
    if (!sum || sum.getEdges() != power.getResult())
      return rewriter.notifyMatchFailure(op, "the divisor is no gathered sum of what is divided");
    ScatterOp max = scatterBehind(shifted.getRhs(), ReduceKind::Max, /*mayAddTiny=*/false);
    if (!max || max.getEdges() != shifted.getLhs())
      return rewriter.notifyMatchFailure(op, "what is subtracted is no gathered maximum");
    if (max.getGraph() != sum.getGraph() || max.getEnd() != sum.getEnd())
      return rewriter.notifyMatchFailure(op, "maximum and sum are over different edges");
    bool wider = max.getAcc().getIntOrFloatBitWidth() > sum.getAcc().getIntOrFloatBitWidth();
    // All steps, with the gathers and small numbers between them.
    SmallVector<Location> steps{op.getLoc(), power.getLoc(), shifted.getLoc()};
    for (auto [edges, scatter] : {std::pair(op.getRhs(), sum), std::pair(shifted.getRhs(), max)}) {
      Value gathered = withoutTiny(edges);
      steps.push_back(edges.getLoc());
      steps.push_back(gathered.getLoc());
      steps.push_back(gathered.getDefiningOp<GatherOp>().getNodes().getLoc());
      steps.push_back(scatter.getLoc());
    }
    auto softmax = SegmentSoftmaxOp::create(rewriter, rewriter.getFusedLoc(steps), op.getType(),
                                            shifted.getLhs(), sum.getGraph(),
                                            EndAttr::get(op.getContext(), sum.getEnd()),
                                            TypeAttr::get(wider ? max.getAcc() : sum.getAcc()));
    rewriter.replaceOp(op, softmax);
    ++numRaised;
    return success();
  }

  unsigned &numRaised;
};

struct RaiseSoftmax final : gnnc::impl::GnnRaiseSoftmaxPassBase<RaiseSoftmax> {
  void runOnOperation() override {
    unsigned raised = 0;
    RewritePatternSet patterns(&getContext());
    patterns.add<Raise>(&getContext(), raised);
    if (failed(applyPatterns(getOperation(), std::move(patterns), "gnn-raise-softmax")))
      signalPassFailure();
    numRaised += raised;
  }
};
} // namespace
