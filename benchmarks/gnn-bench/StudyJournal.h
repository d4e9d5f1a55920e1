//===- StudyJournal.h - Rows that survive what happens to the program -----===//
//
// Input: rows, one at a time. Output: a file of JSON Lines in which each is on disk before
// the next cell begins. A file that a killed run left is read back, without the row that
// was cut short.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_STUDYJOURNAL_H
#define GNNC_BENCHMARKS_GNN_BENCH_STUDYJOURNAL_H

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gnnc::bench {

using Json = nlohmann::ordered_json;

class StudyJournal {
public:
  /// Opens the file for writing. Throws Failure when it cannot be written, when it has rows and
  /// `resume` is not set, and when a line in its middle is no row of a study.
  StudyJournal(const std::string &path, bool resume);
  ~StudyJournal();
  StudyJournal(const StudyJournal &) = delete;
  StudyJournal &operator=(const StudyJournal &) = delete;

  /// Those that the file had, and those added.
  const std::vector<Json> &rows() const { return known; }
  bool has(const std::string &cell) const;
  /// Returns when the row is on disk; throws Failure when it cannot be, the file as it was.
  void add(Json row);

private:
  void readRows();

  std::string path;
  int file = -1;
  std::vector<Json> known;
};

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_STUDYJOURNAL_H
