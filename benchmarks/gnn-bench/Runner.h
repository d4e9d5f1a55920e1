//===- Runner.h - Measure systems in turn, check what they compute --------===//
//
// Input: a workload and systems. Output: a row for each, also for those that
// failed. In every round each system runs once (A B C A B C ...), so that a
// machine that slows down does so for all.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_RUNNER_H
#define GNNC_BENCHMARKS_GNN_BENCH_RUNNER_H

#include "benchmarks/gnn-bench/System.h"

#include <functional>

namespace gnnc::bench {

struct RunOptions {
  int repeats = 30, warmup = 5;
  double bound = 1e-5;
};

/// `reference` is the float64 output; an undefined one leaves outputs unchecked. `base` holds what
/// all rows share. `progress` is told what is being done.
std::vector<Row> measure(const Workload &work, std::vector<std::unique_ptr<System>> systems,
                         const at::Tensor &reference, const Row &base, const RunOptions &options,
                         const std::function<void(const std::string &)> &progress);

/// First line of an exception's text: LibTorch adds a backtrace.
std::string firstLine(const std::exception &error);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_RUNNER_H
