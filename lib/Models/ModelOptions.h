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
#include <optional>
#include <string>

namespace gnnc {

struct ModelOptions {
  std::string model = "gcn";
  std::int64_t inChannels = 0;             ///< features per node; 0: not given
  std::int64_t hiddenChannels = 0;         ///< 0: not given
  std::optional<std::int64_t> outChannels; ///< none: the last layer is hidden_channels wide
  std::int64_t numLayers = 0;              ///< 0: not given
  std::string act = "relu";                ///< one of activationNames(), "none"
  bool actFirst = false;                   ///< activation before the norm
  std::string norm = "none";               ///< "none" or "batch_norm"
  bool bias = true;
  std::optional<bool> addSelfLoops; ///< none: as `normalize`, like PyG's GCNConv
  bool normalize = true;
  bool edgeWeight = false;           ///< the graph has a weight per edge
  std::optional<std::int64_t> nodes; ///< none: known when a graph is bound
  std::optional<std::int64_t> edges;

  bool loops() const { return addSelfLoops.value_or(normalize); }
};

/// "relu, elu, ..., none"
std::string activationNames();

/// Sets the sizes of a known model: cora, arxiv or study. False for other names.
bool applyPreset(llvm::StringRef name, ModelOptions &options);

/// Reads a case file (`model`, `args`, `features`, `classes`, `edge_weight`).
/// On failure returns false and sets `error` to one line that names the member.
bool readCase(llvm::StringRef json, ModelOptions &options, std::string &error);

/// One line that says what is wrong or missing; empty when a model can be built.
/// Options are named as on the command line.
std::string checkOptions(const ModelOptions &options);

} // namespace gnnc

#endif // GNNC_LIB_MODELS_MODELOPTIONS_H
