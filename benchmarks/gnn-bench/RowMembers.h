//===- RowMembers.h - The members of a row of results, checked ------------===//
//
// Input: a file of JSON objects, one a line. Output: each line's members by name and
// type. What is damaged is a Failure that names the file, the line and the member; all
// programs that read rows do so here.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_ROWMEMBERS_H
#define GNNC_BENCHMARKS_GNN_BENCH_ROWMEMBERS_H

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace gnnc::bench {

/// Members of one row, which outlives this; every message names the file, the line and the member.
class Members {
public:
  Members(const nlohmann::json &json, std::string place) : json(json), place(std::move(place)) {}

  [[noreturn]] void damaged(const std::string &what) const;

  /// Null if it is absent or null.
  const nlohmann::json *find(const char *name) const;
  std::string text(const char *name) const; ///< empty: unknown
  std::string neededText(const char *name) const;
  std::optional<bool> boolean(const char *name) const;
  std::optional<double> number(const char *name) const;
  std::optional<std::int64_t> count(const char *name) const;
  std::optional<Members> object(const char *name) const;
  /// FILE:LINE
  const std::string &where() const { return place; }

private:
  [[noreturn]] void wrong(const char *name, const char *wanted, const nlohmann::json &found) const;

  const nlohmann::json &json;
  std::string place;
};

/// What the numbers of a row depend on besides the program: the GPU, or the processor and
/// its threads; empty: unknown.
std::string machineOf(const Members &row, const std::string &device);

/// Calls `visit` for each row with its line, from 1. Throws Failure for a line that is no
/// JSON object, and when there is no row.
void forEachRow(const std::string &path,
                const std::function<void(const Members &row, std::size_t line)> &visit);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_ROWMEMBERS_H
