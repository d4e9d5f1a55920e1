//===- ViewsOfSuites.cpp - Streams, sums over edges, tuned kernels --------===//
#include "benchmarks/gnn-report/Views.h"

#include <algorithm>
#include <cstdlib>

namespace gnnc::report {
namespace {

View streams(const Results &results) {
  Table table(
      "stream", "A stream of graphs",
      "A row for each model, system and `dynamic`: graphs of many sizes one after the other, "
      "compiling included, then all of them once more.",
      {"machine",        "device",
       "model",          "system",
       "mode",           "dynamic",
       "variant",        "status",
       "graphs",         "failed_graphs",
       "total_ms",       "spent_ms",
       "first_ms",       "slowest_after_first_ms",
       "second_pass_ms", "second_pass_slowest_ms",
       "compilations",   "recompilations",
       "max_rel_err",    "in_bound",
       "error"});
  for (const Record *record : results.streams)
    table.add(*record);
  return table.view;
}

View streamCaches(const Results &results) {
  Table table(
      "stream-caches", "A stream of graphs: caches, guards, memory",
      "A row for each stream: how shapes hit the cache, what guards refused, what became of "
      "cudaGraphs, and what was allocated.",
      {"machine", "device", "model", "system", "variant", "compilations", "compile_ms",
       "cache_hits", "cache_misses", "evictions", "guard_failures", "rebinds", "captures",
       "updates", "update_us", "slowest_update_us", "failed_updates", "allocations",
       "allocations_after_largest"});
  for (const Record *record : results.streams)
    table.add(*record);
  return table.view;
}

/// `spmm-weighted-64` is the product with a value an edge, of 64 features.
std::pair<std::string, std::int64_t> productOf(const Record &record) {
  std::string model = record.text("model");
  std::size_t dash = model.rfind('-');
  std::string width = dash == std::string::npos ? "" : model.substr(dash + 1);
  bool isWidth = !width.empty() && width.size() < 10 &&
                 width.find_first_not_of("0123456789") == std::string::npos;
  return {model.starts_with("spmm-weighted") ? "weighted" : "sum",
          isWidth ? std::strtoll(width.c_str(), nullptr, 10) : 0};
}

using SumCell = std::vector<const Record *>;

/// Rows of one graph and product, in the order of the files.
std::vector<SumCell> sumCells(const Results &results) {
  std::map<std::string, std::size_t> places;
  std::vector<SumCell> cells;
  for (const Record *record : results.sums) {
    std::string key = record->text("machine");
    for (const char *name : {"data", "model", "edges", "dtype"})
      key += '\x1f' + asText((*record)[name]);
    auto [place, isNew] = places.try_emplace(key, cells.size());
    if (isNew)
      cells.emplace_back();
    cells[place->second].push_back(record);
  }
  return cells;
}

const Record *fastestOf(const SumCell &cell, bool isOurs) {
  const Record *best = nullptr;
  for (const Record *record : cell)
    if ((record->text("system") == "gnnc") == isOurs && record->isWell() &&
        (!best || record->median() < best->median()))
      best = record;
  return best;
}

View sums(const Results &results) {
  Table table("spmm", "Sums over edges beside the sparse library",
              "A row for each graph, product and width: gnnc's kernel and the fastest algorithm of "
              "the library, preprocessing not counted.",
              {"machine", "device", "data", "nodes", "edges", "product", "width", "gnnc_ms", "peer",
               "algorithm", "peer_ms", "speed_up", "limit_percent", "gb_per_s", "max_rel_err"});
  for (const SumCell &cell : sumCells(results)) {
    const Record *ours = fastestOf(cell, true), *peer = fastestOf(cell, false);
    auto [product, width] = productOf(*cell.front());
    Table::Values values = {{"product", product}, {"width", width}};
    for (const char *name : {"limit_percent", "gb_per_s", "max_rel_err"})
      values[name] = ours ? (*ours)[name] : Cell();
    if (ours)
      values["gnnc_ms"] = real(ours->median());
    if (peer) {
      values["peer"] = (*peer)["system"];
      values["algorithm"] = (*peer)["mode"];
      values["peer_ms"] = real(peer->median());
    }
    if (ours && peer)
      values["speed_up"] = real(peer->median() / ours->median());
    table.add(*cell.front(), values);
  }
  return table.view;
}

View sumSummary(const Results &results) {
  Table table(
      "spmm-summary", "Sums over edges in one number",
      "A row for each graph and product: the geometric mean over the widths of the speed-up "
      "against the library's fastest algorithm.",
      {"machine", "device", "data", "edges", "product", "cases", "geomean", "least", "most"});
  std::vector<std::pair<const Record *, std::vector<double>>> groups;
  std::map<std::string, std::size_t> places;
  for (const SumCell &cell : sumCells(results)) {
    const Record &first = *cell.front();
    std::string key = first.text("machine") + '\x1f' + first.text("data") + '\x1f' +
                      asText(first["edges"]) + '\x1f' + productOf(first).first;
    auto [place, isNew] = places.try_emplace(key, groups.size());
    if (isNew)
      groups.push_back({&first, {}});
    const Record *ours = fastestOf(cell, true), *peer = fastestOf(cell, false);
    if (ours && peer)
      groups[place->second].second.push_back(peer->median() / ours->median());
  }
  for (const auto &[first, ratios] : groups)
    if (!ratios.empty())
      table.add(*first, {{"product", productOf(*first).first},
                         {"cases", static_cast<std::int64_t>(ratios.size())},
                         {"geomean", real(geomean(ratios))},
                         {"least", real(std::ranges::min(ratios))},
                         {"most", real(std::ranges::max(ratios))}});
  return table.view;
}

View sumAlgorithms(const Results &results) {
  Table table("spmm-algorithms", "Sums over edges, every algorithm",
              "A row for each graph, product, width and algorithm.",
              {"machine", "device", "data", "edges", "product", "width", "system", "mode", "status",
               "median_ms", "q1_ms", "q3_ms", "gb_per_s", "limit_percent", "max_rel_err",
               "in_bound"});
  for (const Record *record : results.sums) {
    auto [product, width] = productOf(*record);
    table.add(*record, {{"product", product}, {"width", width}});
  }
  return table.view;
}

View tuned(const Results &results) {
  Table table("tuning", "Schedules by measuring",
              "A row for each kernel that was tuned: the schedule that the compiler takes unasked, "
              "and the fastest measured one.",
              {"chip", "device", "data", "model", "kernel", "nodes", "edges", "heuristic_us",
               "tuned_us", "heuristic_over_tuned", "within", "candidates"});
  for (const Record *record : results.tuned)
    table.add(*record);
  return table.view;
}

} // namespace

Views viewsOfSuites(const Results &results) {
  return {streams(results),    streamCaches(results),  sums(results),
          sumSummary(results), sumAlgorithms(results), tuned(results)};
}

} // namespace gnnc::report
