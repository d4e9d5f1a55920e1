//===- ViewsOfOptions.cpp - Modes, dynamic, fixes, element types ----------===//
//
// Each view holds all but one option and compares its values within one system.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/gnn-report/Views.h"

namespace gnnc::report {
namespace {

/// Records that differ in `option` alone, each related to the one whose `option` is `base`.
/// Groups of one are left out.
View varied(const Results &results, const std::string &option, const Cell &base, Table table) {
  auto keyOf = [&](const Record &record) {
    std::string key;
    for (const char *name : {"machine", "device", "system", "model", "data", "nodes", "edges",
                             "dtype", "mode", "dynamic", "fixes", "preset", "task", "flops"})
      if (name != option && !(option == "dtype" && std::string(name) == "flops"))
        key += asText(record[name]) + '\x1f';
    return key;
  };
  std::map<std::string, std::vector<const Record *>> groups;
  std::vector<std::string> keys; // in the order of the cases
  for (const Case &group : results.cases)
    for (const Record *record : group.records) {
      auto &members = groups[keyOf(*record)];
      if (members.empty())
        keys.push_back(keyOf(*record));
      members.push_back(record);
    }
  for (const std::string &key : keys) {
    const auto &members = groups[key];
    if (members.size() < 2)
      continue;
    const Record *reference = nullptr;
    for (const Record *record : members)
      if ((*record)[option] == base && record->isWell())
        reference = record;
    for (const Record *record : members) {
      Table::Values values;
      if (reference) {
        values["base_variant"] = text(asText(base));
        values["base_ms"] = real(reference->median());
        if (record->isWell())
          values["ratio"] = real(reference->median() / record->median());
      }
      table.add(*record, values);
    }
  }
  return table.view;
}

std::vector<std::string> columnsWith(const char *option) {
  std::vector<std::string> columns = {"machine", "device", "case", "model", "shape", "system"};
  columns.emplace_back(option);
  for (const char *name : {"mode", "dynamic", "fixes", "dtype"})
    if (std::string(name) != option)
      columns.emplace_back(name);
  for (const char *name : {"status", "median_ms", "base_variant", "base_ms", "ratio", "compile_ms",
                           "peak_mib", "max_rel_err", "recompilations", "graph_breaks"})
    columns.emplace_back(name);
  return columns;
}

} // namespace

Views viewsOfOptions(const Results &results) {
  return {
      varied(results, "mode", Cell("default"),
             Table("modes", "By mode",
                   "Cells that differ in the mode alone; the ratio is the time in mode default "
                   "over that in this mode.",
                   columnsWith("mode"))),
      varied(results, "dynamic", Cell("false"),
             Table("dynamic", "By dynamic",
                   "Cells that differ in `dynamic` alone; the ratio is the time for one shape "
                   "(false) over this one's.",
                   columnsWith("dynamic"))),
      varied(results, "fixes", Cell(false),
             Table("fixes", "With and without fixes",
                   "Cells that differ in `fixes` alone (graph-only work done once); the ratio is "
                   "the time without over this one's.",
                   columnsWith("fixes"))),
      varied(results, "dtype", Cell("f32"),
             Table("element-types", "By element type",
                   "Cells that differ in the element type alone; the ratio is the time in f32 "
                   "over this one's.",
                   columnsWith("dtype")))};
}

} // namespace gnnc::report
