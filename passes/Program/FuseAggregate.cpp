//===- FuseAggregate.cpp - gather, elementwise, scatter -> one traversal --===//
//
// In: scatters whose message is built by tensor ops over all edges.
// Out: gnn.aggregate ops that compute the message of one edge at a time, so
// that no tensor of edges x features is ever stored.
//
//===----------------------------------------------------------------------===//
#include "passes/Common/Blocker.h"
#include "passes/Common/Rewrite.h"
#include "passes/Common/RowRegion.h"
#include "passes/Common/RowSpaces.h"
#include "passes/Program/Passes.h"
#include "passes/Program/ShareTraversal.h"
#include "passes/Program/SoftmaxMessage.h"

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

namespace {
/// What becomes one aggregate.
struct Chain {
  OpSet inside; ///< ops that the message region computes
  std::optional<SoftmaxMessage> softmax;
  /// Why a softmax in the message stays an edge tensor, if one does.
  std::optional<Blocker> softmaxBlocker;
};
} // namespace

/// Why `scatter` cannot become an aggregate; nothing when it can.
static std::optional<Blocker> findChain(ScatterOp scatter, Chain &chain) {
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
  // A softmax that cannot join stays an edge tensor, and the sum a plain one.
  if (scatter.getKind() == ReduceKind::Sum)
    chain.softmax = findSoftmaxMessage(message, scatter.getGraph());
  if (chain.softmax) {
    SegmentSoftmaxOp softmax = chain.softmax->softmax;
    chain.softmaxBlocker = findSoftmaxBlocker(*chain.softmax, message);
    chain.inside = collectRowOps({message}, isScatter, softmax);
    if (!chain.softmaxBlocker && chain.inside.contains(softmax))
      return std::nullopt;
    if (!chain.softmaxBlocker)
      chain.softmaxBlocker.emplace(
          softmax, "the weights or what is computed of them are read by more than one sum");
  }
  chain.softmax.reset();
  chain.inside = collectRowOps({message}, isScatter);
  return std::nullopt;
}

namespace {
/// scatter(R, f(gather(x, src), gather(y, dst), e)) at dst -> aggregate(R) { f(x[u], y[v], e) }
/// scatter(sum, row * segment_softmax(score)) at dst -> aggregate(softmax) { score, row }
struct FuseScatter final : OpRewritePattern<ScatterOp> {
  FuseScatter(MLIRContext *context, unsigned &numFused)
      : OpRewritePattern(context), numFused(numFused) {}
  LogicalResult matchAndRewrite(ScatterOp scatter, PatternRewriter &rewriter) const override {
    Chain chain;
    if (auto blocker = findChain(scatter, chain))
      return rewriter.notifyMatchFailure(scatter, blocker->text);
    if (chain.softmaxBlocker)
      reportMissed(chain.softmaxBlocker->at, "gnn-fuse-aggregate", *chain.softmaxBlocker);
    Location loc = scatter.getLoc();
    AggregateOp aggregate =
        chain.softmax ? createSoftmaxAggregate(rewriter, loc, scatter.getGraph(), scatter.getAcc(),
                                               *chain.softmax, scatter.getEdges(),
                                               scatter.getType(), chain.inside)
                      : createAggregate(rewriter, loc, scatter.getGraph(), scatter.getKind(),
                                        scatter.getAcc(), scatter.getEdges(), scatter.getType(),
                                        chain.inside);
    rewriter.replaceOp(scatter, aggregate);
    ++numFused;
    return success();
  }
  unsigned &numFused;
};

/// scatter(R, collapse(x)) -> collapse(scatter(R, x)): heads stay apart for as long
/// as edges are walked, since scores are theirs.
struct CollapseBehindScatter final : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterOp scatter, PatternRewriter &rewriter) const override {
    auto collapse = scatter.getEdges().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse || !isRowReshape(collapse) ||
        collapse.getReassociationIndices().front().size() != 1)
      return rewriter.notifyMatchFailure(scatter, "the message is not collapsed features");
    auto wide = cast<RankedTensorType>(collapse.getSrcType());
    SmallVector<int64_t> shape(wide.getShape());
    shape.front() = scatter.getType().getDimSize(0);
    auto reduced = ScatterOp::create(rewriter, scatter.getLoc(), wide.clone(shape),
                                     scatter.getKind(), collapse.getSrc(), scatter.getGraph(),
                                     scatter.getEnd(), scatter.getAcc());
    auto behind = tensor::CollapseShapeOp::create(rewriter, collapse.getLoc(), scatter.getType(),
                                                  reduced, collapse.getReassociationIndices());
    rewriter.replaceOp(scatter, behind);
    return success();
  }
};

/// Puts the first of `rows`, operands of `reader`, that a reduction of rows makes into a
/// map over `graph`: numbers of edges are stored, rows of edges never.
LogicalResult mapReduction(PatternRewriter &rewriter, Operation *reader, ValueRange rows,
                           Value graph) {
  for (Value reduced : rows) {
    Operation *op = reduced.getDefiningOp();
    if (!isRowReduction(op))
      continue;
    reportMissed(op, "gnn-fuse-aggregate",
                 Blocker(op, "it reduces rows of another width than its reader has, or for more "
                             "than one reader, so it has a kernel of its own"));
    OpSet inside = collectRowOps({reduced}, [](OpOperand &) { return true; });
    rewriter.setInsertionPointAfter(op);
    MapOp map = createMap(rewriter, reduced, graph, inside);
    rewriter.replaceOp(op, map);
    return success();
  }
  return rewriter.notifyMatchFailure(reader, "reads no reduction of rows");
}

/// aggregate { ... edge(reduce(gather(x))) } -> aggregate { ... edge(map { reduce(x[u]) }) }
/// where the reduced rows did not fit beside those of the aggregate.
struct MapReductionOfAggregate final : OpRewritePattern<AggregateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AggregateOp op, PatternRewriter &rewriter) const override {
    return mapReduction(rewriter, op, op.getEdge(), op.getGraph());
  }
};

/// The same where rows of a third width were left outside of such a map.
struct MapReductionOfMap final : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MapOp op, PatternRewriter &rewriter) const override {
    ValueRange edges = op.getGraph() ? ValueRange(op.getRows()) : ValueRange();
    return mapReduction(rewriter, op, edges, op.getGraph());
  }
};

/// Says of every scatter and edge tensor that is left why it is.
void reportLeft(func::FuncOp function) {
  function.walk([](ScatterOp scatter) {
    Chain chain;
    if (auto blocker = findChain(scatter, chain))
      reportMissed(scatter, "gnn-fuse-aggregate", *blocker);
  });
  function.walk([](AggregateOp aggregate) {
    for (Value edges : aggregate.getEdge())
      if (auto blocker = findRowBlocker(
              edges, [&](OpOperand &use) { return use.getOwner() == aggregate.getOperation(); }))
        reportMissed(blocker->at, "gnn-fuse-aggregate", *blocker);
  });
}

struct FuseAggregate final : gnnc::impl::GnnFuseAggregatePassBase<FuseAggregate> {
  using GnnFuseAggregatePassBase::GnnFuseAggregatePassBase;

protected:
  void runOnOperation() override {
    takeRowCountsFromArguments(getOperation());
    unsigned fused = 0;
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseScatter>(&getContext(), fused);
    patterns.add<CollapseBehindScatter>(&getContext(), /*benefit=*/2);
    patterns.add<MapReductionOfAggregate, MapReductionOfMap>(&getContext());
    if (failed(applyPatterns(getOperation(), std::move(patterns), "gnn-fuse-aggregate")))
      signalPassFailure();
    numFused += fused;
    numShared += shareTraversals(getOperation(), maxResults);
    reportLeft(getOperation());
  }
};
} // namespace
