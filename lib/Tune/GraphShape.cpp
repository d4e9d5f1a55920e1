//===- GraphShape.cpp - What of a graph decides which schedule is fast ----===//
#include "lib/Tune/GraphShape.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace gnnc::tune;

GraphShape GraphShape::of(std::int64_t dst, std::int64_t src, std::int64_t edges,
                          const std::function<std::int64_t(std::int64_t)> &destinationOf) {
  GraphShape shape{dst, src, edges, 0, {}};
  std::vector<std::int64_t> degrees(static_cast<std::size_t>(dst));
  for (std::int64_t edge = 0; edge < edges; ++edge)
    if (std::int64_t id = destinationOf(edge); id >= 0 && id < dst)
      ++degrees[static_cast<std::size_t>(id)];
  for (std::int64_t degree : degrees) {
    auto bucket = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(degree)));
    if (shape.histogram.size() <= bucket)
      shape.histogram.resize(bucket + 1);
    ++shape.histogram[bucket];
    shape.longest = std::max(shape.longest, degree);
  }
  return shape;
}

double GraphShape::meanEdges(std::size_t bucket) const {
  if (bucket == 0)
    return 0;
  double least = std::exp2(static_cast<double>(bucket) - 1);
  double most = std::min(2 * least - 1, static_cast<double>(longest));
  return std::max(least, (least + most) / 2);
}

double gnnc::tune::distance(const GraphShape &a, const GraphShape &b) {
  auto sharesOf = [](const GraphShape &shape) {
    std::vector<double> shares(64);
    double all = 0;
    for (std::size_t i = 0; i < shape.histogram.size() && i < shares.size(); ++i) {
      // Rows without edges are rows too: each counts as much as an edge.
      shares[i] = static_cast<double>(shape.histogram[i]) * std::max(1.0, shape.meanEdges(i));
      all += shares[i];
    }
    for (double &share : shares)
      share = all > 0 ? share / all : 0;
    return shares;
  };
  std::vector<double> left = sharesOf(a), right = sharesOf(b);
  double difference = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
    difference += std::abs(left[i] - right[i]) / 2;
  auto octaves = [](std::int64_t one, std::int64_t other) {
    return std::abs(std::log2(static_cast<double>(one) + 1) -
                    std::log2(static_cast<double>(other) + 1));
  };
  return difference +
         0.1 * (octaves(a.dst, b.dst) + octaves(a.src, b.src) + octaves(a.edges, b.edges));
}
