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

std::string GpuLayout::whyNot(gnn::GpuScheduleAttr schedule, const RowFrame &frame) {
  auto text = [](int64_t number) { return std::to_string(number); };
  if (frame.features % schedule.getVector() != 0)
    return "vector = " + text(schedule.getVector()) + " does not divide the " +
           text(frame.features) + " features of " + (frame.heads > 1 ? "a head" : "a row");
  GpuLayout layout(schedule, frame);
  if (frame.reduces.features && layout.featureTiles > 1)
    return "the kernel reduces over " + text(frame.features) +
           " features, group x vector x regs covers " +
           text(schedule.getGroup() * schedule.getVector() * schedule.getRegs());
  return {};
}

LogicalResult GpuLayout::check(Operation *op, gnn::GpuScheduleAttr schedule,
                               const RowFrame &frame) {
  std::string reason = whyNot(schedule, frame);
  if (reason.empty())
    return success();
  return op->emitOpError("gpu schedule: ") << reason;
}
