//===- GnnFolds.cpp - Folds and canonicalisations of graph ops ------------===//
//
// One arrow above each rule. A rule stands here only when it is exact: the same
// bits for the same graph. What was left out, and why: docs/rationale-gnn.md.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/GnnVerify.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace gnnc::gnn;

/// The value that every element of `tensor` has, if it is a splat constant or a
/// fill with a constant; null otherwise.
static TypedAttr splatOf(Value tensor) {
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>()) {
    TypedAttr scalar;
    return matchPattern(fill.getInputs().front(), m_Constant(&scalar)) ? scalar : TypedAttr();
  }
  DenseElementsAttr constant;
  if (matchPattern(tensor, m_Constant(&constant)) && constant.isSplat())
    return dyn_cast<TypedAttr>(constant.getSplatValue<Attribute>());
  return {};
}

static bool isSplat(Value tensor, double value) {
  auto number = dyn_cast_or_null<FloatAttr>(splatOf(tensor));
  return number &&
         number.getValue().bitwiseIsEqual(FloatAttr::get(number.getType(), value).getValue());
}

//===----------------------------------------------------------------------===//
// gnn.add_self_loops, gnn.remove_self_loops, gnn.transpose, gnn.to_csr
//===----------------------------------------------------------------------===//

/// node_count(g) -> the extent of g's type, where it is known
OpFoldResult NodeCountOp::fold(FoldAdaptor) {
  int64_t known = getGraph().getType().extent(getEnd());
  return ShapedType::isDynamic(known) ? OpFoldResult()
                                      : IntegerAttr::get(IndexType::get(getContext()), known);
}

/// remove_self_loops(remove_self_loops(g), edges...) -> itself, edges...
LogicalResult RemoveSelfLoopsOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  if (!getGraph().getDefiningOp<RemoveSelfLoopsOp>() ||
      getGraph().getType() != getLoopless().getType() ||
      getEdges().getTypes() != getKept().getTypes())
    return failure();
  results.push_back(getGraph());
  llvm::append_range(results, getEdges());
  return success();
}

/// transpose(transpose(g)) -> g, for coo graphs: edges keep their order.
OpFoldResult TransposeOp::fold(FoldAdaptor) {
  auto inner = getGraph().getDefiningOp<TransposeOp>();
  if (inner && inner.getGraph().getType() == getTransposed().getType())
    return inner.getGraph();
  return {};
}

/// add_self_loops(add_self_loops(g) weights(w)) -> itself, w: every node has
/// its one loop already, behind the other edges and in order.
/// add_self_loops(remove_self_loops(g)) -> add_self_loops(g), without weights
LogicalResult AddSelfLoopsOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  if (auto loopless = getGraph().getDefiningOp<RemoveSelfLoopsOp>();
      loopless && !getWeights() &&
      getLooped().getType() == loopless.getGraph().getType().with(ShapedType::kDynamic,
                                                                  getLooped().getType().getIndex(),
                                                                  Layout::Coo)) {
    getGraphMutable().assign(loopless.getGraph());
    return success(); // changed in place
  }
  if (!getGraph().getDefiningOp<AddSelfLoopsOp>() || getGraph().getType() != getLooped().getType())
    return failure();
  if (getWeights() && getWeights().getType() != getLoopWeights().getType())
    return failure();
  results.push_back(getGraph());
  if (getWeights())
    results.push_back(getWeights());
  return success();
}

/// to_csr(csr graph, edges...) -> the graph, edges...
LogicalResult ToCsrOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  if (getGraph().getType() != getCsr().getType())
    return failure();
  results.push_back(getGraph());
  llvm::append_range(results, getEdges());
  return success();
}

namespace {
/// to_csr(csr graph, edges...) -> to_csr(csr graph), edges...: what remains
/// narrows the index type, the order is there already.
struct PassEdgesOfCsr final : OpRewritePattern<ToCsrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ToCsrOp op, PatternRewriter &rewriter) const override {
    if (!op.getGraph().getType().isCsr())
      return rewriter.notifyMatchFailure(op, "the graph is not grouped by destination");
    if (op.getEdges().empty())
      return rewriter.notifyMatchFailure(op, "no edge tensors");
    auto narrowed = ToCsrOp::create(rewriter, op.getLoc(), op.getCsr().getType(), TypeRange(),
                                    op.getGraph(), ValueRange());
    SmallVector<Value> values{narrowed.getCsr()};
    llvm::append_range(values, op.getEdges());
    rewriter.replaceOp(op, values);
    return success();
  }
};

/// to_csr(to_csr(g)) -> to_csr(g), when nothing else uses the inner one.
struct NarrowOnce final : OpRewritePattern<ToCsrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ToCsrOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getGraph().getDefiningOp<ToCsrOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "the graph is not made by another to_csr");
    if (!op.getEdges().empty() || !inner.getEdges().empty() || !inner.getCsr().hasOneUse())
      return rewriter.notifyMatchFailure(op, "the inner order has other users");
    rewriter.modifyOpInPlace(op, [&] { op.getGraphMutable().assign(inner.getGraph()); });
    return success();
  }
};

/// to_csr(g, a, b) with b's result unused -> to_csr(g, a)
struct DropUnusedEdges final : OpRewritePattern<ToCsrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ToCsrOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> kept;
    for (auto [in, out] : llvm::zip_equal(op.getEdges(), op.getPermuted()))
      if (!out.use_empty())
        kept.push_back(in);
    if (kept.size() == op.getEdges().size())
      return rewriter.notifyMatchFailure(op, "all permuted tensors are used");
    auto smaller = ToCsrOp::create(rewriter, op.getLoc(), op.getCsr().getType(),
                                   TypeRange(ValueRange(kept)), op.getGraph(), kept);
    SmallVector<Value> values{smaller.getCsr()};
    unsigned next = 0;
    for (Value out : op.getPermuted())
      values.push_back(out.use_empty() ? Value() : smaller.getPermuted()[next++]);
    for (auto [from, to] : llvm::zip_equal(op.getResults(), values))
      if (to)
        rewriter.replaceAllUsesWith(from, to);
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// gnn.degree, gnn.scatter
//===----------------------------------------------------------------------===//

/// degree(g, weights(1.0)) -> degree(g), for f32
struct CountUnitWeights final : OpRewritePattern<DegreeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DegreeOp op, PatternRewriter &rewriter) const override {
    if (!op.getWeights() || !op.getType().getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "no f32 weights");
    if (!isSplat(op.getWeights(), 1.0))
      return rewriter.notifyMatchFailure(op, "weights are not known to be 1");
    rewriter.modifyOpInPlace(op, [&] { op.getWeightsMutable().clear(); });
    return success();
  }
};

/// scatter(sum, 1.0) -> degree, for rows of one f32 accumulated in f32
struct CountScatteredOnes final : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterOp op, PatternRewriter &rewriter) const override {
    if (op.getKind() != ReduceKind::Sum || op.getType().getRank() != 1 ||
        !op.getType().getElementType().isF32() || !op.getAcc().isF32())
      return rewriter.notifyMatchFailure(op, "no f32 sum of scalar rows");
    if (!isSplat(op.getEdges(), 1.0))
      return rewriter.notifyMatchFailure(op, "edge rows are not known to be 1");
    rewriter.replaceOpWithNewOp<DegreeOp>(op, op.getType(), op.getGraph(), Value(), op.getEnd());
    return success();
  }
};

/// scatter(sum | mean | max | min, 0.0) -> 0.0, when the extents are known
struct ScatterZeros final : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterOp op, PatternRewriter &rewriter) const override {
    if (op.getKind() == ReduceKind::Mul)
      return rewriter.notifyMatchFailure(op, "the product over no edge is 1");
    if (!op.getType().hasStaticShape() || !isSplat(op.getEdges(), 0.0))
      return rewriter.notifyMatchFailure(op, "no zeros of a known extent");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getZeroAttr(op.getType()));
    return success();
  }
};
} // namespace

void ToCsrOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<PassEdgesOfCsr, NarrowOnce, DropUnusedEdges>(context);
}

void DegreeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<CountUnitWeights>(context);
}

void ScatterOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<CountScatteredOnes, ScatterZeros>(context);
}

//===----------------------------------------------------------------------===//
// gnn.gather
//===----------------------------------------------------------------------===//

/// gather(splat c) -> splat c, when the number of edges is known
OpFoldResult GatherOp::fold(FoldAdaptor) {
  if (!getType().hasStaticShape())
    return {};
  if (TypedAttr value = splatOf(getNodes()))
    return DenseElementsAttr::get(getType(), Attribute(value));
  return {};
}
