//===- GpuLayout.cpp - How a group of lanes shares a row ------------------===//
#include "passes/Kernel/GpuLayout.h"

using namespace mlir;
using namespace gnnc;

GpuLayout::GpuLayout(gnn::GpuScheduleAttr schedule, const RowFrame &frame) {
  int64_t group = schedule.getGroup();
  int64_t perLane = schedule.getVector() * schedule.getRegs();
  headsPerLane = frame.holdsHeads() ? frame.heads : 1;
  lanesPerHead = group;
  if (frame.heads > 1 && !frame.holdsHeads())
    lanesPerHead =
        std::min<int64_t>(group, llvm::PowerOf2Ceil(llvm::divideCeil(frame.features, perLane)));
  featureTiles = llvm::divideCeil(frame.features, lanesPerHead * perLane);
  headTiles = llvm::divideCeil(frame.heads, group / lanesPerHead * headsPerLane);
}

LogicalResult GpuLayout::check(Operation *op, gnn::GpuScheduleAttr schedule,
                               const RowFrame &frame) {
  if (frame.features % schedule.getVector() != 0)
    return op->emitOpError("gpu schedule: vector = ")
           << schedule.getVector() << " does not divide the " << frame.features << " features of "
           << (frame.heads > 1 ? "a head" : "a row");
  GpuLayout layout(schedule, frame);
  if (frame.reduces.features && layout.featureTiles > 1)
    return op->emitOpError("gpu schedule: the kernel reduces over ")
           << frame.features << " features, group x vector x regs covers "
           << schedule.getGroup() * schedule.getVector() * schedule.getRegs();
  return success();
}
