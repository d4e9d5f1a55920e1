//===- Rows.cpp - gnn.aggregate and gnn.map: a region per edge or row -----===//
//
// The regions run once per row on scalars and vectors, edges in the order of the
// graph, so that sums add up in the order the op defines.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "lib/Reference/Accumulator.h"
#include "lib/Reference/Evaluator.h"
#include "lib/Reference/Strides.h"

#include <variant>

using namespace mlir;
using namespace gnnc::gnn;
using namespace gnnc::reference;

static Tensor rowOf(const Tensor &tensor, int64_t row) {
  ArrayRef<int64_t> rest = ArrayRef(tensor.shape).drop_front();
  int64_t width = tensor.rowElements();
  Tensor out;
  out.shape = rest.vec();
  out.isInteger = tensor.isInteger;
  auto cut = [&](const auto &from, auto &to) {
    to.assign(from.begin() + row * width, from.begin() + (row + 1) * width);
  };
  if (tensor.isInteger)
    cut(tensor.integers, out.integers);
  else
    cut(tensor.floats, out.floats);
  return out;
}

/// Operands whose rows go to a region, and which row: that of an edge's source,
/// of its destination, or the one with the edge's own number.
static LogicalResult checkRows(Operation *op, StringRef name, ValueRange operands, int64_t count,
                               Frame &frame) {
  for (auto [i, operand] : llvm::enumerate(operands))
    if (frame.shape(operand).front() != count)
      return op->emitOpError() << "operand '" << name << "' #" << i << " has "
                               << frame.shape(operand).front() << " rows, needed are " << count;
  return success();
}

/// Sets the arguments from `next` on to one row of each operand.
static void setRows(Block &block, unsigned &next, ValueRange operands, int64_t row, Frame &outer,
                    Frame &inner) {
  for (mlir::Value operand : operands)
    inner.set(block.getArgument(next++), rowOf(outer.tensor(operand), row));
}

static void setWhole(Block &block, unsigned next, ValueRange operands, Frame &outer, Frame &inner) {
  for (mlir::Value operand : operands)
    inner.set(block.getArgument(next++), makeValue(outer.tensor(operand)));
}

/// Rows of the results, filled one after the other.
namespace {
struct Results {
  Results(ResultRange results, int64_t rows) {
    for (mlir::Value result : results) {
      auto type = cast<RankedTensorType>(result.getType());
      std::vector<int64_t> shape = type.getShape().vec();
      shape.front() = rows;
      tensors.push_back(Tensor::zeros(std::move(shape), holdsIntegers(type)));
    }
  }
  void write(int64_t row, ArrayRef<ValuePtr> values) {
    for (auto [out, value] : llvm::zip_equal(tensors, values)) {
      int64_t at = row * out.rowElements();
      llvm::copy(value->tensor.floats, out.floats.begin() + (out.isInteger ? 0 : at));
      llvm::copy(value->tensor.integers, out.integers.begin() + (out.isInteger ? at : 0));
    }
  }
  void define(ResultRange results, Frame &frame) {
    for (auto [result, tensor] : llvm::zip_equal(results, tensors))
      frame.set(result, std::move(tensor));
  }
  SmallVector<Tensor> tensors;
};
} // namespace

static int64_t elementsOfRow(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// The accumulators of all nodes, one entry per reduction.
namespace {
class Reductions {
public:
  Reductions(AggregateOp op, int64_t nodes) : types(op.getAccumulatorTypes()), nodes(nodes) {
    TypeRange values = op.getMessage().front().getTerminator()->getOperandTypes();
    for (unsigned i = 0, e = op.getReduce().size(); i < e; ++i) {
      ReduceKind kind = op.getReduceKind(i);
      if (kind == ReduceKind::Softmax)
        list.emplace_back(
            SoftmaxAccumulator(nodes, elementsOfRow(values[0]), elementsOfRow(values[1])));
      else
        list.emplace_back(Accumulator(kind, nodes, elementsOfRow(values[0])));
      values = values.drop_front(numMessageValues(kind));
    }
  }

  /// What the message of one edge yielded, in order.
  void add(int64_t node, ArrayRef<ValuePtr> values) {
    const auto *next = values.begin();
    auto row = [&] { return (*next++)->tensor.floats.data(); };
    for (auto &reduction : list) {
      const double *first = row();
      if (auto *softmax = std::get_if<SoftmaxAccumulator>(&reduction))
        softmax->add(node, first, row());
      else
        std::get<Accumulator>(reduction).add(node, first);
    }
  }

  /// One tensor of `nodes` rows per accumulator.
  SmallVector<Tensor> finish() && {
    SmallVector<Tensor> tensors;
    auto take = [&](std::vector<double> values) {
      std::vector<int64_t> shape{nodes};
      if (auto vector = dyn_cast<VectorType>(types[tensors.size()]))
        llvm::append_range(shape, vector.getShape());
      tensors.push_back(Tensor::ofFloats(std::move(shape), std::move(values)));
    };
    for (auto &reduction : list) {
      if (auto *softmax = std::get_if<SoftmaxAccumulator>(&reduction)) {
        softmax->finish();
        take(std::move(softmax->sums));
        take(std::move(softmax->denominators));
        take(std::move(softmax->maxima));
      } else {
        take(std::move(std::get<Accumulator>(reduction)).finish());
      }
    }
    return tensors;
  }

private:
  SmallVector<Type> types;
  int64_t nodes;
  std::vector<std::variant<Accumulator, SoftmaxAccumulator>> list;
};
} // namespace

static LogicalResult aggregate(Operation *op, Frame &frame) {
  auto aggregateOp = cast<AggregateOp>(op);
  const Graph &graph = frame.graph(aggregateOp.getGraph());
  if (failed(checkRows(op, "src", aggregateOp.getSrc(), graph.srcCount, frame)) ||
      failed(checkRows(op, "dst", aggregateOp.getDst(), graph.dstCount, frame)) ||
      failed(checkRows(op, "edge", aggregateOp.getEdge(), graph.edges(), frame)))
    return failure();

  Block &message = aggregateOp.getMessage().front();
  Reductions reductions(aggregateOp, graph.dstCount);
  Frame inner(frame.table(), &frame);
  setWhole(message, message.getNumArguments() - aggregateOp.getParam().size(),
           aggregateOp.getParam(), frame, inner);
  for (int64_t e = 0; e < graph.edges(); ++e) {
    unsigned next = 0;
    setRows(message, next, aggregateOp.getSrc(), graph.src[e], frame, inner);
    setRows(message, next, aggregateOp.getDst(), graph.dst[e], frame, inner);
    setRows(message, next, aggregateOp.getEdge(), e, frame, inner);
    SmallVector<ValuePtr> yielded;
    if (failed(runBlock(message, inner, yielded)))
      return failure();
    reductions.add(graph.dst[e], yielded);
  }

  SmallVector<Tensor> reduced = std::move(reductions).finish();
  if (!aggregateOp.hasEpilogue()) {
    for (auto [result, tensor] : llvm::zip_equal(op->getResults(), reduced))
      frame.set(result, std::move(tensor));
    return success();
  }

  Block &epilogue = aggregateOp.getEpilogue().front();
  Results results(op->getResults(), graph.dstCount);
  setWhole(epilogue, epilogue.getNumArguments() - aggregateOp.getParam().size(),
           aggregateOp.getParam(), frame, inner);
  for (int64_t v = 0; v < graph.dstCount; ++v) {
    unsigned next = 0;
    for (const Tensor &tensor : reduced)
      inner.set(epilogue.getArgument(next++), rowOf(tensor, v));
    setRows(epilogue, next, aggregateOp.getDst(), v, frame, inner);
    SmallVector<ValuePtr> yielded;
    if (failed(runBlock(epilogue, inner, yielded)))
      return failure();
    results.write(v, yielded);
  }
  results.define(op->getResults(), frame);
  return success();
}

static LogicalResult map(Operation *op, Frame &frame) {
  auto mapOp = cast<MapOp>(op);
  const Graph *graph = mapOp.getGraph() ? &frame.graph(mapOp.getGraph()) : nullptr;
  int64_t rows = graph ? graph->edges() : frame.shape(mapOp.getRows().front()).front();
  if (graph && (failed(checkRows(op, "src", mapOp.getSrc(), graph->srcCount, frame)) ||
                failed(checkRows(op, "dst", mapOp.getDst(), graph->dstCount, frame))))
    return failure();
  if (failed(checkRows(op, "rows", mapOp.getRows(), rows, frame)))
    return failure();

  Block &body = mapOp.getBody().front();
  Results results(op->getResults(), rows);
  Frame inner(frame.table(), &frame);
  setWhole(body, body.getNumArguments() - mapOp.getParam().size(), mapOp.getParam(), frame, inner);
  for (int64_t i = 0; i < rows; ++i) {
    unsigned next = 0;
    if (graph) {
      setRows(body, next, mapOp.getSrc(), graph->src[i], frame, inner);
      setRows(body, next, mapOp.getDst(), graph->dst[i], frame, inner);
    }
    setRows(body, next, mapOp.getRows(), i, frame, inner);
    SmallVector<ValuePtr> yielded;
    if (failed(runBlock(body, inner, yielded)))
      return failure();
    results.write(i, yielded);
  }
  results.define(op->getResults(), frame);
  return success();
}

void gnnc::reference::addRowHandlers(HandlerTable &table) {
  table["gnn.aggregate"] = aggregate;
  table["gnn.map"] = map;
}
