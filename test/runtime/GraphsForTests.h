// Edge lists that are hard on purpose.
#ifndef GNNC_TEST_RUNTIME_GRAPHSFORTESTS_H
#define GNNC_TEST_RUNTIME_GRAPHSFORTESTS_H

#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <vector>

struct EdgeList {
  std::string name;
  std::int64_t nodes = 0;
  std::vector<std::int64_t> src, dst;
  std::int64_t edges() const { return static_cast<std::int64_t>(src.size()); }
};

inline EdgeList randomEdges(std::string name, std::int64_t nodes, std::int64_t edges,
                            std::int64_t hubEdges = 0) {
  std::mt19937_64 random(static_cast<std::uint64_t>(nodes * 31 + edges));
  EdgeList list{std::move(name), nodes, {}, {}};
  auto node = [&] {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(nodes));
  };
  for (std::int64_t e = 0; e < edges; ++e) {
    list.src.push_back(node());
    list.dst.push_back(e < hubEdges ? nodes / 2 : node());
  }
  return list;
}

inline std::vector<EdgeList> hardGraphs() {
  return {{"no_nodes", 0, {}, {}},
          {"one_node", 1, {}, {}},
          {"one_loop", 1, {0, 0, 0}, {0, 0, 0}},
          {"no_edges", 5, {}, {}},
          {"isolated", 6, {1, 4, 1}, {4, 1, 1}},
          {"duplicates", 4, {3, 3, 0, 3, 3}, {1, 1, 1, 1, 3}},
          {"all_loops", 3, {2, 0, 1, 0}, {2, 0, 1, 0}},
          randomEdges("random", 300, 2500),
          randomEdges("hub", 1000, 5000, 4000),
          randomEdges("large", 5000, 400000, 100000)}; // several blocks of work
}

#endif
