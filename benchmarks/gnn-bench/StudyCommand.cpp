//===- StudyCommand.cpp - The command line of gnn-bench study -------------===//
#include "benchmarks/gnn-bench/StudyCommand.h"

#include "benchmarks/data/GraphData.h"
#include "benchmarks/gnn-bench/Inputs.h"
#include "benchmarks/gnn-bench/StudyRun.h"
#include "tools/CommandLine.h"

namespace gnnc::bench {
namespace {

const char *const examples =
    "examples:\n"
    "  gnn-bench study --preset quick -o quick.jsonl\n"
    "  gnn-bench study --preset study --target cuda --resume -o study.jsonl\n"
    "  gnn-bench study --models gcn --datasets cora --modes eager,default --dry-run\n"
    "\nA cell that fails, crashes, hangs or runs out of memory is a row with its status "
    "(docs/benchmarks.md).\n"
    "exit codes: 0 every cell has a row and none of gnnc's failed, 1 the input is wrong or one of "
    "gnnc's failed, 2 wrong usage, 3 --time-limit or a signal left cells; run again with --resume";

/// What the command line does not give.
StudyOptions presetOptions(const std::string &name) {
  StudyOptions options;
  options.models = {"gcn", "sage", "gat", "gin"};
  options.systems = {"gnnc", "libtorch-eager", "libtorch-csr", "pyg-eager", "pyg-compile"};
  options.fixes = {"on"};
  if (name == "quick") {
    options.datasets = {"cora"};
    options.modes = {"eager", "default", "max-autotune-no-cudagraphs"};
    options.dynamic = {"true"};
    options.hidden = 64;
    options.numLayers = 2;
    options.gatHeads = 4;
    options.repeats = 15;
    options.warmup = 3;
    options.budget = "1s";
    return options;
  }
  options.datasets = {"cora", "pubmed", "ogbn-arxiv", "ogbn-products"};
  options.modes = {"eager", "default", "reduce-overhead", "max-autotune",
                   "max-autotune-no-cudagraphs"};
  options.dynamic = {"auto", "true", "false"};
  options.hidden = 256;
  options.numLayers = 3;
  options.gatHeads = 8;
  options.repeats = 30;
  options.warmup = 5;
  options.budget = "3s";
  if (name == "full") {
    options.models.push_back("gatv2");
    options.fixes.push_back("off");
    options.budget = "10s";
  }
  return options;
}

void addMatrix(CLI::App &app, StudyOptions &given) {
  auto list = [&](const char *name, std::vector<std::string> &to, const char *what,
                  const std::vector<std::string> &known) {
    CLI::Option *option = app.add_option(name, to, what)->delimiter(',');
    if (!known.empty())
      option->check(CLI::IsMember(known));
  };
  list("--models", given.models, "Models", {"gcn", "sage", "gat", "gatv2", "gin"});
  list("--datasets", given.datasets,
       "cora, pubmed, ogbn-arxiv, ogbn-products: below --data-root where it is there, else a "
       "generated graph of its size, which rows name (pubmed-sized); files and folders too",
       {});
  list("--modes", given.modes, "Modes",
       {"eager", "default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs"});
  list("--dynamic", given.dynamic, "Values of dynamic", {"auto", "true", "false"});
  list("--fixes", given.fixes, "on: work on the graph alone is done once; off: in every layer",
       {"on", "off"});
  list("--systems", given.systems, "Systems",
       {"gnnc", "libtorch-eager", "libtorch-csr", "pyg-eager", "pyg-compile"});
  auto count = CLI::Range(std::int64_t(1), std::int64_t(1) << 20);
  app.add_option("--hidden", given.hidden, "Width between layers, of each head")->check(count);
  app.add_option("--num-layers", given.numLayers, "Layers")->check(count);
  app.add_option("--gat-heads", given.gatHeads, "Heads of gat and gatv2")->check(count);
}

void addRun(CLI::App &app, StudyOptions &given) {
  auto seconds = CLI::Range(0.0, 1e7);
  app.add_option("--repeats", given.repeats, "Samples a cell")->check(CLI::Range(1, 1000000));
  app.add_option("--warmup", given.warmup, "Forwards before the first sample")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--seed", given.seed, "Of generated graphs and weights")->capture_default_str();
  app.add_option("--timeout", given.timeout, "Seconds that a cell may take")
      ->check(seconds)
      ->capture_default_str();
  app.add_option("--time-limit", given.timeLimit, "Begin no cell after so many seconds")
      ->check(seconds);
  app.add_option("--budget", given.budget, "Time that a max-autotune mode of gnnc measures for");
  app.add_option("--target", given.target, "cpu or cuda")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  app.add_option("--threads", given.threads, "Host threads of every system; 0: all cores")
      ->check(CLI::Range(0, 4096));
  app.add_option("--data-root", given.dataRoot, dataRootHelp);
  app.add_option("-o,--output", given.output, "File for the rows (JSON Lines)");
  app.add_flag("--resume", given.resume, "Keep the rows that the file has, and do the rest");
  app.add_flag("--dry-run", given.dryRun, "List the cells and run none");
  app.add_option(
      "--scratch", given.scratch,
      "Folder for what the systems are fed with, kept for the next run; default: FILE.scratch, "
      "removed at the end");
  app.add_option("--python", given.python, "Python that has torch and torch-geometric")
      ->capture_default_str();
  app.add_option("--peer", given.peer, "pyg-bench.py; default: the one that comes along");
  app.add_option("--tools", given.tools, "Folder of gnn-model and gnn-compile");
  app.add_option("--runtime", given.runtime, "libgnnc_runtime.so to measure");
  app.add_option("--chip", given.chip, "Passed to gnn-compile");
}

/// The preset, with what was given in its place.
StudyOptions merged(const StudyOptions &given) {
  StudyOptions preset = presetOptions(given.preset);
  StudyOptions options = given;
  auto fill = [](auto &value, const auto &fallback) {
    if (value == std::decay_t<decltype(value)>())
      value = fallback;
  };
  fill(options.models, preset.models);
  fill(options.datasets, preset.datasets);
  fill(options.modes, preset.modes);
  fill(options.dynamic, preset.dynamic);
  fill(options.fixes, preset.fixes);
  fill(options.systems, preset.systems);
  fill(options.hidden, preset.hidden);
  fill(options.numLayers, preset.numLayers);
  fill(options.gatHeads, preset.gatHeads);
  fill(options.repeats, preset.repeats);
  fill(options.budget, preset.budget);
  if (options.warmup < 0)
    options.warmup = preset.warmup;
  return options;
}

} // namespace

int runStudyCommand(int argc, char **argv) {
  CLI::App app("Time models x data x modes x dynamic x fixes in gnnc, eager LibTorch, PyG and "
               "torch.compile, each group of cells in a process of its own.",
               "gnn-bench study");
  app.footer(examples);
  StudyOptions given;
  given.warmup = -1;
  app.add_option("--preset", given.preset,
                 "quick: minutes on a host; study: the study's shapes; full: gatv2 and no fixes "
                 "too")
      ->check(CLI::IsMember({"quick", "study", "full"}));
  addMatrix(app, given);
  addRun(app, given);
  if (auto code = tools::parseCommandLine(app, argc, argv))
    return *code;
  if (given.output.empty() && !given.dryRun) {
    std::fprintf(stderr, "gnn-bench study: -o FILE is required, for rows are kept as they come\n");
    return 2;
  }
  try {
    return runStudy(merged(given));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "gnn-bench study: %s\n", error.what());
    return 1;
  }
}

} // namespace gnnc::bench
