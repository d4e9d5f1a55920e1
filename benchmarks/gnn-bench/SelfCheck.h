//===- SelfCheck.h - Every system beside itself: the noise floor ----------===//
//
// Input: the rows of systems that took turns with copies of themselves (A B A' B').
// Output: a row a system. What its two cells differ by is noise, for nothing else tells
// them apart; `gnn-bench compare` calls no smaller difference significant.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_SELFCHECK_H
#define GNNC_BENCHMARKS_GNN_BENCH_SELFCHECK_H

#include "benchmarks/gnn-bench/Row.h"

namespace gnnc::bench {

/// Folds row i and row i + half into one: the first one's, with the noise floor and the
/// worse of both errors. A copy that failed makes its system a failed one.
std::vector<Row> foldSelfCheck(const std::vector<Row> &rows);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_SELFCHECK_H
