//===- Inspect.cpp - Facts about a graph ----------------------------------===//
#include "tools/gnn-graph/Inspect.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>

namespace gnnc::tools {

namespace {

/// Sorts the ids, calls `each` with how often each of them occurs, and leaves them once.
template <class F>
void countOccurrences(std::vector<std::int64_t> &ids, F &&each) {
  std::ranges::sort(ids);
  for (std::size_t i = 0, end; i < ids.size(); i = end) {
    for (end = i + 1; end < ids.size() && ids[end] == ids[i];)
      ++end;
    each(static_cast<std::int64_t>(end - i));
  }
  auto repeated = std::ranges::unique(ids);
  ids.erase(repeated.begin(), repeated.end());
}

} // namespace

// Memory follows the edges: what a file says of its nodes may be far from true.
GraphFacts inspect(const GraphFile &graph) {
  GraphFacts facts;
  std::vector<std::int64_t> sources, destinations, both;
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  pairs.reserve(static_cast<std::size_t>(graph.edges));
  for (std::int64_t e = 0; e < graph.edges; ++e) {
    std::pair edge(graph.id(0, e), graph.id(1, e));
    sources.push_back(edge.first);
    destinations.push_back(edge.second);
    facts.selfLoops += !graph.isBipartite && edge.first == edge.second;
    if (e > 0) {
      const auto &[src, dst] = pairs.back();
      facts.sortedBySource &= pairs.back() <= edge;
      facts.sortedByDestination &= std::pair(dst, src) <= std::pair(edge.second, edge.first);
    }
    pairs.push_back(edge);
  }
  countOccurrences(sources,
                   [&](std::int64_t degree) { facts.maxOut = std::max(facts.maxOut, degree); });
  facts.histogram.assign(graph.destinations > 0, 0);
  countOccurrences(destinations, [&](std::int64_t degree) {
    facts.maxIn = std::max(facts.maxIn, degree);
    auto bucket = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(degree)));
    if (facts.histogram.size() <= bucket)
      facts.histogram.resize(bucket + 1, 0);
    ++facts.histogram[bucket];
  });
  if (graph.destinations > 0)
    facts.histogram[0] = graph.destinations - static_cast<std::int64_t>(destinations.size());
  if (graph.isBipartite) // equal ids at both ends are two nodes
    both.resize(sources.size() + destinations.size());
  else
    std::ranges::set_union(sources, destinations, std::back_inserter(both));
  facts.isolated = graph.nodes() - static_cast<std::int64_t>(both.size());
  if (graph.destinations > 0)
    facts.meanDegree = static_cast<double>(graph.edges) / static_cast<double>(graph.destinations);
  if (!facts.sortedBySource)
    std::sort(pairs.begin(), pairs.end());
  for (std::size_t i = 1; i < pairs.size(); ++i)
    facts.duplicates += pairs[i] == pairs[i - 1];
  facts.symmetric = !graph.isBipartite && std::ranges::all_of(pairs, [&](const auto &edge) {
    return std::ranges::binary_search(pairs, std::pair(edge.second, edge.first));
  });
  return facts;
}

namespace {

std::string bucketName(std::size_t bucket) {
  if (bucket <= 1)
    return std::to_string(bucket);
  std::uint64_t low = std::uint64_t{1} << (bucket - 1);
  return std::to_string(low) + "-" + std::to_string(2 * low - 1);
}

} // namespace

std::string textOf(const GraphFile &graph, const GraphFacts &facts) {
  std::string out;
  auto row = [&](const char *name, const std::string &value) {
    char text[32];
    std::snprintf(text, sizeof text, "%-16s", name);
    out += text + value + "\n";
  };
  char mean[32];
  std::snprintf(mean, sizeof mean, "%.2f", facts.meanDegree);
  if (graph.isBipartite) {
    row("sources", std::to_string(graph.sources));
    row("destinations", std::to_string(graph.destinations));
  } else {
    row("nodes", std::to_string(graph.sources));
  }
  row("edges", std::to_string(graph.edges));
  row("index type", name(graph.indexType()));
  row("mean degree", mean);
  row("max in-degree", std::to_string(facts.maxIn));
  row("max out-degree", std::to_string(facts.maxOut));
  row("self loops", std::to_string(facts.selfLoops));
  row("duplicates", std::to_string(facts.duplicates));
  row("isolated", std::to_string(facts.isolated));
  row("symmetric", facts.symmetric ? "yes" : "no");
  row("sorted", facts.sortedBySource && facts.sortedByDestination ? "by both ends"
                : facts.sortedBySource                            ? "by source"
                : facts.sortedByDestination                       ? "by destination"
                                                                  : "no");
  for (const format::Tensor &tensor : graph.file.tensors)
    row("tensor", tensor.name + " " + format::describe(tensor.dtype, tensor.shape));
  for (const auto &[key, value] : graph.file.metadata)
    row("metadata", key + " = " + value);
  for (std::size_t i = 0; i < facts.histogram.size(); ++i)
    if (facts.histogram[i] > 0)
      row("in-degree", bucketName(i) + ": " + std::to_string(facts.histogram[i]) + " nodes");
  return out;
}

std::string jsonOf(const GraphFile &graph, const GraphFacts &facts) {
  nlohmann::ordered_json json = {{"nodes", graph.nodes()},
                                 {"sources", graph.sources},
                                 {"destinations", graph.destinations},
                                 {"bipartite", graph.isBipartite},
                                 {"edges", graph.edges},
                                 {"index_type", name(graph.indexType())},
                                 {"mean_degree", facts.meanDegree},
                                 {"max_in_degree", facts.maxIn},
                                 {"max_out_degree", facts.maxOut},
                                 {"self_loops", facts.selfLoops},
                                 {"duplicates", facts.duplicates},
                                 {"isolated", facts.isolated},
                                 {"symmetric", facts.symmetric},
                                 {"sorted_by_source", facts.sortedBySource},
                                 {"sorted_by_destination", facts.sortedByDestination}};
  auto &tensors = json["tensors"] = nlohmann::ordered_json::object();
  for (const format::Tensor &tensor : graph.file.tensors)
    tensors[tensor.name] = {{"dtype", name(tensor.dtype)}, {"shape", tensor.shape}};
  json["metadata"] = graph.file.metadata;
  auto &histogram = json["in_degree_histogram"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < facts.histogram.size(); ++i)
    histogram[bucketName(i)] = facts.histogram[i];
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace gnnc::tools
