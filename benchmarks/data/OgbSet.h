//===- OgbSet.h - Sets of OGB as they are downloaded ----------------------===//
//
// Input: the folder raw (edge.csv.gz, num-node-list.csv.gz, and node-feat.csv.gz,
// node-label.csv.gz where they are) of one graph with one type of nodes, and the folder
// split beside it. Output: the graph; sets whose edges OGB itself completes have both
// directions, edge after edge, the others those of the file. Weights of edges are not read.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_OGBSET_H
#define GNNC_BENCHMARKS_DATA_OGBSET_H

#include "benchmarks/data/GraphData.h"

namespace gnnc::bench {

/// Throws Failure that names the file, the line and both values; heterogeneous sets and
/// sets of many graphs are refused.
GraphData readOgbSet(const std::string &rawFolder);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_OGBSET_H
