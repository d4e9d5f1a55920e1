//===- Report.h - What gnn-run says about a run ---------------------------===//
//
// Input: statistics and samples of a session. Output: text for people, or one
// JSON object.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TOOLS_GNN_RUN_REPORT_H
#define GNNC_TOOLS_GNN_RUN_REPORT_H

#include "lib/Jit/Program.h"

#include <optional>
#include <string>
#include <vector>

namespace gnnc::tools {

struct RunReport {
  std::string program, graph, device;
  std::string counts; ///< nodes and edges, for people
  std::int64_t nodes = 0, edges = 0;
  double readMs = 0;           ///< reading the graph file
  double firstMs = 0;          ///< the first run, with its transfers
  std::vector<double> samples; ///< --repeat, milliseconds
  std::optional<double> accuracy;
  gnnc_stats stats = {};
  std::vector<jit::GuardFailure> guards; ///< that failed
  std::optional<jit::Counters> compiled; ///< for a program
  std::string dynamic, backgroundFailure;
};

struct Quartiles {
  double least = 0, lower = 0, median = 0, upper = 0;
};

/// Linear interpolation between the nearest samples; `samples` is not empty.
Quartiles quartiles(std::vector<double> samples);

std::string textOf(const RunReport &report);
std::string jsonOf(const RunReport &report);

} // namespace gnnc::tools

#endif // GNNC_TOOLS_GNN_RUN_REPORT_H
