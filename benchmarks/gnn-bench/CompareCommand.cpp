//===- CompareCommand.cpp - gnn-bench compare -----------------------------===//
#include "benchmarks/data/GraphData.h"
#include "benchmarks/gnn-bench/Compare.h"
#include "tools/CommandLine.h"

#include <algorithm>

namespace gnnc::bench {

static const char *const examples =
    "examples:\n"
    "  gnn-bench compare before.jsonl after.jsonl\n"
    "  gnn-bench compare --json before.jsonl after.jsonl\n"
    "\nA cell is slower or faster when its quartiles are apart and the medians differ by more than "
    "three standard errors and the floors.\n"
    "exit codes: 0 nothing is worse, 1 a cell is slower, fails or is over its error bound, 2 wrong "
    "usage, or files that cannot be read or compared";

int runCompare(int argc, char **argv) {
  CLI::App app(
      "Say which cells of a benchmark became faster or slower beyond noise, fail, appeared "
      "or vanished between two files of rows.",
      "gnn-bench compare");
  app.footer(examples);
  std::string before, after;
  CompareRule rule;
  bool json = false, all = false;
  app.add_option("A", before, "Rows of the earlier run (JSON Lines)")->required();
  app.add_option("B", after, "Rows of the later run")->required();
  app.add_option("--floor-percent", rule.floorPercent, "Changes of less than this are noise")
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  app.add_option("--floor-us", rule.floorUs, "Changes of fewer microseconds are noise")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
  app.add_flag("--force", rule.acrossMachines, "Also compare rows of different machines");
  app.add_flag("--all", all, "Also show the cells in which nothing changed");
  app.add_flag("--json", json, "Print one JSON object, with every cell, in place of the table");
  if (auto code = tools::parseCommandLine(app, argc, argv))
    return *code;
  try {
    std::vector<ResultRow> rowsBefore = readResults(before), rowsAfter = readResults(after);
    std::vector<Comparison> cells = compare(rowsBefore, rowsAfter, rule);
    std::string text = json ? comparisonJson(cells, rule) : comparisonTable(cells, all);
    std::fputs(text.c_str(), stdout);
    return std::ranges::any_of(cells, [](const Comparison &cell) { return isWorse(cell.verdict); })
               ? 1
               : 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "gnn-bench compare: %s\n", error.what());
    return 2;
  }
}

} // namespace gnnc::bench
