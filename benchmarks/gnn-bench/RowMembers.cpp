//===- RowMembers.cpp - The members of a row of results, checked ----------===//
#include "benchmarks/gnn-bench/RowMembers.h"

#include "benchmarks/data/GraphData.h"
#include "runtime/format/FileIO.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace gnnc::bench {

using Json = nlohmann::json;

void Members::damaged(const std::string &what) const { throw Failure(place + ": " + what); }

const Json *Members::find(const char *name) const {
  auto found = json.find(name);
  return found == json.end() || found->is_null() ? nullptr : &*found;
}

std::string Members::text(const char *name) const {
  const Json *value = find(name);
  if (value && !value->is_string())
    wrong(name, "a string", *value);
  return value ? value->get<std::string>() : "";
}

std::string Members::neededText(const char *name) const {
  std::string value = text(name);
  if (value.empty())
    damaged("has no '" + std::string(name) + "'; is it a row of gnn-bench?");
  return value;
}

std::optional<bool> Members::boolean(const char *name) const {
  const Json *value = find(name);
  if (value && !value->is_boolean())
    wrong(name, "true or false", *value);
  return value ? std::optional(value->get<bool>()) : std::nullopt;
}

std::optional<double> Members::number(const char *name) const {
  const Json *value = find(name);
  if (!value)
    return std::nullopt;
  if (!value->is_number() || !std::isfinite(value->get<double>()))
    wrong(name, "a number", *value);
  return value->get<double>();
}

std::optional<std::int64_t> Members::count(const char *name) const {
  const Json *value = find(name);
  if (value &&
      (!value->is_number_integer() || value->get<double>() < 0 || value->get<double>() > 0x1p62))
    wrong(name, "a count", *value);
  return value ? std::optional(value->get<std::int64_t>()) : std::nullopt;
}

std::optional<Members> Members::object(const char *name) const {
  const Json *value = find(name);
  if (value && !value->is_object())
    wrong(name, "an object", *value);
  return value ? std::optional(Members(*value, place)) : std::nullopt;
}

void Members::wrong(const char *name, const char *wanted, const Json &found) const {
  damaged("'" + std::string(name) + "' is " +
          found.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 60) + ", expected " +
          wanted);
}

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

void forEachRow(const std::string &path,
                const std::function<void(const Members &row, std::size_t line)> &visit) {
  format::Bytes bytes;
  std::string error;
  if (!format::readFile(path, bytes, error))
    throw Failure(error);
  std::string_view rest;
  if (bytes.size > 0)
    rest = {reinterpret_cast<const char *>(bytes.data), bytes.size};
  bool isEmpty = true;
  for (std::size_t line = 1; !rest.empty(); ++line) {
    std::string_view text = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(text.size() + 1, rest.size()));
    if (text.find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    std::string place = path + ":" + std::to_string(line);
    Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
      throw Failure(place + ": is no JSON object; was the line cut short?");
    visit(Members(json, place), line);
    isEmpty = false;
  }
  if (isEmpty)
    throw Failure(path + ": has no rows");
}

} // namespace gnnc::bench
