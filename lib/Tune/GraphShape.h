//===- GraphShape.h - What of a graph decides which schedule is fast ------===//
//
// Counts and the in-degrees as a histogram over powers of two: few numbers, the same
// for graphs that a kernel cannot tell apart.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_TUNE_GRAPHSHAPE_H
#define GNNC_LIB_TUNE_GRAPHSHAPE_H

#include <cstdint>
#include <functional>
#include <vector>

namespace gnnc::tune {

struct GraphShape {
  std::int64_t dst = 0, src = 0, edges = 0;
  std::int64_t longest = 0; ///< edges of the longest row
  /// histogram[0]: rows without an edge; histogram[i]: rows of 2^(i-1) to 2^i - 1 edges.
  std::vector<std::int64_t> histogram;

  /// `destinationOf` gives the destination of edge 0 .. edges - 1; ids out of range are
  /// not counted.
  static GraphShape of(std::int64_t dst, std::int64_t src, std::int64_t edges,
                       const std::function<std::int64_t(std::int64_t)> &destinationOf);

  /// Rows of `bucket` have this many edges on average (their middle, as only the bucket
  /// is known).
  double meanEdges(std::size_t bucket) const;

  bool operator==(const GraphShape &other) const = default;
};

/// 0 for equal shapes, above 1 for unlike ones: half the difference of the shares that
/// edges have in each bucket, plus a tenth of the powers of two between the counts.
double distance(const GraphShape &a, const GraphShape &b);

/// Graphs nearer than this start from each other's schedules.
inline constexpr double kNear = 0.5;

} // namespace gnnc::tune

#endif // GNNC_LIB_TUNE_GRAPHSHAPE_H
