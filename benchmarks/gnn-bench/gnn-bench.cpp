//===- gnn-bench.cpp - gnnc beside eager LibTorch in one process ----------===//
//
// Input: a model, a graph, weights. Output: rows as JSON Lines and a table:
// latency, memory, error against float64, test accuracy of every system on the
// same edges and weights.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/data/GraphSource.h"
#include "benchmarks/data/GraphStream.h"
#include "benchmarks/gnn-bench/Compare.h"
#include "benchmarks/gnn-bench/Environment.h"
#include "benchmarks/gnn-bench/Inputs.h"
#include "benchmarks/gnn-bench/MemoryMeter.h"
#include "benchmarks/gnn-bench/Options.h"
#include "benchmarks/gnn-bench/Process.h"
#include "benchmarks/gnn-bench/Runner.h"
#include "benchmarks/gnn-bench/SelfCheck.h"
#include "benchmarks/gnn-bench/StreamRun.h"
#include "benchmarks/gnn-bench/StudyCommand.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

using namespace gnnc::bench;

namespace {

/// In place on a terminal, silent elsewhere: standard error is for errors.
void progress(const std::string &what) {
  if (isatty(2))
    std::fprintf(stderr, "\r\033[K%s", what.empty() ? "" : ("gnn-bench: " + what).c_str());
}

void expectSame(const char *option, std::int64_t given, std::int64_t found, const char *where) {
  if (given && given != found)
    throw Failure(std::string(option) + " is " + std::to_string(given) + ", but " + where + " " +
                  std::to_string(found));
}

/// Widths from the command line, the graph and the weights file, which must agree.
void loadModel(const BenchOptions &options, Workload &work) {
  ModelSpec &spec = work.spec;
  spec = options.spec;
  if (!work.data.numFeatures && !spec.inChannels)
    throw Failure("graph '" + work.data.name + "' has no features (x); with --in they are drawn");
  if (!work.data.numFeatures)
    drawFeatures(work.data, spec.inChannels, options.seed);
  expectSame("--in", spec.inChannels, work.data.numFeatures, "the graph's features per node are");
  spec.inChannels = work.data.numFeatures;
  if (!options.weights.empty()) {
    work.weights = readWeights(options.weights, spec);
    expectSame("--out", options.spec.outChannels, spec.outChannels, "the weights' output width is");
    expectSame("--layers", options.layers.value_or(0), spec.numLayers, "the weights' layers are");
    if (options.spec.residual && !spec.residual)
      throw Failure("--residual is given, but the weights have no 'convs.0.res.weight'");
    if (spec.numLayers > 1)
      expectSame("--hidden", options.hidden.value_or(0), spec.hiddenChannels,
                 "the weights' width between layers is");
    return;
  }
  spec.hiddenChannels = options.hidden.value_or(16);
  spec.numLayers = options.layers.value_or(2);
  if (!spec.outChannels)
    spec.outChannels = work.data.numClasses;
  if (!spec.outChannels)
    throw Failure("graph '" + work.data.name + "' names no classes; give --out");
  if (spec.hiddenChannels % spec.heads)
    throw Failure("--hidden is " + std::to_string(spec.hiddenChannels) +
                  ", no multiple of --heads, " + std::to_string(spec.heads));
  work.weights = randomWeights(spec, options.seed);
}

GnncOptions gnncOptions(const BenchOptions &options, const Workload &work,
                        const ScratchFolder &scratch) {
  GnncOptions gnnc;
  gnnc.chip = options.chip;
  gnnc.precision = options.precision;
  gnnc.budget = options.budget;
  gnnc.tuningDatabase = options.tuningDatabase;
  gnnc.toolsFolder = options.tools;
  gnnc.runtime = options.runtime;
  gnnc.scratch = scratch.file("");
  gnnc.weightsPath = options.weights;
  if (options.weights.empty()) {
    gnnc.weightsPath = scratch.file("weights.safetensors");
    writeWeights(gnnc.weightsPath, work.weights);
  }
  return gnnc;
}

std::vector<std::unique_ptr<System>> makeSystems(const BenchOptions &options, const Workload &work,
                                                 const ScratchFolder &scratch) {
  std::vector<std::unique_ptr<System>> systems;
  std::optional<GnncOptions> gnnc;
  for (const SystemCell &cell : cellsOf(options)) {
    if (cell.system == "libtorch-csr") {
      systems.push_back(makeEagerSystem(work, Aggregation::Csr, true));
    } else if (cell.system == "libtorch-eager") {
      systems.push_back(makeEagerSystem(work, Aggregation::GatherScatter, cell.fixes));
    } else {
      if (!gnnc)
        gnnc = gnncOptions(options, work, scratch);
      GnncOptions one = *gnnc;
      one.artifact = cell.artifact;
      if (cell.artifact.empty()) {
        one.mode = cell.mode;
        one.dynamic = cell.dynamic;
      }
      systems.push_back(makeGnncSystem(work, one));
    }
  }
  return systems;
}

Row sharedFields(const BenchOptions &options, const Workload &work) {
  Row row;
  row.model = work.spec.model;
  row.data = options.label.empty() ? work.data.name : options.label;
  row.nodes = work.data.numNodes;
  row.edges = work.data.numEdges;
  row.device = options.device;
  row.realData = work.data.realData;
  row.dataChecksum = checksum(work.data);
  row.edgeListHash = edgeListHash(work.data);
  if (!options.weights.empty())
    row.weightsHash = fileHash(options.weights);
  ModelWork amount = modelWork(work.spec, work.data);
  row.flops = amount.flops;
  row.dtype = work.spec.dtype;
  row.bytes = amount.bytes(elementType(work.spec));
  row.commit = findCommit();
  row.env = describeEnvironment(!work.device.is_cpu(), work.threads);
  return row;
}

template <class AnyRow>
void writeRows(const BenchOptions &options, const std::vector<AnyRow> &rows) {
  std::vector<std::string> lines;
  for (const AnyRow &row : rows)
    lines.push_back(toJson(row));
  writeLines(options.output, options.append, lines);
}

double boundOf(const BenchOptions &options) {
  const std::string &dtype = options.spec.dtype;
  return options.bound.value_or(dtype == "bf16" ? 3e-2 : dtype == "f16" ? 4e-3 : 1e-5);
}

/// 1 and one line on stderr if a row failed or is over the bound.
int verdict(const std::vector<Row> &rows, double bound) {
  for (const Row &row : rows) {
    if (!row.ok)
      std::fprintf(stderr, "gnn-bench: %s failed: %s\n", row.system.c_str(), row.error->c_str());
    else if (!row.inBound.value_or(true))
      std::fprintf(stderr, "gnn-bench: %s: error %.3g of the largest output, allowed %g\n",
                   row.system.c_str(), *row.maxRelErr, bound);
    else
      continue;
    return 1;
  }
  return 0;
}

StreamWork makeStream(const BenchOptions &options, GnncOptions &gnnc,
                      const ScratchFolder &scratch) {
  Workload shared;
  useDevice(shared, options.device, options.threads);
  StreamWork work;
  work.device = shared.device;
  work.threads = shared.threads;
  ModelSpec &spec = work.spec = options.spec;
  spec.inChannels = spec.inChannels ? spec.inChannels : 128;
  spec.outChannels = spec.outChannels ? spec.outChannels : 40;
  spec.hiddenChannels = options.hidden.value_or(16);
  spec.numLayers = options.layers.value_or(2);
  Weights weights = randomWeights(spec, options.seed);
  gnnc.weightsPath = scratch.file("weights.safetensors");
  writeWeights(gnnc.weightsPath, weights);
  work.program = scratch.file("program.mlir");
  writeProgram(spec, /*edgeWeight=*/false, gnnc, work.program);
  std::vector<GraphData> graphs;
  for (const GeneratorSpec &size :
       streamSizes({options.stream, options.maxNodes, spec.inChannels, options.seed}))
    graphs.push_back(generateGraph(size));
  if (!options.streamFile.empty())
    writeStream(options.streamFile, graphs);
  work.items = makeItems(std::move(graphs), spec, weights, work.device, progress);
  releaseCachedMemory(work.device);
  return work;
}

int runStreams(const BenchOptions &options) {
  ScratchFolder scratch;
  GnncOptions gnnc;
  gnnc.mode = options.modes.front();
  gnnc.chip = options.chip;
  gnnc.precision = options.precision;
  gnnc.toolsFolder = options.tools;
  gnnc.runtime = options.runtime;
  gnnc.cacheFolder = options.cacheFolder;
  StreamLimits limits{static_cast<std::size_t>(options.keep),
                      static_cast<std::size_t>(options.background)};
  StreamWork work = makeStream(options, gnnc, scratch);
  std::vector<StreamRow> rows;
  for (const std::string &dynamic : options.dynamic) {
    gnnc.dynamic = dynamic;
    rows.push_back(runStream(work, gnnc, limits, boundOf(options), progress));
    rows.back().commit = findCommit();
    rows.back().env = describeEnvironment(!work.device.is_cpu(), work.threads);
  }
  progress("");
  if (!options.output.empty())
    writeRows(options, rows);
  if (options.table || options.output.empty())
    std::fputs(table(rows).c_str(), stdout);
  for (const StreamRow &row : rows)
    if (row.error || !row.inBound()) {
      std::fprintf(stderr, "gnn-bench: stream, dynamic %s: %s\n", row.dynamic.c_str(),
                   row.error ? row.error->c_str() : "an output is over the error bound");
      return 1;
    }
  return 0;
}

int run(const BenchOptions &options) {
  Workload work;
  useDevice(work, options.device, options.threads);
  progress("reading " + options.dataset);
  work.data = loadGraph(options.dataset, options.seed, options.dataRoot);
  loadModel(options, work);
  at::Tensor x = torch::from_blob(work.data.x.data(), {work.data.numNodes, work.data.numFeatures});
  if (!options.writeInputs.empty())
    writeInputs(options.writeInputs, work);
  progress("float64 reference");
  at::Tensor reference =
      options.reference.empty()
          ? referenceForward(work.spec, work.weights, GraphTensors::fromData(work.data), x,
                             work.device)
      : options.reference == "none"
          ? at::Tensor()
          : readReference(options.reference, {work.data.numNodes, work.spec.outChannels});
  releaseCachedMemory(work.device); // it is the measured systems'
  if (!options.writeInputs.empty()) {
    writeReference(options.writeInputs, reference);
    progress("");
    return 0;
  }
  work.x = x.to(work.device, elementType(work.spec), /*non_blocking=*/false, /*copy=*/true);

  ScratchFolder scratch, scratchOfCopies;
  std::vector<std::unique_ptr<System>> systems = makeSystems(options, work, scratch);
  if (options.selfCheck)
    for (std::unique_ptr<System> &copy : makeSystems(options, work, scratchOfCopies))
      systems.push_back(std::move(copy));
  RunOptions runOptions;
  runOptions.repeats = options.repeats;
  runOptions.warmup = options.warmup;
  runOptions.bound = boundOf(options);
  std::vector<Row> rows = measure(work, std::move(systems), reference, sharedFields(options, work),
                                  runOptions, progress);
  if (options.selfCheck)
    rows = foldSelfCheck(rows);
  progress("");
  // As the last forwards leave it: before the first ones the GPU is idle.
  if (!work.device.is_cpu() && !rows.empty() && !rows.front().env.empty()) {
    const std::string env = withGpuState(rows.front().env);
    for (Row &row : rows)
      row.env = env;
  }
  for (Row &row : rows)
    fillShareOfLimit(row);
  if (!options.output.empty())
    writeRows(options, rows);
  if (options.table || options.output.empty())
    std::fputs(table(rows).c_str(), stdout);
  return verdict(rows, runOptions.bound);
}

int runCommand(int argc, char **argv) {
  if (argc > 1 && std::string_view(argv[1]) == "compare")
    return runCompare(argc - 1, argv + 1);
  if (argc > 1 && std::string_view(argv[1]) == "study")
    return runStudyCommand(argc - 1, argv + 1);
  BenchOptions options;
  if (auto code = parseOptions(argc, argv, options))
    return *code;
  unsetenv("GNNC_CACHE_DIR"); // compile_ms is that of a compilation
  installMemoryMeter();
  try {
    return options.stream > 0 ? runStreams(options) : run(options);
  } catch (const std::exception &error) {
    progress("");
    std::fprintf(stderr, "gnn-bench: %s\n", firstLine(error).c_str());
    return 1;
  }
}

} // namespace

int main(int argc, char **argv) {
  int code = runCommand(argc, argv);
  // Everything is written. LibTorch's CUDA libraries and ours unload in an order
  // of the loader's choice, which aborted on one machine (torch 2.11+cu130).
  std::fflush(nullptr);
  std::_Exit(code);
}
