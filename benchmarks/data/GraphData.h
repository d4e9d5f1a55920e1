//===- GraphData.h - One graph with its features in host memory -----------===//
//
// Input: a graph file (docs/formats.md) or the generator. Output: plain arrays
// that every system of a benchmark gets alike. No LibTorch, no runtime.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_GRAPHDATA_H
#define GNNC_BENCHMARKS_DATA_GRAPHDATA_H

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace gnnc::bench {

/// What the user gave is wrong or the work failed: one line, exit code 1.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct GraphData {
  std::string name;
  bool realData = false;
  std::int64_t numNodes = 0, numEdges = 0, numFeatures = 0;
  std::int64_t numClasses = 0;           ///< 0: not known
  std::vector<std::int64_t> edgeIndex;   ///< [2, numEdges]: sources, then destinations
  std::vector<float> edgeWeight;         ///< [numEdges], or empty
  std::vector<float> x;                  ///< [numNodes, numFeatures], row-major
  std::vector<std::int64_t> y;           ///< [numNodes], or empty
  std::vector<std::int64_t> batch;       ///< [numNodes], the graph of each node, or empty
  std::vector<std::int64_t> graphLabels; ///< one a graph, or empty
  std::vector<std::uint8_t> trainMask, valMask, testMask; ///< [numNodes], or empty

  const std::int64_t *src() const { return edgeIndex.data(); }
  const std::int64_t *dst() const { return edgeIndex.data() + numEdges; }
};

/// Reads a graph file. Features given as CSR become dense. Throws Failure with
/// the file, the tensor and both values when a shape or an index is wrong.
GraphData readGraph(const std::string &path);

/// Writes a graph file (edge_index as I32 above 200,000 edges); throws Failure.
void writeGraph(const std::string &path, const GraphData &graph);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_GRAPHDATA_H
