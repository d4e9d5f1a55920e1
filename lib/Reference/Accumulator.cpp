//===- Accumulator.cpp - The five reductions over the rows of a node ------===//
#include "lib/Reference/Accumulator.h"

#include <cmath>

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
