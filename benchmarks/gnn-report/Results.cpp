//===- Results.cpp - Rows of results, grouped for a report ----------------===//
#include "benchmarks/gnn-report/Results.h"

#include "benchmarks/data/GraphData.h"
#include "benchmarks/gnn-bench/ResultFile.h"
#include "benchmarks/gnn-bench/RowMembers.h"
#include "benchmarks/gnn-report/Fields.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

namespace gnnc::report {

using bench::Members;
using Json = nlohmann::json;

const Cell &Record::operator[](const std::string &name) const {
  static const Cell unknown;
  auto found = cells.find(name);
  return found == cells.end() ? unknown : found->second;
}

std::string Record::text(const std::string &name) const {
  const auto *value = std::get_if<std::string>(&(*this)[name]);
  return value ? *value : "";
}

std::optional<double> Record::number(const std::string &name) const {
  const Cell &cell = (*this)[name];
  if (const auto *value = std::get_if<double>(&cell))
    return *value;
  if (const auto *value = std::get_if<std::int64_t>(&cell))
    return static_cast<double>(*value);
  return std::nullopt;
}

std::optional<bool> Record::isTrue(const std::string &name) const {
  const auto *value = std::get_if<bool>(&(*this)[name]);
  return value ? std::optional(*value) : std::nullopt;
}

int systemRank(const std::string &system) {
  constexpr std::array known = {"gnnc",        "libtorch-csr", "libtorch-eager",
                                "pyg-compile", "pyg-eager",    "dgl"};
  return static_cast<int>(std::ranges::find(known, system) - known.begin());
}

std::string variantOf(const Record &record) {
  std::string variant = record.text("mode");
  if (std::string dynamic = record.text("dynamic"); !dynamic.empty())
    variant += (variant.empty() ? "dynamic " : ", dynamic ") + dynamic;
  if (record.isTrue("fixes") == false)
    variant += variant.empty() ? "no fixes" : ", no fixes";
  return variant;
}

namespace {

Cell read(const Members &row, const Field &field) {
  std::string path = field.member, member = path.substr(path.find('.') + 1);
  std::optional<Members> inner =
      member == path ? row : row.object(path.substr(0, path.find('.')).c_str());
  if (!inner)
    return {};
  switch (field.kind) {
  case Kind::Text:
    return text(inner->text(member.c_str()));
  case Kind::Whole:
    return whole(inner->count(member.c_str()));
  case Kind::Real:
    return real(inner->number(member.c_str()));
  case Kind::YesNo:
    return yesNo(inner->boolean(member.c_str()));
  }
  return {};
}

/// As gnn-bench study writes it; of older rows what `ok` and `error` say.
std::string statusOf(const Members &row) {
  std::string status = row.text("status");
  if (status.empty() && row.boolean("ok").value_or(true))
    status = "ok";
  std::string error = row.text("error");
  auto has = [&](const char *words) { return error.find(words) != std::string::npos; };
  if (status.empty())
    status = has("out of memory") || has("OutOfMemory") ? "oom"
             : has("--time-limit") || has("timed out")  ? "timeout"
             : row.boolean("in_bound") == false         ? "out-of-bound"
                                                        : "error";
  if (status == "ok" && row.boolean("in_bound") == false)
    status = "out-of-bound";
  return status;
}

/// What follows from this row alone.
void derive(Record &record) {
  auto number = [&](const char *name) { return record.number(name); };
  auto set = [&](const char *name, std::optional<double> value) {
    record.cells[name] = real(value);
  };
  auto percent = [](std::optional<double> share) {
    return share ? std::optional(*share * 100) : std::nullopt;
  };
  record.cells["variant"] = text(variantOf(record));
  set("limit_percent", percent(number("share_of_limit")));
  set("noise_floor_percent", percent(number("noise_floor")));
  record.cells.erase("share_of_limit");
  record.cells.erase("noise_floor");
  if (number("nodes") > 0 && number("edges"))
    set("edges_per_node", *number("edges") / *number("nodes"));
  auto median = number("median_ms"), first = number("first_ms"), second = number("second_ms");
  if (first && second)
    set("first_minus_second_ms", *first - *second);
  // A peer compiles in its first call; the artefact of gnnc is compiled before it.
  auto compile = number("compile_ms");
  bool isCompiledBefore = record.text("system") == "gnnc";
  if (first && (!isCompiledBefore || compile))
    set("set_up_ms", *first + (isCompiledBefore ? *compile : 0));
  if (!median)
    return;
  if (number("q1_ms") && number("q3_ms"))
    set("iqr_percent", (*number("q3_ms") - *number("q1_ms")) / *median * 100);
  if (number("mean_ms"))
    set("mean_percent", *number("mean_ms") / *median * 100);
  if (auto bytes = number("bytes"))
    set("gb_per_s", *bytes / *median / 1e6);
  if (auto flops = number("flops")) {
    set("gflop_per_s", *flops / *median / 1e6);
    if (number("bytes") > 0)
      set("intensity", *flops / *number("bytes"));
  }
  for (const char *what : {"nodes", "edges"}) {
    std::string rate = std::string(what) + "_per_s";
    if (!number(rate.c_str()) && number(what))
      set(rate.c_str(), *number(what) / *median * 1e3);
  }
}

std::unique_ptr<Record> recordOf(const Members &row) {
  auto record = std::make_unique<Record>();
  auto &cells = record->cells;
  for (const Field &field : fields())
    if (field.member && std::string(field.name) != "hashes")
      cells[field.name] = read(row, field);
  cells["share_of_limit"] = real(row.number("share_of_limit"));
  cells["noise_floor"] = real(row.number("noise_floor"));
  bool isTuned = row.text("suite") == "tuning"; // its rows are of kernels, not of systems
  if (isTuned)
    cells["system"] = "gnnc";
  for (const char *name : {"system", "model", "data", "device"})
    if (!isKnown(cells[name]))
      row.damaged("has no '" + std::string(name) + "'; is it a row of gnn-bench?");
  if (!isTuned && !row.boolean("ok") && row.text("status").empty())
    row.damaged("has no 'ok' and no 'status'; is it a row of gnn-bench?");
  if (auto median = record->number("median_ms"); median && *median <= 0)
    row.damaged("'latency_ms' has a median of " + asText(cells["median_ms"]) +
                ", expected one above 0");
  if (!isKnown(cells["dtype"]))
    cells["dtype"] = "f32";
  cells["status"] = statusOf(row);
  cells["source"] = row.where();
  cells["machine"] = text(bench::machineOf(row, record->text("device")));
  if (const Json *hashes = row.find("hashes"))
    cells["hashes"] = hashes->is_string() ? hashes->get<std::string>() : hashes->dump();
  std::string edges = row.text("edge_list_hash"), weights = row.text("weights_hash");
  if (!edges.empty() || !weights.empty()) // as gnn-bench study has them
    cells["hashes"] = "edges " + edges + " weights " + weights;
  if (const Json *order = row.find("order"); order && order->is_array())
    for (const Json &system : *order)
      if (system.is_string())
        record->order.push_back(system.get<std::string>());
  if (const Json *env = row.find("env"); env && env->is_object())
    record->env = *env;
  derive(*record);
  return record;
}

std::string joined(const Record &record, std::initializer_list<const char *> names) {
  std::string key;
  for (const char *name : names)
    key += asText(record[name]) + '\x1f';
  return key;
}

/// Peers do not say what they ran on: the one machine with that kind of device.
void fillMachines(Results &results) {
  std::map<std::string, std::set<std::string>> known;
  for (const auto &record : results.all)
    if (std::string machine = record->text("machine"); !machine.empty())
      known[record->text("device")].insert(machine);
  for (const auto &record : results.all)
    if (const auto &machines = known[record->text("device")];
        !isKnown((*record)["machine"]) && machines.size() == 1)
      record->cells["machine"] = *machines.begin();
}

std::string sizeOf(double flops) {
  char line[40];
  std::snprintf(line, sizeof line, flops < 1e9 ? "%.3g MFLOP" : "%.4g GFLOP",
                flops / (flops < 1e9 ? 1e6 : 1e9));
  return line;
}

/// Rows without `flops` (of peers) belong to the case of their graph if there is one.
void splitByWidth(Case whole, std::vector<Case> &cases) {
  std::map<double, Case> widths;
  for (const Record *record : whole.records)
    if (auto flops = record->number("flops"))
      widths[*flops].records.push_back(record);
  if (widths.size() < 2) {
    cases.push_back(std::move(whole));
    return;
  }
  Case unknown = whole;
  std::erase_if(unknown.records, [](const Record *r) { return r->number("flops").has_value(); });
  for (auto &[flops, width] : widths) {
    width.model = whole.model;
    width.shape = whole.shape + ", " + sizeOf(flops);
    cases.push_back(std::move(width));
  }
  if (!unknown.records.empty()) {
    unknown.shape += ", unknown width";
    cases.push_back(std::move(unknown));
  }
}

void makeCases(Results &results) {
  std::vector<std::pair<std::string, Case>> groups; // in the order of their first row
  std::map<std::string, std::size_t> places;
  std::map<std::string, std::set<std::string>> presets, hidden;
  auto graphOf = [](const Record &r) { return joined(r, {"machine", "device", "model", "data"}); };
  for (const Record *record : results.forwards) {
    presets[graphOf(*record)].insert(record->text("preset"));
    hidden[graphOf(*record)].insert(asText((*record)["hidden"]));
  }
  for (const Record *record : results.forwards) {
    std::string key = joined(*record, {"machine", "device", "model", "data", "dtype", "task",
                                       "preset", "hidden", "nodes", "edges"});
    auto [place, isNew] = places.try_emplace(key, groups.size());
    if (isNew) {
      Case group;
      group.model = record->text("model");
      group.shape = record->text("data");
      auto tell = [&](const std::string &what) {
        if (!what.empty())
          group.shape += ", " + what;
      };
      if (record->text("dtype") != "f32")
        tell(record->text("dtype"));
      if (presets[graphOf(*record)].size() > 1)
        tell(record->text("preset"));
      if (hidden[graphOf(*record)].size() > 1)
        tell(asText((*record)["hidden"]) + " wide");
      groups.emplace_back(key, std::move(group));
    }
    groups[place->second].second.records.push_back(record);
  }
  // A cell that failed before it knew its graph belongs to the only case it can be of.
  auto nameOf = [](const Record &r) {
    return joined(r, {"machine", "device", "model", "data", "dtype", "task", "preset"});
  };
  for (auto &[key, group] : groups) {
    if (isKnown(group.first()["edges"]))
      continue;
    std::vector<Case *> homes;
    for (auto &[other, home] : groups)
      if (!home.records.empty() && isKnown(home.first()["edges"]) &&
          nameOf(home.first()) == nameOf(group.first()))
        homes.push_back(&home);
    if (homes.size() != 1)
      continue;
    auto &records = homes.front()->records;
    records.insert(records.end(), group.records.begin(), group.records.end());
    group.records.clear();
  }
  std::erase_if(groups, [](const auto &group) { return group.second.records.empty(); });
  std::vector<Case> cases;
  for (auto &[key, group] : groups)
    splitByWidth(std::move(group), cases);
  // GPUs first, then by size; equal ones stay in the order of the files.
  std::multimap<std::tuple<bool, std::string, double, std::string>, Case> sorted;
  for (Case &group : cases) {
    const Record &r = group.first();
    std::tuple rank(r.text("device") == "cpu", r.text("machine"), r.number("edges").value_or(0),
                    r.text("data"));
    sorted.emplace(rank, std::move(group));
  }
  for (auto &[rank, group] : sorted)
    results.cases.push_back(std::move(group));
  std::map<const Record *, const Case *> homes;
  for (const Case &group : results.cases)
    for (const Record *record : group.records)
      homes[record] = &group;
  for (const auto &record : results.all)
    if (auto home = homes.find(record.get()); home != homes.end()) {
      record->cells["shape"] = home->second->shape;
      record->cells["case"] = home->second->model + " " + home->second->shape;
    }
}

} // namespace

const Record *Case::fastest(const std::string &system) const {
  const Record *best = nullptr;
  for (const Record *record : records) {
    bool isAsked =
        system.empty() ? record->text("system") != "gnnc" : record->text("system") == system;
    if (isAsked && record->isWell() && (!best || record->median() < best->median()))
      best = record;
  }
  return best;
}

const Record *Case::fastestEager(const std::string &system) const {
  const Record *best = nullptr;
  for (const Record *record : records)
    if (record->text("system") == system && record->isWell() &&
        (record->text("mode").empty() || record->text("mode") == "eager") &&
        (!best || record->median() < best->median()))
      best = record;
  return best;
}

const Record *Case::any(const std::string &system) const {
  auto found = std::ranges::find_if(
      records, [&](const Record *record) { return record->text("system") == system; });
  return found == records.end() ? nullptr : *found;
}

std::vector<std::string> Case::systems() const {
  std::set<std::pair<int, std::string>> names;
  for (const Record *record : records)
    names.emplace(systemRank(record->text("system")), record->text("system"));
  std::vector<std::string> ordered;
  for (const auto &[rank, name] : names)
    ordered.push_back(name);
  return ordered;
}

Results readAll(const std::vector<std::string> &paths) {
  Results results;
  for (const std::string &path : paths) {
    results.sources.push_back({path, 0});
    bench::forEachRow(path, [&](const Members &row, std::size_t) {
      results.all.push_back(recordOf(row));
      ++results.sources.back().rows;
    });
  }
  fillMachines(results);
  // A cell that was measured again is the later one.
  std::map<std::string, const Record *> last;
  auto keyOf = [](const Record &record) {
    return joined(record, {"suite", "system", "model", "data", "nodes", "edges", "dtype", "mode",
                           "dynamic", "fixes", "machine", "device", "preset", "task", "hidden",
                           "flops", "graphs", "kernel", "cell"});
  };
  for (const auto &record : results.all)
    last[keyOf(*record)] = record.get();
  for (const auto &record : results.all) {
    if (last[keyOf(*record)] != record.get()) {
      ++results.replaced;
      continue;
    }
    std::string suite = record->text("suite");
    bool isStream = isKnown((*record)["graphs"]);
    (isStream            ? results.streams
     : suite == "spmm"   ? results.sums
     : suite == "tuning" ? results.tuned
                         : results.forwards)
        .push_back(record.get());
  }
  makeCases(results);
  return results;
}

} // namespace gnnc::report
