//===- Gin.cpp - GIN in eager LibTorch ------------------------------------===//
//
// Per layer: sum the sources' rows, add (1 + eps) times the node's own, then two
// linear layers with the model's norm and activation between them.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/eager/EagerModel.h"

namespace gnnc::bench {
namespace {

class Gin final : public EagerModel {
public:
  Gin(const ModelSpec &spec, const Weights &weights, const GraphTensors &graph,
      const EagerOptions &options)
      : EagerModel(spec, weights, options), graph(graph) {}

  void prepare() override {
    graph.weight = at::Tensor(); // PyG's GIN reads none
    aggregator = makeAggregator(options.aggregation, graph.to(device()), dtype());
    graph = GraphTensors();
  }

protected:
  at::Tensor conv(std::int64_t layer, const at::Tensor &x) override {
    at::Tensor eps = weight(layerName("convs", layer, "eps"));
    at::Tensor sum = aggregator->sum(x) + (1 + eps) * x;
    at::Tensor hidden = linear(sum, layerName("convs", layer, "nn.lins.0"));
    hidden = normAndActivate(hidden, layerName("convs", layer, "nn.norms.0"));
    return addResidual(layer, linear(hidden, layerName("convs", layer, "nn.lins.1")), x);
  }

private:
  GraphTensors graph;
  std::unique_ptr<Aggregator> aggregator;
};

std::vector<WeightShape> convShapes(const ModelSpec &spec, std::int64_t layer) {
  std::int64_t in = spec.inWidth(layer), out = spec.outWidth(layer);
  std::vector<WeightShape> shapes = {{"eps", {1}},
                                     {"nn.lins.0.weight", {out, in}},
                                     {"nn.lins.0.bias", {out}},
                                     {"nn.lins.1.weight", {out, out}},
                                     {"nn.lins.1.bias", {out}}};
  if (spec.norm == "batch_norm")
    for (const char *part : {"weight", "bias", "running_mean", "running_var"})
      shapes.push_back({std::string("nn.norms.0.module.") + part, {out}});
  return shapes;
}

ModelWork work(const ModelSpec &spec, const GraphData &graph) {
  std::int64_t nodes = graph.numNodes, edges = graph.numEdges;
  ModelWork total;
  for (std::int64_t layer = 0; layer < spec.numLayers; ++layer) {
    std::int64_t in = spec.inWidth(layer), out = spec.outWidth(layer);
    total.flops += 2 * nodes * out * (in + out) + edges * out + 2 * nodes * out;
    // Products: inputs, matrices, outputs. Aggregate: a transformed row and an index
    // per edge; row pointers, outputs.
    total.values += nodes * (in + 3 * out) + in * out + out * out;
    total.values += edges * out + nodes * out;
    total.indices += edges + nodes + 1;
  }
  return total;
}

} // namespace

extern const ModelKind ginKind;
const ModelKind ginKind = {"gin",      "nn.lins.0.weight", "nn.lins.0.bias",
                           convShapes, makeEager<Gin>,     work};

} // namespace gnnc::bench
