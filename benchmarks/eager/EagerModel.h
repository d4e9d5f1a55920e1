//===- EagerModel.h - Forward passes in eager LibTorch --------------------===//
//
// Input: a specification, weights, a graph. Output: the baselines gnnc is
// measured against, and the float64 reference all of them are checked against.
// The layer loop, batch norm and activations are here; each model is one file
// that implements `conv`.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_EAGER_EAGERMODEL_H
#define GNNC_BENCHMARKS_EAGER_EAGERMODEL_H

#include "benchmarks/eager/Aggregator.h"
#include "benchmarks/eager/ModelSpec.h"
#include "runtime/format/SafeTensors.h"

namespace gnnc::bench {

/// The type that `spec` stores features and weights in.
at::ScalarType elementType(const ModelSpec &spec);
/// What counts and norms are computed in before they are stored.
inline at::ScalarType wideType(at::ScalarType type) {
  return type == at::kDouble ? type : at::kFloat;
}

/// How a forward is run.
struct EagerOptions {
  Aggregation aggregation = Aggregation::GatherScatter;
  bool fixes = true; ///< graph-only work (GCN norm, CSR) once; false: in every layer of every run
  at::Device device = at::kCPU;
};

class EagerModel {
public:
  virtual ~EagerModel() = default;

  /// Graph-only work that is done once. Call before the first forward.
  virtual void prepare() {}
  /// x [nodes, in] on the model's device and in its type -> [nodes, out].
  at::Tensor forward(const at::Tensor &x);

  at::ScalarType dtype() const { return scalarType; }
  at::Device device() const { return options.device; }

protected:
  EagerModel(const ModelSpec &spec, const Weights &weights, const EagerOptions &options);
  virtual at::Tensor conv(std::int64_t layer, const at::Tensor &x) = 0;
  /// Undefined if there is none of that name.
  at::Tensor weight(const std::string &name) const;
  /// x W^T + b with `prefix`.weight and, where there is one, `prefix`.bias.
  at::Tensor linear(const at::Tensor &x, const std::string &prefix) const;
  /// y, plus the layer's linear map of its input x where it has one.
  at::Tensor addResidual(std::int64_t layer, const at::Tensor &y, const at::Tensor &x) const;
  /// Norm and activation of the specification, in its order.
  at::Tensor normAndActivate(at::Tensor x, const std::string &normPrefix) const;

  ModelSpec spec;
  EagerOptions options;

private:
  at::ScalarType scalarType;
  std::map<std::string, at::Tensor> tensors;
};

/// What a forward has to do, whoever does it: transform first, one pass over the
/// edges a layer, every gathered row read from memory.
struct ModelWork {
  std::int64_t flops = 0, values = 0; ///< values of the model's element type
  std::int64_t indices = 0;           ///< of 32 bits

  std::int64_t bytes(at::ScalarType type) const {
    return values * static_cast<std::int64_t>(c10::elementSize(type)) + 4 * indices;
  }
};

/// One model family; registered in Models.cpp.
struct ModelKind {
  const char *name;
  const char *transform; ///< weight [out, in] that every layer has, below "convs.<i>."
  const char *bias;      ///< a tensor that is there when the layers have a bias
  std::vector<WeightShape> (*convShapes)(const ModelSpec &spec, std::int64_t layer);
  std::unique_ptr<EagerModel> (*make)(const ModelSpec &spec, const Weights &weights,
                                      const GraphTensors &graph, const EagerOptions &options);
  /// Without residual products, which are the same in every kind.
  ModelWork (*work)(const ModelSpec &spec, const GraphData &graph);
  /// Takes from a weights file what else its tensors tell; null: nothing. Returns
  /// what is wrong with them.
  std::string (*infer)(const format::TensorFile &file, ModelSpec &spec) = nullptr;
};

/// ModelKind::make of a class of EagerModel.
template <typename Model>
std::unique_ptr<EagerModel> makeEager(const ModelSpec &spec, const Weights &weights,
                                      const GraphTensors &graph, const EagerOptions &options) {
  return std::make_unique<Model>(spec, weights, graph, options);
}

/// What the model has to do: that of its kind and the residual products.
ModelWork modelWork(const ModelSpec &spec, const GraphData &graph);

/// Throws Failure with the names that are known.
const ModelKind &modelKind(const std::string &name);

/// Drops self loops and adds one to each node, without weights.
GraphTensors withOneLoopEach(const GraphTensors &graph);

/// How many edges there are, with exactly one self loop a node if `loops`.
std::int64_t countEdges(const GraphData &graph, bool loops);

/// The edges a GCN layer sums over, on the graph's device: self loops added where
/// `spec` says so, weight[e] / sqrt(degree[src] * degree[dst]), 0 where a degree is 0.
GraphTensors gcnNormalised(GraphTensors graph, const ModelSpec &spec, at::ScalarType type);

/// A model ready to run: `graph` is moved to the device, prepare() is done.
std::unique_ptr<EagerModel> makeEager(const ModelSpec &spec, const Weights &weights,
                                      const GraphTensors &graph, const EagerOptions &options);

/// The forward in float64 on `device`; the result is in host memory.
at::Tensor referenceForward(const ModelSpec &spec, const Weights &weights,
                            const GraphTensors &graph, const at::Tensor &x, at::Device device);

/// largest |out - reference| / largest |reference|. Infinite where only one of them is
/// NaN or infinite; plain largest |out| where the reference is all zero.
double maxRelativeError(const at::Tensor &out, const at::Tensor &reference);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_EAGER_EAGERMODEL_H
