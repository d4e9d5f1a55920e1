//===- Workbook.h - A report as a workbook --------------------------------===//
//
// Input: a report. Output: an .xlsx file with a sheet for each view and one of charts that
// refer to them.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_REPORT_WORKBOOK_H
#define GNNC_BENCHMARKS_GNN_REPORT_WORKBOOK_H

#include "benchmarks/gnn-report/View.h"

namespace gnnc::report {

/// Throws bench::Failure; what was at `path` is then as it was.
void writeWorkbook(const Report &report, const std::string &path);

} // namespace gnnc::report

#endif // GNNC_BENCHMARKS_GNN_REPORT_WORKBOOK_H
