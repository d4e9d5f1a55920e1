//===- View.cpp - One table of a report, as CSV and as JSON ---------------===//
#include "benchmarks/gnn-report/View.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace gnnc::report {

using Json = nlohmann::ordered_json;

Cell real(std::optional<double> number) {
  if (!number || !std::isfinite(*number))
    return {};
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.6g", *number);
  return std::strtod(digits, nullptr);
}

Cell whole(std::optional<std::int64_t> number) { return number ? Cell(*number) : Cell(); }

Cell text(std::string value) { return value.empty() ? Cell() : Cell(std::move(value)); }

Cell yesNo(std::optional<bool> value) { return value ? Cell(*value) : Cell(); }

static Json asJson(const Cell &cell) {
  return std::visit(
      [](const auto &value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          return Json(nullptr);
        else
          return Json(value);
      },
      cell);
}

static std::string dump(const Json &json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

std::string asText(const Cell &cell) {
  if (const auto *value = std::get_if<std::string>(&cell))
    return *value;
  return isKnown(cell) ? dump(asJson(cell)) : "";
}

const char *nameOf(Kind kind) {
  switch (kind) {
  case Kind::Text:
    return "text";
  case Kind::Whole:
    return "integer";
  case Kind::Real:
    return "number";
  case Kind::YesNo:
    return "boolean";
  }
  return "";
}

std::size_t View::place(const std::string &column) const {
  auto found = std::ranges::find(columns, column, &Column::name);
  if (found == columns.end())
    throw std::logic_error("view '" + name + "' has no column '" + column + "'");
  return static_cast<std::size_t>(found - columns.begin());
}

const View &Report::view(const std::string &name) const {
  auto found = std::ranges::find(views, name, &View::name);
  if (found == views.end())
    throw std::logic_error("the report has no view '" + name + "'");
  return *found;
}

static std::string quoted(const std::string &value) {
  if (value.find_first_of(",\"\r\n") == std::string::npos)
    return value;
  std::string text = "\"";
  for (char letter : value) {
    if (letter == '"')
      text += '"';
    text += letter;
  }
  return text + '"';
}

std::string asCsv(const View &view) {
  std::string out;
  for (std::size_t place = 0; place < view.columns.size(); ++place)
    out += (place ? "," : "") + quoted(view.columns[place].name);
  out += '\n';
  for (const std::vector<Cell> &row : view.rows) {
    for (std::size_t place = 0; place < row.size(); ++place)
      out += (place ? "," : "") + quoted(asText(row[place]));
    out += '\n';
  }
  return out;
}

std::string asJson(const Report &report) {
  // A view a line, a row a line: small, and `diff` says what changed.
  std::string out = "{\"schema\":\"gnnc-report/1\",\"title\":" + dump(report.title) + ",\n";
  Json sources = Json::array();
  for (const Source &source : report.sources)
    sources.push_back({{"path", source.path}, {"rows", source.rows}});
  out += "\"sources\":" + dump(sources) + ",\n\"views\":[";
  for (const View &view : report.views) {
    Json columns = Json::array();
    for (const Column &column : view.columns)
      columns.push_back({{"name", column.name},
                         {"title", column.title},
                         {"unit", column.unit},
                         {"type", nameOf(column.kind)}});
    out += (&view == report.views.data() ? "\n" : ",\n");
    out += "{\"name\":" + dump(view.name) + ",\"title\":" + dump(view.title) +
           ",\"says\":" + dump(view.says) + ",\n\"columns\":" + dump(columns) + ",\n\"rows\":[";
    for (const std::vector<Cell> &row : view.rows) {
      Json cells = Json::array();
      for (const Cell &cell : row)
        cells.push_back(asJson(cell));
      out += (&row == view.rows.data() ? "\n" : ",\n") + dump(cells);
    }
    out += "]}";
  }
  return out + "]}\n";
}

} // namespace gnnc::report
