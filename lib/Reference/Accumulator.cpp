//===- Accumulator.cpp - The reductions over the rows of a node -----------===//
#include "lib/Reference/Accumulator.h"

#include <cmath>
#include <limits>

using namespace gnnc::gnn;
using namespace gnnc::reference;

static double combine(ReduceKind kind, double sum, double value) {
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    return sum + value;
  case ReduceKind::Mul:
    return sum * value;
  case ReduceKind::Max: // NaN wins, as in torch
    return std::isnan(sum) || sum > value ? sum : value;
  case ReduceKind::Min:
    return std::isnan(sum) || sum < value ? sum : value;
  case ReduceKind::Softmax:
    break; // has an accumulator of its own
  }
  llvm_unreachable("all reductions covered");
}

void Accumulator::add(int64_t node, const double *row) {
  double *sum = values.data() + node * width;
  bool first = counts[node]++ == 0;
  for (int64_t i = 0; i < width; ++i)
    sum[i] = first ? row[i] : combine(kind, sum[i], row[i]);
}

std::vector<double> Accumulator::finish() && {
  for (size_t node = 0; node < counts.size(); ++node) {
    double *sum = values.data() + node * width;
    for (int64_t i = 0; i < width; ++i) {
      if (counts[node] == 0)
        sum[i] = kind == ReduceKind::Mul ? 1 : 0;
      else if (kind == ReduceKind::Mean)
        sum[i] /= static_cast<double>(counts[node]);
    }
  }
  return std::move(values);
}

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

SoftmaxAccumulator::SoftmaxAccumulator(int64_t nodes, int64_t scores, int64_t width)
    : sums(nodes * width), denominators(nodes * scores), maxima(nodes * scores, -kInfinity),
      scores(scores), width(width), counts(nodes) {}

void SoftmaxAccumulator::add(int64_t node, const double *scoreRow, const double *row) {
  ++counts[node];
  int64_t share = scores ? width / scores : 0;
  for (int64_t h = 0; h < scores; ++h) {
    double score = scoreRow[h], &maximum = maxima[node * scores + h],
           &denominator = denominators[node * scores + h];
    double *sum = sums.data() + node * width + h * share;
    if (std::isnan(score) || score > maximum) {
      double scale = std::exp(maximum - score); // NaN makes all NaN
      denominator *= scale;
      for (int64_t i = 0; i < share; ++i)
        sum[i] *= scale;
      maximum = score;
    }
    // -inf - -inf is NaN, but a later score may be the maximum: see finish().
    double weight = score == -kInfinity && maximum == -kInfinity ? 0 : std::exp(score - maximum);
    denominator += weight;
    for (int64_t i = 0; i < share; ++i)
      sum[i] += weight * row[h * share + i];
  }
}

void SoftmaxAccumulator::finish() {
  int64_t share = scores ? width / scores : 0;
  for (size_t at = 0; at < maxima.size(); ++at) {
    if (maxima[at] != -kInfinity || counts[at / scores] == 0)
      continue;
    denominators[at] = std::nan("");
    std::fill_n(sums.begin() + at * share, share, std::nan(""));
  }
}
