//===- ViewsOfCosts.cpp - Compiling, and when it pays ---------------------===//
//
// What a system spends before its first output is over: an eager one little, gnnc its
// compiler and binding the graph, torch.compile its first call. From then on a run costs
// the median.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/gnn-report/Views.h"

#include <array>
#include <cmath>

namespace gnnc::report {
namespace {

View compiling(const Results &results) {
  Table table("compile-time", "Compile time and first calls",
              "A row for each cell that compiles: gnnc's compiler before the first call, "
              "torch.compile in it. Empty where the artefact was compiled beforehand.",
              {"machine", "device", "model", "shape", "system", "variant", "compile_ms", "first_ms",
               "second_ms", "first_minus_second_ms", "set_up_ms", "median_ms", "recompilations"});
  for (const Case &group : results.cases)
    for (const Record *record : group.records)
      if (record->text("mode") != "eager" && record->number("first_ms"))
        table.add(*record);
  return table.view;
}

View graphWork(const Results &results) {
  Table table(
      "graph-work", "Work on the graph alone",
      "A row for each cell that does it once: what it takes, and after how many forwards it "
      "is won back against eager gather/scatter that does it each time.",
      {"machine", "device", "model", "shape", "system", "variant", "prepare_ms", "pays_after",
       "median_ms"});
  for (const Case &group : results.cases)
    for (const Record *record : group.records)
      if (record->number("prepare_ms"))
        table.add(*record);
  return table.view;
}

/// What a cell has spent after `runs`; nothing if what precedes the first is not known.
std::optional<double> spent(const Record &record, double runs) {
  auto setUp = record.number("set_up_ms");
  if (!setUp || !record.isWell())
    return std::nullopt;
  double second = runs >= 2 ? record.number("second_ms").value_or(record.median()) : 0;
  return *setUp + second + std::max(runs - 2, 0.0) * record.median();
}

bool isCompiled(const Record &record) {
  return record.text("system") == "gnnc" || record.text("system") == "pyg-compile";
}

/// Runs after which `record` has spent less than `eager`: 1 if from the first.
std::optional<double> breakEven(const Record &record, const Record &eager) {
  auto mine = spent(record, 2), theirs = spent(eager, 2);
  if (!mine || !theirs)
    return std::nullopt;
  if (*spent(record, 1) <= *spent(eager, 1) && record.median() <= eager.median())
    return 1;
  double won = eager.median() - record.median();
  if (won <= 0)
    return std::nullopt;
  return std::max(1.0, 2 + std::ceil((*mine - *theirs) / won));
}

constexpr std::array eagerSystems = {"libtorch-eager", "libtorch-csr", "pyg-eager", "dgl"};

View breakEvens(const Results &results) {
  Table table(
      "break-even", "Break-even",
      "A row for each cell that compiles and each eager peer: the runs after which compiling "
      "and running took less than the peer, which also sets up. Empty: never, or the time "
      "to compile is not known.",
      {"machine", "device", "model", "shape", "case", "system", "variant", "peer", "compile_ms",
       "set_up_ms", "median_ms", "peer_ms", "break_even_runs"});
  for (const Case &group : results.cases)
    for (const Record *record : group.records)
      if (isCompiled(*record) && record->isWell())
        for (const char *system : eagerSystems)
          if (const Record *peer = group.fastestEager(system))
            table.add(*record, {{"peer", Cell(system)},
                                {"peer_ms", real(peer->median())},
                                {"break_even_runs", real(breakEven(*record, *peer))}});
  return table.view;
}

/// Points of curves: after n runs, the time spent over that of an eager peer.
View breakEvenCurves(const Results &results) {
  Table table(
      "break-even-curves", "Time spent after so many runs",
      "Points of the break-even curves: what compiling, the first call and the runs after it "
      "took, over what eager gather/scatter took for as many runs.",
      {"machine", "device", "model", "shape", "case", "system", "peer", "runs", "total_time_ms",
       "time_ratio"});
  for (const Case &group : results.cases) {
    const Record *eager = group.fastestEager("libtorch-eager");
    if (!eager)
      eager = group.fastestEager("pyg-eager");
    for (const std::string &system : group.systems()) {
      const Record *record = group.fastest(system);
      if (!eager || !record || record == eager || !spent(*record, 1) || !spent(*eager, 1))
        continue;
      for (std::int64_t runs = 1; runs <= 1000000; runs *= 10)
        for (std::int64_t step : {1, 2, 5}) {
          auto many = static_cast<double>(runs * step);
          double mine = *spent(*record, many);
          table.add(*record, {{"peer", (*eager)["system"]},
                              {"runs", runs * step},
                              {"total_time_ms", real(mine)},
                              {"time_ratio", real(mine / *spent(*eager, many))}});
          if (runs == 1000000)
            break;
        }
    }
  }
  return table.view;
}

} // namespace

Views viewsOfCosts(const Results &results) {
  return {compiling(results), graphWork(results), breakEvens(results), breakEvenCurves(results)};
}

} // namespace gnnc::report
