//===- StudyMatrix.h - The cells of a study, in the order they run --------===//
//
// Input: the study's flags. Output: every cell that they ask for, each with an id that is
// the same in every run, so that a run that was killed goes on where it stopped.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_STUDYMATRIX_H
#define GNNC_BENCHMARKS_GNN_BENCH_STUDYMATRIX_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gnnc::bench {

struct StudyOptions {
  std::string preset;
  std::vector<std::string> models, datasets, modes, dynamic, fixes, systems;
  std::int64_t hidden = 0, numLayers = 0, gatHeads = 0; ///< of the preset, or given
  int repeats = 0, warmup = 0, threads = 0;
  std::uint64_t seed = 0;
  double timeout = 600, timeLimit = 0; ///< seconds of a cell, and of the run; 0: none
  std::string budget;                  ///< of the max-autotune modes
  std::string target = "cpu", chip, dataRoot, output, python = "python3", peer, tools, runtime;
  std::string scratch; ///< folder for what the systems are fed with; empty: a temporary one
  bool dryRun = false, resume = false;
};

/// A data set as rows name it, and what gnn-bench is to read.
struct StudyData {
  std::string label, source;
  bool fromRoot = false; ///< `source` is a name below --data-root
  bool large = false;    ///< its systems do not all fit into a device together
};

struct StudyCell {
  std::string model;
  StudyData data;
  std::string system, mode, dynamic; ///< dynamic: "-" where eager has none
  bool fixes = true;
  std::string id;

  bool isPeer() const { return system.starts_with("pyg-"); }
  /// Peers that compile come last: they take most of the time.
  int turn = 0;
};

/// What a model has in the study, in gnn-bench's flags and pyg-bench's.
std::vector<std::string> shapeArguments(const StudyOptions &options, const std::string &model);

/// "256x3h8": of one head, layers, heads.
std::string shapeName(const StudyOptions &options, const std::string &model);

/// Why this machine or target cannot have the cell; nothing if it can.
std::optional<std::string> unavailable(const StudyOptions &options, const StudyCell &cell);

/// All cells. Throws Failure for a data set that is neither on disk nor generated.
std::vector<StudyCell> studyCells(const StudyOptions &options);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_STUDYMATRIX_H
