//===- Gcn.cpp - Graph convolution (Kipf and Welling) in eager LibTorch ---===//
//
// Per layer: transform, aggregate over normalised edges, add the bias. With the
// fixes the normalised edge list is made once (PyG's cached=True); without them
// in every layer of every forward, on the device, as PyG does by default.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/eager/EagerModel.h"

namespace gnnc::bench {
namespace {

/// Weight of each node's self loop.
at::Tensor loopWeights(const GraphTensors &graph) {
  at::Tensor loops = at::ones({graph.numNodes}, graph.weight.options());
  at::Tensor existing = graph.src == graph.dst;
  at::Tensor nodes = graph.src.masked_select(existing);
  at::Tensor weights = graph.weight.masked_select(existing);
  if (graph.src.is_cuda()) { // as PyG: of several loops at one node any may stay
    loops.index_put_({nodes}, weights);
    return loops;
  }
  at::Tensor wide = loops.to(at::kDouble), values = weights.to(at::kDouble);
  for (std::int64_t at = 0; at < nodes.numel(); ++at)
    wide.data_ptr<double>()[nodes.data_ptr<std::int64_t>()[at]] = values.data_ptr<double>()[at];
  return wide.to(loops.scalar_type());
}

/// Adds the self loops that are missing with weight 1; existing ones keep their
/// weight, of several at one node the last in edge order stays.
GraphTensors withSelfLoops(const GraphTensors &graph) {
  GraphTensors result = withOneLoopEach(graph);
  if (graph.weight.defined())
    result.weight =
        at::cat({graph.weight.masked_select(graph.src != graph.dst), loopWeights(graph)});
  return result;
}

} // namespace

GraphTensors gcnNormalised(GraphTensors graph, const ModelSpec &spec, at::ScalarType type) {
  // Of 16 bits a count beyond 256 (bf16) stays what it is when 1 is added.
  at::ScalarType wide = wideType(type);
  if (graph.weight.defined())
    graph.weight = graph.weight.to(spec.normalize ? wide : type);
  if (!spec.normalize)
    return graph;
  if (spec.addSelfLoops)
    graph = withSelfLoops(graph);
  if (!graph.weight.defined())
    graph.weight = at::ones({graph.src.numel()}, graph.src.options().dtype(wide));
  at::Tensor degree = at::zeros({graph.numNodes}, graph.weight.options());
  degree.scatter_add_(0, graph.dst, graph.weight);
  at::Tensor scale = degree.pow(-0.5);
  scale.masked_fill_(at::isinf(scale), 0);
  graph.weight = scale.index_select(0, graph.src) * graph.weight * scale.index_select(0, graph.dst);
  graph.weight = graph.weight.to(type);
  return graph;
}

namespace {

class Gcn final : public EagerModel {
public:
  Gcn(const ModelSpec &spec, const Weights &weights, const GraphTensors &graph,
      const EagerOptions &options)
      : EagerModel(spec, weights, options), graph(graph) {}

  void prepare() override {
    if (!options.fixes) {
      graph = graph.to(device());
      return;
    }
    // Weights on the host: the order of equal entries is then the order of the edges.
    graph = graph.to(graph.weight.defined() ? at::Device(at::kCPU) : device());
    cached = makeAggregator(options.aggregation, gcnNormalised(graph, spec, dtype()).to(device()),
                            dtype());
    graph = GraphTensors();
  }

protected:
  at::Tensor conv(std::int64_t layer, const at::Tensor &x) override {
    at::Tensor h = at::linear(x, weight(layerName("convs", layer, "lin.weight")));
    at::Tensor out = addResidual(layer, cached ? cached->sum(h) : uncached()->sum(h), x);
    at::Tensor bias = weight(layerName("convs", layer, "bias"));
    return bias.defined() ? out + bias : out;
  }

private:
  std::unique_ptr<Aggregator> uncached() const {
    return makeAggregator(options.aggregation, gcnNormalised(graph, spec, dtype()), dtype());
  }

  GraphTensors graph;
  std::unique_ptr<Aggregator> cached;
};

std::vector<WeightShape> convShapes(const ModelSpec &spec, std::int64_t layer) {
  std::vector<WeightShape> shapes = {{"lin.weight", {spec.outWidth(layer), spec.inWidth(layer)}}};
  if (spec.bias)
    shapes.push_back({"bias", {spec.outWidth(layer)}});
  return shapes;
}

ModelWork work(const ModelSpec &spec, const GraphData &graph) {
  std::int64_t nodes = graph.numNodes;
  std::int64_t edges = countEdges(graph, spec.normalize && spec.addSelfLoops);
  ModelWork total;
  for (std::int64_t layer = 0; layer < spec.numLayers; ++layer) {
    std::int64_t in = spec.inWidth(layer), out = spec.outWidth(layer);
    total.flops += 2 * nodes * in * out + 2 * edges * out;
    // Product: inputs, matrix, outputs. Aggregate: a row, an index and a weight per
    // edge; row pointers, outputs.
    total.values += nodes * in + in * out + nodes * out;
    total.values += edges * (out + 1) + nodes * out;
    total.indices += edges + nodes + 1;
  }
  return total;
}

} // namespace

extern const ModelKind gcnKind;
const ModelKind gcnKind = {"gcn", "lin.weight", "bias", convShapes, makeEager<Gcn>, work};

} // namespace gnnc::bench
