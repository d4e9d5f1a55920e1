//===- CompareReport.cpp - A comparison for people and for machines -------===//
#include "benchmarks/gnn-bench/Compare.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace gnnc::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string format(const char *pattern, double number) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, number);
  return text;
}

/// `gnnc gcn cora default dynamic=true cpu f32`.
std::string cellName(const ResultRow &row) {
  std::string name = row.system;
  auto add = [&](const std::string &word) { name += word.empty() ? "" : " " + word; };
  add(row.model);
  add(row.data);
  add(row.mode);
  add(row.dynamic.empty() ? "" : "dynamic=" + row.dynamic);
  add(row.fixes.value_or(true) ? "" : "no-fixes");
  add(row.device);
  add(row.dtype);
  return name;
}

std::optional<double> medianOf(const ResultRow *row) {
  return row && row->latency ? std::optional(row->latency->median) : std::nullopt;
}

std::string milliseconds(std::optional<double> value) {
  return value ? format("%.4f", *value) : "-";
}

std::string memoryText(const Comparison &cell) {
  if (cell.memory == Memory::Unknown)
    return "-";
  if (cell.memory == Memory::Same)
    return "same";
  return format("%+.1f MiB", *cell.after->peakMib - *cell.before->peakMib);
}

std::vector<std::string> fields(const Comparison &cell) {
  return {nameOf(cell.verdict),
          cellName(cell.row()),
          milliseconds(medianOf(cell.before)),
          milliseconds(medianOf(cell.after)),
          cell.change ? format("%+.1f %%", *cell.change * 100) : "-",
          cell.noise ? format("%.1f %%", *cell.noise * 100) : "-",
          memoryText(cell)};
}

std::array<std::size_t, numVerdicts> countVerdicts(const std::vector<Comparison> &cells) {
  std::array<std::size_t, numVerdicts> counts = {};
  for (const Comparison &cell : cells)
    ++counts[static_cast<std::size_t>(cell.verdict)];
  return counts;
}

std::size_t countMemory(const std::vector<Comparison> &cells, Memory memory) {
  return static_cast<std::size_t>(
      std::ranges::count_if(cells, [&](const Comparison &cell) { return cell.memory == memory; }));
}

std::string summary(const std::vector<Comparison> &cells) {
  std::string text = std::to_string(cells.size()) + " cells: ";
  auto counts = countVerdicts(cells);
  const char *comma = "";
  for (int verdict = 0; verdict < numVerdicts; ++verdict) {
    std::size_t count = counts[static_cast<std::size_t>(verdict)];
    if (count == 0)
      continue;
    text += comma + std::to_string(count) + " " + nameOf(static_cast<Verdict>(verdict));
    comma = ", ";
  }
  if (std::size_t more = countMemory(cells, Memory::More))
    text += "; more memory in " + std::to_string(more);
  if (std::size_t less = countMemory(cells, Memory::Less))
    text += "; less memory in " + std::to_string(less);
  return text + "\n";
}

template <class T>
Json known(const std::optional<T> &value) {
  return value ? Json(*value) : Json(nullptr);
}

Json known(const std::string &text) { return text.empty() ? Json(nullptr) : Json(text); }

Json cellJson(const Comparison &cell) {
  const ResultRow &row = cell.row();
  auto peak = [](const ResultRow *of) { return of ? known(of->peakMib) : Json(nullptr); };
  constexpr const char *memories[] = {nullptr, "same", "more", "less"};
  const char *memory = memories[static_cast<int>(cell.memory)];
  return {{"system", row.system},
          {"model", row.model},
          {"data", row.data},
          {"mode", known(row.mode)},
          {"dynamic", known(row.dynamic)},
          {"fixes", known(row.fixes)},
          {"device", row.device},
          {"dtype", known(row.dtype)},
          {"verdict", nameOf(cell.verdict)},
          {"a_ms", known(medianOf(cell.before))},
          {"b_ms", known(medianOf(cell.after))},
          {"change", known(cell.change)},
          {"noise", known(cell.noise)},
          {"a_mib", peak(cell.before)},
          {"b_mib", peak(cell.after)},
          {"memory", memory ? Json(memory) : Json(nullptr)},
          {"a_line", cell.before ? Json(cell.before->line) : Json(nullptr)},
          {"b_line", cell.after ? Json(cell.after->line) : Json(nullptr)},
          {"note", known(cell.note)}};
}

} // namespace

std::string comparisonTable(const std::vector<Comparison> &cells, bool all) {
  std::vector<std::vector<std::string>> lines = {
      {"verdict", "cell", "A ms", "B ms", "change", "noise", "memory"}};
  std::vector<std::string> notes = {""};
  for (const Comparison &cell : cells) {
    bool changed =
        cell.verdict != Verdict::Same || cell.memory == Memory::More || cell.memory == Memory::Less;
    if (!all && !changed)
      continue;
    lines.push_back(fields(cell));
    notes.push_back(cell.note);
  }
  if (lines.size() == 1)
    return summary(cells);
  std::vector<std::size_t> width(lines[0].size());
  for (const auto &line : lines)
    for (std::size_t column = 0; column < line.size(); ++column)
      width[column] = std::max(width[column], line[column].size());
  std::string text;
  for (std::size_t index = 0; index < lines.size(); ++index) {
    for (std::size_t column = 0; column < width.size(); ++column) {
      const std::string &field = lines[index][column];
      std::string padding(width[column] - field.size(), ' ');
      bool left = column < 2; // words left, numbers right
      text += (column ? "  " : "") + (left ? field + padding : padding + field);
    }
    text += notes[index].empty() ? "\n" : "  " + notes[index] + "\n";
  }
  return text + summary(cells);
}

std::string comparisonJson(const std::vector<Comparison> &cells, const CompareRule &rule) {
  Json counts = Json::object(), list = Json::array();
  auto numbers = countVerdicts(cells);
  for (int verdict = 0; verdict < numVerdicts; ++verdict)
    counts[nameOf(static_cast<Verdict>(verdict))] = numbers[static_cast<std::size_t>(verdict)];
  for (const Comparison &cell : cells)
    list.push_back(cellJson(cell));
  bool worse =
      std::ranges::any_of(cells, [](const Comparison &cell) { return isWorse(cell.verdict); });
  Json json = {{"worse", worse},
               {"floor_percent", rule.floorPercent},
               {"floor_us", rule.floorUs},
               {"counts", counts},
               {"more_memory", countMemory(cells, Memory::More)},
               {"less_memory", countMemory(cells, Memory::Less)},
               {"cells", list}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace gnnc::bench
