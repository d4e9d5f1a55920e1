//===- Sage.cpp - GraphSAGE in eager LibTorch -----------------------------===//
//
// Per layer: aggregate the sources' rows (mean, sum, max or min), transform, add
// the transformed row of the node itself. Counts of a mean are made once with the
// fixes, in every layer of every forward without, as PyG does.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/eager/EagerModel.h"

namespace gnnc::bench {
namespace {

class Sage final : public EagerModel {
public:
  Sage(const ModelSpec &spec, const Weights &weights, const GraphTensors &graph,
       const EagerOptions &options)
      : EagerModel(spec, weights, options), graph(graph) {}

  void prepare() override {
    graph = graph.to(device());
    graph.weight = at::Tensor(); // PyG's GraphSAGE reads none
    aggregator = makeAggregator(options.aggregation, graph, dtype());
    if (options.fixes)
      counts = countEdgesPerNode();
  }

protected:
  at::Tensor conv(std::int64_t layer, const at::Tensor &x) override {
    at::Tensor out = linear(aggregate(x), layerName("convs", layer, "lin_l"));
    at::Tensor root = weight(layerName("convs", layer, "lin_r.weight"));
    return addResidual(layer, root.defined() ? out + at::linear(x, root) : out, x);
  }

private:
  at::Tensor countEdgesPerNode() const {
    at::Tensor ones = at::ones({graph.dst.numel()}, graph.dst.options().dtype(wideType(dtype())));
    at::Tensor counts = at::zeros({graph.numNodes}, ones.options());
    return counts.scatter_add_(0, graph.dst, ones).clamp_(1).view({-1, 1}).to(dtype());
  }

  at::Tensor aggregate(const at::Tensor &x) const {
    if (spec.aggr == "max" || spec.aggr == "min")
      return aggregator->extreme(x, spec.aggr == "max");
    at::Tensor sum = aggregator->sum(x);
    if (spec.aggr == "sum")
      return sum;
    if (spec.aggr == "mean")
      return sum / (counts.defined() ? counts : countEdgesPerNode());
    throw Failure("aggr '" + spec.aggr + "' is not known; known: mean, sum, max, min");
  }

  GraphTensors graph;
  at::Tensor counts;
  std::unique_ptr<Aggregator> aggregator;
};

std::vector<WeightShape> convShapes(const ModelSpec &spec, std::int64_t layer) {
  std::int64_t in = spec.inWidth(layer), out = spec.outWidth(layer);
  std::vector<WeightShape> shapes = {{"lin_l.weight", {out, in}}};
  if (spec.bias)
    shapes.push_back({"lin_l.bias", {out}});
  if (spec.rootWeight)
    shapes.push_back({"lin_r.weight", {out, in}});
  return shapes;
}

ModelWork work(const ModelSpec &spec, const GraphData &graph) {
  std::int64_t nodes = graph.numNodes, edges = graph.numEdges;
  ModelWork total;
  for (std::int64_t layer = 0; layer < spec.numLayers; ++layer) {
    std::int64_t in = spec.inWidth(layer), out = spec.outWidth(layer);
    std::int64_t products = spec.rootWeight ? 2 : 1;
    total.flops += products * 2 * nodes * in * out + edges * out;
    // Products: inputs, matrices, outputs. Aggregate: a transformed row and an index
    // per edge; row pointers.
    total.values += products * (nodes * in + in * out + nodes * out);
    total.values += edges * out + nodes * out;
    total.indices += edges + nodes + 1;
  }
  return total;
}

std::string infer(const format::TensorFile &file, ModelSpec &spec) {
  spec.rootWeight = file.find("convs.0.lin_r.weight") != nullptr;
  return "";
}

} // namespace

extern const ModelKind sageKind;
const ModelKind sageKind = {"sage",          "lin_l.weight", "lin_l.bias", convShapes,
                            makeEager<Sage>, work,           infer};

} // namespace gnnc::bench
