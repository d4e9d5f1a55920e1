//===- Segments.cpp - Rows by index, and consecutive rows -----------------===//
//
// gnn.gather_at and scatter_at are told by an index tensor which row belongs
// where. gnn.segment_reduce and segment_softmax see rows that are each in one
// segment; a row pointer and an end of a graph are two ways to say in which.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "lib/Reference/Accumulator.h"
#include "lib/Reference/Evaluator.h"

#include <cmath>

using namespace mlir;
using namespace gnnc::gnn;
using namespace gnnc::reference;

/// Each of `index` is in [0, count), or a diagnostic.
static LogicalResult checkIndex(Operation *op, ArrayRef<int64_t> index, int64_t count) {
  for (auto [i, node] : llvm::enumerate(index))
    if (node < 0 || node >= count)
      return op->emitOpError() << "index #" << i << " is " << node << ", not in [0, " << count
                               << "); were ids counted from 1?";
  return success();
}

static LogicalResult gatherAt(Operation *op, Frame &frame) {
  auto gather = cast<GatherAtOp>(op);
  const Tensor &nodes = frame.tensor(gather.getNodes());
  const std::vector<int64_t> &index = frame.tensor(gather.getIndex()).integers;
  if (failed(checkIndex(op, index, nodes.shape.front())))
    return failure();
  frame.set(op->getResult(0), takeRows(nodes, index));
  return success();
}

static LogicalResult scatterAt(Operation *op, Frame &frame) {
  auto scatter = cast<ScatterAtOp>(op);
  const Tensor &edges = frame.tensor(scatter.getEdges());
  const std::vector<int64_t> &index = frame.tensor(scatter.getIndex()).integers;
  std::vector<int64_t> shape = edges.shape;
  shape.front() = scatter.getExtent() ? frame.index(scatter.getExtent())
                                      : cast<RankedTensorType>(scatter.getType()).getDimSize(0);
  if (edges.shape.front() != static_cast<int64_t>(index.size()))
    return op->emitOpError() << "operand 'edges' has " << edges.shape.front()
                             << " rows, operand 'index' " << index.size();
  if (failed(checkIndex(op, index, shape.front())))
    return failure();
  Accumulator sums(scatter.getKind(), shape.front(), edges.rowElements());
  for (auto [row, node] : llvm::enumerate(index))
    sums.add(node, edges.floats.data() + row * edges.rowElements());
  frame.set(op->getResult(0), Tensor::ofFloats(std::move(shape), std::move(sums).finish()));
  return success();
}

/// The segment of each of `rows` rows.
static FailureOr<std::vector<int64_t>> segmentsOf(Operation *op, const Tensor &offsets,
                                                  int64_t rows) {
  const std::vector<int64_t> &at = offsets.integers;
  if (at.empty() || at.front() != 0 || at.back() != rows)
    return op->emitOpError() << "row pointer has " << at.size() << " entries from "
                             << (at.empty() ? 0 : at.front()) << " to "
                             << (at.empty() ? 0 : at.back()) << "; it goes from 0 to " << rows;
  std::vector<int64_t> segments;
  for (size_t s = 0; s + 1 < at.size(); ++s) {
    if (at[s + 1] < at[s] || at[s + 1] > rows)
      return op->emitOpError() << "row pointer goes from " << at[s] << " to " << at[s + 1]
                               << " at segment " << s << "; it rises to " << rows;
    segments.insert(segments.end(), at[s + 1] - at[s], s);
  }
  return segments;
}

static LogicalResult segmentReduce(Operation *op, Frame &frame) {
  auto reduce = cast<SegmentReduceOp>(op);
  const Tensor &rows = frame.tensor(reduce.getRows()), &offsets = frame.tensor(reduce.getOffsets());
  auto segments = segmentsOf(op, offsets, rows.shape.front());
  if (failed(segments))
    return failure();
  std::vector<int64_t> shape = rows.shape;
  shape.front() = offsets.shape.front() - 1;
  Accumulator sums(reduce.getKind(), shape.front(), rows.rowElements());
  for (auto [row, segment] : llvm::enumerate(*segments))
    sums.add(segment, rows.floats.data() + row * rows.rowElements());
  frame.set(op->getResult(0), Tensor::ofFloats(std::move(shape), std::move(sums).finish()));
  return success();
}

static LogicalResult segmentSoftmax(Operation *op, Frame &frame) {
  auto softmax = cast<SegmentSoftmaxOp>(op);
  const Tensor &scores = frame.tensor(softmax.getScores());
  std::vector<int64_t> segments;
  int64_t count = 0;
  if (mlir::Value value = softmax.getGraph()) {
    const Graph &graph = frame.graph(value);
    bool atSrc = *softmax.getEnd() == End::Src;
    segments = atSrc ? graph.src : graph.dst;
    count = atSrc ? graph.srcCount : graph.dstCount;
    if (scores.shape.front() != graph.edges())
      return op->emitOpError() << "operand 'scores' has " << scores.shape.front()
                               << " rows, the graph has " << graph.edges() << " edges";
  } else {
    const Tensor &offsets = frame.tensor(softmax.getSegments());
    auto found = segmentsOf(op, offsets, scores.shape.front());
    if (failed(found))
      return failure();
    segments = std::move(*found);
    count = offsets.shape.front() - 1;
  }
  int64_t width = scores.rowElements();
  Accumulator maxima(ReduceKind::Max, count, width), sums(ReduceKind::Sum, count, width);
  for (auto [row, segment] : llvm::enumerate(segments))
    maxima.add(segment, scores.floats.data() + row * width);
  std::vector<double> maximum = std::move(maxima).finish();
  Tensor out = scores;
  for (auto [row, segment] : llvm::enumerate(segments)) {
    double *at = out.floats.data() + row * width;
    for (int64_t i = 0; i < width; ++i)
      at[i] = std::exp(at[i] - maximum[segment * width + i]);
    sums.add(segment, at);
  }
  std::vector<double> denominator = std::move(sums).finish();
  for (auto [row, segment] : llvm::enumerate(segments))
    for (int64_t i = 0; i < width; ++i)
      out.floats[row * width + i] /= denominator[segment * width + i] + 1e-16;
  frame.set(op->getResult(0), std::move(out));
  return success();
}

void gnnc::reference::addSegmentHandlers(HandlerTable &table) {
  table["gnn.gather_at"] = gatherAt;
  table["gnn.scatter_at"] = scatterAt;
  table["gnn.segment_reduce"] = segmentReduce;
  table["gnn.segment_softmax"] = segmentSoftmax;
}
