//===- Generator.cpp - Graphs of a data set's size ------------------------===//
#include "benchmarks/data/Generator.h"

#include "benchmarks/data/Random.h"

#include <cmath>
#include <numeric>
#include <optional>

namespace gnnc::bench {
namespace {

const GeneratorSpec presets[] = {
    {"cora", 2708, 10556, 1433, 7},
    {"pubmed", 19717, 88648, 500, 3},
    {"arxiv", 169343, 2332486, 128, 40},
    {"products", 2449029, 123718280, 100, 47},
};

/// Draws ranks in [0, count) with probability proportional to (rank + 1)^-0.75.
class Zipf {
public:
  explicit Zipf(std::int64_t count) : cumulative(count), guide(count) {
    double sum = 0;
    for (std::int64_t rank = 0; rank < count; ++rank) {
      // k^-0.75 by square roots, which round alike everywhere; pow does not.
      double root = std::sqrt(static_cast<double>(rank + 1));
      sum += 1.0 / (root * std::sqrt(root));
      cumulative[rank] = sum;
    }
    std::int64_t rank = 0;
    for (std::int64_t bucket = 0; bucket < count; ++bucket) {
      while (cumulative[rank] < sum * static_cast<double>(bucket) / static_cast<double>(count))
        ++rank;
      guide[bucket] = rank;
    }
  }

  std::int64_t draw(Random &random) const {
    std::int64_t count = static_cast<std::int64_t>(guide.size());
    double unit = random.unit();
    std::int64_t rank = guide[static_cast<std::int64_t>(unit * static_cast<double>(count))];
    while (rank + 1 < count && cumulative[rank] <= unit * cumulative.back())
      ++rank;
    return rank;
  }

private:
  std::vector<double> cumulative;
  std::vector<std::int64_t> guide; ///< first rank that a draw in this bucket can give
};

void shuffle(std::vector<std::int64_t> &values, Random &random) {
  for (std::int64_t at = static_cast<std::int64_t>(values.size()) - 1; at > 0; --at)
    std::swap(values[at], values[random.below(at + 1)]);
}

/// Draws nodes of a power law: in [0, count) by a permutation of its own.
class Popular {
public:
  Popular(std::int64_t count, Random &random) : zipf(count), nodeOfRank(count) {
    std::iota(nodeOfRank.begin(), nodeOfRank.end(), 0);
    shuffle(nodeOfRank, random);
  }
  std::int64_t draw(Random &random) const { return nodeOfRank[zipf.draw(random)]; }

private:
  Zipf zipf;
  std::vector<std::int64_t> nodeOfRank;
};

/// Order of `keys` (values in [0, bound)), equal ones as in `order`.
std::vector<std::int64_t> stableOrder(const std::int64_t *keys,
                                      const std::vector<std::int64_t> &order, std::int64_t bound) {
  std::vector<std::int64_t> start(bound + 1, 0), sorted(order.size());
  for (std::int64_t edge : order)
    ++start[keys[edge] + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (std::int64_t edge : order)
    sorted[start[keys[edge]]++] = edge;
  return sorted;
}

} // namespace

std::span<const GeneratorSpec> generatorPresets() { return presets; }

const GeneratorSpec *findPreset(const std::string &name) {
  const std::string ending = "-sized";
  std::string stem = name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name;
  for (const GeneratorSpec &preset : presets)
    if (preset.name == stem)
      return &preset;
  return nullptr;
}

GraphData generateGraph(const GeneratorSpec &spec) {
  if (spec.nodes < 0 || spec.edges < 0 || spec.features < 0 || spec.classes < 0)
    throw Failure("generate: nodes, edges, features and classes must not be negative");
  if (spec.edges % 2)
    throw Failure("generate: " + std::to_string(spec.edges) +
                  " edges is odd; the graph is undirected, give both directions of each pair");
  if (spec.communities < 1 || (spec.communities > 1 && spec.communities > spec.nodes / 2))
    throw Failure("generate: " + std::to_string(spec.communities) + " communities of " +
                  std::to_string(spec.nodes) + " nodes; each has 2 nodes at least");
  if (spec.edges && spec.nodes < 2)
    throw Failure("generate: " + std::to_string(spec.edges) + " edges need at least 2 nodes, got " +
                  std::to_string(spec.nodes));

  GraphData graph;
  graph.name = spec.name.empty() ? "generated" : spec.name + "-sized";
  graph.numNodes = spec.nodes;
  graph.numEdges = spec.edges;
  graph.numFeatures = spec.features;
  graph.numClasses = spec.classes;

  Random random(spec.seed);
  const Popular all(spec.nodes, random);
  // The last community has the nodes that are left over, which only `all` chooses.
  const std::int64_t size = spec.nodes / spec.communities;
  std::optional<Popular> near;
  if (spec.communities > 1)
    near.emplace(size, random);
  constexpr std::int64_t outOf = 10;
  auto neighbour = [&](std::int64_t node) {
    if (!near || random.below(outOf) == 0)
      return all.draw(random);
    return std::min(node / size, spec.communities - 1) * size + near->draw(random);
  };

  std::int64_t pairs = spec.edges / 2;
  std::vector<std::int64_t> src(spec.edges), dst(spec.edges);
  if (pairs) {
    for (std::int64_t pair = 0; pair < pairs; ++pair) {
      std::int64_t a, b;
      do {
        a = random.below(spec.nodes);
        b = neighbour(a);
      } while (a == b);
      src[pair] = dst[pair + pairs] = a;
      dst[pair] = src[pair + pairs] = b;
    }
  }
  std::vector<std::int64_t> order(spec.edges);
  std::iota(order.begin(), order.end(), 0);
  if (spec.shuffled) {
    shuffle(order, random);
  } else {
    order = stableOrder(dst.data(), order, spec.nodes);
    order = stableOrder(src.data(), order, spec.nodes);
  }
  graph.edgeIndex.resize(2 * spec.edges);
  for (std::int64_t edge = 0; edge < spec.edges; ++edge) {
    graph.edgeIndex[edge] = src[order[edge]];
    graph.edgeIndex[spec.edges + edge] = dst[order[edge]];
  }

  // Features have a stream of their own: other edge counts leave them alone.
  Random values(spec.seed ^ 0x66656174757265u);
  graph.x.resize(spec.nodes * spec.features);
  for (float &value : graph.x)
    value = values.symmetric();
  return graph;
}

} // namespace gnnc::bench
