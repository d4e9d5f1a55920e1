//===- GpuLayout.cpp - How a group of lanes shares a row ------------------===//
#include "passes/Kernel/GpuLayout.h"
#include "passes/Kernel/KernelAbi.h"

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

GpuLayout::Sources GpuLayout::outerSources(Operation *op) const {
  // Of the 50 to 60 MB of a Hopper chip, what rows can keep beside results and lists.
  constexpr int64_t cacheBytes = 40'000'000;
  auto aggregate = dyn_cast<gnn::AggregateOp>(op);
  int64_t rowBits = 0;
  for (Value rows : aggregate ? aggregate.getSrc() : cast<gnn::MapOp>(op).getSrc()) {
    auto type = cast<RankedTensorType>(rows.getType());
    rowBits += rowFeatures(type) * type.getElementTypeBitWidth();
  }
  int64_t rowBytes = std::max<int64_t>(1, rowBits / 8);
  return {cacheBytes / rowBytes, cacheBytes * numTiles() / rowBytes};
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
