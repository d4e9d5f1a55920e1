//===- StreamRun.h - gnnc on one graph after the other --------------------===//
//
// Input: graphs of a stream, a model, how dynamic it is compiled. Output: a row with the
// time of each step, what was compiled and allocated, and the error of every result
// against a float64 forward.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_STREAMRUN_H
#define GNNC_BENCHMARKS_GNN_BENCH_STREAMRUN_H

#include "benchmarks/eager/EagerModel.h"
#include "benchmarks/gnn-bench/GnncTools.h"
#include "benchmarks/gnn-bench/StreamRow.h"

#include <functional>

namespace gnnc::bench {

/// A graph, its features on the device and the output that is right.
struct StreamItem {
  GraphData data; ///< without features
  at::Tensor x, reference;
};

struct StreamWork {
  std::vector<StreamItem> items;
  ModelSpec spec;
  std::string program; ///< file, by writeProgram
  at::Device device = at::kCPU;
  int threads = 1;
};

/// Takes the features of `graphs` to the device and computes the references.
std::vector<StreamItem> makeItems(std::vector<GraphData> graphs, const ModelSpec &spec,
                                  const Weights &weights, at::Device device,
                                  const std::function<void(const std::string &)> &progress);

struct StreamLimits {
  std::size_t keep = 128;     ///< executables
  std::size_t background = 0; ///< shapes compiled at a time while graphs go on; 0: they wait
};

/// The stream twice through one session; what is compiled in the background is there before
/// the second pass. A step takes a graph's edges
/// in host memory, its features where the device has them, and ends when the output is
/// there. Never throws: what failed is in the row.
StreamRow runStream(const StreamWork &work, const GnncOptions &options, const StreamLimits &limits,
                    double bound, const std::function<void(const std::string &)> &progress);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_STREAMRUN_H
