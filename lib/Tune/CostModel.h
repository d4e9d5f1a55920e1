//===- CostModel.h - How long a kernel with a schedule should take --------===//
//
// In:  a kernel, a schedule and the shape of a graph. Out: microseconds, as a ranking:
// good enough to leave out what cannot win, not to choose the winner.
//
// A kernel takes as long as the slowest of what it keeps busy: memory (with the share
// of the source rows that the L2 cache holds, by tile), the cache itself, the latency of
// dependent loads over the groups of lanes that fit the chip together, and the issue of
// instructions; then the last items alone (by their order), and the second stage of
// split rows.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_TUNE_COSTMODEL_H
#define GNNC_LIB_TUNE_COSTMODEL_H

#include "lib/Tune/GraphShape.h"
#include "lib/Tune/SearchSpace.h"

namespace gnnc::tune {

/// Expected microseconds of one launch.
double estimateUs(const TunedKernel &kernel, mlir::Attribute schedule, const GraphShape &shape);

/// `schedules` by rising estimate, at most `most` of them.
llvm::SmallVector<mlir::Attribute> prune(const TunedKernel &kernel,
                                         llvm::ArrayRef<mlir::Attribute> schedules,
                                         const GraphShape &shape, size_t most);

} // namespace gnnc::tune

#endif // GNNC_LIB_TUNE_COSTMODEL_H
