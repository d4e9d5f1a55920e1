//===- ResultFile.h - Rows of results, read back --------------------------===//
//
// Input: a file of rows (JSON Lines, docs/benchmarks.md), also one of an older gnn-bench
// or of a peer. Output: what tells a cell from others and what it measured. A row
// that lacks a member says that it is unknown; one that cannot be what it says is damaged.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_RESULTFILE_H
#define GNNC_BENCHMARKS_GNN_BENCH_RESULTFILE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gnnc::bench {

struct Latency {
  double q1 = 0, median = 0, q3 = 0; ///< ms
  std::int64_t n = 0;                ///< samples
};

struct ResultRow {
  std::string system, model, data, mode, dynamic, device, dtype; ///< empty: unknown
  std::optional<bool> fixes;
  std::optional<std::int64_t> nodes, edges;
  std::optional<double> flops;
  bool ok = false;
  std::string error; ///< empty: none
  std::optional<bool> inBound;
  std::optional<Latency> latency;
  std::optional<double> peakMib;
  std::optional<double> noiseFloor; ///< of --self-check, relative to the median
  std::string machine;              ///< the GPU, or the processor and its threads; empty: unknown
  std::string commit;
  std::size_t line = 0; ///< in its file, from 1
};

/// Throws Failure that names the file and the line when a row is damaged, and when
/// there is none.
std::vector<ResultRow> readResults(const std::string &path);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_RESULTFILE_H
