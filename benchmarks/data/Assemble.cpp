//===- Assemble.cpp - Steps that readers of graphs share ------------------===//
#include "benchmarks/data/Assemble.h"

#include <algorithm>
#include <new>

namespace gnnc::bench {

void setSimpleEdges(GraphData &graph, const EdgeList &edges, bool mirrored) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  pairs.reserve(edges.src.size() * (mirrored ? 2 : 1));
  for (std::size_t i = 0; i < edges.src.size(); ++i) {
    if (edges.src[i] == edges.dst[i])
      continue;
    pairs.emplace_back(edges.src[i], edges.dst[i]);
    if (mirrored)
      pairs.emplace_back(edges.dst[i], edges.src[i]);
  }
  std::ranges::sort(pairs);
  pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
  graph.numEdges = static_cast<std::int64_t>(pairs.size());
  graph.edgeIndex.resize(2 * pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    graph.edgeIndex[i] = pairs[i].first;
    graph.edgeIndex[pairs.size() + i] = pairs[i].second;
  }
}

void setEdges(GraphData &graph, const EdgeList &edges) {
  graph.numEdges = static_cast<std::int64_t>(edges.src.size());
  graph.edgeIndex = edges.src;
  graph.edgeIndex.insert(graph.edgeIndex.end(), edges.dst.begin(), edges.dst.end());
}

void makeFeatures(GraphData &graph, std::int64_t features, const std::string &path) {
  const std::string shape =
      std::to_string(graph.numNodes) + " nodes with " + std::to_string(features) + " features each";
  std::int64_t count = 0;
  constexpr std::int64_t most = std::int64_t(1) << 40;
  if (__builtin_mul_overflow(graph.numNodes, features, &count) || count > most)
    throw Failure(path + ": " + shape + " are more than " + std::to_string(most) + " numbers");
  try {
    graph.x.assign(static_cast<std::size_t>(count), 0.0f);
  } catch (const std::bad_alloc &) {
    throw Failure(path + ": no memory for " + shape);
  }
  graph.numFeatures = features;
}

void countClasses(GraphData &graph, std::int64_t least) {
  graph.numClasses = least;
  for (std::int64_t label : graph.y)
    graph.numClasses = std::max(graph.numClasses, label + 1);
}

} // namespace gnnc::bench
