//===- EagerModel.cpp - The layer loop of PyG's models in LibTorch --------===//
#include "benchmarks/eager/EagerModel.h"

#include <cmath>
#include <limits>

namespace gnnc::bench {

at::ScalarType elementType(const ModelSpec &spec) {
  static const std::map<std::string, at::ScalarType> types = {
      {"f32", at::kFloat}, {"f64", at::kDouble}, {"bf16", at::kBFloat16}, {"f16", at::kHalf}};
  auto found = types.find(spec.dtype);
  if (found == types.end())
    throw Failure("element type '" + spec.dtype + "' is not known; known: f32, f64, bf16, f16");
  return found->second;
}

EagerModel::EagerModel(const ModelSpec &spec, const Weights &weights, const EagerOptions &options)
    : spec(spec), options(options),
      scalarType(options.aggregation == Aggregation::Reference ? at::kDouble : elementType(spec)) {
  for (const auto &[name, host] : weights)
    tensors[name] = torch::from_blob(const_cast<float *>(host.values.data()), host.shape,
                                     at::TensorOptions(at::kFloat))
                        .to(options.device, scalarType, /*non_blocking=*/false, /*copy=*/true);
}

at::Tensor EagerModel::weight(const std::string &name) const {
  auto found = tensors.find(name);
  return found == tensors.end() ? at::Tensor() : found->second;
}

static at::Tensor activate(const std::string &act, const at::Tensor &x) {
  if (act == "relu")
    return at::relu(x);
  if (act == "elu")
    return at::elu(x);
  if (act == "tanh")
    return at::tanh(x);
  if (act == "leaky_relu")
    return at::leaky_relu(x);
  if (act == "sigmoid")
    return at::sigmoid(x);
  if (act == "silu")
    return at::silu(x);
  if (act == "none")
    return x;
  throw Failure("activation '" + act +
                "' is not known; known: relu, elu, leaky_relu, tanh, sigmoid, silu, none");
}

at::Tensor EagerModel::linear(const at::Tensor &x, const std::string &prefix) const {
  return at::linear(x, weight(prefix + ".weight"), weight(prefix + ".bias"));
}

at::Tensor EagerModel::addResidual(std::int64_t layer, const at::Tensor &y,
                                   const at::Tensor &x) const {
  at::Tensor matrix = weight(layerName("convs", layer, "res.weight"));
  return matrix.defined() ? y + at::linear(x, matrix) : y;
}

at::Tensor EagerModel::normAndActivate(at::Tensor x, const std::string &normPrefix) const {
  if (spec.actFirst)
    x = activate(spec.act, x);
  if (spec.norm == "batch_norm") {
    auto part = [&](const char *name) { return weight(normPrefix + ".module." + name); };
    x = at::batch_norm(x, part("weight"), part("bias"), part("running_mean"), part("running_var"),
                       /*training=*/false, 0.1, 1e-5,
                       /*cudnn_enabled=*/true);
  }
  return spec.actFirst ? x : activate(spec.act, x);
}

at::Tensor EagerModel::forward(const at::Tensor &input) {
  at::Tensor x = input;
  for (std::int64_t layer = 0; layer < spec.numLayers; ++layer) {
    x = conv(layer, x);
    if (layer + 1 < spec.numLayers)
      x = normAndActivate(x, "norms." + std::to_string(layer));
  }
  return x;
}

ModelWork modelWork(const ModelSpec &spec, const GraphData &graph) {
  ModelWork total = modelKind(spec.model).work(spec, graph);
  for (std::int64_t layer = 0; spec.residual && layer < spec.numLayers; ++layer) {
    std::int64_t in = spec.inWidth(layer), out = spec.outWidth(layer);
    total.flops += 2 * graph.numNodes * in * out;
    total.values += graph.numNodes * in + in * out + graph.numNodes * out;
  }
  return total;
}

GraphTensors withOneLoopEach(const GraphTensors &graph) {
  at::Tensor others = graph.src != graph.dst;
  at::Tensor nodes = at::arange(graph.numNodes, graph.src.options());
  GraphTensors result = graph;
  result.src = at::cat({graph.src.masked_select(others), nodes});
  result.dst = at::cat({graph.dst.masked_select(others), nodes});
  result.weight = at::Tensor();
  return result;
}

std::int64_t countEdges(const GraphData &graph, bool loops) {
  std::int64_t edges = graph.numEdges;
  if (!loops)
    return edges;
  for (std::int64_t edge = 0; edge < graph.numEdges; ++edge)
    edges -= graph.src()[edge] == graph.dst()[edge];
  return edges + graph.numNodes;
}

std::unique_ptr<EagerModel> makeEager(const ModelSpec &spec, const Weights &weights,
                                      const GraphTensors &graph, const EagerOptions &options) {
  auto model = modelKind(spec.model).make(spec, weights, graph, options);
  model->prepare();
  return model;
}

at::Tensor referenceForward(const ModelSpec &spec, const Weights &weights,
                            const GraphTensors &graph, const at::Tensor &x, at::Device device) {
  at::NoGradGuard noGrad;
  EagerOptions options;
  options.device = device;
  options.aggregation = Aggregation::Reference;
  return makeEager(spec, weights, graph, options)->forward(x.to(device, at::kDouble)).cpu();
}

double maxRelativeError(const at::Tensor &out, const at::Tensor &reference) {
  at::Tensor ours = out.to(at::kCPU, at::kDouble).contiguous();
  at::Tensor theirs = reference.to(at::kCPU, at::kDouble).contiguous();
  TORCH_CHECK(ours.sizes() == theirs.sizes(), "output is ", ours.sizes(), ", reference is ",
              theirs.sizes());
  const double *a = ours.data_ptr<double>(), *b = theirs.data_ptr<double>();
  double difference = 0, largest = 0;
  for (std::int64_t i = 0, count = ours.numel(); i < count; ++i) {
    bool special = !std::isfinite(a[i]) || !std::isfinite(b[i]);
    if (special && !(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))))
      return std::numeric_limits<double>::infinity();
    if (special)
      continue;
    difference = std::max(difference, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  return largest > 0 ? difference / largest : difference;
}

} // namespace gnnc::bench
