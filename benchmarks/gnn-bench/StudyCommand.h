//===- StudyCommand.h - gnn-bench study -----------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_STUDYCOMMAND_H
#define GNNC_BENCHMARKS_GNN_BENCH_STUDYCOMMAND_H

namespace gnnc::bench {

/// Measures the whole matrix, a process for each group of cells. `argv[0]` is "study". Exit code: 0
/// every cell has a row and none of gnnc's failed, 1 the input is wrong or one failed, 2 wrong
/// usage, 3 cells are left.
int runStudyCommand(int argc, char **argv);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_STUDYCOMMAND_H
