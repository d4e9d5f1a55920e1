//===- GpuLayout.h - How a group of lanes shares a row of heads x features ===//
//
// The `group` lanes of a schedule stand side by side over the features of one head,
// `lanesPerHead` of them, and over as many heads as then fit. Each lane owns `regs`
// short vectors of its head's features. What does not fit is another tile, features
// first, far away in the grid or beside it (`tiles`).
//
//   no heads                lanesPerHead = group
//   a region reduces over   a head's features are one tile; lanes beyond the last
//   features                feature repeat it
//   ... over heads, or      each lane owns all heads of its features
//   heads share rows
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_KERNEL_GPULAYOUT_H
#define GNNC_PASSES_KERNEL_GPULAYOUT_H

#include "passes/Kernel/RowFrame.h"

namespace gnnc {

struct GpuLayout {
  GpuLayout(gnn::GpuScheduleAttr schedule, const RowFrame &frame);

  int64_t lanesPerHead, headsPerLane;
  int64_t featureTiles, headTiles;
  int64_t numTiles() const { return featureTiles * headTiles; }

  /// Source counts, above the one and up to the other, of which a tile's slice of the rows
  /// that `op` reads stays in the L2 cache and all of them do not: tiles go outside.
  struct Sources {
    int64_t above, most;
  };
  Sources outerSources(mlir::Operation *op) const;

  /// Why `schedule` cannot cover the frame; empty when it can. The tuner proposes by it.
  static std::string whyNot(gnn::GpuScheduleAttr schedule, const RowFrame &frame);
  /// The same as a diagnostic at `op`.
  static mlir::LogicalResult check(mlir::Operation *op, gnn::GpuScheduleAttr schedule,
                                   const RowFrame &frame);
};

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_GPULAYOUT_H
