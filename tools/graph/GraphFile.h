//===- GraphFile.h - Graphs in files --------------------------------------===//
//
// Input: a graph file: safetensors (.safetensors, .safetensors.gz), an edge list
// (.txt, .el, with .gz) or Matrix Market (.mtx, with .gz). Output: its tensors,
// whatever the format, and the node count; docs/formats.md describes them.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TOOLS_GRAPH_GRAPHFILE_H
#define GNNC_TOOLS_GRAPH_GRAPHFILE_H

#include "runtime/format/SafeTensors.h"

namespace gnnc::tools {

struct GraphFile {
  std::string path;
  format::TensorFile file;
  /// Counts of nodes; one set of nodes has the same count at both ends.
  std::int64_t sources = 0, destinations = 0, edges = 0;
  /// Sources and destinations are different nodes, whatever their counts.
  bool isBipartite = false;

  /// All nodes there are.
  std::int64_t nodes() const { return isBipartite ? sources + destinations : sources; }
  /// "5 nodes, 3 edges", for people.
  std::string counts() const;

  const format::Tensor &edgeIndex() const { return *file.find("edge_index"); }
  format::DType indexType() const { return edgeIndex().dtype; }
  /// Source (0) or destination (1) of an edge.
  std::int64_t id(int end, std::int64_t edge) const {
    std::int64_t at = end * edges + edge;
    return indexType() == format::DType::I32 ? edgeIndex().as<std::int32_t>()[at]
                                             : edgeIndex().as<std::int64_t>()[at];
  }
};

/// Reads a graph by its file's extension. Checks shapes and that all that gives a
/// count of nodes at an end gives the same one; ids are not looked at. On failure returns false
/// and sets `error` to one line with the path and, for text, the line.
bool readGraph(const std::string &path, GraphFile &graph, std::string &error);

/// The first edge with an id out of range as one line; false if all are sound.
bool findBadEdge(const GraphFile &graph, std::string &what);

/// Writes by extension. Edge lists and Matrix Market keep edges and edge_weight; edge
/// lists have one set of nodes.
bool writeGraph(const std::string &path, const GraphFile &graph, std::string &error);

/// True if the extension is one whose format keeps all tensors.
bool keepsAllTensors(const std::string &path);

/// The names under which metadata gives counts of nodes.
inline constexpr const char *kNumNodes = "num_nodes", *kNumSources = "num_src_nodes",
                            *kNumDestinations = "num_dst_nodes";

/// The dense F32 [nodes, features] tensor `x`, from `x` or from x_indptr,
/// x_indices, x_values (metadata num_features, else the largest index, gives the
/// width). `features` wins over both when it is not negative.
bool denseFeatures(const GraphFile &graph, std::int64_t features, format::Tensor &x,
                   std::string &error);

/// Allocates a tensor; false with one line if there is not enough memory.
bool allocateTensor(std::string name, format::DType dtype, std::vector<std::int64_t> shape,
                    format::Tensor &tensor, std::string &error);

} // namespace gnnc::tools

#endif // GNNC_TOOLS_GRAPH_GRAPHFILE_H
