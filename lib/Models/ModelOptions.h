//===- ModelOptions.h - What a model is built from ------------------------===//
//
// Input: arguments of torch_geometric.nn.models classes, from a preset, a case
// file or a command line. Output: one checked set of options. Names and
// defaults are PyG's.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_MODELS_MODELOPTIONS_H
#define GNNC_LIB_MODELS_MODELOPTIONS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace gnnc {

struct ModelOptions {
  std::string model = "gcn";                   ///< gcn, sage, gin, gat or gatv2
  std::int64_t inChannels = 0;                 ///< features per node (source); 0: not given
  std::optional<std::int64_t> inDst;           ///< of a destination, with weights of its own
  bool bipartite = false;                      ///< sources and destinations are different nodes
  std::int64_t hiddenChannels = 0;             ///< 0: not given
  std::optional<std::int64_t> outChannels;     ///< none: the last layer is hidden_channels wide
  std::int64_t numLayers = 0;                  ///< 0: not given
  std::string dtype = "f32";                   ///< f32, f64, bf16 or f16: of features and weights
  std::string act = "relu";                    ///< one of activationNames(), "none"
  std::map<std::string, double> actParameters; ///< act_kwargs, to be checked against `act`
  bool actFirst = false;                       ///< activation before the norm
  std::string norm = "none";                   ///< "none", "batch_norm" or "layer_norm"
  double normEps = 1e-5;
  bool normAffine = true;         ///< batch norm and layer norm with weight and bias
  std::string normMode = "graph"; ///< of a layer norm, as in PyG; "node" is the one there is
  std::string jk = "none";        ///< "none", "last", "cat" or "max"
  bool bias = true;
  bool edgeWeight = false; ///< the graph has a weight per edge
  bool marksGraph = false; ///< loops and norm as attributes of the graph, not as ops; not PyG's
  std::optional<std::int64_t> nodes; ///< none: known when a graph is bound
  std::optional<std::int64_t> edges;

  // What some models have. None: not given, so PyG's default.
  std::optional<bool> addSelfLoops;      ///< gcn: as `normalize`; gat, gatv2: yes; sage, gin: no
  std::optional<bool> normalize;         ///< gcn: norm coefficients; sage: rows of length one
  std::optional<bool> improved;          ///< gcn: added loops of a weighted graph weigh 2
  std::optional<std::string> aggr;       ///< sum, mean, max, min or mul
  std::optional<bool> rootWeight;        ///< sage
  std::optional<bool> project;           ///< sage: a linear layer and ReLU before the aggregation
  std::optional<double> eps;             ///< gin: where eps starts
  std::optional<bool> trainEps;          ///< gin: eps was trained
  std::optional<std::int64_t> heads;     ///< gat, gatv2
  std::optional<std::int64_t> lastHeads; ///< gat, gatv2: heads of the last layer; not PyG's
  std::optional<bool> concat;            ///< gat, gatv2: heads side by side, or their mean
  std::optional<double> negativeSlope;   ///< gat, gatv2
  std::optional<std::int64_t> edgeDim;   ///< gat, gatv2: features per edge (edge_attr)
  std::optional<std::string> fillValue;  ///< gat, gatv2: edge_attr of added loops, a number or a
                                         ///< reduction of the node's; none: mean
  std::optional<bool> shareWeights;      ///< gatv2
  std::optional<bool> residual;          ///< plus a linear map of x; PyG's for gat and gatv2 alone

  /// Two inputs, x_src and x_dst, as PyG's convolutions take a tuple.
  bool hasTwoInputs() const { return bipartite || inDst; }
  std::int64_t dstWidth() const { return inDst.value_or(inChannels); }
  bool isAttention() const { return model == "gat" || model == "gatv2"; }
  bool normalized() const { return normalize.value_or(model == "gcn"); }
  bool loops() const {
    return addSelfLoops.value_or(model == "gcn" ? normalized() : isAttention());
  }
  bool isLast(std::int64_t layer) const { return layer + 1 == numLayers; }
  /// The last convolution gives the output itself: nothing follows it.
  bool endsInConv() const { return jk == "none"; }
  std::int64_t outWidth() const { return outChannels.value_or(hiddenChannels); }
  std::int64_t convWidth(std::int64_t layer) const {
    return isLast(layer) && endsInConv() ? outWidth() : hiddenChannels;
  }
  /// Heads of a layer and whether they are put side by side.
  std::int64_t headsOf(std::int64_t layer) const {
    return isLast(layer) ? lastHeads.value_or(heads.value_or(1)) : heads.value_or(1);
  }
  bool concatenates(std::int64_t layer) const {
    return concat.value_or(true) && !(isLast(layer) && endsInConv() && outChannels);
  }
};

/// Sets the sizes of a known model: cora, arxiv or study, for `options.model`.
/// False for other names.
bool applyPreset(llvm::StringRef name, ModelOptions &options);

/// "GraphSAGE" -> "sage"; other names in lower case.
std::string modelName(llvm::StringRef name);

/// "add" -> "sum", otherwise unchanged.
std::string aggrName(llvm::StringRef name);

/// As PyG's resolver takes names of classes: "BatchNorm" -> "batch_norm"; a name of no
/// norm that there is stays as it is.
std::string normName(llvm::StringRef name);

/// A `fill_value` as a number; none where it is no finite one.
std::optional<double> fillNumber(llvm::StringRef text);

/// Reads a case file (`model`, `args`, `features`, `bipartite`, `edge_weight`). On failure
/// returns false and sets `error` to one line that names the member.
bool readCase(llvm::StringRef json, ModelOptions &options, std::string &error);

/// One line that says what is wrong or missing; empty when a model can be built.
/// Options are named as on the command line.
std::string checkOptions(const ModelOptions &options);

} // namespace gnnc

#endif // GNNC_LIB_MODELS_MODELOPTIONS_H
