//===- SelfCheck.cpp - Every system beside itself: the noise floor --------===//
#include "benchmarks/gnn-bench/SelfCheck.h"

#include <algorithm>
#include <cmath>

namespace gnnc::bench {

/// The largest difference of quartiles and medians, relative to the smaller median.
static double noiseFloor(const Row &a, const Row &b) {
  Quartiles one = quartiles(a.latency), other = quartiles(b.latency);
  double apart = std::max({std::abs(one.q1 - other.q1), std::abs(one.median - other.median),
                           std::abs(one.q3 - other.q3)});
  return apart / std::min(one.median, other.median);
}

std::vector<Row> foldSelfCheck(const std::vector<Row> &rows) {
  std::size_t half = rows.size() / 2;
  std::vector<Row> folded(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(half));
  for (std::size_t index = 0; index < half; ++index) {
    Row &row = folded[index];
    const Row &copy = rows[index + half];
    if (!row.ok)
      continue;
    if (!copy.ok) {
      row = copy;
      row.error = "self-check: the second of two failed: " + copy.error.value_or("no error given");
      continue;
    }
    row.noiseFloor = noiseFloor(row, copy);
    // Not std::max, in which a NaN may lose.
    if (row.maxRelErr && copy.maxRelErr && !(*copy.maxRelErr <= *row.maxRelErr))
      row.maxRelErr = copy.maxRelErr;
    if (row.inBound && copy.inBound)
      row.inBound = *row.inBound && *copy.inBound;
    if (row.bitIdentical && copy.bitIdentical)
      row.bitIdentical = *row.bitIdentical && *copy.bitIdentical;
  }
  return folded;
}

} // namespace gnnc::bench
