//===- ViewsOfGroups.cpp - Results by model, data set, system, graph size -===//
#include "benchmarks/gnn-report/Views.h"

#include <algorithm>
#include <set>

namespace gnnc::report {
namespace {

/// For each machine, value of `by` and system: cells, and how gnnc compares in its cases.
View grouped(const Results &results, const std::string &by, const char *name, const char *title,
             const char *says) {
  Table table(name, title, says,
              {"machine", "device", by, "system", "cells", "well", "failed", "wins", "cases",
               "geomean", "least", "most"});
  struct Group {
    const Record *first = nullptr;
    std::int64_t cells = 0, well = 0, wins = 0;
    std::vector<double> ratios; ///< of gnnc over the system
  };
  // In the order of the cases: small graphs first.
  std::map<std::string, std::size_t> ranks;
  std::map<std::tuple<std::size_t, int, std::string>, Group> groups;
  for (const Case &group : results.cases) {
    const Record &first = group.first();
    std::string key = first.text("machine") + '\x1f' + first.text(by);
    std::size_t rank = ranks.try_emplace(key, ranks.size()).first->second;
    const Record *ours = group.fastest("gnnc"), *peer = group.fastest("");
    for (const std::string &system : group.systems()) {
      Group &sum = groups[{rank, systemRank(system), system}];
      sum.first = &first;
      for (const Record *record : group.records)
        if (record->text("system") == system) {
          ++sum.cells;
          sum.well += record->isWell();
        }
      const Record *mine = group.fastest(system);
      if (!mine)
        continue;
      sum.wins += (!ours || mine->median() <= ours->median()) &&
                  (!peer || mine->median() <= peer->median());
      if (ours)
        sum.ratios.push_back(mine->median() / ours->median());
    }
  }
  for (const auto &[key, sum] : groups) {
    bool isCompared = !sum.ratios.empty() && std::get<2>(key) != "gnnc";
    table.add(*sum.first, {{"system", std::get<2>(key)},
                           {"cells", sum.cells},
                           {"well", sum.well},
                           {"failed", sum.cells - sum.well},
                           {"wins", sum.wins},
                           {"cases", static_cast<std::int64_t>(sum.ratios.size())},
                           {"geomean", isCompared ? real(geomean(sum.ratios)) : Cell()},
                           {"least", isCompared ? real(std::ranges::min(sum.ratios)) : Cell()},
                           {"most", isCompared ? real(std::ranges::max(sum.ratios)) : Cell()}});
  }
  return table.view;
}

View bySize(const Results &results) {
  Table table("latency-by-size", "Latency against the size of the graph",
              "A row for each case and system, by edges: the median of its fastest variant.",
              {"machine", "device", "model", "system", "shape", "nodes", "edges", "variant",
               "median_ms", "q1_ms", "q3_ms"});
  for (const Case &group : results.cases)
    for (const std::string &system : group.systems())
      if (const Record *record = group.fastest(system))
        table.add(*record);
  return table.view;
}

View dataSets(const Results &results) {
  Table table("data-sets", "Data sets", "A row for each graph that was measured.",
              {"data", "nodes", "edges", "edges_per_node", "real_data", "data_checksum", "cells"});
  std::map<std::vector<std::string>, std::pair<const Record *, std::int64_t>> graphs;
  for (const auto *list : {&results.forwards, &results.sums})
    for (const Record *record : *list) {
      std::vector<std::string> key;
      for (const char *name : {"data", "nodes", "edges", "data_checksum"})
        key.push_back(asText((*record)[name]));
      auto &graph = graphs[key];
      if (!graph.first || !isKnown((*graph.first)["real_data"]))
        graph.first = record;
      ++graph.second;
    }
  std::multimap<double, std::pair<const Record *, std::int64_t>> sorted;
  for (const auto &[key, graph] : graphs)
    sorted.emplace(graph.first->number("edges").value_or(0), graph);
  for (const auto &[edges, graph] : sorted)
    table.add(*graph.first, {{"cells", graph.second}});
  return table.view;
}

} // namespace

Views viewsOfGroups(const Results &results) {
  return {grouped(results, "model", "per-model", "By model",
                  "A row for each model and system: its cells, the cases it is fastest in, and how "
                  "many times slower than gnnc it is."),
          grouped(results, "data", "per-data-set", "By data set",
                  "A row for each data set and system: likewise."),
          grouped(results, "dtype", "per-system", "By system",
                  "A row for each system and element type: likewise."),
          bySize(results), dataSets(results)};
}

} // namespace gnnc::report
