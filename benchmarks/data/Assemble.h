//===- Assemble.h - Steps that readers of graphs share --------------------===//
//
// Input: what a reader found. Output: members of GraphData, in the form in which
// published sets are used; sizes that no memory holds are a Failure.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_ASSEMBLE_H
#define GNNC_BENCHMARKS_DATA_ASSEMBLE_H

#include "benchmarks/data/GraphData.h"

namespace gnnc::bench {

struct EdgeList {
  std::vector<std::int64_t> src, dst;
  void add(std::int64_t from, std::int64_t to) {
    src.push_back(from);
    dst.push_back(to);
  }
};

/// Sets the edges: sorted by (source, destination), none twice, without self loops;
/// `mirrored`: both directions of each. Ids must be in range.
void setSimpleEdges(GraphData &graph, const EdgeList &edges, bool mirrored);

/// Sets the edges as they are.
void setEdges(GraphData &graph, const EdgeList &edges);

/// Makes x zeros of numNodes x features; `path` is for the message.
void makeFeatures(GraphData &graph, std::int64_t features, const std::string &path);

/// numClasses: the largest label + 1, or `least` where that is more.
void countClasses(GraphData &graph, std::int64_t least = 0);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_ASSEMBLE_H
