//===- StudyRow.h - What a study adds to the rows of its cells ------------===//
//
// Input: a cell, and the row that its program wrote or how it ended instead. Output: a row
// with every member of a study (docs/benchmarks.md).
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_STUDYROW_H
#define GNNC_BENCHMARKS_GNN_BENCH_STUDYROW_H

#include "benchmarks/gnn-bench/StudyChild.h"
#include "benchmarks/gnn-bench/StudyJournal.h"
#include "benchmarks/gnn-bench/StudyMatrix.h"

namespace gnnc::bench {

struct Ending {
  std::string status, error;
};

/// Why a program that wrote no rows did not; `program` is its name in messages.
Ending endingOf(const ChildResult &result, const std::string &program, double timeout);

/// The row of a cell that has none of its own.
Json rowWithoutResult(const StudyOptions &options, const StudyCell &cell, const Ending &ending);

/// Adds the members of a study to a row of gnn-bench or of a peer.
Json studyRow(const StudyOptions &options, const StudyCell &cell, Json row,
              const std::string &started);

/// Gives a peer's row what it does not know and a row of gnn-bench on the same edges does:
/// commit, checksum of the graph, machine.
void fillFromSameInputs(Json &row, const std::vector<Json> &rows);

/// Sets break_even_runs of `row` from the rows of the file.
void fillBreakEven(Json &row, const std::vector<Json> &rows);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_STUDYROW_H
