//===- View.h - One table of a report -------------------------------------===//
//
// A view is formed once, from rows of results, and then written as CSV, JSON, a sheet of
// the workbook and data of the page's figures: none of these computes anything.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_REPORT_VIEW_H
#define GNNC_BENCHMARKS_GNN_REPORT_VIEW_H

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gnnc::report {

/// Nothing means that it is not known.
using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

inline bool isKnown(const Cell &cell) { return !std::holds_alternative<std::monostate>(cell); }
/// Six significant digits, which is more than any measurement has; nothing if not finite.
Cell real(std::optional<double> number);
Cell whole(std::optional<std::int64_t> number);
/// Nothing for the empty text.
Cell text(std::string value);
Cell yesNo(std::optional<bool> value);
/// As CSV has it: empty when unknown, true or false, the shortest form of a number.
std::string asText(const Cell &cell);

enum class Kind : std::uint8_t { Text, Whole, Real, YesNo };
const char *nameOf(Kind kind);

struct Column {
  std::string name;  ///< of the member in JSON and the head in CSV
  std::string title; ///< for people
  std::string unit;  ///< empty: none
  Kind kind = Kind::Text;
};

struct View {
  std::string name;  ///< lower case words with hyphens: file name and sheet
  std::string title; ///< for people
  std::string says;  ///< one sentence: what a row is
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows; ///< each as long as `columns`

  /// Place of a column; throws std::logic_error when there is none.
  std::size_t place(const std::string &column) const;
};

struct Source {
  std::string path; ///< as given
  std::size_t rows = 0;
};

struct Report {
  std::string title;
  std::vector<Source> sources;
  std::vector<View> views;

  /// Throws std::logic_error when there is none.
  const View &view(const std::string &name) const;
};

/// RFC 4180, with a line for the names of the columns.
std::string asCsv(const View &view);
/// docs/report.md states the schema.
std::string asJson(const Report &report);

} // namespace gnnc::report

#endif // GNNC_BENCHMARKS_GNN_REPORT_VIEW_H
