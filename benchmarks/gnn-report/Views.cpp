//===- Views.cpp - The views of a report ----------------------------------===//
#include "benchmarks/gnn-report/Views.h"

#include "benchmarks/gnn-report/Fields.h"

#include <cmath>
#include <iterator>
#include <stdexcept>

namespace gnnc::report {

Table::Table(std::string name, std::string title, std::string says,
             const std::vector<std::string> &columns) {
  view.name = std::move(name);
  view.title = std::move(title);
  view.says = std::move(says);
  for (const std::string &column : columns)
    view.columns.push_back(columnOf(column));
}

void Table::add(const Values &values) { add(Record(), values); }

void Table::add(const Record &record, const Values &values) {
  for (const auto &[name, cell] : values)
    view.place(name); // a misspelled name would be lost
  std::vector<Cell> row;
  for (const Column &column : view.columns) {
    auto given = values.find(column.name);
    row.push_back(given == values.end() ? record[column.name] : given->second);
  }
  view.rows.push_back(std::move(row));
}

std::optional<double> geomean(const std::vector<double> &values) {
  if (values.empty())
    return std::nullopt;
  double sum = 0;
  for (double value : values)
    sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

static View fieldList() {
  Table table("columns", "What the columns mean",
              "A row for each name that views use, with the member of a result row it comes from; "
              "without one it is computed.",
              {"column", "title", "unit", "type", "member"});
  for (const Field &field : fields())
    table.add({{"column", text(field.name)},
               {"title", text(field.title)},
               {"unit", text(field.unit)},
               {"type", text(nameOf(field.kind))},
               {"member", text(field.member ? field.member : "")}});
  return table.view;
}

Report makeReport(const std::vector<std::string> &paths, const std::string &title) {
  Results results = readAll(paths);
  Report report{title, results.sources, {}};
  for (auto make : {viewsOfCases, viewsOfGroups, viewsOfOptions, viewsOfCells, viewsOfCosts,
                    viewsOfTrust, viewsOfSuites})
    std::ranges::move(make(results), std::back_inserter(report.views));
  report.views.push_back(fieldList());
  return report;
}

} // namespace gnnc::report
