//===- ReportFiles.h - The files of a report ------------------------------===//
//
// Input: a report. Output: a folder of files, each whole or not there.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_REPORT_REPORTFILES_H
#define GNNC_BENCHMARKS_GNN_REPORT_REPORTFILES_H

#include "benchmarks/gnn-report/View.h"

namespace gnnc::report {

struct ReportOptions {
  std::string folder;
  std::vector<std::string> formats; ///< of allFormats
};

std::vector<std::string> allFormats();
std::string formatList();

/// The single files that `write` would write, for the check that none of them is read.
std::vector<std::string> filesOf(const ReportOptions &options);

/// Returns the paths of what it wrote: files, and the folder of the views. Throws
/// bench::Failure.
std::vector<std::string> write(const Report &report, const ReportOptions &options);

} // namespace gnnc::report

#endif // GNNC_BENCHMARKS_GNN_REPORT_REPORTFILES_H
