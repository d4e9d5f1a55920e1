//===- ReportFiles.cpp - The files of a report ----------------------------===//
#include "benchmarks/gnn-report/ReportFiles.h"

#include "benchmarks/data/GraphData.h"
#include "benchmarks/gnn-report/Workbook.h"
#include "runtime/format/FileIO.h"

#include <algorithm>
#include <filesystem>

namespace gnnc::report {

namespace fs = std::filesystem;

std::vector<std::string> allFormats() { return {"csv", "json", "xlsx"}; }

std::string formatList() {
  std::string list;
  for (const std::string &format : allFormats())
    list += (list.empty() ? "" : ",") + format;
  return list;
}

static std::string place(const ReportOptions &options, const std::string &name) {
  return (fs::path(options.folder) / name).string();
}

std::vector<std::string> filesOf(const ReportOptions &options) {
  std::vector<std::string> files;
  for (const std::string &format : options.formats)
    if (format != "csv")
      files.push_back(place(options, "report." + format));
  return files;
}

static void makeFolder(const fs::path &path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !fs::is_directory(path))
    throw bench::Failure(path.string() + ": cannot be made a folder (" +
                         (error ? error.message() : "a file is there") + "); name another with -o");
}

static void writeText(const std::string &path, const std::string &text) {
  format::Piece piece = {text.data(), text.size()};
  std::string error;
  if (!format::writeFile(path, &piece, 1, error))
    throw bench::Failure(error);
}

std::vector<std::string> write(const Report &report, const ReportOptions &options) {
  std::vector<std::string> written;
  auto isAsked = [&](const char *format) {
    return std::ranges::find(options.formats, format) != options.formats.end();
  };
  makeFolder(options.folder);
  if (isAsked("csv")) {
    std::string folder = place(options, "views");
    makeFolder(folder);
    for (const View &view : report.views)
      writeText((fs::path(folder) / (view.name + ".csv")).string(), asCsv(view));
    written.push_back(folder);
  }
  if (isAsked("json")) {
    written.push_back(place(options, "report.json"));
    writeText(written.back(), asJson(report));
  }
  if (isAsked("xlsx")) {
    written.push_back(place(options, "report.xlsx"));
    writeWorkbook(report, written.back());
  }
  return written;
}

} // namespace gnnc::report
