//===- StudyRun.h - Run the cells of a study ------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_STUDYRUN_H
#define GNNC_BENCHMARKS_GNN_BENCH_STUDYRUN_H

#include "benchmarks/gnn-bench/StudyMatrix.h"

namespace gnnc::bench {

/// Runs what has no row yet; prints progress to standard error. Returns the exit code; throws
/// Failure.
int runStudy(const StudyOptions &options);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_STUDYRUN_H
