//===- EdgeReferenceTest.cpp - Two float64 references agree ---------------===//
#include "benchmarks/eager/EagerModel.h"
#include "benchmarks/eager/EdgeChunks.h"
#include "benchmarks/eager/EdgeLoops.h"

#include <gtest/gtest.h>

using namespace gnnc::bench;

namespace {

/// A graph and how many numbers the messages of a chunk may have.
struct Shape {
  std::int64_t nodes, edges, mostValues;
  bool isWeighted;
};

class EdgeReferences : public testing::TestWithParam<Shape> {
protected:
  void SetUp() override {
    torch::manual_seed(GetParam().edges);
    graph.numNodes = GetParam().nodes;
    auto ends = [&] {
      // The last node has no edges.
      return at::randint(std::max<std::int64_t>(1, graph.numNodes - 1), {GetParam().edges},
                         at::kLong);
    };
    graph.src = ends();
    graph.dst = ends();
    if (GetParam().isWeighted)
      graph.weight = at::randn({GetParam().edges}, at::kDouble);
    loops = std::make_unique<EdgeLoops>(graph);
    chunks = std::make_unique<EdgeChunks>(graph, GetParam().mostValues);
  }

  at::Tensor random(at::IntArrayRef shape) const { return at::randn(shape, at::kDouble); }

  template <class Function>
  void expectEqual(Function function) const {
    EXPECT_LE(maxRelativeError(function(*chunks), function(*loops)), 1e-13);
  }

  GraphTensors graph;
  std::unique_ptr<EdgeReference> loops, chunks;
};

TEST_P(EdgeReferences, sum) {
  at::Tensor h = random({graph.numNodes, 5});
  expectEqual([&](const EdgeReference &edges) { return edges.sum(h); });
}

TEST_P(EdgeReferences, extreme) {
  at::Tensor h = random({graph.numNodes, 5});
  for (bool isMax : {true, false})
    expectEqual([&](const EdgeReference &edges) { return edges.extreme(h, isMax); });
}

TEST_P(EdgeReferences, extreme_of_nan) {
  at::Tensor h = random({graph.numNodes, 5});
  if (graph.src.numel() > 0)
    h[graph.src[0]][2] = std::nan("");
  for (bool isMax : {true, false})
    expectEqual([&](const EdgeReference &edges) { return edges.extreme(h, isMax); });
}

TEST_P(EdgeReferences, attention) {
  at::Tensor left = random({graph.numNodes, 2, 3}), right = random({graph.numNodes, 2, 3});
  at::Tensor vector = random({1, 2, 3}), scores = 100 * random({graph.src.numel(), 2});
  expectEqual([&](const EdgeReference &edges) { return edges.attend(left, scores); });
  expectEqual(
      [&](const EdgeReference &edges) { return edges.pairScores(left, right, vector, 0.2); });
}

INSTANTIATE_TEST_SUITE_P(Graphs, EdgeReferences,
                         testing::Values(Shape{20, 100, 1 << 20, false}, Shape{20, 100, 1, true},
                                         Shape{20, 1000, 70, true}, Shape{3, 0, 70, false},
                                         Shape{1, 5, 7, false}));

} // namespace
