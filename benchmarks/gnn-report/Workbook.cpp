//===- Workbook.cpp - A report as a workbook ------------------------------===//
//
// Text is always written as text: what begins with '=' in a row is no formula.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/gnn-report/Workbook.h"

#include "benchmarks/data/GraphData.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <unistd.h>
#include <xlsxwriter.h>

namespace gnnc::report {
namespace {

constexpr lxw_row_t headRow = 2;       // under the title and what the view says
constexpr std::size_t mostRows = 60;   // of a view in a chart
constexpr std::size_t mostText = 8000; // bytes; a cell holds 32,767 characters

struct ChartOf {
  const char *view;
  std::uint8_t type;
  const char *category;
  std::vector<const char *> values;
  bool isLog;
};

const std::vector<ChartOf> &charts() {
  static const std::vector<ChartOf> all = {
      {"summary", LXW_CHART_BAR, "peer", {"geomean", "least", "most"}, true},
      {"speed-ups", LXW_CHART_BAR, "case", {"speed_up"}, true},
      {"overview", LXW_CHART_COLUMN, "shape", {"gnnc_ms", "peer_ms"}, true},
      {"per-model", LXW_CHART_BAR, "system", {"geomean"}, true},
      {"per-data-set", LXW_CHART_BAR, "system", {"geomean"}, true},
      {"modes", LXW_CHART_COLUMN, "mode", {"ratio"}, false},
      {"dynamic", LXW_CHART_COLUMN, "dynamic", {"ratio"}, false},
      {"latency-by-size", LXW_CHART_SCATTER, "edges", {"median_ms"}, true},
      {"memory", LXW_CHART_COLUMN, "shape", {"peak_mib"}, true},
      {"compile-time", LXW_CHART_COLUMN, "shape", {"compile_ms", "set_up_ms"}, true},
      {"break-even", LXW_CHART_COLUMN, "case", {"break_even_runs"}, true},
      {"throughput", LXW_CHART_COLUMN, "shape", {"edges_per_s"}, true},
      {"roofline", LXW_CHART_SCATTER, "intensity", {"gflop_per_s"}, true},
      {"stability", LXW_CHART_COLUMN, "shape", {"iqr_percent"}, false},
      {"status", LXW_CHART_COLUMN, "system", {"cells"}, false},
      {"stream", LXW_CHART_COLUMN, "variant", {"total_ms", "second_pass_ms"}, true},
      {"spmm", LXW_CHART_LINE, "data", {"speed_up"}, false},
  };
  return all;
}

struct Formats {
  lxw_format *title, *says, *head, *text, *bad;
  std::map<std::string, lxw_format *> numbers; ///< by number format
};

/// Times and ratios with decimals, counts and rates without, errors with an exponent.
const char *numberFormat(const Column &column) {
  if (column.kind == Kind::Whole)
    return "#,##0";
  if (column.unit == "ms" || column.unit == "us")
    return "#,##0.0000";
  if (column.unit == "x" || column.unit == "%" || column.unit == "MiB")
    return "#,##0.00";
  return column.unit.empty() ? "0.00E+00" : "#,##0.0##";
}

class Writer {
public:
  explicit Writer(lxw_workbook *book) : book(book) {
    auto make = [&] { return workbook_add_format(book); };
    formats.title = make();
    format_set_bold(formats.title);
    format_set_font_size(formats.title, 14);
    formats.says = make();
    format_set_italic(formats.says);
    format_set_font_color(formats.says, 0x555555);
    formats.head = make();
    format_set_bold(formats.head);
    format_set_text_wrap(formats.head);
    format_set_align(formats.head, LXW_ALIGN_VERTICAL_TOP);
    format_set_bg_color(formats.head, 0xD9E6F2);
    format_set_bottom(formats.head, LXW_BORDER_THIN);
    formats.text = make();
    formats.bad = make();
    format_set_font_color(formats.bad, 0xB00020);
    format_set_bold(formats.bad);
  }

  void addSheet(const View &view) {
    lxw_worksheet *sheet = workbook_add_worksheet(book, view.name.c_str());
    worksheet_write_string(sheet, 0, 0, view.title.c_str(), formats.title);
    worksheet_write_string(sheet, 1, 0, view.says.c_str(), formats.says);
    worksheet_set_row(sheet, headRow, 32, nullptr);
    auto last = static_cast<lxw_col_t>(view.columns.size() - 1);
    for (lxw_col_t place = 0; place <= last; ++place) {
      const Column &column = view.columns[place];
      std::string head = column.title + (column.unit.empty() ? "" : " [" + column.unit + "]");
      worksheet_write_string(sheet, headRow, place, head.c_str(), formats.head);
      std::size_t width = 9;
      for (std::size_t row = 0; row < view.rows.size(); ++row) {
        const Cell &cell = view.rows[row][place];
        write(sheet, static_cast<lxw_row_t>(headRow + 1 + row), place, cell, column);
        width = std::max(width, std::min<std::size_t>(asText(cell).size() + 2, 44));
      }
      worksheet_set_column(sheet, place, place, static_cast<double>(width), nullptr);
    }
    auto bottom = static_cast<lxw_row_t>(headRow + std::max<std::size_t>(view.rows.size(), 1));
    if (view.rows.empty())
      worksheet_write_string(sheet, headRow + 1, 0, "no rows", formats.says);
    worksheet_autofilter(sheet, headRow, 0, bottom, last);
    worksheet_freeze_panes(sheet, headRow + 1, 0);
  }

  void addCharts(lxw_worksheet *sheet, const Report &report) {
    int count = 0;
    for (const ChartOf &of : charts()) {
      const View &view = report.view(of.view);
      if (view.rows.empty())
        continue;
      lxw_chart *chart = workbook_add_chart(book, of.type);
      std::size_t rows = std::min(view.rows.size(), mostRows);
      auto last = static_cast<lxw_row_t>(headRow + rows);
      auto range = [&](const char *name) {
        auto column = static_cast<lxw_col_t>(view.place(name));
        char text[64];
        lxw_rowcol_to_range_abs(text, headRow + 1, column, last, column);
        return "='" + view.name + "'!" + text;
      };
      for (const char *name : of.values) {
        lxw_chart_series *series =
            chart_add_series(chart, range(of.category).c_str(), range(name).c_str());
        chart_series_set_name(series, view.columns[view.place(name)].title.c_str());
      }
      std::string title = view.title;
      if (rows < view.rows.size())
        title += " (first " + std::to_string(rows) + " rows)";
      chart_title_set_name(chart, title.c_str());
      const Column &value = view.columns[view.place(of.values.front())];
      lxw_chart_axis *values = of.type == LXW_CHART_BAR ? chart->x_axis : chart->y_axis;
      chart_axis_set_name(values, value.unit.c_str());
      if (of.isLog) {
        chart_axis_set_log_base(values, 10);
        if (of.type == LXW_CHART_SCATTER)
          chart_axis_set_log_base(chart->x_axis, 10);
      }
      if (of.values.size() < 2)
        chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
      lxw_chart_options options = {};
      options.x_scale = options.y_scale = 1.5;
      std::string says = view.says; // copied by the library
      options.description = says.data();
      worksheet_insert_chart_opt(sheet, static_cast<lxw_row_t>(2 + count / 2 * 24),
                                 static_cast<lxw_col_t>(count % 2 * 12), chart, &options);
      ++count;
    }
  }

  lxw_format *titleFormat() const { return formats.title; }

private:
  void write(lxw_worksheet *sheet, lxw_row_t row, lxw_col_t place, const Cell &cell,
             const Column &column) {
    if (const auto *value = std::get_if<std::string>(&cell)) {
      bool isBad = column.name == "status" && *value != "ok";
      std::string text = value->substr(0, mostText);
      while (!text.empty() && text.size() == mostText && (text.back() & 0xC0) == 0x80)
        text.pop_back(); // not within a character
      if (text.size() < value->size() && !text.empty() && (text.back() & 0xC0) == 0xC0)
        text.pop_back();
      worksheet_write_string(sheet, row, place, text.c_str(), isBad ? formats.bad : formats.text);
    } else if (const auto *is = std::get_if<bool>(&cell)) {
      bool isBad = !*is && (column.name == "in_bound" || column.name == "fair");
      worksheet_write_boolean(sheet, row, place, *is, isBad ? formats.bad : formats.text);
    } else if (const auto *count = std::get_if<std::int64_t>(&cell)) {
      worksheet_write_number(sheet, row, place, static_cast<double>(*count), numbers(column));
    } else if (const auto *number = std::get_if<double>(&cell)) {
      worksheet_write_number(sheet, row, place, *number, numbers(column));
    }
  }

  lxw_format *numbers(const Column &column) {
    lxw_format *&format = formats.numbers[numberFormat(column)];
    if (!format) {
      format = workbook_add_format(book);
      format_set_num_format(format, numberFormat(column));
    }
    return format;
  }

  lxw_workbook *book;
  Formats formats;
};

} // namespace

void writeWorkbook(const Report &report, const std::string &path) {
  namespace fs = std::filesystem;
  std::string partial = path + "." + std::to_string(getpid()) + ".partial";
  std::string folder = fs::path(path).parent_path().string();
  lxw_workbook_options options = {};
  options.tmpdir = folder.empty() ? nullptr : folder.data();
  lxw_workbook *book = workbook_new_opt(partial.c_str(), &options);
  if (!book)
    throw bench::Failure(path + ": no memory for the workbook");
  Writer writer(book);
  writer.addSheet(report.view("overview"));
  lxw_worksheet *sheet = workbook_add_worksheet(book, "charts");
  worksheet_write_string(sheet, 0, 0, report.title.c_str(), writer.titleFormat());
  for (const View &view : report.views)
    if (view.name != "overview")
      writer.addSheet(view);
  writer.addCharts(sheet, report);
  lxw_error error = workbook_close(book);
  std::error_code failed;
  if (error == LXW_NO_ERROR)
    fs::rename(partial, path, failed);
  if (error != LXW_NO_ERROR || failed) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    throw bench::Failure(
        path + ": cannot write the workbook: " + (failed ? failed.message() : lxw_strerror(error)));
  }
}

} // namespace gnnc::report
