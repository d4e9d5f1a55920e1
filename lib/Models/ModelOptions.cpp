//===- ModelOptions.cpp - Presets and checks of options -------------------===//
#include "lib/Models/ModelOptions.h"

#include "lib/Models/Activations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace llvm;
using namespace gnnc;

static constexpr StringLiteral kModels[] = {"gcn", "sage", "gin", "gat", "gatv2"};
static constexpr StringLiteral kReductions[] = {"sum", "mean", "max", "min", "mul"};
static constexpr StringLiteral kNorms[] = {"none", "batch_norm", "layer_norm"};
/// Feature counts beyond this are a slip, and would overflow sizes.
static constexpr std::int64_t kMaxExtent = std::int64_t(1) << 31;

std::string gnnc::modelName(StringRef name) {
  std::string lower = name.lower();
  return lower == "graphsage" ? "sage" : lower;
}

std::string gnnc::aggrName(StringRef name) { return name == "add" ? "sum" : name.str(); }

std::string gnnc::normName(StringRef name) {
  for (StringRef norm : kNorms)
    if (resolverName(norm) == resolverName(name))
      return norm.str();
  return name.str();
}

std::optional<double> gnnc::fillNumber(StringRef text) {
  double number = 0;
  bool isNumber = !text.getAsDouble(number) && std::isfinite(number);
  return isNumber ? std::optional<double>(number) : std::nullopt;
}

bool gnnc::applyPreset(StringRef name, ModelOptions &options) {
  auto sizes = [&](std::int64_t in, std::int64_t hidden, std::int64_t out, std::int64_t layers) {
    options.inChannels = in;
    options.hiddenChannels = hidden;
    options.outChannels = out;
    options.numLayers = layers;
  };
  auto attention = [&](std::int64_t heads, std::int64_t width) {
    if (!options.isAttention())
      return;
    options.heads = heads;
    options.hiddenChannels = heads * width;
    options.act = "elu";
  };
  if (name == "cora") {
    sizes(1433, 16, 7, 2);
    attention(8, 8);
  } else if (name == "arxiv") {
    sizes(128, 256, 40, 3);
    attention(4, 64);
  } else if (name == "study") { // features and classes are the data set's
    options.hiddenChannels = 256;
    options.numLayers = 3;
    options.norm = "batch_norm";
    attention(8, 256);
    if (options.isAttention())
      options.lastHeads = 1;
  } else {
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static std::string checkExtent(StringRef name, std::int64_t value, std::int64_t least) {
  if (value >= least && value <= kMaxExtent)
    return "";
  return (name + " is " + Twine(least) + " to " + Twine(kMaxExtent) + ", found " + Twine(value))
      .str();
}

static std::string checkExtents(const ModelOptions &options) {
  if (!options.inChannels)
    return "--in (features per node) is missing";
  bool onlyLast = options.numLayers == 1 && options.outChannels && options.jk == "none";
  if (!options.hiddenChannels && !onlyLast)
    return "--hidden (features per hidden node) is missing";
  if (!options.numLayers)
    return "--layers is missing";
  std::string errors[] = {
      checkExtent("--in", options.inChannels, 1),
      options.inDst ? checkExtent("--in-dst", *options.inDst, 1) : "",
      options.hiddenChannels ? checkExtent("--hidden", options.hiddenChannels, 1) : "",
      options.outChannels ? checkExtent("--out", *options.outChannels, 1) : "",
      options.heads ? checkExtent("--heads", *options.heads, 1) : "",
      options.lastHeads ? checkExtent("--last-heads", *options.lastHeads, 1) : "",
      options.edgeDim ? checkExtent("--edge-dim", *options.edgeDim, 1) : "",
      options.nodes ? checkExtent("--nodes", *options.nodes, 0) : "",
      options.edges ? checkExtent("--edges", *options.edges, 0) : ""};
  for (std::string &error : errors)
    if (!error.empty())
      return error;
  if (options.numLayers < 1 || options.numLayers > 1000)
    return ("--layers is 1 to 1000, found " + Twine(options.numLayers)).str();
  return "";
}

static std::string checkBetweenLayers(const ModelOptions &options) {
  if (activationName(options.act) != options.act)
    return "--act is one of " + activationNames() + ", found '" + options.act + "'";
  if (std::string key = unknownActivationParameter(options.act, options.actParameters);
      !key.empty())
    return "act_kwargs: '" + key + "' is no supported argument of '" + options.act + "'";
  if (!is_contained(kNorms, StringRef(options.norm)))
    return "--norm is none, batch_norm or layer_norm, found '" + options.norm + "'";
  if (options.norm == "layer_norm" && options.normMode != "node")
    return "--norm layer_norm over the whole graph is not supported: give --norm-mode node "
           "(norm_kwargs={'mode': 'node'}), found '" +
           options.normMode + "'";
  if (options.jk != "none" && options.jk != "last" && options.jk != "cat" && options.jk != "max")
    return "--jk is none, last, cat or max, found '" + options.jk + "'";
  return "";
}

/// Arguments that only some models have; PyG refuses them elsewhere, too.
static std::string checkOwners(const ModelOptions &options) {
  struct Argument {
    StringLiteral flag;
    bool isGiven;
    SmallVector<StringRef> models;
  };
  const Argument arguments[] = {
      {"--normalize", options.normalize.has_value(), {"gcn", "sage"}},
      {"--improved", options.improved.has_value(), {"gcn"}},
      {"--root-weight", options.rootWeight.has_value(), {"sage"}},
      {"--project", options.project.has_value(), {"sage"}},
      {"--eps", options.eps.has_value(), {"gin"}},
      {"--train-eps", options.trainEps.has_value(), {"gin"}},
      {"--heads", options.heads.has_value(), {"gat", "gatv2"}},
      {"--last-heads", options.lastHeads.has_value(), {"gat", "gatv2"}},
      {"--concat", options.concat.has_value(), {"gat", "gatv2"}},
      {"--negative-slope", options.negativeSlope.has_value(), {"gat", "gatv2"}},
      {"--edge-dim", options.edgeDim.has_value(), {"gat", "gatv2"}},
      {"--fill-value", options.fillValue.has_value(), {"gat", "gatv2"}},
      {"--share-weights", options.shareWeights.has_value(), {"gatv2"}},
  };
  for (const Argument &argument : arguments)
    if (argument.isGiven && !is_contained(argument.models, StringRef(options.model)))
      return (argument.flag + " belongs to " + join(argument.models, " and ") + ", not to " +
              options.model)
          .str();
  return "";
}

static std::string checkAttention(const ModelOptions &options) {
  for (std::int64_t layer : {std::int64_t(0), options.numLayers - 1}) {
    std::int64_t heads = options.headsOf(layer), width = options.convWidth(layer);
    if (options.concatenates(layer) && width % heads)
      return ("--hidden is a multiple of --heads where heads are concatenated, found " +
              Twine(width) + " and " + Twine(heads))
          .str();
  }
  if (options.aggr.value_or("sum") != "sum")
    return "--aggr of " + options.model + " is sum, found '" + *options.aggr + "'";
  if (options.edgeWeight)
    return "--edge-weight: " + options.model +
           " takes edge features, not weights; give --edge-dim 1 and 'edge_attr'";
  if (options.fillValue && !is_contained(kReductions, StringRef(aggrName(*options.fillValue))) &&
      !fillNumber(*options.fillValue))
    return "--fill-value is a number, sum (add), mean, max, min or mul, found '" +
           *options.fillValue + "'";
  return "";
}

/// What a convolution of two node sets does not have. PyG says the same of each but the
/// loops, which it adds to as many nodes as both sets have, whoever they are.
static std::string checkBipartite(const ModelOptions &options) {
  if (options.model == "gcn")
    return "--bipartite: gcn has one set of nodes (PyG's GCNConv refuses a tuple, too)";
  if (options.numLayers != 1)
    return ("--bipartite: --layers is 1, since the second layer has no new source rows; found " +
            Twine(options.numLayers))
        .str();
  if (options.loops())
    return "--bipartite: no node is at both ends of an edge: give --no-self-loops "
           "(add_self_loops=False)";
  if (options.nodes)
    return "--nodes is the count of both ends; with --bipartite the graph gives each";
  bool isShared = options.model == "gin" || options.shareWeights.value_or(false);
  if (isShared && options.dstWidth() != options.inChannels)
    return ((options.model == "gin" ? "--in-dst: gin adds up rows of both ends"
                                    : "--share-weights: one matrix is for both ends") +
            Twine(", which have --in = ") + Twine(options.inChannels) +
            " and --in-dst = " + Twine(*options.inDst) + " features")
        .str();
  return "";
}

std::string gnnc::checkOptions(const ModelOptions &options) {
  if (!is_contained(kModels, StringRef(options.model)))
    return "--model is gcn, sage, gin, gat or gatv2, found '" + options.model + "'";
  if (!is_contained({"f32", "f64", "bf16", "f16"}, StringRef(options.dtype)))
    return "--dtype is f32, f64, bf16 or f16, found '" + options.dtype + "'";
  for (auto check : {checkExtents, checkBetweenLayers, checkOwners})
    if (std::string error = check(options); !error.empty())
      return error;
  if (options.aggr && !is_contained(kReductions, StringRef(*options.aggr)))
    return "--aggr is sum, mean, max, min or mul, found '" + *options.aggr + "'";
  if (options.model == "gcn" && options.loops() && !options.normalized())
    return "self loops are only added by the normalisation: drop --no-normalize or "
           "--add-self-loops (PyG's GCNConv refuses this too)";
  if (options.model == "gin" && !options.bias)
    return "--no-bias: gin always has biases (PyG's GIN refuses the argument, too)";
  if (options.hasTwoInputs())
    if (std::string error = checkBipartite(options); !error.empty())
      return error;
  return options.isAttention() ? checkAttention(options) : "";
}
