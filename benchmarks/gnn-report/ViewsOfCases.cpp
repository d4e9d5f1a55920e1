//===- ViewsOfCases.cpp - Who is fastest, by how much ---------------------===//
//
// Systems are compared by their fastest variant that is well: one that is over its error
// bound or fell back to another mode is not fast, however short it took.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/gnn-report/Views.h"

#include <algorithm>

namespace gnnc::report {
namespace {

/// What gather and scatter of eager LibTorch take, else PyG's; what others are related to.
const Record *baselineOf(const Case &group) {
  for (const char *system : {"libtorch-eager", "pyg-eager", "libtorch-csr"})
    if (const Record *record = group.fastest(system))
      return record;
  return nullptr;
}

Cell ratio(const Record *over, const Record *under) {
  return over && under ? real(over->median() / under->median()) : Cell();
}

View overview(const Results &results) {
  Table table(
      "overview", "Overview",
      "A row for each case (model, data set and shape on a machine): gnnc's fastest variant, "
      "and the fastest of all others.",
      {"machine",   "device",       "model",    "shape",    "nodes",          "edges",
       "real_data", "gnnc_ms",      "q1_ms",    "q3_ms",    "gnnc_variant",   "peer",
       "peer_ms",   "peer_variant", "speed_up", "peak_mib", "memory_percent", "max_rel_err",
       "in_bound",  "cells",        "failed"});
  for (const Case &group : results.cases) {
    const Record *ours = group.fastest("gnnc"), *peer = group.fastest("");
    const Record *eager = group.fastest("libtorch-eager");
    auto failed = std::ranges::count_if(group.records, [](auto *r) { return !r->isWell(); });
    Table::Values values = {{"cells", static_cast<std::int64_t>(group.records.size())},
                            {"failed", static_cast<std::int64_t>(failed)},
                            {"speed_up", ratio(peer, ours)}};
    for (const char *name : {"q1_ms", "q3_ms", "peak_mib", "max_rel_err", "in_bound"})
      values[name] = ours ? (*ours)[name] : Cell();
    if (ours) {
      values["gnnc_ms"] = real(ours->median());
      values["gnnc_variant"] = text(variantOf(*ours));
      if (eager && ours->number("peak_mib") && eager->number("peak_mib") > 0)
        values["memory_percent"] =
            real(*ours->number("peak_mib") / *eager->number("peak_mib") * 100);
    }
    if (peer) {
      values["peer"] = (*peer)["system"];
      values["peer_ms"] = real(peer->median());
      values["peer_variant"] = text(variantOf(*peer));
    }
    table.add(group.first(), values);
  }
  return table.view;
}

View speedUps(const Results &results) {
  Table table(
      "speed-ups", "Speed-up of gnnc over each peer",
      "A row for each case and peer: the peer's median over gnnc's, both in their fastest "
      "variant; low and high from the quartiles. A peer that failed has its status instead.",
      {"machine", "device", "model", "shape", "case", "nodes", "edges", "peer", "peer_status",
       "peer_variant", "peer_ms", "gnnc_variant", "gnnc_ms", "speed_up", "speed_up_low",
       "speed_up_high"});
  for (const Case &group : results.cases) {
    const Record *ours = group.fastest("gnnc");
    for (const std::string &system : group.systems()) {
      if (system == "gnnc")
        continue;
      const Record *peer = group.fastest(system);
      Table::Values values = {{"peer", system},
                              {"peer_status", peer ? Cell("ok") : (*group.any(system))["status"]},
                              {"speed_up", ratio(peer, ours)}};
      if (peer) {
        values["peer_variant"] = text(variantOf(*peer));
        values["peer_ms"] = real(peer->median());
      }
      if (ours) {
        values["gnnc_variant"] = text(variantOf(*ours));
        values["gnnc_ms"] = real(ours->median());
      }
      if (peer && ours) {
        auto over = [](std::optional<double> a, std::optional<double> b) {
          return a && b && *b > 0 ? real(*a / *b) : Cell();
        };
        values["speed_up_low"] = over(peer->number("q1_ms"), ours->number("q3_ms"));
        values["speed_up_high"] = over(peer->number("q3_ms"), ours->number("q1_ms"));
      }
      table.add(group.first(), values);
    }
  }
  return table.view;
}

View summary(const Results &results) {
  Table table("summary", "Speed-up in one number",
              "A row for each machine and peer: the geometric mean of gnnc's speed-ups over the "
              "cases that both are well in, the least and the most.",
              {"machine", "device", "peer", "cases", "geomean", "least", "most", "failed"});
  struct Group {
    const Record *first;
    std::vector<double> ratios;
    std::int64_t failed = 0;
  };
  std::map<std::tuple<std::string, int, std::string>, Group> groups;
  for (const Case &group : results.cases) {
    const Record *ours = group.fastest("gnnc");
    for (const std::string &system : group.systems()) {
      if (system == "gnnc")
        continue;
      Group &sum = groups[{group.first().text("machine"), systemRank(system), system}];
      sum.first = &group.first();
      const Record *peer = group.fastest(system);
      if (peer && ours)
        sum.ratios.push_back(peer->median() / ours->median());
      sum.failed += !peer;
    }
  }
  for (const auto &[key, sum] : groups) {
    bool isAny = !sum.ratios.empty();
    table.add(*sum.first, {{"peer", std::get<2>(key)},
                           {"cases", static_cast<std::int64_t>(sum.ratios.size())},
                           {"geomean", real(geomean(sum.ratios))},
                           {"least", isAny ? real(std::ranges::min(sum.ratios)) : Cell()},
                           {"most", isAny ? real(std::ranges::max(sum.ratios)) : Cell()},
                           {"failed", sum.failed}});
  }
  return table.view;
}

View heatMap(const Results &results) {
  Table table("heat-map", "The whole matrix",
              "A row for each cell: how many times faster it is than eager gather/scatter "
              "(libtorch-eager, else pyg-eager) of its case, or why it has no figure.",
              {"machine", "device", "case", "model", "shape", "system", "variant", "cell", "status",
               "median_ms", "relative", "error"});
  for (const Case &group : results.cases) {
    const Record *base = baselineOf(group);
    for (const Record *record : group.records) {
      std::string name = record->text("system"), variant = variantOf(*record);
      if (variant.starts_with("eager"))
        variant = variant.substr(variant.starts_with("eager, ") ? 7 : 5);
      if (!variant.empty())
        name += ", " + variant;
      table.add(*record,
                {{"cell", name}, {"relative", record->isWell() ? ratio(base, record) : Cell()}});
    }
  }
  return table.view;
}

} // namespace

Views viewsOfCases(const Results &results) {
  return {overview(results), summary(results), speedUps(results), heatMap(results)};
}

} // namespace gnnc::report
