//===- EdgeLoops.cpp - Aggregations in float64 as loops over the edges ----===//
#include "benchmarks/eager/EdgeLoops.h"

#include <ATen/Parallel.h>

#include <cmath>

namespace gnnc::bench {
namespace {

template <class T>
std::vector<T> copied(const at::Tensor &tensor, at::ScalarType type) {
  at::Tensor host = tensor.to(at::kCPU, type).contiguous();
  const T *data = host.data_ptr<T>();
  return {data, data + host.numel()};
}

/// Nodes that one task of a loop takes: few, as rows differ in length.
constexpr std::int64_t kGrain = 64;

} // namespace

EdgeLoops::EdgeLoops(const GraphTensors &graph)
    : numNodes(graph.numNodes), src(copied<std::int64_t>(graph.src, at::kLong)),
      dst(copied<std::int64_t>(graph.dst, at::kLong)), row(graph.numNodes + 1),
      order(graph.src.numel()) {
  if (graph.weight.defined())
    weight = copied<double>(graph.weight, at::kDouble);
  for (std::int64_t node : dst)
    ++row[node + 1];
  for (std::int64_t node = 0; node < numNodes; ++node)
    row[node + 1] += row[node];
  std::vector<std::int64_t> next(row.begin(), row.end() - 1);
  for (std::size_t edge = 0; edge < dst.size(); ++edge)
    order[next[dst[edge]]++] = static_cast<std::int64_t>(edge);
}

template <class Body>
void EdgeLoops::forEachNode(Body body) const {
  at::parallel_for(0, numNodes, kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t node = begin; node < end; ++node)
      body(node, row[node], row[node + 1]);
  });
}

at::Tensor EdgeLoops::sum(const at::Tensor &input) const {
  at::Tensor h = input.contiguous(), out = at::zeros({numNodes, h.size(1)}, at::kDouble);
  const double *from = h.data_ptr<double>();
  double *to = out.data_ptr<double>();
  forEachNode([&, width = h.size(1)](std::int64_t node, std::int64_t first, std::int64_t last) {
    double *sum = to + node * width;
    for (std::int64_t place = first; place < last; ++place) {
      double factor = weight.empty() ? 1 : weight[order[place]];
      const double *values = from + src[order[place]] * width;
      for (std::int64_t column = 0; column < width; ++column)
        sum[column] += factor * values[column];
    }
  });
  return out;
}

at::Tensor EdgeLoops::extreme(const at::Tensor &input, bool isMax) const {
  at::Tensor h = input.contiguous(), out = at::zeros({numNodes, h.size(1)}, at::kDouble);
  const double *from = h.data_ptr<double>();
  double *to = out.data_ptr<double>();
  forEachNode([&, width = h.size(1)](std::int64_t node, std::int64_t first, std::int64_t last) {
    double *best = to + node * width;
    for (std::int64_t place = first; place < last; ++place) {
      const double *values = from + src[order[place]] * width;
      for (std::int64_t column = 0; column < width; ++column) {
        bool isBetter = isMax ? values[column] > best[column] : values[column] < best[column];
        if (place == first || isBetter || std::isnan(values[column]))
          best[column] = values[column];
      }
    }
  });
  return out;
}

at::Tensor EdgeLoops::attend(const at::Tensor &input, const at::Tensor &given) const {
  at::Tensor rows = input.contiguous(), scores = given.contiguous(), out = at::zeros_like(rows);
  std::int64_t heads = rows.size(1), width = rows.size(2);
  const double *from = rows.data_ptr<double>(), *score = scores.data_ptr<double>();
  double *to = out.data_ptr<double>();
  forEachNode([&](std::int64_t node, std::int64_t first, std::int64_t last) {
    for (std::int64_t head = 0; head < heads; ++head) {
      auto scoreAt = [&](std::int64_t place) { return score[order[place] * heads + head]; };
      double largest = -INFINITY, total = 1e-16;
      for (std::int64_t place = first; place < last; ++place)
        largest = std::isnan(scoreAt(place)) ? scoreAt(place) : std::max(largest, scoreAt(place));
      for (std::int64_t place = first; place < last; ++place)
        total += std::exp(scoreAt(place) - largest);
      double *sum = to + (node * heads + head) * width;
      for (std::int64_t place = first; place < last; ++place) {
        double alpha = std::exp(scoreAt(place) - largest) / total;
        const double *values = from + (src[order[place]] * heads + head) * width;
        for (std::int64_t column = 0; column < width; ++column)
          sum[column] += alpha * values[column];
      }
    }
  });
  return out;
}

at::Tensor EdgeLoops::pairScores(const at::Tensor &leftRows, const at::Tensor &rightRows,
                                 const at::Tensor &vectors, double negativeSlope) const {
  at::Tensor left = leftRows.contiguous(), right = rightRows.contiguous(),
             vector = vectors.contiguous();
  std::int64_t heads = left.size(1), width = left.size(2);
  at::Tensor out = at::zeros({static_cast<std::int64_t>(src.size()), heads}, at::kDouble);
  const double *a = left.data_ptr<double>(), *b = right.data_ptr<double>(),
               *v = vector.data_ptr<double>();
  double *to = out.data_ptr<double>();
  forEachNode([&](std::int64_t node, std::int64_t first, std::int64_t last) {
    for (std::int64_t place = first; place < last; ++place)
      for (std::int64_t head = 0; head < heads; ++head) {
        const double *x = a + (src[order[place]] * heads + head) * width;
        const double *y = b + (node * heads + head) * width, *factor = v + head * width;
        double score = 0;
        for (std::int64_t column = 0; column < width; ++column) {
          double sum = x[column] + y[column];
          score += factor[column] * (sum < 0 ? negativeSlope * sum : sum);
        }
        to[order[place] * heads + head] = score;
      }
  });
  return out;
}

} // namespace gnnc::bench
