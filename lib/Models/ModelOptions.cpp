//===- ModelOptions.cpp - Presets, case files and checks of options -------===//
#include "lib/Models/ModelOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace gnnc;

static constexpr StringLiteral kActivations[] = {"relu",    "elu",  "leaky_relu", "tanh",
                                                 "sigmoid", "silu", "none"};
/// Feature counts beyond this are a slip, and would overflow sizes.
static constexpr std::int64_t kMaxExtent = std::int64_t(1) << 31;

std::string gnnc::activationNames() { return join(ArrayRef<StringLiteral>(kActivations), ", "); }

bool gnnc::applyPreset(StringRef name, ModelOptions &options) {
  auto sizes = [&](std::int64_t in, std::int64_t hidden, std::int64_t out, std::int64_t layers) {
    options.inChannels = in;
    options.hiddenChannels = hidden;
    options.outChannels = out;
    options.numLayers = layers;
  };
  if (name == "cora") {
    sizes(1433, 16, 7, 2);
  } else if (name == "arxiv") {
    sizes(128, 256, 40, 3);
  } else if (name == "study") { // features and classes are the data set's
    options.hiddenChannels = 256;
    options.numLayers = 3;
    options.norm = "batch_norm";
  } else {
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Case files
//===----------------------------------------------------------------------===//

namespace {
/// Reads members of one JSON object and remembers the first that does not fit.
class MemberReader {
public:
  MemberReader(std::string path, std::string &error) : path(std::move(path)), error(error) {}

  bool integer(StringRef key, const json::Value &value, std::int64_t &out) {
    auto number = value.getAsInteger();
    if (!number)
      return wrong(key, value, "a whole number");
    out = *number;
    return true;
  }
  bool boolean(StringRef key, const json::Value &value, bool &out) {
    auto flag = value.getAsBoolean();
    if (!flag)
      return wrong(key, value, "true or false");
    out = *flag;
    return true;
  }
  /// A name, or null for "none".
  bool name(StringRef key, const json::Value &value, std::string &out) {
    auto text = value.getAsString();
    if (!text && !value.getAsNull())
      return wrong(key, value, "a string or null");
    out = text ? text->str() : "none";
    return true;
  }
  /// Accepted only with the value that changes nothing.
  bool only(StringRef key, const json::Value &value, const json::Value &neutral) {
    if (value == neutral || value.getAsNull())
      return true;
    std::string wanted;
    raw_string_ostream(wanted) << neutral << " (others are not supported)";
    return wrong(key, value, wanted);
  }
  bool unknown(StringRef key) {
    error = path + "." + key.str() + ": unknown member";
    return false;
  }

private:
  bool wrong(StringRef key, const json::Value &value, const Twine &expected) {
    raw_string_ostream(error) << path << "." << key << ": expected " << expected << ", found "
                              << value;
    return false;
  }
  std::string path;
  std::string &error;
};
} // namespace

/// One argument of a PyG model class.
static bool readArgument(StringRef key, const json::Value &value, MemberReader &read,
                         ModelOptions &options) {
  if (key == "in_channels")
    return read.integer(key, value, options.inChannels);
  if (key == "hidden_channels")
    return read.integer(key, value, options.hiddenChannels);
  if (key == "num_layers")
    return read.integer(key, value, options.numLayers);
  if (key == "out_channels") {
    if (value.getAsNull())
      return true;
    return read.integer(key, value, options.outChannels.emplace());
  }
  if (key == "act")
    return read.name(key, value, options.act);
  if (key == "norm")
    return read.name(key, value, options.norm);
  if (key == "act_first")
    return read.boolean(key, value, options.actFirst);
  if (key == "bias")
    return read.boolean(key, value, options.bias);
  if (key == "normalize")
    return read.boolean(key, value, options.normalize);
  if (key == "add_self_loops")
    return value.getAsNull() || read.boolean(key, value, options.addSelfLoops.emplace());
  if (key == "dropout" || key == "cached") // no effect on the result of eval mode
    return true;
  if (key == "improved")
    return read.only(key, value, false);
  if (key == "jk" || key == "act_kwargs" || key == "norm_kwargs")
    return read.only(key, value, nullptr);
  return read.unknown(key);
}

bool gnnc::readCase(StringRef text, ModelOptions &options, std::string &error) {
  auto parsed = json::parse(text);
  if (!parsed) {
    error = "not JSON: " + toString(parsed.takeError());
    return false;
  }
  const json::Object *object = parsed->getAsObject();
  const json::Object *args = object ? object->getObject("args") : nullptr;
  if (!args) {
    error = "expected an object with a member 'args'";
    return false;
  }
  MemberReader top("case", error), inner("args", error);
  for (const auto &[key, value] : *object) {
    bool good = true;
    if (key == "model")
      good = top.name(key, value, options.model);
    else if (key == "features")
      good = top.integer(key, value, options.inChannels);
    else if (key == "edge_weight")
      good = top.boolean(key, value, options.edgeWeight);
    if (!good)
      return false; // others describe the graph
  }
  options.model = StringRef(options.model).lower();
  for (const auto &[key, value] : *args)
    if (!readArgument(key, value, inner, options))
      return false;
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

std::string gnnc::checkOptions(const ModelOptions &options) {
  if (options.model != "gcn")
    return "--model is gcn, found '" + options.model + "'";
  if (!options.inChannels)
    return "--in (features per node) is missing";
  if (!options.hiddenChannels && (options.numLayers != 1 || !options.outChannels))
    return "--hidden (features per hidden node) is missing";
  if (!options.numLayers)
    return "--layers is missing";
  std::string errors[] = {
      checkExtent("--in", options.inChannels, 1),
      options.hiddenChannels ? checkExtent("--hidden", options.hiddenChannels, 1) : "",
      options.outChannels ? checkExtent("--out", *options.outChannels, 1) : "",
      options.nodes ? checkExtent("--nodes", *options.nodes, 0) : "",
      options.edges ? checkExtent("--edges", *options.edges, 0) : ""};
  for (std::string &error : errors)
    if (!error.empty())
      return error;
  if (options.numLayers < 1 || options.numLayers > 1000)
    return ("--layers is 1 to 1000, found " + Twine(options.numLayers)).str();
  if (!is_contained(kActivations, StringRef(options.act)))
    return "--act is one of " + activationNames() + ", found '" + options.act + "'";
  if (options.norm != "none" && options.norm != "batch_norm")
    return "--norm is none or batch_norm, found '" + options.norm + "'";
  if (options.addSelfLoops.value_or(false) && !options.normalize)
    return "self loops are only added by the normalisation: drop --no-normalize or "
           "--add-self-loops (PyG's GCNConv refuses this too)";
  return "";
}
