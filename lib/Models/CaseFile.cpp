//===- CaseFile.cpp - PyG's arguments from a JSON file --------------------===//
//
// In: `model`, `args`, `features`, `bipartite` and `edge_weight` of a case file, as beside
// test/data/pyg. Out: options, or the first member that does not fit.
//
//===----------------------------------------------------------------------===//
#include "lib/Models/Activations.h"
#include "lib/Models/ModelOptions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace gnnc;

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
  bool number(StringRef key, const json::Value &value, double &out) {
    auto number = value.getAsNumber();
    if (!number)
      return wrong(key, value, "a number");
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
  /// Null leaves an optional member as it is.
  template <class T, class Read>
  bool optional(const json::Value &value, std::optional<T> &out, Read read) {
    return value.getAsNull() || read(out.emplace());
  }
  /// Accepted only with the value that changes nothing.
  bool only(StringRef key, const json::Value &value, const json::Value &neutral) {
    if (value == neutral || value.getAsNull())
      return true;
    std::string wanted;
    raw_string_ostream(wanted) << neutral << " (others are not supported)";
    return wrong(key, value, wanted);
  }
  bool wrong(StringRef key, const json::Value &value, const Twine &expected) {
    raw_string_ostream(error) << path << "." << key << ": expected " << expected << ", found "
                              << value;
    return false;
  }
  bool unknown(StringRef key) {
    error = path + "." + key.str() + ": unknown member";
    return false;
  }

private:
  std::string path;
  std::string &error;
};

/// The arguments of one PyG model class.
class ArgumentReader {
public:
  ArgumentReader(ModelOptions &options, std::string &error)
      : options(options), error(error), read("args", error) {}

  bool argument(StringRef key, const json::Value &value) {
    if (auto result = common(key, value))
      return *result;
    if (auto result = ofModel(key, value))
      return *result;
    return read.unknown(key);
  }

private:
  using Result = std::optional<bool>; ///< none: it is not one of these
  Result common(StringRef key, const json::Value &value);
  Result ofModel(StringRef key, const json::Value &value);
  bool activationArguments(const json::Value &value);
  bool normArguments(const json::Value &value);
  bool fill(StringRef key, const json::Value &value);
  bool inputs(StringRef key, const json::Value &value);
  bool notOfPyG(StringRef key, StringRef instead) {
    error =
        ("args." + key + ": PyG's " + options.model + " has no such argument; " + instead).str();
    return false;
  }

  bool flag(StringRef key, const json::Value &value, std::optional<bool> &out) {
    return read.optional(value, out, [&](bool &to) { return read.boolean(key, value, to); });
  }
  bool integer(StringRef key, const json::Value &value, std::optional<std::int64_t> &out) {
    return read.optional(value, out,
                         [&](std::int64_t &to) { return read.integer(key, value, to); });
  }
  bool number(StringRef key, const json::Value &value, std::optional<double> &out) {
    return read.optional(value, out, [&](double &to) { return read.number(key, value, to); });
  }

  ModelOptions &options;
  std::string &error;
  MemberReader read;
};
} // namespace

ArgumentReader::Result ArgumentReader::common(StringRef key, const json::Value &value) {
  if (key == "in_channels")
    return inputs(key, value);
  if (key == "hidden_channels")
    return read.integer(key, value, options.hiddenChannels);
  if (key == "num_layers")
    return read.integer(key, value, options.numLayers);
  if (key == "out_channels")
    return integer(key, value, options.outChannels);
  if (key == "act")
    return read.name(key, value, options.act);
  if (key == "act_first")
    return read.boolean(key, value, options.actFirst);
  if (key == "act_kwargs")
    return activationArguments(value);
  if (key == "norm")
    return read.name(key, value, options.norm);
  if (key == "norm_kwargs")
    return normArguments(value);
  if (key == "jk")
    return read.name(key, value, options.jk);
  if (key == "bias")
    return read.boolean(key, value, options.bias);
  if (key == "flow")
    return read.only(key, value, "source_to_target");
  if (key == "node_dim")
    return read.only(key, value, options.isAttention() ? 0 : -2);
  if (key == "decomposed_layers")
    return read.only(key, value, 1);
  if (key == "dropout") // no effect on the result of eval mode
    return true;
  return std::nullopt;
}

ArgumentReader::Result ArgumentReader::ofModel(StringRef key, const json::Value &value) {
  if (key == "v2") {
    bool v2 = false;
    if (options.model != "gat" && options.model != "gatv2")
      return std::nullopt;
    if (!read.boolean(key, value, v2))
      return false;
    options.model = v2 ? "gatv2" : "gat";
    return true;
  }
  if (key == "aggr") {
    auto name = value.getAsString();
    if (!name)
      return read.wrong(key, value, "a string");
    options.aggr = aggrName(*name);
    return true;
  }
  if (key == "residual" && !options.isAttention())
    return notOfPyG(key, "--residual of gnn-model gives it one");
  if (key == "add_self_loops" && options.model != "gcn" && !options.isAttention())
    return notOfPyG(key, "--add-self-loops of gnn-model gives it loops");
  if (key == "cached" && options.model != "gcn")
    return notOfPyG(key, "drop it");
  std::pair<StringRef, std::optional<bool> *> flags[] = {{"add_self_loops", &options.addSelfLoops},
                                                         {"normalize", &options.normalize},
                                                         {"improved", &options.improved},
                                                         {"root_weight", &options.rootWeight},
                                                         {"project", &options.project},
                                                         {"train_eps", &options.trainEps},
                                                         {"concat", &options.concat},
                                                         {"share_weights", &options.shareWeights},
                                                         {"residual", &options.residual}};
  for (auto &[name, to] : flags)
    if (key == name)
      return flag(key, value, *to);
  if (key == "cached") // the same result
    return true;
  if (key == "eps")
    return number(key, value, options.eps);
  if (key == "heads")
    return integer(key, value, options.heads);
  if (key == "negative_slope")
    return number(key, value, options.negativeSlope);
  if (key == "edge_dim")
    return integer(key, value, options.edgeDim);
  if (key == "fill_value")
    return fill(key, value);
  return std::nullopt;
}

/// A number, or one for each end.
bool ArgumentReader::inputs(StringRef key, const json::Value &value) {
  const json::Array *ends = value.getAsArray();
  if (!ends)
    return read.integer(key, value, options.inChannels);
  if (ends->size() != 2)
    return read.wrong(key, value, "a whole number or two");
  return read.integer(key, (*ends)[0], options.inChannels) &&
         read.integer(key, (*ends)[1], options.inDst.emplace());
}

bool ArgumentReader::fill(StringRef key, const json::Value &value) {
  if (auto number = value.getAsNumber())
    options.fillValue = formatv("{0:e17}", *number).str();
  else if (auto text = value.getAsString())
    options.fillValue = text->str();
  else if (!value.getAsNull())
    return read.wrong(key, value, "a number or a string");
  return true;
}

bool ArgumentReader::activationArguments(const json::Value &value) {
  if (value.getAsNull())
    return true;
  const json::Object *object = value.getAsObject();
  if (!object)
    return read.wrong("act_kwargs", value, "an object or null");
  MemberReader inner("args.act_kwargs", error);
  for (const auto &[key, member] : *object) {
    if (key == "inplace")
      continue;
    double &value = options.actParameters[key.str()];
    if (key == "approximate") {
      if (member != "none" && member != "tanh")
        return inner.wrong(key, member, "\"none\" or \"tanh\"");
      value = member == "tanh";
    } else if (!inner.number(key, member, value)) {
      return false;
    }
  }
  return true;
}

bool ArgumentReader::normArguments(const json::Value &value) {
  if (value.getAsNull())
    return true;
  const json::Object *object = value.getAsObject();
  if (!object)
    return read.wrong("norm_kwargs", value, "an object or null");
  MemberReader inner("args.norm_kwargs", error);
  for (const auto &[key, member] : *object) {
    bool good = true;
    if (key == "eps")
      good = inner.number(key, member, options.normEps);
    else if (key == "affine")
      good = inner.boolean(key, member, options.normAffine);
    else if (key == "mode")
      good = inner.name(key, member, options.normMode);
    else if (key == "track_running_stats")
      good = inner.only(key, member, true);
    else if (key != "momentum" && key != "allow_single_element") // of training alone
      good = inner.unknown(key);
    if (!good)
      return false;
  }
  return true;
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
  MemberReader top("case", error);
  if (const json::Value *model = object->get("model")) {
    if (!top.name("model", *model, options.model))
      return false;
    options.model = modelName(options.model);
  }
  if (const json::Value *features = object->get("features"))
    if (!top.integer("features", *features, options.inChannels))
      return false;
  if (const json::Value *weight = object->get("edge_weight"))
    if (!top.boolean("edge_weight", *weight, options.edgeWeight))
      return false;
  if (options.edgeWeight && options.model != "gcn" && !options.isAttention()) {
    error =
        "case.edge_weight: PyG's " + options.model +
        " does not look at edge weights; drop it, or --edge-weight of gnn-model weighs messages";
    return false;
  }
  if (const json::Value *bipartite = object->get("bipartite"))
    if (!top.boolean("bipartite", *bipartite, options.bipartite))
      return false;
  ArgumentReader inner(options, error); // other members describe the graph
  for (const auto &[key, value] : *args)
    if (!inner.argument(key, value))
      return false;
  return true;
}
