//===- Table.cpp - Benchmark rows as a table for people -------------------===//
#include "benchmarks/gnn-bench/Row.h"

#include <algorithm>
#include <cstdio>

namespace gnnc::bench {
namespace {

std::string format(const char *pattern, double number) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, number);
  return text;
}

/// Three or four significant digits, never an exponent.
std::string milliseconds(double value) {
  return format(value < 1 ? "%.4f" : value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%.1f", value);
}

std::string systemName(const Row &row) {
  if (row.system == "libtorch-eager")
    return row.fixes.value_or(true) ? "LibTorch eager, gather/scatter"
                                    : "LibTorch eager, gather/scatter, no fixes";
  if (row.system == "libtorch-csr")
    return "LibTorch eager, cached CSR product";
  if (row.system == "gnnc")
    return std::string("gnnc") +
           (row.mode.value_or("default") == "default" ? "" : ", " + *row.mode) +
           (row.dynamic.value_or("true") == "true" ? "" : ", specialised");
  return row.system;
}

std::vector<std::string> cells(const Row &row) {
  std::vector<std::string> line = {systemName(row), row.device};
  if (row.latency.empty()) {
    line.insert(line.end(), {"failed", "", "", "", ""});
    return line;
  }
  Quartiles q = quartiles(row.latency);
  line.push_back(milliseconds(q.median));
  std::string quarters = "[";
  quarters += milliseconds(q.q1) + ", " + milliseconds(q.q3) + "]";
  line.push_back(quarters);
  line.push_back(row.peakMib ? format("%.1f", *row.peakMib) : "-");
  std::string error = row.maxRelErr ? format("%.1e", *row.maxRelErr) : "-";
  line.push_back(row.inBound.value_or(true) ? error : error + " (over the bound)");
  line.push_back(row.testAccuracy ? format("%.3f", *row.testAccuracy) : "-");
  return line;
}

} // namespace

std::string table(const std::vector<Row> &rows) {
  std::vector<std::vector<std::string>> lines = {
      {"system", "device", "median ms", "[q1, q3]", "peak MiB", "max error", "test accuracy"}};
  for (const Row &row : rows)
    lines.push_back(cells(row));
  std::vector<std::size_t> width(lines[0].size());
  for (const auto &line : lines)
    for (std::size_t column = 0; column < line.size(); ++column)
      width[column] = std::max(width[column], line[column].size());

  std::string text;
  auto rule = [&] {
    for (std::size_t column = 0; column < width.size(); ++column)
      text += (column ? "  " : "") + std::string(width[column], '-');
    text += "\n";
  };
  for (std::size_t index = 0; index < lines.size(); ++index) {
    std::string row;
    for (std::size_t column = 0; column < width.size(); ++column) {
      std::string padding(width[column] - lines[index][column].size(), ' ');
      bool left = column < 2; // words left, numbers right
      row += (column ? "  " : "") +
             (left ? lines[index][column] + padding : padding + lines[index][column]);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
    if (index == 0)
      rule();
  }
  for (const Row &row : rows)
    if (row.noiseFloor)
      text += systemName(row) + " (" + row.device + "): noise floor " +
              format("%.1f %%", *row.noiseFloor * 100) + "\n";
  for (const Row &row : rows)
    if (row.error)
      text += systemName(row) + " (" + row.device + "): " + *row.error + "\n";
  return text;
}

} // namespace gnnc::bench
