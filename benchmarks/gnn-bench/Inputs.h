//===- Inputs.h - What benchmark programs read, and where rows go -*- C++ -*-===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_INPUTS_H
#define GNNC_BENCHMARKS_GNN_BENCH_INPUTS_H

#include "benchmarks/gnn-bench/System.h"

namespace gnnc::bench {

/// The graph file or folder `name` (GraphSource.h); the generated graph of a set's size, by
/// `seed`; the set of that name under `dataRoot`, where one is given; or cora, which comes
/// along. Throws Failure.
GraphData loadGraph(const std::string &name, std::uint64_t seed, const std::string &dataRoot = "");

/// Features in (-1, 1) for a graph that has none, by `seed`.
void drawFeatures(GraphData &data, std::int64_t width, std::uint64_t seed);

/// What `--graph` takes, for help texts.
inline constexpr const char *graphHelp =
    "A graph: a file or folder of a published set; cora; a set's name, with --data-root; or a "
    "generated graph of a set's size: cora-sized, pubmed-sized, arxiv-sized, products-sized";
inline constexpr const char *dataRootHelp = "Folder that has files or folders of sets, by name";

/// Sets device and threads (0: all cores) of `work`, for LibTorch too, and turns its TF32
/// off. Throws Failure where there is no such device.
void useDevice(Workload &work, const std::string &device, int threads);

/// Writes what all systems are fed with to files of a folder: graph.safetensors,
/// weights.safetensors. Throws Failure.
void writeInputs(const std::string &folder, const Workload &work);

/// And what they are checked against: reference.safetensors. Throws Failure.
void writeReference(const std::string &folder, const at::Tensor &reference);

/// Tensor 'out' (F64) of a file of writeReference; throws Failure if it has another shape.
at::Tensor readReference(const std::string &path, const std::vector<std::int64_t> &shape);

/// Writes `lines`, behind those the file has if `append`. Throws Failure.
void writeLines(const std::string &path, bool append, const std::vector<std::string> &lines);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_INPUTS_H
