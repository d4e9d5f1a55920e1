//===- Options.cpp - The command line of gnn-bench ------------------------===//
#include "benchmarks/gnn-bench/Options.h"

#include "benchmarks/gnn-bench/Inputs.h"
#include "tools/CommandLine.h"

#include <algorithm>
#include <sstream>

namespace gnnc::bench {

static const char *const examples =
    "examples:\n"
    "  gnn-bench --dataset cora --weights w.safetensors --table\n"
    "  gnn-bench --dataset arxiv-sized --hidden 256 --num-layers 3 --repeats 10 -o rows.jsonl\n"
    "  gnn-bench --dataset g.safetensors --weights w.safetensors --artifact m.gnnx --systems gnnc\n"
    "  gnn-bench --dataset cora --device cuda --mode default,reduce-overhead --fixes both --table\n"
    "  gnn-bench --stream 100 --model gat --heads 4 --hidden 256 --layers 3 --device cuda "
    "--dynamic true,auto\n"
    "  gnn-bench compare before.jsonl after.jsonl   (has its own --help)\n"
    "\nEvery output is checked against float64; a row over --bound fails the run.\n"
    "exit codes: 0 done, 1 the input is wrong or a row failed, 2 wrong usage";

static void addModelOptions(CLI::App &app, BenchOptions &options) {
  ModelSpec &spec = options.spec;
  auto positive = CLI::Range(std::int64_t(1), std::int64_t(1) << 31);
  app.add_option("--model", spec.model, "Model family")
      ->check(CLI::IsMember({"gcn", "sage", "gin", "gat", "gatv2"}))
      ->capture_default_str();
  app.add_option("--in", spec.inChannels,
                 "Features per node; default: the graph's; drawn where it has none")
      ->check(positive);
  app.add_option("--hidden", options.hidden, "Width between the layers; default 16")
      ->check(positive);
  app.add_option("--out", spec.outChannels, "Output width; default: the graph's classes")
      ->check(positive);
  app.add_option("--num-layers,--layers", options.layers, "Layers; default 2")->check(positive);
  app.add_option("--act", spec.act, "Activation between layers")
      ->check(CLI::IsMember({"relu", "elu", "leaky_relu", "tanh", "sigmoid", "silu", "none"}))
      ->capture_default_str();
  app.add_option("--norm", spec.norm, "Norm between layers")
      ->check(CLI::IsMember({"none", "batch_norm"}))
      ->capture_default_str();
  app.add_flag("--act-first", spec.actFirst, "Activation before the norm");
  app.add_flag("!--no-bias", spec.bias, "No bias");
  app.add_flag("!--no-normalize", spec.normalize, "Plain sums: no norm, no self loops");
  app.add_flag("!--no-self-loops", spec.addSelfLoops, "Add no self loops (gcn, gat, gatv2)");
  app.add_option("--aggr", spec.aggr, "sage: reduction")
      ->check(CLI::IsMember({"mean", "sum", "max", "min"}))
      ->capture_default_str();
  app.add_flag("!--no-root-weight", spec.rootWeight, "sage: without the node's own features");
  app.add_option("--heads", spec.heads, "gat, gatv2: heads, side by side but in the last layer")
      ->check(positive)
      ->capture_default_str();
  app.add_option("--last-heads", spec.lastHeads, "gat, gatv2: of the last layer; default: --heads")
      ->check(positive);
  app.add_option("--negative-slope", spec.negativeSlope, "gat, gatv2")->capture_default_str();
  app.add_option("--dtype", spec.dtype, "Element type of features and weights, for every system")
      ->check(CLI::IsMember({"f32", "f64", "bf16", "f16"}))
      ->capture_default_str();
  app.add_flag("--residual", spec.residual, "Plus a linear map of each layer's input (res.weight)");
}

static void addRunOptions(CLI::App &app, BenchOptions &options) {
  app.add_option("--dataset,--graph", options.dataset, graphHelp);
  app.add_option("--data-root", options.dataRoot, dataRootHelp);
  app.add_option("--data", options.label, "Name of the data in the rows; default: the graph's");
  app.add_option("--weights", options.weights, "Weights file (PyG's names); default: random");
  app.add_option("--systems", options.systems, "Systems to measure, in this order")
      ->delimiter(',')
      ->check(CLI::IsMember({"gnnc", "libtorch-eager", "libtorch-csr"}))
      ->capture_default_str();
  app.add_option("--fixes", options.fixes,
                 "LibTorch gather/scatter with the norm computed once (on), in every layer of "
                 "every run (off), or both")
      ->check(CLI::IsMember({"on", "off", "both"}))
      ->capture_default_str();
  app.add_option("--artifact", options.artifacts,
                 "Artefact for gnnc (repeatable); default: compile one for each --mode");
  app.add_option("--mode", options.modes,
                 "Modes to compile for: default, reduce-overhead, max-autotune-no-cudagraphs, "
                 "max-autotune")
      ->delimiter(',')
      ->check(CLI::IsMember(
          {"default", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune"}))
      ->capture_default_str();
  app.add_option("--budget", options.budget,
                 "Passed to gnn-compile: time that a max-autotune mode may measure for")
      ->capture_default_str();
  app.add_option("--tuning-db", options.tuningDatabase,
                 "Passed to gnn-compile: file that keeps what a max-autotune mode measured");
  app.add_option(
         "--dynamic", options.dynamic,
         "true: one artefact for every graph; false: compiled for this one, or each one of a "
         "stream; auto: as the first graph has them. Several are a row each")
      ->delimiter(',')
      ->check(CLI::IsMember({"true", "false", "auto"}))
      ->capture_default_str();
  app.add_option("--chip", options.chip, "Passed to gnn-compile");
  app.add_option("--precision", options.precision, "Passed to gnn-compile")->capture_default_str();
  app.add_option("--device", options.device, "cpu or cuda")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Host threads of every system; 0: all cores")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  app.add_option("--repeats", options.repeats, "Samples a cell")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--warmup", options.warmup, "Forwards before the first sample")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Of generated graphs and random weights")
      ->capture_default_str();
  app.add_option("--bound", options.bound,
                 "Largest error allowed, of the largest output; default: 1e-5, 3e-2 for bf16, "
                 "4e-3 for f16")
      ->check(CLI::PositiveNumber);
  app.add_flag("--self-check", options.selfCheck,
               "Measure every system beside a copy of itself, and report what they differ by as "
               "noise_floor");
  app.add_option("-o,--output", options.output, "File for the rows (JSON Lines)");
  app.add_flag("--append", options.append, "Keep the rows that the file has");
  app.add_flag("--table", options.table, "Print a table (default without -o)");
  app.add_option("--tools", options.tools, "Folder of gnn-model and gnn-compile");
  app.add_option("--runtime", options.runtime, "libgnnc_runtime.so to measure");
}

static void addInputOptions(CLI::App &app, BenchOptions &options) {
  app.add_option("--cell", options.cells,
                 "SYSTEM:MODE:DYNAMIC:FIXES, one cell to measure (repeatable), in place of "
                 "--systems, --mode, --dynamic and --fixes: gnnc:default:true:on");
  app.add_option("--reference", options.reference,
                 "File with the float64 output, as --write-inputs writes it; none: outputs "
                 "are not checked; default: computed");
  app.add_option("--write-inputs", options.writeInputs,
                 "Measure nothing; write graph.safetensors, weights.safetensors and "
                 "reference.safetensors, which other runs and programs can read, to this folder");
}

static void addStreamOptions(CLI::App &app, BenchOptions &options) {
  app.add_option("--stream", options.stream,
                 "Run gnnc on so many graphs of different sizes, one after the other, twice")
      ->check(CLI::Range(1, 100000));
  app.add_option("--max-nodes", options.maxNodes, "--stream: of the largest graph")
      ->check(CLI::Range(std::int64_t(2), std::int64_t(1) << 28))
      ->capture_default_str();
  app.add_option("--keep", options.keep, "--stream: compiled shapes to keep")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--background", options.background,
                 "--stream: compile so many shapes at a time while graphs go on; 0: a graph waits "
                 "for its own")
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  app.add_option("--cache-dir", options.cacheFolder,
                 "--stream: folder that compiled shapes are kept in and taken from");
  app.add_option("--write-stream", options.streamFile,
                 "--stream: also write its graphs to this safetensors file");
}

/// Empty, or what is wrong with options that each are right.
static std::string misuse(const BenchOptions &options) {
  if (options.append && options.output.empty())
    return "--append needs -o FILE";
  if (options.stream == 0 && options.dataset.empty())
    return "--dataset or --stream is required; see gnn-bench --help";
  if (options.stream > 0 &&
      !(options.cells.empty() && options.reference.empty() && options.writeInputs.empty()))
    return "--cell, --reference and --write-inputs belong to a --dataset, and --stream is given";
  if (!options.cells.empty() && !options.artifacts.empty())
    return "--cell says what gnnc compiles, and --artifact is given";
  if (options.stream > 0 && !options.dataRoot.empty())
    return "--data-root is where --dataset NAME is looked for; --stream makes its graphs";
  if (options.stream == 0 && !options.streamFile.empty())
    return "--write-stream needs --stream N";
  if (options.stream == 0 && !options.cacheFolder.empty())
    return "--cache-dir needs --stream N; for a --dataset compile_ms is that of a compilation";
  if (options.stream == 0 && options.background > 0)
    return "--background needs --stream N";
  if (options.stream > 0 && (!options.dataset.empty() || !options.weights.empty() ||
                             !options.artifacts.empty() || options.modes.size() != 1))
    return "--stream makes graphs, weights and artefacts itself and takes one --mode; leave out "
           "--dataset, --weights and --artifact";
  if (options.stream > 0 && options.modes.front().starts_with("max-autotune"))
    return "--stream compiles as graphs come and measures no schedules, found --mode " +
           options.modes.front();
  if (options.stream > 0 && options.selfCheck)
    return "--self-check measures a --dataset, and --stream is given";
  if (options.stream > 0 && options.spec.dtype != "f32")
    return "--stream runs in f32, found --dtype " + options.spec.dtype;
  return "";
}

static SystemCell parseCell(const std::string &text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ':');)
    parts.push_back(part);
  auto among = [](const std::string &word, std::initializer_list<const char *> known) {
    return std::ranges::any_of(known, [&](const char *other) { return word == other; });
  };
  bool eager = parts.size() == 4 && among(parts[0], {"libtorch-eager", "libtorch-csr"}) &&
               parts[1] == "eager" && parts[2] == "-";
  bool gnnc = parts.size() == 4 && parts[0] == "gnnc" &&
              among(parts[1],
                    {"default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs"}) &&
              among(parts[2], {"auto", "true", "false"});
  if (!(eager || gnnc) || !among(parts[3], {"on", "off"}) ||
      (parts[3] == "off" && parts[0] != "libtorch-eager"))
    throw Failure("--cell " + text +
                  ": is none; SYSTEM:MODE:DYNAMIC:FIXES as gnnc:default:true:on, "
                  "libtorch-eager:eager:-:off or libtorch-csr:eager:-:on");
  return {parts[0], parts[1], parts[2], parts[3] == "on", ""};
}

std::vector<SystemCell> cellsOf(const BenchOptions &options) {
  std::vector<SystemCell> cells;
  for (const std::string &text : options.cells)
    cells.push_back(parseCell(text));
  if (!cells.empty())
    return cells;
  for (const std::string &system : options.systems) {
    if (system == "libtorch-csr") {
      cells.push_back({system, "eager", "", true, ""});
    } else if (system == "libtorch-eager") {
      if (options.fixes != "off")
        cells.push_back({system, "eager", "", true, ""});
      if (options.fixes != "on")
        cells.push_back({system, "eager", "", false, ""});
    } else {
      for (const std::string &artifact : options.artifacts)
        cells.push_back({system, "", "", true, artifact});
      if (options.artifacts.empty())
        for (const std::string &mode : options.modes)
          for (const std::string &dynamic : options.dynamic)
            cells.push_back({system, mode, dynamic, true, ""});
    }
  }
  return cells;
}

std::optional<int> parseOptions(int argc, char **argv, BenchOptions &options) {
  CLI::App app("Time a model in eager LibTorch and in gnnc, in one process, and check every output "
               "against float64.",
               "gnn-bench");
  app.footer(examples);
  addModelOptions(app, options);
  addRunOptions(app, options);
  addInputOptions(app, options);
  addStreamOptions(app, options);
  if (auto code = tools::parseCommandLine(app, argc, argv))
    return code;
  std::string wrong = misuse(options);
  try {
    cellsOf(options);
  } catch (const Failure &failure) {
    wrong = failure.what();
  }
  if (!wrong.empty()) {
    std::fprintf(stderr, "gnn-bench: %s\n", wrong.c_str());
    return 2;
  }
  return std::nullopt;
}

} // namespace gnnc::bench
