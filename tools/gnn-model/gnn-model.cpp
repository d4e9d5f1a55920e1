//===- gnn-model.cpp - Write a PyG model as an IR program -----------------===//
//
// In: a model's arguments. Out: its unfused program (.mlir) and, on request, a
// file of random weights with PyG's names.
//
//===----------------------------------------------------------------------===//
#include "lib/Models/Models.h"
#include "mlir/IR/Verifier.h"
#include "runtime/format/FileIO.h"
#include "tools/CommandLine.h"
#include "tools/gnn-model/RandomWeights.h"

#include <iostream>

using namespace gnnc;

namespace {
constexpr const char *kExamples = R"(Examples:
  gnn-model --preset cora -o gcn.mlir
  gnn-model --model gcn --in 128 --hidden 256 --out 40 --layers 3 --act elu
  gnn-model --preset study --in 1433 --out 7 --weights-seed 1 --weights w.safetensors -o m.mlir
  gnn-model --in 24 --hidden 32 --out 5 --layers 2 --no-normalize --edge-weight
  gnn-model --args test/data/pyg/gcn-hard/case.json -o hard.mlir
Exit codes: 0 written, 1 a file is wrong or cannot be written, 2 wrong usage.)";

constexpr int kWrongInput = 1, kWrongUsage = 2;

struct Command {
  ModelOptions options;
  std::string output = "-", weights;
  std::optional<std::uint64_t> seed;
};

int fail(int code, const std::string &text) {
  std::cerr << "gnn-model: " << text << "\n";
  return code;
}

/// Declares an option and its aliases; what is given on the command line wins
/// over presets and case files, so it is only recorded here.
template <class T>
CLI::Option *addOption(CLI::App &app, const std::string &names, std::optional<T> &value,
                       const std::string &help) {
  return app.add_option(names, value, help);
}

/// What the command line gave; absent members keep the preset's value.
struct Given {
  std::optional<std::string> model, act, norm;
  std::optional<std::int64_t> in, hidden, out, layers, nodes, edges;
  std::optional<bool> addSelfLoops, normalize, bias, actFirst, edgeWeight;
  bool noSelfLoops = false, noNormalize = false, noBias = false, isActFirst = false,
       hasEdgeWeight = false;
  std::string preset, caseFile;

  void declare(CLI::App &app);
  void apply(ModelOptions &options) const;
};
} // namespace

void Given::declare(CLI::App &app) {
  addOption(app, "--model", model, "gcn (the default)");
  app.add_option("--preset", preset,
                 "cora (1433, 16, 7; 2 layers), arxiv (128, 256, 256, 40), or study (3 layers, "
                 "hidden 256, batch norm; give --in and --out)");
  app.add_option("--args", caseFile,
                 "JSON file with PyG's arguments in 'args', and 'features', 'edge_weight'");
  addOption(app, "--in,--in_channels", in, "features per node of the input");
  addOption(app, "--hidden,--hidden_channels", hidden, "features per node between layers");
  addOption(app, "--out,--out_channels", out,
            "features per node of the output; as --hidden if absent");
  addOption(app, "--layers,--num_layers", layers, "number of convolutions");
  addOption(app, "--act", act, "activation between layers: " + activationNames());
  addOption(app, "--norm", norm, "none or batch_norm, between layers");
  app.add_flag("--act-first", isActFirst, "activation before the norm");
  app.add_flag("--no-self-loops", noSelfLoops, "add no self loops");
  app.add_flag("--no-normalize", noNormalize, "plain sums: no norm coefficients, no self loops");
  app.add_flag("--no-bias", noBias, "no bias");
  app.add_flag("--edge-weight", hasEdgeWeight, "the graph has edge weights (edge_weight)");
  addOption(app, "--nodes", nodes, "number of nodes, if the program is for one graph only");
  addOption(app, "--edges", edges, "number of edges, likewise");
  // PyG's spelling, with a value.
  addOption(app, "--act_first", actFirst, "true or false");
  addOption(app, "--add_self_loops,--add-self-loops", addSelfLoops, "true or false");
  addOption(app, "--normalize", normalize, "true or false");
  addOption(app, "--bias", bias, "true or false");
}

void Given::apply(ModelOptions &options) const {
  auto set = [](auto &to, const auto &from) {
    if (from)
      to = *from;
  };
  auto setOptional = [](auto &to, const auto &from) {
    if (from)
      to = from;
  };
  set(options.model, model);
  set(options.inChannels, in);
  set(options.hiddenChannels, hidden);
  setOptional(options.outChannels, out);
  set(options.numLayers, layers);
  set(options.act, act);
  set(options.norm, norm);
  setOptional(options.nodes, nodes);
  setOptional(options.edges, edges);
  set(options.actFirst, actFirst);
  setOptional(options.addSelfLoops, addSelfLoops);
  set(options.normalize, normalize);
  set(options.bias, bias);
  if (isActFirst)
    options.actFirst = true;
  if (noSelfLoops)
    options.addSelfLoops = false;
  if (noNormalize)
    options.normalize = false;
  if (noBias)
    options.bias = false;
  if (hasEdgeWeight)
    options.edgeWeight = true;
  options.model = llvm::StringRef(options.model).lower();
}

/// Preset, then case file, then command line. Returns an exit code, 0 if good.
static int readOptions(const Given &given, ModelOptions &options) {
  if (!given.preset.empty() && !applyPreset(given.preset, options))
    return fail(kWrongUsage, "--preset is cora, arxiv or study, found '" + given.preset + "'");
  if (!given.caseFile.empty()) {
    format::Bytes bytes;
    std::string error;
    if (!format::readFile(given.caseFile, bytes, error))
      return fail(kWrongInput, error);
    llvm::StringRef text(reinterpret_cast<const char *>(bytes.data), bytes.size);
    if (!readCase(text, options, error))
      return fail(kWrongInput, given.caseFile + ": " + error);
  }
  given.apply(options);
  if (std::string error = checkOptions(options); !error.empty())
    return fail(kWrongUsage, error + "; see gnn-model --help");
  return 0;
}

static int writeProgram(const Command &command) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Model model = buildModel(&context, command.options);
  if (failed(mlir::verify(*model.module)))
    return fail(kWrongInput, "the program does not verify; this is an error in gnn-model");
  std::string text, error;
  llvm::raw_string_ostream stream(text);
  model.module->print(stream); // unlike <<, with names for affine maps
  if (!command.weights.empty() &&
      !writeRandomWeights(model.weights, command.seed.value_or(0), command.weights, error))
    return fail(kWrongInput, error);
  if (command.output == "-") {
    std::cout << text << std::flush;
    return std::cout ? 0 : fail(kWrongInput, "cannot write to standard output");
  }
  format::Piece piece{text.data(), text.size()};
  if (!format::writeFile(command.output, &piece, 1, error))
    return fail(kWrongInput, error);
  return 0;
}

int main(int argc, char **argv) {
  CLI::App app("Write a PyG model (torch_geometric.nn.models, eval mode) as a gnn program.",
               "gnn-model");
  app.footer(kExamples);
  Given given;
  Command command;
  given.declare(app);
  app.add_option("-o,--output", command.output,
                 "file to write; - is standard output (the default)");
  app.add_option("--weights", command.weights, "also write random weights to this file");
  app.add_option("--weights-seed", command.seed, "seed of those weights (0 if absent)");
  if (std::optional<int> code = tools::parseCommandLine(app, argc, argv))
    return *code;
  if (command.seed && command.weights.empty())
    return fail(kWrongUsage, "--weights-seed needs --weights FILE");
  if (int code = readOptions(given, command.options))
    return code;
  if (auto code = tools::refuseOverwriting("gnn-model", {given.caseFile},
                                           {command.output, command.weights}))
    return *code;
  try {
    return writeProgram(command);
  } catch (const std::bad_alloc &) {
    return fail(kWrongInput, "out of memory for the weights of this model");
  } catch (const std::length_error &) { // more than any memory
    return fail(kWrongInput, "out of memory for the weights of this model");
  }
}
