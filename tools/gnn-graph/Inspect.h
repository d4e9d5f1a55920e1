//===- Inspect.h - Facts about a graph ------------------------------------===//
//
// Input: a graph file whose ids are sound. Output: counts that decide how a
// program runs on it, as text or JSON.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TOOLS_GNN_GRAPH_INSPECT_H
#define GNNC_TOOLS_GNN_GRAPH_INSPECT_H

#include "tools/graph/GraphFile.h"

namespace gnnc::tools {

struct GraphFacts {
  std::int64_t selfLoops = 0, duplicates = 0, isolated = 0;
  std::int64_t maxIn = 0, maxOut = 0;
  double meanDegree = 0;
  bool sortedBySource = true, sortedByDestination = true, symmetric = false;
  /// Nodes by in-degree: 0, 1, 2-3, 4-7, ... (bucket i from 2^(i-1)).
  std::vector<std::int64_t> histogram;
};

GraphFacts inspect(const GraphFile &graph);
std::string textOf(const GraphFile &graph, const GraphFacts &facts);
std::string jsonOf(const GraphFile &graph, const GraphFacts &facts);

} // namespace gnnc::tools

#endif // GNNC_TOOLS_GNN_GRAPH_INSPECT_H
