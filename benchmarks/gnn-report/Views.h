//===- Views.h - The views of a report ------------------------------------===//
//
// Input: rows in cases. Output: every table of a report, in the order in which it shows
// them. Each function makes some, about one question.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_REPORT_VIEWS_H
#define GNNC_BENCHMARKS_GNN_REPORT_VIEWS_H

#include "benchmarks/gnn-report/Results.h"

namespace gnnc::report {

/// Rows of a view by names of Fields.h; what is not given is unknown.
class Table {
public:
  using Values = std::map<std::string, Cell, std::less<>>;

  Table(std::string name, std::string title, std::string says,
        const std::vector<std::string> &columns);
  void add(const Values &values);
  /// Cells of the record, and `values` in place of or beside them.
  void add(const Record &record, const Values &values = {});

  View view;
};

using Views = std::vector<View>;

Views viewsOfCases(const Results &results);   ///< who is fastest, by how much
Views viewsOfGroups(const Results &results);  ///< the same by model, data set, system
Views viewsOfOptions(const Results &results); ///< modes, dynamic, fixes, element types
Views viewsOfCells(const Results &results);   ///< what each cell measured
Views viewsOfCosts(const Results &results);   ///< compiling, and when it pays
Views viewsOfTrust(const Results &results);   ///< failures, errors, fairness, machines
Views viewsOfSuites(const Results &results);  ///< streams, sums over edges, tuned kernels

/// The report of these files; throws like readAll.
Report makeReport(const std::vector<std::string> &paths, const std::string &title);

/// Of positive numbers; nothing if there are none.
std::optional<double> geomean(const std::vector<double> &values);

} // namespace gnnc::report

#endif // GNNC_BENCHMARKS_GNN_REPORT_VIEWS_H
