//===- Npz.h - Sets of gnn-benchmark --------------------------------------===//
//
// Input: an .npz with adj_{data,indices,indptr,shape}, attr_{data,indices,indptr,shape} or
// attr_matrix, and labels where they are; other members are not looked at. Output: the
// graph with both directions of each edge, sorted, no self loops; features as stored. The
// values of adj_data are not read.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_NPZ_H
#define GNNC_BENCHMARKS_DATA_NPZ_H

#include "benchmarks/data/GraphData.h"

namespace gnnc::bench {

/// Throws Failure that names the file, the member and both values.
GraphData readNpz(const std::string &path, const std::string &name);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_NPZ_H
