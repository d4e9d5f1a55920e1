//===- TuSet.h - Sets of many small graphs --------------------------------===//
//
// Input: a set in TU Dortmund's form (NAME_A.txt, NAME_graph_indicator.txt and others) or
// in the text form of one file (graph count; for each graph "nodes label"; for each node
// "tag degree neighbour ..."). Output: all graphs as one graph of separate parts.
//
// Features: node attributes as they are, then a column for each node label that
// occurs, in rising order, 1 where the node has it. Graph labels become classes in rising
// order. Labels and attributes of edges are not read.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_TUSET_H
#define GNNC_BENCHMARKS_DATA_TUSET_H

#include "benchmarks/data/GraphData.h"

namespace gnnc::bench {

/// NAME_*.txt of `folder`, ids counted from 1. Throws Failure.
GraphData readTuSet(const std::string &folder, const std::string &name);

/// One file, neighbours counted from 0 in each graph; both directions are stored. Throws Failure.
GraphData readGraphText(const std::string &path, const std::string &name);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_TUSET_H
