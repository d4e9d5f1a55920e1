//===- ReorderAttention.cpp - sums of x W_h by weights <-> (sums of x) W_h --===//
//
// In: attention as written: all heads of x W are gathered and weighed.
// Out: where that moves fewer bytes, x is gathered once for all heads and each head's
// sum is multiplied with the head's part of W.
//
// 1. sum_e alpha_eh (x[u] W_h) = (sum_e alpha_eh x[u]) W_h: the sums are H rows of the
//    width of x, the products are one HeadProduct.
// 2. (x W_h) . a_h = x (W_h a_h): the scores need no x W either. W_h a_h is known
//    before the first run.
// 3. A scale for each column of the products goes into W.
//
// Runs on the program as written, before anything is fused: what the sums weigh is
// there a tensor for each edge, which fusion makes a row that all heads share.
//
//===----------------------------------------------------------------------===//
#include "passes/Common/HeadProduct.h"
#include "passes/Common/Rewrite.h"
#include "passes/Common/RowOps.h"
#include "passes/Common/RowSpaces.h"
#include "passes/Program/FoldDots.h"
#include "passes/Program/Passes.h"
#include "passes/Program/SoftmaxMessage.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNREORDERATTENTIONPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

namespace {
enum class Order { Auto, AggregateFirst };

/// x W as rows of heads.
struct Heads {
  WeightProduct product;                     ///< [N, H*C]
  tensor::ExpandShapeOp apart;               ///< [N, H, C]
  int64_t heads = 0, columns = 0, depth = 0; ///< H, C, F

  bool isTransposed() const { return product.outAxis == 0; } ///< W is [H*C, F]
};

struct Attention {
  Heads heads;
  GatherOp gather;
  Operation *weighing; ///< the rows by the softmax
  SegmentSoftmaxOp softmax;
};
} // namespace

/// The heads that `value` is, made by a product with a weight.
static std::optional<Heads> matchHeads(Value value) {
  Heads found;
  found.apart = value.getDefiningOp<tensor::ExpandShapeOp>();
  if (!found.apart || found.apart.getResultType().getRank() != 3 || !isRowReshape(found.apart))
    return std::nullopt;
  auto product = matchProduct(found.apart.getSrc());
  if (!product)
    return std::nullopt;
  found.product = *product;
  found.heads = found.apart.getResultType().getDimSize(1);
  found.columns = found.apart.getResultType().getDimSize(2);
  found.depth = cast<RankedTensorType>(product->weight.getType()).getDimSize(1 - product->outAxis);
  return found;
}

/// `use` of the heads of x W is a factor of dot products.
static bool isDot(OpOperand *use) {
  if (!isa<arith::MulFOp>(use->getOwner()))
    return false;
  SmallVector<OpOperand *> readers = readersOf(use->getOwner()->getResult(0));
  auto reduce = readers.empty() ? linalg::ReduceOp()
                                : dyn_cast<linalg::ReduceOp>(readers.front()->getOwner());
  Dots dots;
  return readers.size() == 1 && reduce && !findDots(reduce, dots);
}

/// Why something else than dot products and `gather` reads x W, if it does.
static std::optional<Blocker> findOtherReader(Heads &heads, Operation *gather) {
  if (!hasOneReader(heads.apart.getSrc()))
    return Blocker(heads.product.op, "the product has readers that are not of this attention");
  for (OpOperand *use : readersOf(heads.apart))
    if (use->getOwner() != gather && !isDot(use))
      return Blocker(use->getOwner(), "reads the heads of the product as they are, so that it must "
                                      "exist");
  return std::nullopt;
}

/// Worth it: bytes of x W against those of x, and of the sums of both.
static bool movesLess(Heads heads, GnnGraphType graph) {
  constexpr double kUnknownDegree = 8;
  double dst = 1, src = 1, edges = kUnknownDegree;
  if (llvm::none_of(ArrayRef<int64_t>{graph.getDst(), graph.getSrc(), graph.getEdges()},
                    ShapedType::isDynamic)) {
    dst = graph.getDst();
    src = graph.getSrc();
    edges = graph.getEdges();
  }
  double in = heads.depth, out = heads.heads * heads.columns, sums = in * heads.heads;
  // x W is written, read along the edges and by the scores; its sums are written.
  double transformFirst = src * (in + out) + edges * out + src * out + dst * out;
  // x is read along the edges and by two products for scores; its sums are written and read.
  double aggregateFirst = edges * in + 2 * src * in + 2 * dst * sums + dst * out;
  // The sums of all heads are work for each edge too: only where rows are much narrower.
  return 4 * in <= out && aggregateFirst < transformFirst;
}

/// Why `scatter` stays a sum of x W; otherwise its parts. `attention.heads` is set where it
/// is a sum of heads by a softmax, whatever stands in the way.
static std::optional<Blocker> findAttention(ScatterOp scatter, Order order, Attention &attention) {
  auto found = scatter.getKind() == ReduceKind::Sum && scatter.getEnd() == End::Dst
                   ? findSoftmaxMessage(scatter.getEdges(), scatter.getGraph())
                   : std::nullopt;
  auto gather = found ? found->row.getDefiningOp<GatherOp>() : GatherOp();
  auto heads = gather ? matchHeads(gather.getNodes()) : std::nullopt;
  if (!heads)
    return Blocker(scatter, "is no sum of heads of a product, each weighed by a softmax");
  attention = {*heads, gather, found->product, found->softmax};
  if (gather.getGraph() != scatter.getGraph() || gather.getEnd() != End::Src)
    return Blocker(gather, "the heads are not those of the sources of the edges");
  if (found->product->getResult(0) != scatter.getEdges() || !hasOneReader(gather) ||
      !hasOneReader(scatter.getEdges()))
    return Blocker(found->product, "more is done with the weighed heads than to add them up");
  auto scores = cast<RankedTensorType>(found->softmax.getScores().getType());
  if (scores.getRank() != 2 || scores.getDimSize(1) != heads->heads)
    return Blocker(found->softmax, "there is not one score for each head");
  Type element = scores.getElementType();
  for (Value value : {heads->product.rows, heads->product.weight, Value(scatter.getResult())})
    if (cast<RankedTensorType>(value.getType()).getElementType() != element)
      return Blocker(scatter, "rows, weights and scores are of several element types");
  if (auto blocker = findOtherReader(*heads, gather))
    return blocker;
  if (order == Order::Auto && !movesLess(*heads, scatter.getGraph().getType()))
    return Blocker(scatter, "gathering the rows before their product moves no less");
  return std::nullopt;
}

/// `value` repeated along the axes `dimensions` of `type`, whose rows are those of `like`.
static Value repeat(OpBuilder &builder, Location loc, Value value, RankedTensorType type,
                    Value like, ArrayRef<int64_t> dimensions) {
  SmallVector<Value> sizes;
  if (type.isDynamicDim(0))
    sizes.push_back(tensor::DimOp::create(builder, loc, like, 0));
  Value init = tensor::EmptyOp::create(builder, loc, type, sizes);
  return linalg::BroadcastOp::create(builder, loc, value, init, dimensions)->getResult(0);
}

namespace {
/// sum_e alpha (x[u] W) -> (sum_e alpha x[u]) W, for each head
struct AggregateFirst final : OpRewritePattern<ScatterOp> {
  AggregateFirst(MLIRContext *context, Order order, unsigned &count)
      : OpRewritePattern(context), order(order), count(count) {}
  LogicalResult matchAndRewrite(ScatterOp scatter, PatternRewriter &rewriter) const override {
    Attention attention;
    if (auto blocker = findAttention(scatter, order, attention))
      return rewriter.notifyMatchFailure(blocker->at, blocker->text);
    Heads &heads = attention.heads;
    Location loc = scatter.getLoc();
    auto weights = cast<RankedTensorType>(attention.softmax.getResult().getType());
    auto rows = cast<RankedTensorType>(heads.product.rows.getType());
    int64_t edges = weights.getDimSize(0);
    rewriter.setInsertionPoint(scatter);
    Value gathered =
        GatherOp::create(rewriter, attention.gather.getLoc(), rows.clone({edges, heads.depth}),
                         heads.product.rows, scatter.getGraph(), attention.gather.getEndAttr());
    auto wide = rows.clone({edges, heads.heads, heads.depth});
    Value alpha = attention.softmax.getResult();
    Value message = arith::MulFOp::create(rewriter, attention.weighing->getLoc(),
                                          repeat(rewriter, loc, gathered, wide, alpha, {1}),
                                          repeat(rewriter, loc, alpha, wide, alpha, {2}));
    auto type = rows.clone({scatter.getType().getDimSize(0), heads.heads, heads.depth});
    Value sums = ScatterOp::create(rewriter, loc, type, scatter.getKind(), message,
                                   scatter.getGraph(), scatter.getEnd(), scatter.getAcc());
    Value joined =
        HeadProduct::create(rewriter, heads.product.op.getLoc(), sums, heads.product.weight,
                            /*beside=*/!heads.isTransposed(), heads.isTransposed());
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        scatter, scatter.getType(), joined, SmallVector<ReassociationIndices>{{0}, {1, 2}});
    ++count;
    return success();
  }
  Order order;
  unsigned &count;
};

/// sum_c (x W)[h, c] a[h, c] -> x (W_h a_h) where nothing else reads x W
struct ScoreOfRows final : OpRewritePattern<linalg::ReduceOp> {
  ScoreOfRows(MLIRContext *context, Order order, unsigned &count)
      : OpRewritePattern(context), order(order), count(count) {}
  LogicalResult matchAndRewrite(linalg::ReduceOp reduce, PatternRewriter &rewriter) const override {
    Dots dots;
    if (auto blocker = findDots(reduce, dots))
      return rewriter.notifyMatchFailure(blocker->at, blocker->text);
    std::optional<Heads> heads = matchHeads(dots.apart);
    if (auto blocker = findOtherReader(*heads, nullptr))
      return rewriter.notifyMatchFailure(blocker->at, blocker->text);
    if (order == Order::Auto && 4 * heads->depth > heads->heads * heads->columns)
      return rewriter.notifyMatchFailure(reduce, "the rows of the product are not much wider than "
                                                 "those it is made of");
    foldDots(rewriter, reduce, dots);
    ++count;
    return success();
  }
  Order order;
  unsigned &count;
};

/// (products of heads) * rows(s) -> products with W s
struct ScaleOfHeads final : OpRewritePattern<arith::MulFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::MulFOp op, PatternRewriter &rewriter) const override {
    for (auto [value, factor] :
         {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())}) {
      auto product = HeadProduct::match(value);
      auto scale = factor.getDefiningOp<linalg::BroadcastOp>();
      if (!product || !hasOneReader(value) || !scale || product->beside == product->transposed ||
          scale.getDimensions() != ArrayRef<int64_t>{0})
        continue;
      auto type = cast<RankedTensorType>(product->weight.getType());
      Value scales =
          repeat(rewriter, op.getLoc(), scale.getInput(), type, {}, {product->transposed ? 1 : 0});
      Value weight = arith::MulFOp::create(rewriter, op.getLoc(), product->weight, scales);
      Location loc = rewriter.getFusedLoc({product->op.getLoc(), op.getLoc()});
      rewriter.replaceOp(op, HeadProduct::create(rewriter, loc, product->rows, weight,
                                                 product->beside, product->transposed));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "scales no products of heads of its own");
  }
};

struct ReorderAttention final : gnnc::impl::GnnReorderAttentionPassBase<ReorderAttention> {
  using GnnReorderAttentionPassBase::GnnReorderAttentionPassBase;

protected:
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (order != "auto" && order != "transform-first" && order != "aggregate-first") {
      function.emitError("gnn-reorder-attention: option order is auto, transform-first or "
                         "aggregate-first, found ")
          << order;
      return signalPassFailure();
    }
    if (order == "transform-first")
      return;
    Order chosen = order == "auto" ? Order::Auto : Order::AggregateFirst;
    takeRowCountsFromArguments(function);
    unsigned sums = 0, scores = 0;
    RewritePatternSet patterns(&getContext());
    patterns.add<AggregateFirst>(&getContext(), chosen, sums);
    patterns.add<ScoreOfRows>(&getContext(), chosen, scores);
    patterns.add<ScaleOfHeads>(&getContext());
    if (failed(applyPatterns(function, std::move(patterns), "gnn-reorder-attention")))
      signalPassFailure();
    takeRowCountsFromArguments(function);
    numAggregateFirst += sums;
    numScores += scores;
    function.walk([&](ScatterOp scatter) {
      Attention attention;
      auto blocker = findAttention(scatter, chosen, attention);
      if (blocker && attention.softmax)
        reportMissed(scatter, "gnn-reorder-attention", *blocker);
    });
  }
};
} // namespace
