//===- Graphs.cpp - gnn ops on graphs and on whole node and edge tensors --===//
//
// What each op means: dialects/Gnn/GnnOps.td.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "lib/Reference/Accumulator.h"
#include "lib/Reference/Evaluator.h"

#include <numeric>

using namespace mlir;
using namespace gnnc::gnn;
using namespace gnnc::reference;

/// `tensor` has `count` rows, or a diagnostic.
static LogicalResult checkRows(Operation *op, StringRef what, ArrayRef<int64_t> shape,
                               int64_t count, StringRef unit) {
  if (shape.front() == count)
    return success();
  return op->emitOpError() << what << " has " << shape.front() << " rows, the graph has " << count
                           << ' ' << unit;
}

/// The row of each of `entries` entries.
static LogicalResult expandPointer(Operation *op, ArrayRef<int64_t> pointer, int64_t entries,
                                   std::vector<int64_t> &rows) {
  for (size_t v = 0; v + 1 < pointer.size(); ++v) {
    if (pointer[v + 1] < pointer[v] || pointer[v + 1] > entries)
      return op->emitOpError() << "row pointer goes from " << pointer[v] << " to " << pointer[v + 1]
                               << " at row " << v << "; it rises to " << entries;
    rows.insert(rows.end(), pointer[v + 1] - pointer[v], v);
  }
  return success();
}

static LogicalResult makeGraph(Operation *op, Frame &frame) {
  auto graphOp = cast<GraphOp>(op);
  GnnGraphType type = graphOp.getGraph().getType();
  const std::vector<int64_t> &first = frame.tensor(graphOp.getFirst()).integers,
                             &second = frame.tensor(graphOp.getSecond()).integers;
  Graph graph;
  unsigned next = 0;
  for (auto [count, known] :
       {std::pair(&graph.dstCount, type.getDst()), std::pair(&graph.srcCount, type.getSrc())})
    *count = ShapedType::isDynamic(known) ? frame.index(graphOp.getNodes()[next++]) : known;
  if (!type.isCsr()) {
    graph.src = first;
    graph.dst = second;
  } else {
    if (static_cast<int64_t>(first.size()) != graph.dstCount + 1 || first.front() != 0 ||
        first.back() != static_cast<int64_t>(second.size()))
      return op->emitOpError() << "row pointer has " << first.size() << " entries from "
                               << (first.empty() ? 0 : first.front()) << " to "
                               << (first.empty() ? 0 : first.back()) << ", needed are "
                               << graph.dstCount + 1 << " from 0 to " << second.size();
    graph.src = second;
    if (failed(expandPointer(op, first, graph.edges(), graph.dst)))
      return failure();
  }
  std::string error;
  if (!checkGraph(graph, error))
    return op->emitOpError() << error;
  frame.set(op->getResult(0), makeValue(std::move(graph)));
  return success();
}

static LogicalResult indexGraph(Operation *op, Frame &frame) {
  auto made = cast<IndexGraphOp>(op);
  const std::vector<int64_t> &index = frame.tensor(made.getIndex()).integers;
  GnnGraphType type = made.getGraph().getType();
  bool isGather = made.getForm() == IndexForm::Gather;
  Graph graph;
  if (made.getForm() == IndexForm::Segments) {
    if (index.empty() || index.front() != 0 || index.back() < 0)
      return op->emitOpError() << "row pointer has " << index.size() << " entries and begins with "
                               << (index.empty() ? 0 : index.front()) << "; it begins with 0";
    graph.dstCount = static_cast<int64_t>(index.size()) - 1;
    graph.srcCount = index.back();
    if (failed(expandPointer(op, index, index.back(), graph.dst)))
      return failure();
    graph.src.resize(index.back());
  } else {
    int64_t named = type.extent(made.namedEnd()), rows = static_cast<int64_t>(index.size());
    if (made.getNodes())
      named = frame.index(made.getNodes());
    graph.dstCount = isGather ? rows : named;
    graph.srcCount = isGather ? named : rows;
    graph.src = graph.dst = index;
  }
  std::vector<int64_t> &rows = isGather ? graph.dst : graph.src;
  std::iota(rows.begin(), rows.end(), 0);
  std::string error;
  if (!checkGraph(graph, error))
    return op->emitOpError() << error;
  frame.set(op->getResult(0), makeValue(std::move(graph)));
  return success();
}

static LogicalResult addSelfLoops(Operation *op, Frame &frame) {
  auto loops = cast<AddSelfLoopsOp>(op);
  const Graph &graph = frame.graph(loops.getGraph());
  if (graph.srcCount != graph.dstCount)
    return op->emitOpError() << "adds self loops to a graph of " << graph.dstCount
                             << " destinations and " << graph.srcCount << " sources";
  const Tensor *weights = loops.getWeights() ? &frame.tensor(loops.getWeights()) : nullptr;
  if (weights && failed(checkRows(op, "operand 'weights'", weights->shape, graph.edges(), "edges")))
    return failure();
  Graph looped{graph.dstCount, graph.srcCount, {}, {}};
  std::vector<double> kept, own(graph.dstCount, loops.getFill().convertToDouble());
  for (int64_t e = 0; e < graph.edges(); ++e) {
    if (graph.src[e] == graph.dst[e]) {
      if (weights) // of several loops the last one's weight stays
        own[graph.dst[e]] = weights->floats[e];
      continue;
    }
    looped.src.push_back(graph.src[e]);
    looped.dst.push_back(graph.dst[e]);
    if (weights)
      kept.push_back(weights->floats[e]);
  }
  for (int64_t v = 0; v < graph.dstCount; ++v) {
    looped.src.push_back(v);
    looped.dst.push_back(v);
  }
  if (weights) {
    kept.insert(kept.end(), own.begin(), own.end());
    frame.set(loops.getLoopWeights(), Tensor::ofFloats({looped.edges()}, std::move(kept)));
  }
  frame.set(loops.getLooped(), makeValue(std::move(looped)));
  return success();
}

template <typename T>
static void permuteRows(std::vector<T> &out, const std::vector<T> &in, ArrayRef<int64_t> order,
                        int64_t width) {
  out.clear();
  for (int64_t row : order)
    out.insert(out.end(), in.begin() + row * width, in.begin() + (row + 1) * width);
}

Tensor gnnc::reference::takeRows(const Tensor &in, ArrayRef<int64_t> rows) {
  Tensor out;
  out.shape = in.shape;
  out.shape.front() = static_cast<int64_t>(rows.size());
  out.isInteger = in.isInteger;
  if (in.isInteger)
    permuteRows(out.integers, in.integers, rows, in.rowElements());
  else
    permuteRows(out.floats, in.floats, rows, in.rowElements());
  return out;
}

/// `result`: the edges `order` of `graph`, in that order; `rows`: those of the edge
/// tensors `edges`.
static LogicalResult takeEdges(Operation *op, Frame &frame, const Graph &graph,
                               ArrayRef<int64_t> order, ValueRange edges, ValueRange rows,
                               mlir::Value result) {
  Graph taken{graph.dstCount, graph.srcCount, {}, {}};
  permuteRows(taken.src, graph.src, order, 1);
  permuteRows(taken.dst, graph.dst, order, 1);
  for (auto [in, out] : llvm::zip_equal(edges, rows)) {
    if (failed(checkRows(op, "operand 'edges'", frame.shape(in), graph.edges(), "edges")))
      return failure();
    frame.set(out, takeRows(frame.tensor(in), order));
  }
  frame.set(result, makeValue(std::move(taken)));
  return success();
}

static LogicalResult removeSelfLoops(Operation *op, Frame &frame) {
  auto remove = cast<RemoveSelfLoopsOp>(op);
  const Graph &graph = frame.graph(remove.getGraph());
  if (graph.srcCount != graph.dstCount)
    return op->emitOpError() << "removes self loops of a graph of " << graph.dstCount
                             << " destinations and " << graph.srcCount << " sources";
  std::vector<int64_t> kept;
  for (int64_t e = 0; e < graph.edges(); ++e)
    if (graph.src[e] != graph.dst[e])
      kept.push_back(e);
  return takeEdges(op, frame, graph, kept, remove.getEdges(), remove.getKept(),
                   remove.getLoopless());
}

static LogicalResult checkOneNodeSet(Operation *op, const Graph &graph) {
  if (graph.srcCount == graph.dstCount)
    return success();
  return op->emitOpError() << "needs one set of nodes; the graph has " << graph.dstCount
                           << " destinations and " << graph.srcCount << " sources";
}

static LogicalResult appendSelfLoops(Operation *op, Frame &frame) {
  auto append = cast<AppendSelfLoopsOp>(op);
  Graph graph = frame.graph(append.getGraph());
  int64_t edges = graph.edges(), nodes = graph.dstCount;
  if (failed(checkOneNodeSet(op, graph)))
    return failure();
  for (auto [in, loops, out] :
       llvm::zip_equal(append.getEdges(), append.getLoops(), append.getAppended())) {
    if (failed(checkRows(op, "operand 'edges'", frame.shape(in), edges, "edges")) ||
        failed(checkRows(op, "operand 'loops'", frame.shape(loops), nodes, "nodes")))
      return failure();
    Tensor rows = frame.tensor(in);
    const Tensor &added = frame.tensor(loops);
    rows.shape.front() += nodes;
    rows.floats.insert(rows.floats.end(), added.floats.begin(), added.floats.end());
    rows.integers.insert(rows.integers.end(), added.integers.begin(), added.integers.end());
    frame.set(out, std::move(rows));
  }
  for (int64_t v = 0; v < nodes; ++v) {
    graph.src.push_back(v);
    graph.dst.push_back(v);
  }
  frame.set(append.getLooped(), makeValue(std::move(graph)));
  return success();
}

static LogicalResult loopWeights(Operation *op, Frame &frame) {
  auto loops = cast<LoopWeightsOp>(op);
  const Graph &graph = frame.graph(loops.getGraph());
  const Tensor &weights = frame.tensor(loops.getWeights());
  if (failed(checkOneNodeSet(op, graph)) ||
      failed(checkRows(op, "operand 'weights'", weights.shape, graph.edges(), "edges")))
    return failure();
  std::vector<double> own(graph.dstCount, loops.getFill().convertToDouble());
  for (int64_t e = 0; e < graph.edges(); ++e)
    if (graph.src[e] == graph.dst[e])
      own[graph.dst[e]] = weights.floats[e];
  frame.set(loops.getResult(), Tensor::ofFloats({graph.dstCount}, std::move(own)));
  return success();
}

static LogicalResult transpose(Operation *op, Frame &frame) {
  const Graph &graph = frame.graph(op->getOperand(0));
  frame.set(op->getResult(0),
            makeValue(Graph{graph.srcCount, graph.dstCount, graph.dst, graph.src}));
  return success();
}

static LogicalResult toCsr(Operation *op, Frame &frame) {
  auto csr = cast<ToCsrOp>(op);
  const Graph &graph = frame.graph(csr.getGraph());
  // Counting sort: edges of one destination stay in their order.
  std::vector<int64_t> next(graph.dstCount + 1), order(graph.edges());
  for (int64_t node : graph.dst)
    ++next[node + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (int64_t e = 0; e < graph.edges(); ++e)
    order[next[graph.dst[e]]++] = e;
  return takeEdges(op, frame, graph, order, csr.getEdges(), csr.getPermuted(), csr.getCsr());
}

static const std::vector<int64_t> &nodesAt(const Graph &graph, End end) {
  return end == End::Src ? graph.src : graph.dst;
}
static int64_t countAt(const Graph &graph, End end) {
  return end == End::Src ? graph.srcCount : graph.dstCount;
}
static StringRef unitAt(End end) { return end == End::Src ? "sources" : "destinations"; }

static LogicalResult degree(Operation *op, Frame &frame) {
  auto degreeOp = cast<DegreeOp>(op);
  const Graph &graph = frame.graph(degreeOp.getGraph());
  Tensor out = Tensor::zeros({countAt(graph, degreeOp.getEnd())});
  const Tensor *weights = degreeOp.getWeights() ? &frame.tensor(degreeOp.getWeights()) : nullptr;
  if (weights && failed(checkRows(op, "operand 'weights'", weights->shape, graph.edges(), "edges")))
    return failure();
  for (auto [e, node] : llvm::enumerate(nodesAt(graph, degreeOp.getEnd())))
    out.floats[node] += weights ? weights->floats[e] : 1;
  frame.set(op->getResult(0), std::move(out));
  return success();
}

static LogicalResult gather(Operation *op, Frame &frame) {
  auto gatherOp = cast<GatherOp>(op);
  const Graph &graph = frame.graph(gatherOp.getGraph());
  const Tensor &nodes = frame.tensor(gatherOp.getNodes());
  End end = gatherOp.getEnd();
  if (failed(checkRows(op, "operand 'nodes'", nodes.shape, countAt(graph, end), unitAt(end))))
    return failure();
  frame.set(op->getResult(0), takeRows(nodes, nodesAt(graph, end)));
  return success();
}

static LogicalResult scatter(Operation *op, Frame &frame) {
  auto scatterOp = cast<ScatterOp>(op);
  const Graph &graph = frame.graph(scatterOp.getGraph());
  const Tensor &edges = frame.tensor(scatterOp.getEdges());
  End end = scatterOp.getEnd();
  if (failed(checkRows(op, "operand 'edges'", edges.shape, graph.edges(), "edges")))
    return failure();
  int64_t width = edges.rowElements();
  Accumulator sums(scatterOp.getKind(), countAt(graph, end), width);
  for (auto [e, node] : llvm::enumerate(nodesAt(graph, end)))
    sums.add(node, edges.floats.data() + e * width);
  std::vector<int64_t> shape = edges.shape;
  shape.front() = countAt(graph, end);
  frame.set(op->getResult(0), Tensor::ofFloats(std::move(shape), std::move(sums).finish()));
  return success();
}

static LogicalResult nodeCount(Operation *op, Frame &frame) {
  auto count = cast<NodeCountOp>(op);
  frame.set(op->getResult(0), indexScalar(countAt(frame.graph(count.getGraph()), count.getEnd())));
  return success();
}

void gnnc::reference::addGraphHandlers(HandlerTable &table) {
  table["gnn.graph"] = makeGraph;
  table["gnn.index_graph"] = indexGraph;
  table["gnn.node_count"] = nodeCount;
  table["gnn.add_self_loops"] = addSelfLoops;
  table["gnn.remove_self_loops"] = removeSelfLoops;
  table["gnn.append_self_loops"] = appendSelfLoops;
  table["gnn.loop_weights"] = loopWeights;
  table["gnn.transpose"] = transpose;
  table["gnn.to_csr"] = toCsr;
  table["gnn.degree"] = degree;
  table["gnn.gather"] = gather;
  table["gnn.scatter"] = scatter;
}
