//===- Generator.cpp - Graphs of a data set's size ------------------------===//
#include "benchmarks/data/Generator.h"

#include "benchmarks/data/Parallel.h"
#include "benchmarks/data/Random.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace gnnc::bench {
namespace {

const GeneratorSpec presets[] = {
    {"cora", 2708, 10556, 1433, 7},      {"pubmed", 19717, 88648, 500, 3},
    {"arxiv", 169343, 2332486, 128, 40}, {"products", 2449029, 123718280, 100, 47},
    {"collab", 235868, 2358104, 128, 0}, // the edges of the training years
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

/// Work of a thread at a time: long beside fetching it, short beside all of it.
constexpr std::int64_t part = 1 << 14;

struct Pairs {
  std::vector<std::int64_t> a, b;
};

/// What a loop over `random` draws, by threads: each pair takes two draws, and pairs of one
/// node are left out, for which as many more are drawn behind the others.
Pairs drawPairs(const GeneratorSpec &spec, const Popular &all, Random &random) {
  const std::int64_t count = spec.edges / 2;
  Pairs pairs{std::vector<std::int64_t>(count), std::vector<std::int64_t>(count)};
  for (std::int64_t have = 0; have < count;) {
    parallelFor(count - have, part, spec.threads, [&](std::int64_t begin, std::int64_t end) {
      Random mine = random;
      mine.skip(2 * begin);
      for (std::int64_t at = have + begin; at < have + end; ++at) {
        pairs.a[at] = mine.below(spec.nodes);
        pairs.b[at] = all.draw(mine);
      }
    });
    random.skip(2 * (count - have));
    for (std::int64_t at = have; at < count; ++at)
      if (pairs.a[at] != pairs.b[at]) {
        pairs.a[have] = pairs.a[at];
        pairs.b[have++] = pairs.b[at];
      }
  }
  return pairs;
}

/// Likewise with communities, where a pair takes three draws or four.
Pairs drawNearPairs(const GeneratorSpec &spec, const Popular &all, Random &random) {
  // The last community has the nodes that are left over, which only `all` chooses.
  const std::int64_t size = spec.nodes / spec.communities;
  const Popular near(size, random);
  constexpr std::int64_t outOf = 10;
  auto neighbour = [&](std::int64_t node) {
    if (random.below(outOf) == 0)
      return all.draw(random);
    return std::min(node / size, spec.communities - 1) * size + near.draw(random);
  };
  Pairs pairs;
  for (std::int64_t pair = 0; pair < spec.edges / 2; ++pair) {
    std::int64_t a, b;
    do {
      a = random.below(spec.nodes);
      b = neighbour(a);
    } while (a == b);
    pairs.a.push_back(a);
    pairs.b.push_back(b);
  }
  return pairs;
}

/// Both directions of each pair by source and destination. Threads put a row's edges down in
/// any order; sorted, equal ones are alike.
void setSorted(GraphData &graph, const Pairs &pairs, unsigned threads) {
  const std::int64_t count = static_cast<std::int64_t>(pairs.a.size());
  // Two ahead: the ends of rows while edges are put down, which makes them the beginnings.
  std::vector<std::int64_t> start(graph.numNodes + 2, 0);
  auto bump = [&](std::int64_t at) {
    return std::atomic_ref(start[at]).fetch_add(1, std::memory_order_relaxed);
  };
  parallelFor(count, part, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t pair = begin; pair < end; ++pair) {
      bump(pairs.a[pair] + 2);
      bump(pairs.b[pair] + 2);
    }
  });
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::int64_t *src = graph.edgeIndex.data(), *dst = src + graph.numEdges;
  parallelFor(count, part, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t pair = begin; pair < end; ++pair) {
      dst[bump(pairs.a[pair] + 1)] = pairs.b[pair];
      dst[bump(pairs.b[pair] + 1)] = pairs.a[pair];
    }
  });
  constexpr std::int64_t rows = 256;
  parallelFor(graph.numNodes, rows, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t node = begin; node < end; ++node) {
      std::fill(src + start[node], src + start[node + 1], node);
      std::sort(dst + start[node], dst + start[node + 1]);
    }
  });
}

void setShuffled(GraphData &graph, const Pairs &pairs, Random &random) {
  const std::int64_t count = static_cast<std::int64_t>(pairs.a.size());
  std::vector<std::int64_t> order(graph.numEdges);
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, random);
  for (std::int64_t edge = 0; edge < graph.numEdges; ++edge) {
    bool isReverse = order[edge] >= count;
    std::int64_t pair = order[edge] - (isReverse ? count : 0);
    graph.edgeIndex[edge] = (isReverse ? pairs.b : pairs.a)[pair];
    graph.edgeIndex[graph.numEdges + edge] = (isReverse ? pairs.a : pairs.b)[pair];
  }
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
  const Pairs pairs =
      spec.communities > 1 ? drawNearPairs(spec, all, random) : drawPairs(spec, all, random);
  graph.edgeIndex.resize(2 * spec.edges);
  if (spec.shuffled)
    setShuffled(graph, pairs, random);
  else
    setSorted(graph, pairs, spec.threads);

  // Features have a stream of their own: other edge counts leave them alone.
  const Random values(spec.seed ^ 0x66656174757265u);
  graph.x.resize(spec.nodes * spec.features);
  parallelFor(spec.nodes * spec.features, part, spec.threads,
              [&](std::int64_t begin, std::int64_t end) {
                Random mine = values;
                mine.skip(begin);
                for (std::int64_t at = begin; at < end; ++at)
                  graph.x[at] = mine.symmetric();
              });
  return graph;
}

} // namespace gnnc::bench
