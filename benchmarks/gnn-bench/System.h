//===- System.h - One way of running the forward, to be measured ----------===//
//
// A cell of the benchmark: LibTorch eager in one of its forms, or gnnc with one
// artefact. All systems get the same Workload.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_SYSTEM_H
#define GNNC_BENCHMARKS_GNN_BENCH_SYSTEM_H

#include "benchmarks/eager/EagerModel.h"
#include "benchmarks/gnn-bench/GnncTools.h"
#include "benchmarks/gnn-bench/Row.h"

namespace gnnc::bench {

struct Workload {
  GraphData data;
  ModelSpec spec;
  Weights weights;
  at::Tensor x; ///< on the device
  at::Device device = at::kCPU;
  int threads = 1; ///< of every system, on the host
};

class System {
public:
  virtual ~System() = default;

  /// What the row says before anything ran: system, mode, dynamic, fixes.
  virtual void describe(Row &row) const = 0;
  /// Makes it ready: everything up to and with the first forward, and the second. Throws.
  virtual void setUp() = 0;
  /// Mean milliseconds of `inner` forwards back to back. CUDA: by device events, after
  /// one that is not timed. Host: by a steady clock.
  virtual double time(int inner) = 0;
  /// Milliseconds of one forward as a caller waits for it; on the host the same as time.
  virtual double wallTime() = 0;
  /// Output of the last forward, on the device.
  virtual at::Tensor output() = 0;
  /// What is known after the runs: first_ms, second_ms, compile_ms, peak_mib, kernels and the like.
  virtual void finish(Row &row) = 0;
};

std::unique_ptr<System> makeEagerSystem(const Workload &work, Aggregation aggregation, bool fixes);

std::unique_ptr<System> makeGnncSystem(const Workload &work, const GnncOptions &options);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_SYSTEM_H
