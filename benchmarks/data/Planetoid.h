//===- Planetoid.h - Cora, CiteSeer and PubMed as they were published -----===//
//
// Input: ind.NAME.{tx,allx,y,ty,ally,graph,test.index} of one folder, pickles but for
// the last. Output: the graph with both directions of each edge and the standard split
// (as many training nodes as y has rows, the next 500 for validation).
//
// Node ids: the rows of allx, then the test ids, which come in any order. Ids that
// test.index skips (CiteSeer) are nodes with zero features and class 0 in no mask.
// Without allx the features of most nodes are unknown, and none are given.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_PLANETOID_H
#define GNNC_BENCHMARKS_DATA_PLANETOID_H

#include "benchmarks/data/GraphData.h"

namespace gnnc::bench {

/// Throws Failure that names the file, the place and both values.
GraphData readPlanetoid(const std::string &folder, const std::string &name);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_PLANETOID_H
