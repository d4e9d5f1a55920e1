//===- gnn-report.cpp - Rows of results as something to look at -----------===//
//
// Input: files of rows (JSON Lines). Output: a folder with every view as CSV, and all of
// them as JSON.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/gnn-report/ReportFiles.h"
#include "benchmarks/gnn-report/Views.h"
#include "tools/CommandLine.h"

using namespace gnnc;

static const char *const examples =
    "examples:\n"
    "  gnn-report benchmarks/results/gpu.jsonl -o report\n"
    "  gnn-report rows.jsonl more.jsonl -o report --formats csv,json\n"
    "\nexit codes: 0 done, 1 a file cannot be read or written or a row is damaged (named), 2 wrong "
    "usage";

int main(int argc, char **argv) {
  CLI::App app("Make a report of benchmark rows: tables by model, data set, mode and more.",
               "gnn-report");
  app.footer(examples);
  std::vector<std::string> rows;
  report::ReportOptions options;
  std::string title = "gnnc benchmarks";
  app.add_option("ROWS", rows, "Files of rows (JSON Lines), as gnn-bench and its peers write them")
      ->required();
  app.add_option("-o,--output", options.folder, "Folder to write to; made if it is not there")
      ->required();
  app.add_option("--formats", options.formats, "What to write, of " + report::formatList())
      ->delimiter(',')
      ->check(CLI::IsMember(report::allFormats()))
      ->default_str(report::formatList());
  app.add_option("--title", title, "Heading of the report")->capture_default_str();
  if (auto code = tools::parseCommandLine(app, argc, argv))
    return *code;
  if (options.formats.empty())
    options.formats = report::allFormats();
  if (auto code = tools::refuseOverwriting("gnn-report", rows, report::filesOf(options)))
    return *code;
  try {
    report::Report made = report::makeReport(rows, title);
    for (const std::string &path : report::write(made, options))
      std::printf("%s\n", path.c_str());
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "gnn-report: %s\n", error.what());
    return 1;
  }
}
