//===- gnn-model.cpp - Write a PyG model as an IR program -----------------===//
//
// In: a model's arguments. Out: its unfused program (.mlir) and, on request, a
// file of random weights with PyG's names.
//
//===----------------------------------------------------------------------===//
#include "lib/Models/Activations.h"
#include "lib/Models/Models.h"
#include "mlir/IR/Verifier.h"
#include "runtime/format/FileIO.h"
#include "tools/CommandLine.h"
#include "tools/gnn-model/RandomWeights.h"

#include <functional>
#include <iostream>
#include <memory>

using namespace gnnc;

namespace {
constexpr const char *kExamples = R"(Examples:
  gnn-model --preset cora -o gcn.mlir
  gnn-model --model gcn --in 128 --hidden 256 --out 40 --layers 3 --act elu
  gnn-model --preset study --in 1433 --out 7 --weights-seed 1 --weights w.safetensors -o m.mlir
  gnn-model --in 24 --hidden 32 --out 5 --layers 2 --no-normalize --edge-weight
  gnn-model --model gat --heads 8 --preset study --in 128 --out 40 -o gat.mlir
  gnn-model --model sage --bipartite --in 8 --in-dst 5 --out 4 --layers 1 -o block.mlir
  gnn-model --model sage --aggr max --in 24 --hidden 32 --out 5 --layers 2
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

/// What the command line gave; absent members keep the preset's value.
class Given {
public:
  std::string preset, caseFile;

  void declare(CLI::App &app);
  std::optional<std::string> model() const { return modelFlag; }
  void apply(ModelOptions &options) const {
    for (const auto &setter : setters)
      setter(options);
  }

private:
  /// An option whose value goes to `member`.
  template <class T, class Member>
  void value(CLI::App &app, const std::string &names, Member ModelOptions::*member,
             const std::string &help) {
    auto held = std::make_shared<std::optional<T>>();
    app.add_option(names, *held, help);
    setters.push_back([held, member](ModelOptions &options) {
      if (const T *given = held->has_value() ? &**held : nullptr)
        options.*member = *given;
    });
  }
  /// A flag that sets `member`, and PyG's spelling of it with a value.
  template <class Member>
  void flag(CLI::App &app, const std::string &name, bool sets, const std::string &pygNames,
            Member ModelOptions::*member, const std::string &help) {
    auto isGiven = std::make_shared<bool>(false);
    app.add_flag(name, *isGiven, help);
    value<bool>(app, pygNames, member, "true or false");
    setters.push_back([=](ModelOptions &options) {
      if (*isGiven)
        options.*member = sets;
    });
  }
  void declareSizes(CLI::App &app);
  void declareOfModels(CLI::App &app);

  std::optional<std::string> modelFlag;
  std::vector<std::function<void(ModelOptions &)>> setters;
};
} // namespace

void Given::declareSizes(CLI::App &app) {
  using Options = ModelOptions;
  value<std::int64_t>(app, "--in,--in_channels", &Options::inChannels,
                      "features per node of the input; of a source, with --bipartite");
  value<std::int64_t>(app, "--in-dst", &Options::inDst,
                      "bipartite: features per destination, with matrices for each end (PyG's "
                      "in_channels=(in, in_dst))");
  auto bipartite = std::make_shared<bool>(false);
  app.add_flag(
      "--bipartite", *bipartite,
      "sage, gin, gat, gatv2 of one layer: inputs x_src and x_dst of different nodes (PyG's "
      "tuple x)");
  setters.push_back([bipartite](Options &options) { options.bipartite |= *bipartite; });
  value<std::int64_t>(app, "--hidden,--hidden_channels", &Options::hiddenChannels,
                      "features per node between layers; all heads together");
  value<std::int64_t>(app, "--out,--out_channels", &Options::outChannels,
                      "features per node of the output; as --hidden if absent");
  value<std::int64_t>(app, "--layers,--num_layers", &Options::numLayers, "number of convolutions");
  value<std::int64_t>(app, "--nodes", &Options::nodes,
                      "number of nodes, if the program is for one graph only");
  value<std::int64_t>(app, "--edges", &Options::edges, "number of edges, likewise");
}

void Given::declare(CLI::App &app) {
  using Options = ModelOptions;
  app.add_option("--model", modelFlag, "gcn (the default), sage, gin, gat or gatv2");
  app.add_option("--preset", preset,
                 "cora (1433, 16, 7; 2 layers; gat 8 heads x 8), arxiv (128, 256, 256, 40; gat 4 "
                 "heads x 64), or study (3 layers, hidden 256, batch norm; gat 8 heads x 256, ELU, "
                 "one head in the last layer; give --in and --out)");
  app.add_option("--args", caseFile,
                 "JSON file with PyG's arguments in 'args', and 'features', 'edge_weight'");
  declareSizes(app);
  value<std::string>(app, "--dtype", &Options::dtype,
                     "f32, f64, bf16 or f16: type of features and weights; graph data stays f32, "
                     "with f64 f64");
  value<std::string>(app, "--act", &Options::act,
                     "activation between layers: " + activationNames());
  value<std::string>(app, "--norm", &Options::norm,
                     "none, batch_norm or layer_norm, between layers");
  value<std::string>(app, "--norm-mode", &Options::normMode,
                     "of a layer norm: node, each node's features on their own");
  value<std::string>(app, "--jk", &Options::jk,
                     "jumping knowledge: none, last, cat or max, then a linear layer");
  flag(app, "--act-first", true, "--act_first", &Options::actFirst, "activation before the norm");
  flag(app, "--no-bias", false, "--bias", &Options::bias, "no bias");
  flag(app, "--no-self-loops", false, "--add_self_loops,--add-self-loops", &Options::addSelfLoops,
       "add no self loops (gcn, gat and gatv2 do; sage and gin if asked)");
  auto marksGraph = std::make_shared<bool>(false);
  app.add_flag("--mark-graph", *marksGraph,
               "write self loops and normalisation as attributes of the graph, which "
               "gnn-add-self-loops and gnn-normalize turn into ops (compiling does)");
  setters.push_back([marksGraph](Options &options) { options.marksGraph |= *marksGraph; });
  app.add_option_function<double>(
      "--dropout", [](double) {}, "accepted: there is none in eval mode");
  auto edgeWeight = std::make_shared<bool>(false);
  app.add_flag("--edge-weight", *edgeWeight,
               "the graph has edge weights, by which messages are multiplied (gcn; of sage "
               "and gin not PyG's)");
  setters.push_back([edgeWeight](Options &options) { options.edgeWeight |= *edgeWeight; });
  declareOfModels(app);
}

void Given::declareOfModels(CLI::App &app) {
  using Options = ModelOptions;
  value<std::string>(app, "--aggr", &Options::aggr,
                     "sum (add), mean, max, min or mul; gat and gatv2: sum");
  flag(app, "--no-normalize", false, "--normalize", &Options::normalize,
       "gcn: plain sums, no norm coefficients, no self loops; sage: rows of length 1 with "
       "--normalize true");
  value<bool>(app, "--improved", &Options::improved,
              "gcn: added loops of a weighted graph weigh 2; true or false");
  flag(app, "--no-root-weight", false, "--root_weight,--root-weight", &Options::rootWeight,
       "sage: without the node's own features");
  value<bool>(app, "--project", &Options::project,
              "sage: linear layer and ReLU before the aggregation; true or false");
  value<double>(app, "--eps", &Options::eps, "gin: eps, where it was not trained");
  value<bool>(app, "--train-eps,--train_eps", &Options::trainEps, "gin: true or false");
  value<std::int64_t>(app, "--heads", &Options::heads, "gat, gatv2");
  value<std::int64_t>(app, "--last-heads", &Options::lastHeads,
                      "gat, gatv2: heads of the last layer (not PyG's)");
  flag(app, "--no-concat", false, "--concat", &Options::concat,
       "gat, gatv2: the mean of the heads instead of heads side by side");
  value<double>(app, "--negative-slope,--negative_slope", &Options::negativeSlope, "gat, gatv2");
  value<std::int64_t>(app, "--edge-dim,--edge_dim", &Options::edgeDim,
                      "gat, gatv2: features per edge ('edge_attr')");
  value<std::string>(
      app, "--fill-value,--fill_value", &Options::fillValue,
      "gat, gatv2: edge features of added loops: a number, or mean (the default), sum "
      "(add), max, min or mul of those that arrive at the node");
  value<bool>(app, "--residual", &Options::residual,
              "a linear map of the layer's input (res.weight, no bias) added to its convolution, "
              "as in PyG's GATConv; of gcn, sage and gin not PyG's; true or false");
  value<bool>(app, "--share-weights,--share_weights", &Options::shareWeights,
              "gatv2: one matrix for both ends; true or false");
}

/// Preset, then case file, then command line. Returns an exit code, 0 if good.
static int readOptions(const Given &given, ModelOptions &options) {
  if (given.model())
    options.model = modelName(*given.model());
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
  if (given.model())
    options.model = modelName(*given.model());
  if (options.aggr)
    options.aggr = aggrName(*options.aggr);
  if (std::string name = activationName(options.act); !name.empty())
    options.act = name;
  options.norm = normName(options.norm);
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
