//===- LaneGroup.h - The lanes of a group among themselves ----------------===//
//
// What the code of one row needs of the lanes that share it on a GPU: reductions over
// a head's features as butterflies, the fast exponential, who stores what.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_KERNEL_LANEGROUP_H
#define GNNC_PASSES_KERNEL_LANEGROUP_H

#include "passes/Kernel/RowEmitter.h"

namespace gnnc {

class LaneGroup final : public RowTarget {
public:
  /// The lanes of the warp that are this group.
  mlir::Value mask;
  int64_t lanesPerHead = 1;
  /// By shape: i1, whether this lane stores such values; null: it does.
  std::array<mlir::Value, 4> storing;

  mlir::Value reduce(mlir::OpBuilder &builder, mlir::Location loc, mlir::vector::CombiningKind kind,
                     mlir::Value value) override;
  /// The special function unit's power of two: its error is 2 ulp, and that of the product
  /// before it grows with |x|, where the weight is small.
  mlir::Value exp(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value) override;
  bool prefersBranches() const override { return false; }
  mlir::Value stores(RowShape shape) override { return storing[unsigned(shape)]; }

private:
  mlir::Value exchange(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                       int64_t distance);
};

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_LANEGROUP_H
