//===- ResultFile.cpp - Rows of results, read back ------------------------===//
#include "benchmarks/gnn-bench/ResultFile.h"

#include "benchmarks/data/GraphData.h"
#include "runtime/format/FileIO.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

namespace gnnc::bench {
namespace {

using Json = nlohmann::json;

/// Members of one row; every message names the file, the line and the member.
class Members {
public:
  Members(const Json &json, std::string place) : json(json), place(std::move(place)) {}

  [[noreturn]] void damaged(const std::string &what) const { throw Failure(place + ": " + what); }

  /// Null if it is absent or null.
  const Json *find(const char *name) const {
    auto found = json.find(name);
    return found == json.end() || found->is_null() ? nullptr : &*found;
  }
  std::string text(const char *name) const {
    const Json *value = find(name);
    if (value && !value->is_string())
      wrong(name, "a string", *value);
    return value ? value->get<std::string>() : "";
  }
  std::string neededText(const char *name) const {
    std::string value = text(name);
    if (value.empty())
      damaged("has no '" + std::string(name) + "'; is it a row of gnn-bench?");
    return value;
  }
  std::optional<bool> boolean(const char *name) const {
    const Json *value = find(name);
    if (value && !value->is_boolean())
      wrong(name, "true or false", *value);
    return value ? std::optional(value->get<bool>()) : std::nullopt;
  }
  std::optional<double> number(const char *name) const {
    const Json *value = find(name);
    if (!value)
      return std::nullopt;
    if (!value->is_number() || !std::isfinite(value->get<double>()))
      wrong(name, "a number", *value);
    return value->get<double>();
  }
  std::optional<std::int64_t> count(const char *name) const {
    const Json *value = find(name);
    if (value &&
        (!value->is_number_integer() || value->get<double>() < 0 || value->get<double>() > 0x1p62))
      wrong(name, "a count", *value);
    return value ? std::optional(value->get<std::int64_t>()) : std::nullopt;
  }
  std::optional<Members> object(const char *name) const {
    const Json *value = find(name);
    if (value && !value->is_object())
      wrong(name, "an object", *value);
    return value ? std::optional(Members(*value, place)) : std::nullopt;
  }

private:
  [[noreturn]] void wrong(const char *name, const char *wanted, const Json &found) const {
    damaged("'" + std::string(name) + "' is " +
            found.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 60) +
            ", expected " + wanted);
  }

  const Json &json;
  std::string place;
};

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

/// What the numbers of a row depend on besides the program.
std::string machineOf(const Members &row, const std::string &device) {
  auto env = row.object("env");
  if (!env)
    return "";
  if (device != "cpu")
    return env->text("gpu");
  std::string cpu = env->text("cpu");
  auto threads = env->count("threads");
  return cpu.empty() || !threads ? cpu : cpu + ", " + std::to_string(*threads) + " threads";
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
  format::Bytes bytes;
  std::string error;
  if (!format::readFile(path, bytes, error))
    throw Failure(error);
  std::string_view rest;
  if (bytes.size > 0)
    rest = {reinterpret_cast<const char *>(bytes.data), bytes.size};
  std::vector<ResultRow> rows;
  for (std::size_t line = 1; !rest.empty(); ++line) {
    std::string_view text = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(text.size() + 1, rest.size()));
    if (text.find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    std::string place = path + ":" + std::to_string(line);
    Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
      throw Failure(place + ": is no JSON object; was the line cut short?");
    rows.push_back(rowOf(Members(json, place)));
    rows.back().line = line;
  }
  if (rows.empty())
    throw Failure(path + ": has no rows");
  return rows;
}

} // namespace gnnc::bench
