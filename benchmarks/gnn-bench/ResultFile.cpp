//===- ResultFile.cpp - Rows of results, read back ------------------------===//
#include "benchmarks/gnn-bench/ResultFile.h"

#include "benchmarks/gnn-bench/RowMembers.h"

namespace gnnc::bench {
namespace {

std::optional<Latency> latencyOf(const Members &row) {
  auto members = row.object("latency_ms");
  if (!members)
    return std::nullopt;
  auto q1 = members->number("q1"), median = members->number("median"), q3 = members->number("q3");
  auto n = members->count("n");
  if (!q1 || !median || !q3 || !n)
    row.damaged("'latency_ms' lacks one of 'q1', 'median', 'q3', 'n'");
  if (!(*q1 <= *median && *median <= *q3) || *median <= 0 || *n == 0)
    row.damaged("'latency_ms' has no quartiles of samples: 'q1', 'median', 'q3' must rise, "
                "'median' and 'n' be above 0");
  return Latency{*q1, *median, *q3, *n};
}

ResultRow rowOf(const Members &members) {
  ResultRow row;
  row.system = members.neededText("system");
  row.model = members.neededText("model");
  row.data = members.neededText("data");
  row.device = members.neededText("device");
  row.dtype = members.text("dtype");
  row.mode = members.text("mode");
  row.dynamic = members.text("dynamic");
  row.fixes = members.boolean("fixes");
  row.nodes = members.count("nodes");
  row.edges = members.count("edges");
  row.flops = members.number("flops");
  std::optional<bool> ok = members.boolean("ok");
  if (!ok)
    members.damaged("has no 'ok'; is it a row of gnn-bench?");
  row.ok = *ok;
  row.error = members.text("error");
  row.inBound = members.boolean("in_bound");
  row.latency = latencyOf(members);
  row.peakMib = members.number("peak_mib");
  row.noiseFloor = members.number("noise_floor");
  row.machine = machineOf(members, row.device);
  row.commit = members.text("commit");
  return row;
}

} // namespace

std::vector<ResultRow> readResults(const std::string &path) {
  std::vector<ResultRow> rows;
  forEachRow(path, [&](const Members &members, std::size_t line) {
    rows.push_back(rowOf(members));
    rows.back().line = line;
  });
  return rows;
}

} // namespace gnnc::bench
