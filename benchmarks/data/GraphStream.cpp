//===- GraphStream.cpp - Graphs of many sizes, one after the other --------===//
#include "benchmarks/data/GraphStream.h"

#include "benchmarks/data/Random.h"
#include "runtime/format/SafeTensors.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

namespace gnnc::bench {

std::vector<GeneratorSpec> streamSizes(const StreamSpec &spec) {
  if (spec.graphs < 1 || spec.maxNodes < 2 || spec.features < 1)
    throw Failure("stream: at least 1 graph, 2 nodes and 1 feature are needed, found " +
                  std::to_string(spec.graphs) + ", " + std::to_string(spec.maxNodes) + ", " +
                  std::to_string(spec.features));
  Random random(spec.seed ^ 0x73747265616du);
  // The last power of two is not whole: its share of the graphs is that of the others.
  auto powers =
      static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(spec.maxNodes)));
  constexpr std::int64_t kMostEdges = 15, kTries = 16;
  // What the two special graphs have is left to them.
  const std::pair<std::int64_t, std::int64_t> single{1, 0},
      largest{spec.maxNodes, spec.maxNodes * kMostEdges / 2 * 2};
  std::set<std::pair<std::int64_t, std::int64_t>> taken = {single, largest};
  auto draw = [&](bool hasEdges) {
    std::pair<std::int64_t, std::int64_t> counts;
    for (std::int64_t tries = 0; tries < kTries; ++tries) {
      std::int64_t least = std::int64_t(1) << random.below(powers);
      counts.first = least + random.below(std::min(least, spec.maxNodes - least + 1));
      std::int64_t edgesPerNode = hasEdges ? 1 + random.below(kMostEdges) : 0;
      counts.second = counts.first < 2 ? 0 : counts.first * edgesPerNode / 2 * 2;
      if (taken.insert(counts).second)
        break;
    }
    return counts;
  };
  std::vector<GeneratorSpec> sizes;
  for (std::int64_t i = 0; i < spec.graphs; ++i) {
    GeneratorSpec size;
    size.name = "stream-" + std::to_string(i);
    size.features = spec.features;
    size.seed = spec.seed * 0x10001 + static_cast<std::uint64_t>(i);
    std::tie(size.nodes, size.edges) = i == 2 * spec.graphs / 3 ? largest
                                       : i == spec.graphs / 3   ? single
                                                                : draw(i % 8 != 5);
    sizes.push_back(size);
  }
  return sizes;
}

void writeStream(const std::string &path, const std::vector<GraphData> &graphs) {
  format::TensorFile file;
  std::vector<std::vector<std::int32_t>> narrow; // what the tensors look at
  narrow.reserve(graphs.size());
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const std::vector<std::int64_t> &edges = graphs[i].edgeIndex;
    narrow.emplace_back(edges.begin(), edges.end());
    file.tensors.push_back(format::Tensor::view(std::to_string(i) + ".edge_index",
                                                format::DType::I32, {2, graphs[i].numEdges},
                                                narrow.back().data()));
    file.metadata[std::to_string(i) + ".num_nodes"] = std::to_string(graphs[i].numNodes);
  }
  file.metadata["num_graphs"] = std::to_string(graphs.size());
  std::string error;
  if (!format::writeTensors(path, file, error))
    throw Failure(error);
}

} // namespace gnnc::bench
