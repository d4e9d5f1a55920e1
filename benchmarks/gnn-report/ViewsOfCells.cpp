//===- ViewsOfCells.cpp - What each cell measured -------------------------===//
#include "benchmarks/gnn-report/Views.h"

#include "lib/Explain/Limits.h"

#include <array>

namespace gnnc::report {
namespace {

const std::array identity = {"machine", "device", "model", "shape", "system", "variant", "dtype"};

/// The forwards that have one of `needed`, in the order of the cases.
View selected(const Results &results, const char *name, const char *title, const char *says,
              std::vector<std::string> measured, const std::vector<std::string> &needed) {
  std::vector<std::string> columns(identity.begin(), identity.end());
  columns.insert(columns.end(), measured.begin(), measured.end());
  Table table(name, title, says, columns);
  for (const Case &group : results.cases)
    for (const Record *record : group.records) {
      bool has = false;
      for (const std::string &column : needed)
        has |= isKnown((*record)[column]);
      if (has)
        table.add(*record);
    }
  return table.view;
}

View memory(const Results &results) {
  std::vector<std::string> columns(identity.begin(), identity.end());
  for (const char *name : {"edges", "peak_mib", "peak_device_mib", "memory_percent"})
    columns.emplace_back(name);
  Table table("memory", "Peak memory",
              "A row for each cell: what its allocator held at most (docs/benchmarks.md says what "
              "counts), what the device says, and the share of eager gather/scatter's.",
              columns);
  for (const Case &group : results.cases) {
    const Record *eager = group.fastestEager("libtorch-eager");
    for (const Record *record : group.records) {
      auto peak = record->number("peak_mib");
      if (!peak && !record->number("peak_device_mib"))
        continue;
      Table::Values values;
      if (peak && eager && eager->number("peak_mib") > 0)
        values["memory_percent"] = real(*peak / *eager->number("peak_mib") * 100);
      table.add(*record, values);
    }
  }
  return table.view;
}

/// The lines under which the points of the roofline must lie, where limits are measured.
View rooflineLimits(const Results &results) {
  Table table("roofline-limits", "Limits of the machine",
              "Points of the lines in the roofline figure: what memory, cached rows and arithmetic "
              "allow at a number of operations a byte. Only for chips whose limits were measured.",
              {"machine", "device", "limit", "intensity", "gflop_per_s"});
  auto limits = explain::limitsOf("cuda", "sm_90");
  for (const Case &group : results.cases)
    if (limits && group.first().text("machine") == limits->of) {
      double exact = limits->gflopS, parts = limits->withProducts("fp32x3").gflopS;
      for (double intensity : {0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0}) {
        auto add = [&](const char *limit, double rate) {
          table.add(group.first(), {{"limit", Cell(limit)},
                                    {"intensity", real(intensity)},
                                    {"gflop_per_s", real(rate)}});
        };
        add("memory", std::min(limits->memoryGbS * intensity, parts));
        add("rows from cache", std::min(limits->cacheGbS * intensity, parts));
        add("fp32 arithmetic", exact);
        add("products of three parts", parts);
      }
      break;
    }
  return table.view;
}

} // namespace

Views viewsOfCells(const Results &results) {
  return {
      selected(results, "latency", "Latency", "A row for each cell that was timed.",
               {"median_ms", "q1_ms", "q3_ms", "min_ms", "mean_ms", "samples", "inner", "wall_ms"},
               {"median_ms"}),
      selected(results, "throughput", "Throughput",
               "A row for each cell that was timed: nodes and edges over the median.",
               {"edges", "nodes_per_s", "edges_per_s"}, {"median_ms"}),
      memory(results),
      selected(results, "roofline", "Roofline",
               "A row for each cell: what its model has to move and compute, the same for every "
               "system, over its median. Work that a system adds does not count.",
               {"bytes", "flops", "intensity", "gb_per_s", "gflop_per_s", "limit_percent"},
               {"gflop_per_s"}),
      rooflineLimits(results),
      selected(results, "kernels", "Kernels, captures and breaks",
               "A row for each cell that says how it ran: launches of a forward, cudaGraphs, "
               "graph breaks and recompilations of torch.compile.",
               {"kernels", "captures", "graph_breaks", "recompilations"},
               {"kernels", "captures", "graph_breaks", "recompilations"}),
      selected(
          results, "stability", "Stability",
          "A row for each cell that was timed: the spread of its samples, and the noise floor "
          "that --self-check found.",
          {"samples", "iqr_percent", "mean_percent", "min_ms", "median_ms", "noise_floor_percent"},
          {"median_ms"}),
      selected(results, "cells", "Every cell", "A row for each cell, well or not.",
               {"status", "nodes", "edges", "mode", "dynamic", "fixes", "median_ms", "q1_ms",
                "q3_ms", "first_ms", "compile_ms", "peak_mib", "max_rel_err", "in_bound",
                "test_accuracy", "commit", "source", "error"},
               {"status"})};
}

} // namespace gnnc::report
