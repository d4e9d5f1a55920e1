//===- GraphStream.h - Graphs of many sizes, one after the other ----------===//
//
// Input: how many, how large, a seed. Output: graphs whose node counts are spread over
// the powers of two up to the largest, among them one of a single node and one of the
// largest; every eighth has no edges, the others up to 15 for each node. The same seed
// gives the same graphs on every machine.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_GRAPHSTREAM_H
#define GNNC_BENCHMARKS_DATA_GRAPHSTREAM_H

#include "benchmarks/data/Generator.h"

namespace gnnc::bench {

struct StreamSpec {
  std::int64_t graphs = 100, maxNodes = 200000, features = 128;
  std::uint64_t seed = 0;
};

/// The counts of each graph. All shapes differ as long as the sizes allow. Throws Failure
/// if a number makes no sense.
std::vector<GeneratorSpec> streamSizes(const StreamSpec &spec);

/// Writes the edges of all graphs to one safetensors file: tensor N.edge_index, I32
/// [2, edges], and metadata N.num_nodes, for N from 0, and num_graphs; throws Failure.
void writeStream(const std::string &path, const std::vector<GraphData> &graphs);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_GRAPHSTREAM_H
