//===- ViewsOfTrust.cpp - Failures, errors, fairness, machines ------------===//
#include "benchmarks/gnn-report/Views.h"

#include <algorithm>
#include <set>

namespace gnnc::report {
namespace {

View failures(const Results &results) {
  Table table("failures", "Cells without a figure",
              "A row for each cell that failed, was stopped, fell back to another mode, is not "
              "available, or is over its error bound.",
              {"machine", "device", "model", "shape", "data", "system", "variant", "dtype",
               "status", "error", "max_rel_err", "source"});
  for (const auto *list : {&results.forwards, &results.streams, &results.sums, &results.tuned})
    for (const Record *record : *list)
      if (record->text("status") != "ok")
        table.add(*record);
  return table.view;
}

View statuses(const Results &results) {
  Table table("status", "How the cells ended", "A row for each system and status: its cells.",
              {"machine", "device", "system", "status", "cells"});
  std::map<std::tuple<std::string, int, std::string, std::string>,
           std::pair<const Record *, std::int64_t>>
      counts;
  for (const Record *record : results.forwards) {
    std::string system = record->text("system");
    auto &[first, count] =
        counts[{record->text("machine"), systemRank(system), system, record->text("status")}];
    first = record;
    ++count;
  }
  for (const auto &[key, count] : counts)
    table.add(*count.first, {{"cells", count.second}});
  return table.view;
}

View accuracy(const Results &results) {
  Table table("accuracy", "Error against float64",
              "A row for each cell: the largest difference of all timed outputs from a float64 "
              "forward, relative to the largest output.",
              {"machine", "device", "model", "shape", "system", "variant", "dtype", "precision",
               "max_rel_err", "in_bound", "bit_identical", "test_accuracy"});
  for (const Case &group : results.cases)
    for (const Record *record : group.records)
      if (record->number("max_rel_err"))
        table.add(*record);
  return table.view;
}

/// Known values of `name`; in `env` when `isOfEnv`.
std::set<std::string> valuesOf(const Case &group, const char *name, bool isOfEnv = false) {
  std::set<std::string> values;
  for (const Record *record : group.records) {
    std::string value =
        isOfEnv ? (record->env.is_object() && record->env.contains(name) ? record->env[name].dump()
                                                                         : "")
                : asText((*record)[name]);
    if (!value.empty() && value != "null")
      values.insert(value);
  }
  return values;
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

View fairness(const Results &results) {
  Table table("fairness", "Is like compared with like?",
              "A row for each case: whether all its rows had the same graph and weights (by "
              "checksum), the same number of threads and the same precision flags, and were "
              "measured in turns. `like with like` is empty where rows do not say.",
              {"machine", "device", "model", "shape", "systems", "fair", "distinct_inputs",
               "data_checksum", "hashes", "distinct_threads", "distinct_commits", "order",
               "remark"});
  for (const Case &group : results.cases) {
    auto checksums = valuesOf(group, "data_checksum"), hashes = valuesOf(group, "hashes");
    auto threads = valuesOf(group, "threads", true), flags = valuesOf(group, "tf32", true);
    auto commits = valuesOf(group, "commit");
    auto inputs = std::max(checksums.size(), hashes.size());
    std::set<std::vector<std::string>> orders;
    for (const Record *record : group.records)
      if (!record->order.empty())
        orders.insert(record->order);
    std::vector<std::string> remarks;
    if (inputs > 1)
      remarks.emplace_back("not all rows had the same graph and weights");
    if (threads.size() > 1 && group.first().text("device") == "cpu")
      remarks.emplace_back("thread counts differ");
    if (flags.size() > 1)
      remarks.emplace_back("TF32 was on for some");
    bool isWrong = !remarks.empty();
    if (inputs == 0)
      remarks.emplace_back("no row has a checksum");
    if (orders.size() > 1)
      remarks.emplace_back("measured in " + std::to_string(orders.size()) + " runs");
    if (commits.size() > 1)
      remarks.emplace_back("rows of several commits");
    auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
    table.add(group.first(), {{"systems", joined(group.systems())},
                              {"fair", inputs == 0 && !isWrong ? Cell() : Cell(!isWrong)},
                              {"distinct_inputs", count(inputs)},
                              {"data_checksum", text(joined({checksums.begin(), checksums.end()}))},
                              {"hashes", text(joined({hashes.begin(), hashes.end()}))},
                              {"distinct_threads", count(threads.size())},
                              {"distinct_commits", count(commits.size())},
                              {"order", orders.empty() ? Cell() : text(joined(*orders.begin()))},
                              {"remark", text(joined(remarks))}});
  }
  return table.view;
}

View environment(const Results &results) {
  Table table("environment", "Machines and versions",
              "A row for each thing that rows say of a machine, and how many rows say so.",
              {"machine", "device", "key", "value", "count"});
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::int64_t> counts;
  for (const auto &record : results.all) {
    auto add = [&](const std::string &key, const std::string &value) {
      ++counts[{record->text("machine"), record->text("device"), key, value}];
    };
    if (std::string commit = record->text("commit"); !commit.empty())
      add("commit", commit);
    if (!record->env.is_object())
      continue;
    for (const auto &[key, value] : record->env.items())
      if (!value.is_null()) {
        std::string words = value.is_string() ? value.get<std::string>() : value.dump();
        // Days, not seconds: a run is many rows.
        add(key, key == "date" ? words.substr(0, 10) : words);
      }
  }
  for (const auto &[key, count] : counts) {
    const auto &[machine, device, what, value] = key;
    table.add({{"machine", text(machine)},
               {"device", text(device)},
               {"key", text(what)},
               {"value", text(value)},
               {"count", count}});
  }
  return table.view;
}

View sources(const Results &results) {
  Table table("sources", "Files", "A row for each file that was read.",
              {"value", "count", "remark"});
  for (const Source &source : results.sources)
    table.add({{"value", text(source.path)}, {"count", static_cast<std::int64_t>(source.rows)}});
  if (results.replaced)
    table.add({{"value", Cell("(replaced)")},
               {"count", static_cast<std::int64_t>(results.replaced)},
               {"remark", Cell("rows of a cell that a later row has too; the later one counts")}});
  return table.view;
}

} // namespace

Views viewsOfTrust(const Results &results) {
  return {failures(results), statuses(results),    accuracy(results),
          fairness(results), environment(results), sources(results)};
}

} // namespace gnnc::report
