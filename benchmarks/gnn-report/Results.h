//===- Results.h - Rows of results, grouped for a report ------------------===//
//
// Input: files of rows (docs/benchmarks.md), also of older programs and of peers. Output:
// records with what follows from a row alone, and the cases in which systems are compared.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_REPORT_RESULTS_H
#define GNNC_BENCHMARKS_GNN_REPORT_RESULTS_H

#include "benchmarks/gnn-report/View.h"

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

namespace gnnc::report {

/// One row: cells by the names of Fields.h.
class Record {
public:
  std::map<std::string, Cell, std::less<>> cells;
  std::vector<std::string> order; ///< systems in the order of a round
  nlohmann::json env;             ///< object or null

  const Cell &operator[](const std::string &name) const;
  std::string text(const std::string &name) const;             ///< empty: unknown
  std::optional<double> number(const std::string &name) const; ///< also of a count
  std::optional<bool> isTrue(const std::string &name) const;

  /// Ran, is in its bound as far as known, and was timed.
  bool isWell() const { return text("status") == "ok" && number("median_ms"); }
  double median() const { return *number("median_ms"); } ///< of one that is well
};

/// One model of one width on one graph, type and machine: what systems are compared in.
struct Case {
  std::string model, shape; ///< shape: the data set, and what tells two cases of it apart
  std::vector<const Record *> records;

  /// Of a system (empty: of any but gnnc), the record with the least median that is well;
  /// null if there is none.
  const Record *fastest(const std::string &system) const;
  /// Likewise with one `fixes`, in mode eager.
  const Record *fastestEager(const std::string &system) const;
  /// Any record of the system; null: it was not run.
  const Record *any(const std::string &system) const;
  const Record &first() const { return *records.front(); }
  std::vector<std::string> systems() const; ///< in the order of `systemOrder`
};

struct Results {
  std::vector<Source> sources;
  std::vector<std::unique_ptr<Record>> all; ///< owns; in the order of the files
  std::vector<const Record *> forwards;     ///< timed forwards of models
  std::vector<const Record *> streams, sums, tuned;
  std::vector<Case> cases;  ///< of the forwards: by machine, model, edges
  std::size_t replaced = 0; ///< rows of a cell that a later row has too; not in any list
};

/// Throws bench::Failure that names the file and the line when a row is damaged, and when
/// a file has none.
Results readAll(const std::vector<std::string> &paths);

/// gnnc first, then its peers as the documents have them, then others.
int systemRank(const std::string &system);

/// `default, dynamic true, no fixes`.
std::string variantOf(const Record &record);

} // namespace gnnc::report

#endif // GNNC_BENCHMARKS_GNN_REPORT_RESULTS_H
