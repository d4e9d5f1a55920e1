//===- Aggregator.cpp - Sum over a node's incoming edges in LibTorch ------===//
#include "benchmarks/eager/Aggregator.h"

#include "benchmarks/eager/EdgeReference.h"

namespace gnnc::bench {

GraphTensors GraphTensors::fromData(const GraphData &data) {
  GraphTensors graph;
  graph.numNodes = data.numNodes;
  auto copy = [&](const void *from, at::ScalarType type) {
    return torch::from_blob(const_cast<void *>(from), {data.numEdges}, at::TensorOptions(type))
        .clone();
  };
  graph.src = copy(data.src(), at::kLong);
  graph.dst = copy(data.dst(), at::kLong);
  if (!data.edgeWeight.empty())
    graph.weight = copy(data.edgeWeight.data(), at::kFloat);
  return graph;
}

GraphTensors GraphTensors::to(at::Device device) const {
  GraphTensors moved = *this;
  moved.src = src.to(device);
  moved.dst = dst.to(device);
  if (weight.defined())
    moved.weight = weight.to(device);
  return moved;
}

namespace {

class GatherScatter final : public Aggregator {
public:
  explicit GatherScatter(const GraphTensors &graph) : graph(graph) {
    if (graph.weight.defined())
      column = graph.weight.view({-1, 1});
  }

  at::Tensor sum(const at::Tensor &h) override {
    at::Tensor messages = h.index_select(0, graph.src);
    if (column.defined())
      messages = column * messages;
    at::Tensor index = graph.dst.view({-1, 1}).expand_as(messages);
    return h.new_zeros({graph.numNodes, h.size(1)}).scatter_add_(0, index, messages);
  }

  at::Tensor extreme(const at::Tensor &h, bool isMax) override {
    at::Tensor messages = h.index_select(0, graph.src);
    at::Tensor index = graph.dst.view({-1, 1}).expand_as(messages);
    return h.new_zeros({graph.numNodes, h.size(1)})
        .scatter_reduce_(0, index, messages, isMax ? "amax" : "amin", /*include_self=*/false);
  }

private:
  GraphTensors graph;
  at::Tensor column;
};

/// LibTorch announces once that its CSR tensors are young; the table does not need it.
class Quiet final : public c10::WarningHandler {
  void process(const c10::Warning &) override {}
};

class Csr final : public Aggregator {
public:
  Csr(const GraphTensors &graph, at::ScalarType type) {
    Quiet quiet;
    c10::WarningUtils::WarningHandlerGuard guard(&quiet);
    at::Device device = graph.dst.device();
    at::Tensor dst = graph.dst.cpu();
    at::Tensor order = std::get<1>(dst.sort(/*stable=*/true, /*dim=*/0, /*descending=*/false));
    at::Tensor counts = at::bincount(dst, {}, graph.numNodes);
    at::Tensor starts = at::zeros({graph.numNodes + 1}, dst.options());
    starts.slice(0, 1).copy_(counts.cumsum(0));
    at::Tensor values = graph.weight.defined() ? graph.weight.cpu().index_select(0, order)
                                               : at::ones({dst.numel()}, type);
    // 32-bit indices: what both sparse libraries are fastest with.
    auto narrow = [&](const at::Tensor &index) { return index.to(device, at::kInt); };
    at::Tensor columns = graph.src.cpu().index_select(0, order);
    matrix = at::sparse_csr_tensor(narrow(starts), narrow(columns), values.to(device),
                                   {graph.numNodes, graph.numNodes},
                                   values.options().device(device).layout(at::kSparseCsr));
  }

  at::Tensor sum(const at::Tensor &h) override { return at::mm(matrix, h); }

  at::Tensor extreme(const at::Tensor &, bool) override {
    throw Failure("max and min are no matrix product; LibTorch has only sums in this form");
  }

private:
  at::Tensor matrix;
};

class Reference final : public Aggregator {
public:
  explicit Reference(const GraphTensors &graph) : edges(makeEdgeReference(graph)) {}
  at::Tensor sum(const at::Tensor &h) override { return edges->sum(h); }
  at::Tensor extreme(const at::Tensor &h, bool isMax) override { return edges->extreme(h, isMax); }

private:
  std::unique_ptr<EdgeReference> edges;
};

} // namespace

std::unique_ptr<Aggregator> makeAggregator(Aggregation kind, const GraphTensors &graph,
                                           at::ScalarType type) {
  switch (kind) {
  case Aggregation::GatherScatter:
    return std::make_unique<GatherScatter>(graph);
  case Aggregation::Csr:
    return std::make_unique<Csr>(graph, type);
  case Aggregation::Reference:
    return std::make_unique<Reference>(graph);
  }
  throw Failure("aggregation is not known");
}

} // namespace gnnc::bench
