//===- Accumulator.h - The reductions over the rows of a node -------------===//
//
// In: rows, each added to a node, in the order of the edges. Out: one row per
// node. The meaning of empty nodes, means, NaN and softmax stands here and
// nowhere else.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_REFERENCE_ACCUMULATOR_H
#define GNNC_LIB_REFERENCE_ACCUMULATOR_H

#include "dialects/Gnn/Gnn.h"

namespace gnnc::reference {

class Accumulator {
public:
  Accumulator(gnn::ReduceKind kind, int64_t nodes, int64_t width)
      : kind(kind), width(width), values(nodes * width), counts(nodes) {}

  void add(int64_t node, const double *row);
  /// The reduced rows: no edge gives 0, or 1 for mul; a mean is divided.
  std::vector<double> finish() &&;

private:
  gnn::ReduceKind kind;
  int64_t width;
  std::vector<double> values;
  std::vector<int64_t> counts;
};

/// Rows weighed by exp(score - the largest score of the node). One pass: when a
/// larger score comes, what was added so far is scaled down.
class SoftmaxAccumulator {
public:
  /// Each of `scores` scores weighs width / scores elements of a row.
  SoftmaxAccumulator(int64_t nodes, int64_t scores, int64_t width);

  void add(int64_t node, const double *scoreRow, const double *row);
  /// What a node without edges has in them: 0, 0 and -inf.
  std::vector<double> sums, denominators, maxima;
  /// To be called after the last row: scores that are all -inf weigh NaN.
  void finish();

private:
  int64_t scores, width;
  std::vector<int64_t> counts;
};

} // namespace gnnc::reference

#endif // GNNC_LIB_REFERENCE_ACCUMULATOR_H
