//===- GnnDims.cpp - tensor.dim of what gnn ops make ----------------------===//
//
// A row count of a result is a count of its graph or of an operand. Rewriting
// tensor.dim to that keeps a computation from living on for its shape alone.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/GnnVerify.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace gnnc::gnn;

static Value rowsOfTensor(OpBuilder &builder, Location loc, Value tensor) {
  return builder.createOrFold<tensor::DimOp>(loc, tensor, 0);
}

/// How many edges or nodes `graph` has as an index value; null when no value of
/// the program says so (a graph argument with extents that are ?).
static Value countOf(OpBuilder &builder, Location loc, Value graph, RowOf row) {
  auto type = cast<GnnGraphType>(graph.getType());
  int64_t known =
      row == RowOf::Edge ? type.getEdges() : type.extent(row == RowOf::Src ? End::Src : End::Dst);
  if (!ShapedType::isDynamic(known))
    return arith::ConstantIndexOp::create(builder, loc, known);
  Operation *maker = graph.getDefiningOp();
  if (auto csr = dyn_cast_or_null<ToCsrOp>(maker))
    return countOf(builder, loc, csr.getGraph(), row);
  if (auto loops = dyn_cast_or_null<AddSelfLoopsOp>(maker)) {
    if (row != RowOf::Edge)
      return countOf(builder, loc, loops.getGraph(), row);
    return loops.getLoopWeights() ? rowsOfTensor(builder, loc, loops.getLoopWeights()) : Value();
  }
  if (auto loopless = dyn_cast_or_null<RemoveSelfLoopsOp>(maker)) {
    if (row != RowOf::Edge)
      return countOf(builder, loc, loopless.getGraph(), row);
    return loopless.getKept().empty() ? Value()
                                      : rowsOfTensor(builder, loc, loopless.getKept().front());
  }
  if (auto appended = dyn_cast_or_null<AppendSelfLoopsOp>(maker)) {
    if (row != RowOf::Edge)
      return countOf(builder, loc, appended.getGraph(), row);
    return appended.getAppended().empty()
               ? Value()
               : rowsOfTensor(builder, loc, appended.getAppended().front());
  }
  if (auto transpose = dyn_cast_or_null<TransposeOp>(maker)) {
    RowOf other = row == RowOf::Edge ? row : row == RowOf::Src ? RowOf::Dst : RowOf::Src;
    return countOf(builder, loc, transpose.getGraph(), other);
  }
  if (auto made = dyn_cast_or_null<IndexGraphOp>(maker)) {
    if (made.getForm() == IndexForm::Segments)
      return {};
    bool isNamed = row == rowOf(made.namedEnd());
    return isNamed ? made.getNodes() : rowsOfTensor(builder, loc, made.getIndex());
  }
  if (auto made = dyn_cast_or_null<GraphOp>(maker)) {
    if (row == RowOf::Edge)
      return rowsOfTensor(builder, loc, made.getSecond());
    // `nodes` holds the unknown ones of (dst, src).
    bool second = row == RowOf::Src && ShapedType::isDynamic(type.getDst());
    return made.getNodes()[second];
  }
  return {};
}

/// The tensor that has as many rows as `result`, or null and a count of `graph`.
static Value rowsLike(OpResult result, Value &graph, RowOf &row) {
  return TypeSwitch<Operation *, Value>(result.getOwner())
      .Case([&](GatherOp op) {
        graph = op.getGraph();
        row = RowOf::Edge;
        return Value();
      })
      .Case<ScatterOp, DegreeOp>([&](auto op) {
        graph = op.getGraph();
        row = rowOf(op.getEnd());
        return Value();
      })
      .Case([&](LoopWeightsOp op) {
        graph = op.getGraph();
        row = RowOf::Dst;
        return Value();
      })
      .Case([&](GatherAtOp op) { return Value(op.getIndex()); })
      .Case([&](SegmentSoftmaxOp op) { return Value(op.getScores()); })
      .Case([&](ToCsrOp op) {
        return result.getResultNumber() ? op.getEdges()[result.getResultNumber() - 1] : Value();
      })
      .Case([&](AggregateOp op) {
        graph = op.getGraph();
        row = RowOf::Dst;
        return op.getDst().empty() ? Value() : Value(op.getDst().front());
      })
      .Case([&](MapOp op) {
        graph = op.getGraph();
        row = RowOf::Edge;
        return op.getRows().empty() ? Value() : Value(op.getRows().front());
      })
      .Default(Value());
}

namespace {
/// dim(op(x, g), 0) -> dim(x, 0), or the count of g
struct DimOfRows final : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::DimOp dim, PatternRewriter &rewriter) const override {
    auto result = dyn_cast<OpResult>(dim.getSource());
    if (!result || !isa<GnnDialect>(result.getOwner()->getDialect()))
      return rewriter.notifyMatchFailure(dim, "no result of a gnn op");
    if (dim.getConstantIndex() != 0)
      return rewriter.notifyMatchFailure(dim, "not the number of rows");
    Value graph;
    RowOf row = RowOf::Edge;
    Value count;
    if (auto scatter = dyn_cast<ScatterAtOp>(result.getOwner()))
      count = scatter.getExtent();
    else if (Value like = rowsLike(result, graph, row))
      count = rowsOfTensor(rewriter, dim.getLoc(), like);
    else if (graph)
      count = countOf(rewriter, dim.getLoc(), graph, row);
    if (!count)
      return rewriter.notifyMatchFailure(dim, "no other value has this count");
    rewriter.replaceOp(dim, count);
    return success();
  }
};
} // namespace

void GnnDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns.add<DimOfRows>(getContext());
}
