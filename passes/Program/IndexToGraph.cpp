//===- IndexToGraph.cpp - Ops by one index tensor -> ops over a graph -----===//
//
// In: what gnn-raise-to-graph left: ops whose index tensors are no edge list. Out:
// the same over graphs whose edges join the number of a row to what the index says
// of it. From there on they are messages like any other: hoisted, fused, scheduled.
//
// 1. A row that is looked up has one edge, a csr graph with nothing to sort.
// 2. Rows that are sent somewhere are the sources of a graph, gathered in the order
//    of its edges; gnn.to_csr sorts those by destination.
// 3. A row pointer is that of a csr graph already.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Program/Passes.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNINDEXTOGRAPHPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

namespace {
class Rewriter {
public:
  Rewriter(Operation *op, IntegerType widest) : op(op), builder(op), widest(widest) {}

  Value rewrite(GatherAtOp gather) {
    Value nodes = gather.getNodes(), index = gather.getIndex();
    int64_t rows = rowsOf(gather.getType()), named = rowsOf(nodes.getType());
    Value graph = makeGraph(IndexForm::Gather, index, rows, named, rows,
                            [&] { return builder.createOrFold<tensor::DimOp>(loc(), nodes, 0); });
    return GatherOp::create(builder, loc(), gather.getType(), nodes, graph, End::Src);
  }

  Value rewrite(ScatterAtOp scatter) {
    Value edges = scatter.getEdges();
    int64_t rows = rowsOf(edges.getType());
    if (ShapedType::isDynamic(rows))
      rows = rowsOf(scatter.getIndex().getType());
    Value graph = makeGraph(IndexForm::Scatter, scatter.getIndex(), rowsOf(scatter.getType()), rows,
                            rows, [&] { return scatter.getExtent(); });
    Value sent = GatherOp::create(builder, loc(), edges.getType(), edges, graph, End::Src);
    return ScatterOp::create(builder, loc(), scatter.getType(), scatter.getKind(), sent, graph,
                             End::Dst, scatter.getAcc());
  }

  Value rewrite(SegmentReduceOp reduce) {
    Value graph = makeSegments(reduce.getOffsets(), reduce.getRows());
    return ScatterOp::create(builder, loc(), reduce.getType(), reduce.getKind(), reduce.getRows(),
                             graph, End::Dst, reduce.getAcc());
  }

  Value rewrite(SegmentSoftmaxOp softmax) {
    Value graph = makeSegments(softmax.getSegments(), softmax.getScores());
    return SegmentSoftmaxOp::create(builder, loc(), softmax.getType(), softmax.getScores(), graph,
                                    EndAttr::get(op->getContext(), End::Dst), softmax.getAccAttr());
  }

private:
  Location loc() const { return op->getLoc(); }
  static int64_t rowsOf(Type tensor) { return cast<RankedTensorType>(tensor).getDimSize(0); }

  Value makeGraph(IndexForm form, Value index, int64_t dst, int64_t src, int64_t edges,
                  function_ref<Value()> nodes) {
    auto stored = cast<IntegerType>(getElementTypeOrSelf(index.getType()));
    if (stored.getWidth() > widest.getWidth())
      stored = widest;
    auto type = GnnGraphType::get(dst, src, edges, stored,
                                  form == IndexForm::Scatter ? Layout::Coo : Layout::Csr);
    int64_t named = form == IndexForm::Gather ? src : dst;
    bool isUnknown = form != IndexForm::Segments && ShapedType::isDynamic(named);
    return IndexGraphOp::create(builder, loc(), type, form, index, isUnknown ? nodes() : Value());
  }

  Value makeSegments(Value offsets, Value rows) {
    int64_t entries = rowsOf(offsets.getType()), count = rowsOf(rows.getType());
    int64_t segments = ShapedType::isDynamic(entries) ? entries : entries - 1;
    return makeGraph(IndexForm::Segments, offsets, segments, count, count, [] { return Value(); });
  }

  Operation *op;
  OpBuilder builder;
  IntegerType widest;
};

struct IndexToGraph final : gnnc::impl::GnnIndexToGraphPassBase<IndexToGraph> {
  using GnnIndexToGraphPassBase::GnnIndexToGraphPassBase;

protected:
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (index != "i32" && index != "i64") {
      function.emitError("gnn-index-to-graph: option index is i32 or i64, found ") << index;
      return signalPassFailure();
    }
    auto widest = IntegerType::get(&getContext(), index == "i32" ? 32 : 64);
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      auto softmax = dyn_cast<SegmentSoftmaxOp>(op);
      if (isa<GatherAtOp, ScatterAtOp, SegmentReduceOp>(op) || (softmax && !softmax.getGraph()))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      Rewriter rewriter(op, widest);
      Value result = TypeSwitch<Operation *, Value>(op)
                         .Case<GatherAtOp, ScatterAtOp, SegmentReduceOp, SegmentSoftmaxOp>(
                             [&](auto typed) { return rewriter.rewrite(typed); });
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    }
    numRewritten += ops.size();
  }
};
} // namespace
