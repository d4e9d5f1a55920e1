//===- RowWidths.h - Whether rows fit into one kernel ---------------------===//
//
// All rows of one kernel are numbers, heads, features, or heads x features of one
// pair of extents (passes/Kernel/RowFrame.h decides in the end). Passes that put ops
// together ask here first, on tensors and on regions, and leave what does not fit a
// kernel of its own.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_COMMON_ROWWIDTHS_H
#define GNNC_PASSES_COMMON_ROWWIDTHS_H

#include "dialects/Gnn/Gnn.h"

namespace gnnc {

class RowWidths {
public:
  /// Those of what the regions of `op` compute.
  static RowWidths of(gnn::AggregateOp op);

  /// Whether a row of `type` (tensor: behind its first extent; vector or number:
  /// whole) can be computed beside the rows so far.
  bool fits(mlir::Type type) const;
  /// Whether all that `op` computes can.
  bool fits(gnn::AggregateOp op) const;
  /// Counts a row of `type` among the rows if it fits.
  void add(mlir::Type type);

private:
  /// Heads are 1 until a row has two extents; features are 1 until one has any.
  int64_t heads = 1, features = 1;
};

} // namespace gnnc

#endif // GNNC_PASSES_COMMON_ROWWIDTHS_H
