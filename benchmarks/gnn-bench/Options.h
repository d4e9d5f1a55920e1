//===- Options.h - The command line of gnn-bench --------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_OPTIONS_H
#define GNNC_BENCHMARKS_GNN_BENCH_OPTIONS_H

#include "benchmarks/eager/ModelSpec.h"

#include <optional>

namespace gnnc::bench {

/// One system in one form; what does not concern it is empty.
struct SystemCell {
  std::string system, mode, dynamic;
  bool fixes = true;
  std::string artifact; ///< gnnc: in place of one compiled for mode and dynamic
};

struct BenchOptions {
  ModelSpec spec; ///< widths of 0: from the graph and the weights
  std::optional<std::int64_t> hidden, layers;
  std::string dataset, dataRoot, label;
  std::string weights;
  std::vector<std::string> artifacts;
  std::vector<std::string> systems = {"libtorch-eager", "libtorch-csr", "gnnc"};
  std::vector<std::string> modes = {"default"};
  std::vector<std::string> dynamic = {"true"};
  std::string chip, precision = "fp32x3";
  std::string budget = "10s", tuningDatabase; ///< of the max-autotune modes
  std::string device = "cpu";
  std::string fixes = "on"; ///< on | off | both
  int repeats = 30, warmup = 5, threads = 0;
  std::uint64_t seed = 0;
  std::optional<double> bound; ///< default: of the element type
  std::string output;
  bool append = false, table = false;
  bool selfCheck = false; ///< every system beside a copy of itself
  std::string tools, runtime;
  std::vector<std::string> cells; ///< --cell, in place of systems, modes, dynamic, fixes
  std::string reference;          ///< file of the float64 output, read in place of computing it
  std::string writeInputs;        ///< folder for graph, weights and reference; nothing is measured
  // A stream of graphs in place of a data set.
  std::int64_t stream = 0; ///< graphs; 0: none
  std::int64_t maxNodes = 200000, keep = 128, background = 0;
  std::string cacheFolder;
  std::string streamFile; ///< to write its graphs to
};

/// Parses the command line. Returns the exit code if the program is to end here
/// (--help, --version, wrong usage: one line is on stderr), else nothing.
std::optional<int> parseOptions(int argc, char **argv, BenchOptions &options);

/// The cells to measure, in their order: those of --cell, else what the lists of systems,
/// modes, dynamic and fixes make. Throws Failure for a --cell that is none.
std::vector<SystemCell> cellsOf(const BenchOptions &options);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_OPTIONS_H
