//===- GeneratorTest.cpp - Generated graphs have the promised shape -------===//
#include "benchmarks/data/GraphStream.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace gnnc::bench;

namespace {

GeneratorSpec small() {
  GeneratorSpec spec;
  spec.name = "small";
  spec.nodes = 1000;
  spec.edges = 8000;
  spec.features = 4;
  spec.classes = 3;
  return spec;
}

TEST(Generator, same_seed_same_graph_other_seed_other_graph) {
  GeneratorSpec spec = small();
  GraphData first = generateGraph(spec), second = generateGraph(spec);
  EXPECT_EQ(first.edgeIndex, second.edgeIndex);
  EXPECT_EQ(first.x, second.x);
  spec.seed = 1;
  GraphData other = generateGraph(spec);
  EXPECT_NE(first.edgeIndex, other.edgeIndex);
  EXPECT_NE(first.x, other.x);
}

TEST(Generator, known_bits) {
  // Guards against a change of the stream: results on file name the seed only.
  GraphData graph = generateGraph(small());
  std::uint64_t hash = 0;
  for (std::int64_t id : graph.edgeIndex)
    hash = hash * 1099511628211u + static_cast<std::uint64_t>(id);
  EXPECT_EQ(hash, 3148245816557295064u);
  EXPECT_EQ(graph.x[0], 0x1.680d080000000p-2f);
}

TEST(Generator, any_number_of_threads_gives_the_same_bytes) {
  for (bool shuffled : {false, true}) {
    GeneratorSpec spec = small();
    spec.nodes = 300; // several pairs of one node are drawn anew, and many pairs repeat
    spec.edges = 200000;
    spec.features = 200;
    spec.shuffled = shuffled;
    spec.threads = 1;
    GraphData alone = generateGraph(spec);
    for (unsigned threads : {2u, 5u, 16u}) {
      spec.threads = threads;
      GraphData together = generateGraph(spec);
      EXPECT_EQ(alone.edgeIndex, together.edgeIndex) << threads;
      EXPECT_EQ(alone.x, together.x) << threads;
    }
  }
}

TEST(Generator, known_bits_where_pairs_are_drawn_anew) {
  // Made by the loop over pairs that came before threads.
  GeneratorSpec spec = small();
  spec.nodes = 20;
  std::uint64_t sums[2] = {};
  for (bool shuffled : {false, true}) {
    spec.shuffled = shuffled;
    for (std::int64_t id : generateGraph(spec).edgeIndex)
      sums[shuffled] = sums[shuffled] * 1099511628211u + static_cast<std::uint64_t>(id);
  }
  EXPECT_EQ(sums[0], 12841258062718365408u);
  EXPECT_EQ(sums[1], 12562364078182978388u);
}

TEST(Generator, communities_keep_most_pairs_near) {
  GeneratorSpec spec = small();
  spec.communities = 7; // 142 nodes each, 6 left over
  GraphData graph = generateGraph(spec);
  ASSERT_EQ(graph.numEdges, 8000);
  std::int64_t within = 0;
  for (std::int64_t edge = 0; edge < graph.numEdges; ++edge) {
    ASSERT_LT(graph.src()[edge], spec.nodes);
    within += graph.src()[edge] / 142 == graph.dst()[edge] / 142;
  }
  EXPECT_GT(within, 7000);
  EXPECT_LT(within, 7700);
  for (std::int64_t wrong : {std::int64_t(0), std::int64_t(501)}) {
    spec.communities = wrong;
    EXPECT_THROW(generateGraph(spec), Failure);
  }
}

TEST(Generator, undirected_sorted_without_loops) {
  GraphData graph = generateGraph(small());
  ASSERT_EQ(graph.numEdges, 8000);
  std::map<std::pair<std::int64_t, std::int64_t>, int> count;
  for (std::int64_t edge = 0; edge < graph.numEdges; ++edge) {
    ASSERT_NE(graph.src()[edge], graph.dst()[edge]);
    ++count[{graph.src()[edge], graph.dst()[edge]}];
    if (edge) {
      EXPECT_LE(std::pair(graph.src()[edge - 1], graph.dst()[edge - 1]),
                std::pair(graph.src()[edge], graph.dst()[edge]));
    }
  }
  for (const auto &[ends, times] : count)
    EXPECT_EQ((count[{ends.second, ends.first}]), times);
}

TEST(Generator, shuffled_has_the_same_edges) {
  GeneratorSpec spec = small();
  GraphData sorted = generateGraph(spec);
  spec.shuffled = true;
  GraphData shuffled = generateGraph(spec);
  auto edges = [](const GraphData &graph) {
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    all.reserve(static_cast<std::size_t>(graph.numEdges));
    for (std::int64_t edge = 0; edge < graph.numEdges; ++edge)
      all.emplace_back(graph.src()[edge], graph.dst()[edge]);
    return all;
  };
  auto a = edges(sorted), b = edges(shuffled);
  EXPECT_NE(a, b);
  std::ranges::sort(b);
  EXPECT_EQ(a, b);
}

TEST(Generator, arxiv_counts_and_degree_skew) {
  GeneratorSpec spec = *findPreset("arxiv-sized");
  spec.features = 1;
  GraphData graph = generateGraph(spec);
  EXPECT_EQ(graph.numNodes, 169343);
  EXPECT_EQ(graph.numEdges, 2332486);
  EXPECT_EQ(graph.name, "arxiv-sized");
  EXPECT_FALSE(graph.realData);
  std::vector<int> degree(graph.numNodes);
  for (std::int64_t edge = 0; edge < graph.numEdges; ++edge)
    ++degree[graph.dst()[edge]];
  // 1,166,243 draws with the top probability 1 / 77.7 = 15,010, and its uniform share.
  int largest = std::ranges::max(degree);
  EXPECT_GT(largest, 14500);
  EXPECT_LT(largest, 15600);
}

TEST(Generator, features_are_never_zero) {
  GraphData graph = generateGraph(small());
  EXPECT_EQ(graph.x.size(), 4000u);
  for (float value : graph.x)
    ASSERT_TRUE(value != 0.0f && value > -1.0f && value < 1.0f) << value;
}

TEST(Generator, impossible_counts_are_refused) {
  GeneratorSpec spec = small();
  spec.edges = 7;
  EXPECT_THROW(generateGraph(spec), Failure);
  spec.edges = 2;
  spec.nodes = 1;
  EXPECT_THROW(generateGraph(spec), Failure);
  spec.edges = 0;
  EXPECT_EQ(generateGraph(spec).numEdges, 0);
}

TEST(GraphStream, sizes_differ_and_hold_the_hard_ones) {
  std::vector<GeneratorSpec> sizes = streamSizes({100, 200000, 128, 0});
  ASSERT_EQ(sizes.size(), 100u);
  std::set<std::pair<std::int64_t, std::int64_t>> counts;
  std::int64_t single = 0, largest = 0, withoutEdges = 0, small = 0;
  for (const GeneratorSpec &size : sizes) {
    counts.insert({size.nodes, size.edges});
    single += size.nodes == 1;
    largest += size.nodes == 200000;
    withoutEdges += size.edges == 0;
    small += size.nodes < 1000;
    EXPECT_TRUE(size.nodes >= 1 && size.nodes <= 200000) << size.nodes;
    EXPECT_TRUE(size.edges <= 15 * size.nodes && size.edges % 2 == 0) << size.edges;
  }
  EXPECT_EQ(counts.size(), 100u);
  EXPECT_EQ(single, 1);
  EXPECT_EQ(largest, 1);
  EXPECT_GE(withoutEdges, 12);
  EXPECT_GT(small, 30);
  EXPECT_NE(streamSizes({100, 200000, 128, 1})[0].nodes, sizes[0].nodes);
  EXPECT_THROW(streamSizes({0, 200000, 128, 0}), Failure);
  EXPECT_THROW(streamSizes({1, 1, 128, 0}), Failure);
}

} // namespace
