//===- gnn-spmm.cpp - Sums over edges beside cuSPARSE -----------------------===//
//
// Input: a graph, widths of rows. Output: rows as JSON Lines and a table: for each width
// the time of gnnc's kernel and of every algorithm that cuSPARSE (CUDA) or LibTorch
// (host) has, in turns in one process, each result checked against float64.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/data/GraphSource.h"
#include "benchmarks/data/Random.h"
#include "benchmarks/eager/EdgeReference.h"
#include "benchmarks/gnn-bench/Clock.h"
#include "benchmarks/gnn-bench/Environment.h"
#include "benchmarks/gnn-bench/Inputs.h"
#include "benchmarks/gnn-bench/MemoryMeter.h"
#include "benchmarks/gnn-bench/Process.h"
#include "benchmarks/gnn-bench/Runner.h"
#include "benchmarks/gnn-spmm/SparseSystems.h"
#include "tools/CommandLine.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>

using namespace gnnc::bench;

namespace {

struct SpmmOptions {
  std::string graph, dataRoot, label, device = "cpu", chip, tools, runtime, output;
  std::vector<std::int64_t> widths = {16, 32, 47, 64, 100, 128, 256, 512};
  std::vector<std::string> schedules; ///< beside the one that gnn-compile chooses
  bool weighted = false, append = false, table = false;
  int repeats = 10, threads = 0;
  std::uint64_t seed = 0;
  double bound = 1e-5;
};

std::optional<int> parse(int argc, char **argv, SpmmOptions &options) {
  CLI::App app("Time the sum over a node's edges (a sparse matrix product) in gnnc and in the "
               "libraries, and check every result against float64.",
               "gnn-spmm");
  app.add_option("--graph", options.graph, graphHelp)->required();
  app.add_option("--data-root", options.dataRoot, dataRootHelp);
  app.add_option("--data", options.label, "Name of the data in the rows; default: the graph's");
  app.add_option("--widths", options.widths, "Features of a row, one cell each")
      ->delimiter(',')
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 16))
      ->capture_default_str();
  app.add_flag("--weighted", options.weighted, "A weight for each edge (random)");
  app.add_option("--schedule", options.schedules,
                 "Another schedule of gnnc beside the chosen one, as FIELD=VALUE:... of "
                 "gnn-compile --schedule; a row each, whose mode it is. May be repeated");
  app.add_option("--device", options.device, "cpu or cuda")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  app.add_option("--chip", options.chip, "Passed to gnn-compile");
  app.add_option("--threads", options.threads, "Host threads of every system; 0: all cores")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  app.add_option("--repeats", options.repeats, "Samples a cell")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Of generated graphs, features and weights")
      ->capture_default_str();
  app.add_option("--bound", options.bound, "Largest error allowed, of the largest output")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("-o,--output", options.output, "File for the rows (JSON Lines)");
  app.add_flag("--append", options.append, "Keep the rows that the file has");
  app.add_flag("--table", options.table, "Print a table (default without -o)");
  app.add_option("--tools", options.tools, "Folder of gnn-compile");
  app.add_option("--runtime", options.runtime, "libgnnc_runtime.so to measure");
  app.footer("examples:\n"
             "  gnn-spmm --graph cora --widths 16,64 --table\n"
             "  gnn-spmm --graph arxiv-sized --device cuda --weighted -o rows.jsonl\n\n"
             "exit codes: 0 done, 1 the input is wrong or a row failed, 2 wrong usage");
  return gnnc::tools::parseCommandLine(app, argc, argv);
}

/// The program of the sum, as a user writes it.
void writeSum(const std::string &path, std::int64_t width, bool weighted) {
  const std::string rows = "tensor<?x" + std::to_string(width) + "xf32>";
  std::ofstream file(path);
  file << "func.func @forward(%g: !gnn.graph<?x?x?>, %x: " << rows << " {gnn.input = \"x\"}";
  if (weighted)
    file << ", %w: tensor<?xf32> {gnn.graph_data = \"edge_weight\"}";
  file << ") -> (" << rows << " {gnn.output = \"out\"}) {\n"
       << "  %m = gnn.gather %x, %g at src : " << rows << ", !gnn.graph<?x?x?> -> " << rows << "\n";
  if (weighted)
    file << "  %c0 = arith.constant 0 : index\n"
         << "  %n = tensor.dim %w, %c0 : tensor<?xf32>\n"
         << "  %empty = tensor.empty(%n) : " << rows << "\n"
         << "  %b = linalg.broadcast ins(%w : tensor<?xf32>) outs(%empty : " << rows
         << ") dimensions = [1]\n"
         << "  %s = arith.mulf %m, %b : " << rows << "\n";
  file << "  %y = gnn.scatter sum " << (weighted ? "%s" : "%m") << ", %g at dst acc f32 : " << rows
       << ", !gnn.graph<?x?x?> -> " << rows << "\n  return %y : " << rows << "\n}\n";
  if (!file.flush())
    throw Failure(path + ": cannot be written");
}

/// `schedule`: fields that replace those of the chosen one.
std::unique_ptr<System> makeSum(const Workload &work, const SpmmOptions &options,
                                const std::string &schedule, const ScratchFolder &scratch) {
  std::string number = std::to_string(work.x.size(1)), program = scratch.file(number + ".mlir");
  writeSum(program, work.x.size(1), options.weighted);
  GnncOptions gnnc;
  gnnc.artifact = scratch.file(number + schedule + ".gnnx");
  gnnc.chip = options.chip;
  gnnc.toolsFolder = options.tools;
  gnnc.runtime = options.runtime;
  std::vector<std::string> command = compilerCommand(gnnc, program, options.device);
  command.insert(command.end(), {"-o", gnnc.artifact});
  if (!schedule.empty())
    command.insert(command.end(), {"--schedule", "agg_*:" + schedule});
  mustRun(command);
  return makeGnncSystem(work, gnnc);
}

/// One system's cell; a failure becomes the row's error.
struct Cell {
  std::unique_ptr<System> system;
  Row row;
  int inner = 1;

  template <class Work>
  void guarded(Work &&work) {
    if (row.error)
      return;
    try {
      work();
    } catch (const std::exception &error) {
      row.error = firstLine(error);
      row.latency.clear();
      system.reset();
    }
  }
};

/// What one row measures.
struct Candidate {
  std::function<std::unique_ptr<System>()> make;
  std::string schedule; ///< empty: the chosen one
};

/// In turns, so that what slows the machine down slows all of them.
std::vector<Row> measureSums(const std::vector<Candidate> &candidates, const Row &base,
                             const SpmmOptions &options, const at::Tensor &reference) {
  constexpr double intervalMs = 5; // less reads mostly the events
  constexpr double mostInner = 1000;
  std::vector<Cell> cells(candidates.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Cell &cell = cells[i];
    cell.row = base;
    cell.row.system = "gnnc"; // of a schedule that cannot be compiled
    cell.guarded([&] {
      cell.system = candidates[i].make();
      cell.system->describe(cell.row);
    });
    if (!candidates[i].schedule.empty())
      cell.row.mode = candidates[i].schedule;
    cell.guarded([&] {
      cell.system->setUp();
      cell.system->time(2);
      double once = std::max(cell.system->time(2), 1e-4);
      cell.inner = static_cast<int>(std::clamp(std::ceil(intervalMs / once), 1.0, mostInner));
    });
  }
  for (int round = 0; round < options.repeats; ++round)
    for (Cell &cell : cells)
      cell.guarded([&] { cell.row.latency.push_back(cell.system->time(cell.inner)); });
  std::vector<Row> rows;
  for (Cell &cell : cells) {
    cell.guarded([&] {
      at::Tensor out = cell.system->output().clone();
      cell.system->wallTime();
      cell.row.bitIdentical = at::equal(out, cell.system->output());
      double largest = reference.numel() ? reference.abs().max().item<double>() : 0;
      double error = reference.numel() ? (out - reference).abs().max().item<double>() : 0;
      cell.row.maxRelErr = largest > 0 ? error / largest : error;
      cell.row.inBound = *cell.row.maxRelErr <= options.bound;
      cell.row.inner = cell.inner;
      cell.row.ok = true;
    });
    rows.push_back(std::move(cell.row));
  }
  return rows;
}

Row baseRow(const SpmmOptions &options, const Workload &work, const std::string &dataChecksum,
            std::int64_t width) {
  Row row;
  row.model = (options.weighted ? "spmm-weighted-" : "spmm-") + std::to_string(width);
  row.data = options.label.empty() ? work.data.name : options.label;
  row.nodes = work.data.numNodes;
  row.edges = work.data.numEdges;
  row.device = options.device;
  row.realData = work.data.realData;
  row.dataChecksum = dataChecksum;
  row.flops = (options.weighted ? 2 : 1) * row.edges * width;
  row.bytes = 4 * (row.edges * (width + (options.weighted ? 2 : 1)) + row.nodes * (width + 1));
  row.commit = findCommit();
  row.env = describeEnvironment(!work.device.is_cpu(), work.threads);
  return row;
}

void drawWeights(GraphData &data, std::uint64_t seed) {
  Random random(seed ^ 0x77656967687473u);
  data.edgeWeight.resize(data.numEdges);
  for (float &weight : data.edgeWeight)
    weight = 1 - std::abs(random.symmetric());
}

int run(const SpmmOptions &options) {
  Workload work;
  useDevice(work, options.device, options.threads);
  work.data = loadGraph(options.graph, options.seed, options.dataRoot);
  const std::string dataChecksum = checksum(work.data); // before its weights are replaced
  work.data.edgeWeight.clear();
  if (options.weighted)
    drawWeights(work.data, options.seed);
  torch::manual_seed(options.seed);
  const bool onHost = work.device.is_cpu();
  GraphTensors graph = GraphTensors::fromData(work.data).to(work.device);
  CsrMatrix matrix = onHost ? CsrMatrix{} : toCsr(graph);
  std::unique_ptr<EdgeReference> reference = makeEdgeReference(graph);
  ScratchFolder scratch;
  std::vector<Row> all;
  for (std::int64_t width : options.widths) {
    work.x = at::randn({work.data.numNodes, width}, at::TensorOptions(work.device));
    std::vector<Candidate> candidates = {{[&] { return makeSum(work, options, "", scratch); }, ""}};
    for (const std::string &schedule : options.schedules)
      candidates.push_back({[&] { return makeSum(work, options, schedule, scratch); }, schedule});
    if (onHost)
      candidates.push_back({[&] { return makeTorchSparseSystem(work, Aggregation::Csr); }, ""});
    for (SpmmAlgorithm algorithm : {SpmmAlgorithm::Csr1, SpmmAlgorithm::Csr2, SpmmAlgorithm::Csr3})
      if (!onHost)
        candidates.push_back(
            {[&, algorithm] { return makeCusparseSystem(work, matrix, algorithm); }, ""});
    at::Tensor expected = reference->sum(work.x.to(at::kDouble));
    releaseCachedMemory(work.device);
    for (Row &row :
         measureSums(candidates, baseRow(options, work, dataChecksum, width), options, expected)) {
      fillShareOfLimit(row);
      all.push_back(std::move(row));
    }
  }
  if (!options.output.empty()) {
    std::vector<std::string> lines;
    for (const Row &row : all)
      lines.push_back(toJson(row));
    writeLines(options.output, options.append, lines);
  }
  if (options.table || options.output.empty())
    for (std::size_t i = 0; i < all.size();) { // a table for each width
      std::vector<Row> cells;
      for (const std::string model = all[i].model; i < all.size() && all[i].model == model; ++i)
        cells.push_back(all[i]);
      std::printf("%s, %s\n%s\n", cells.front().data.c_str(), cells.front().model.c_str(),
                  table(cells).c_str());
    }
  for (const Row &row : all)
    if (!row.ok || !row.inBound.value_or(false)) {
      std::fprintf(stderr, "gnn-spmm: %s, %s %s: %s\n", row.model.c_str(), row.system.c_str(),
                   row.mode.value_or("").c_str(),
                   row.error ? row.error->c_str() : "an output is over the error bound");
      return 1;
    }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  SpmmOptions options;
  if (auto code = parse(argc, argv, options))
    return *code;
  try {
    int code = run(options);
    // As in gnn-bench: libraries of CUDA unload in an order of the loader's choice.
    std::fflush(nullptr);
    std::_Exit(code);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "gnn-spmm: %s\n", firstLine(error).c_str());
    return 1;
  }
}
