//===- ModelSpec.h - What a model is: its arguments and its weights -------===//
//
// Input: PyG's arguments and a weights file (the model's state_dict). Output: a
// checked specification and named tensors, the same for every system.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_EAGER_MODELSPEC_H
#define GNNC_BENCHMARKS_EAGER_MODELSPEC_H

#include "benchmarks/data/GraphData.h"

#include <map>

namespace gnnc::bench {

/// Arguments of torch_geometric.nn.models, with its defaults.
struct ModelSpec {
  std::string model = "gcn";
  std::int64_t inChannels = 0, hiddenChannels = 16, outChannels = 0, numLayers = 2;
  std::string act = "relu";  ///< relu | elu | leaky_relu | tanh | sigmoid | silu | none
  std::string norm = "none"; ///< none | batch_norm
  bool actFirst = false;     ///< activation before the norm
  bool bias = true;
  bool normalize = true;                 ///< gcn
  bool addSelfLoops = true;              ///< gcn, gat, gatv2; the others add none
  std::string aggr = "mean";             ///< sage: mean | sum | max | min
  bool rootWeight = true;                ///< sage
  std::int64_t heads = 1, lastHeads = 0; ///< gat, gatv2; lastHeads of 0: as `heads`
  double negativeSlope = 0.2;            ///< gat, gatv2
  std::string dtype = "f32";             ///< of features and weights: f32 | f64 | bf16 | f16
  bool residual = false;                 ///< plus a linear map of the layer's input

  /// Heads are side by side but in the last layer, which takes their mean.
  bool concatenates(std::int64_t layer) const { return layer + 1 < numLayers; }
  std::int64_t headsOf(std::int64_t layer) const {
    return concatenates(layer) || !lastHeads ? heads : lastHeads;
  }
  /// Of one head.
  std::int64_t headWidth(std::int64_t layer) const {
    return concatenates(layer) ? hiddenChannels / heads : outChannels;
  }
  std::int64_t inWidth(std::int64_t layer) const { return layer ? hiddenChannels : inChannels; }
  std::int64_t outWidth(std::int64_t layer) const {
    return layer + 1 == numLayers ? outChannels : hiddenChannels;
  }
};

struct WeightShape {
  std::string name; ///< PyG's name in the state_dict
  std::vector<std::int64_t> shape;
};

/// "convs", 0, "bias" -> "convs.0.bias"
std::string layerName(const char *list, std::int64_t layer, const std::string &rest);

/// The tensors that a forward of this model needs. Throws Failure for a model
/// that is not known.
std::vector<WeightShape> weightShapes(const ModelSpec &spec);

struct HostTensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};
using Weights = std::map<std::string, HostTensor>;

/// Random weights as after some training: no zero bias, no unit batch norm.
Weights randomWeights(const ModelSpec &spec, std::uint64_t seed);

/// Reads a weights file and takes the widths, the number of layers, bias and
/// norm of `spec` from it. Throws Failure when a tensor is missing, or its
/// shape does not fit the others or `spec.inChannels` (0: not known).
Weights readWeights(const std::string &path, ModelSpec &spec);

/// Throws Failure.
void writeWeights(const std::string &path, const Weights &weights);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_EAGER_MODELSPEC_H
