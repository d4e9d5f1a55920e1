//===- StreamRow.h - One line of results about a stream of graphs ---------===//
//
// Input: what one system measured on a stream. Output: a JSON object
// (docs/benchmarks.md lists the members) and a line of the table. What is not known is
// null, never 0.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_STREAMROW_H
#define GNNC_BENCHMARKS_GNN_BENCH_STREAMROW_H

#include "lib/Jit/GuardTally.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gnnc::bench {

/// One graph of a stream: from its edges in host memory to the output.
struct StreamStep {
  std::int64_t nodes = 0, edges = 0;
  double milliseconds = 0;
};

struct StreamRow {
  std::string model, dtype = "f32", mode, dynamic, device;
  std::optional<std::string> error, commit;
  std::string env;                      ///< JSON object
  std::vector<StreamStep> first, again; ///< over the stream, and over the same once more
  std::int64_t compilations = 0, diskHits = 0, standIns = 0, hits = 0, misses = 0, evictions = 0,
               guardFailures = 0;
  std::int64_t failures = 0, tuningRuns = 0;
  std::vector<jit::GuardFailure> failedGuards;
  std::int64_t captures = 0, updates = 0, failedUpdates = 0, rebinds = 0, allocations = 0;
  std::int64_t allocationsAfterLargest = 0; ///< in either pass
  std::string updateFailure, backgroundFailure;
  double compileMs = 0, maxRelErr = 0, bound = 0;
  std::vector<double> updateMs; ///< of each change of a cudaGraph in place

  bool inBound() const { return maxRelErr <= bound; }
};

/// One line without the line break.
std::string toJson(const StreamRow &row);

/// The table that people read, one line a row.
std::string table(const std::vector<StreamRow> &rows);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_STREAMROW_H
