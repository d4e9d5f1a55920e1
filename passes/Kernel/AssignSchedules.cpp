//===- AssignSchedules.cpp - A schedule for every kernel ------------------===//
//
// In:  kernel functions whose op may have no schedule yet.
// Out: each has one that fits its rows and the target, with the fields that were
// given by hand.
//
// Where the constants come from: docs/decisions/schedules.md (H200, 2026-12-02).
//
//===----------------------------------------------------------------------===//
#include "passes/Kernel/GpuLayout.h"
#include "passes/Kernel/KernelAbi.h"
#include "passes/Kernel/Passes.h"
#include "passes/Kernel/RowFrame.h"
#include "passes/Kernel/ScheduleOverrides.h"

namespace gnnc {
#define GEN_PASS_DEF_GNNASSIGNSCHEDULESPASS
#include "passes/Kernel/Passes.h.inc"
} // namespace gnnc

using namespace mlir;
using namespace gnnc;

namespace {

gnn::CpuScheduleAttr cpuSchedule(Operation *op, StringRef chip, int64_t prefetch) {
  // Half of the vector registers hold accumulators: 16 of 64 bytes at level v4,
  // 8 of 32 at v3, 8 of 16 otherwise.
  int64_t tile = chip == "x86-64-v4" ? 256 : chip == "x86-64-v3" ? 64 : 32;
  auto aggregate = dyn_cast<gnn::AggregateOp>(op);
  bool gathers = aggregate && !aggregate.getSrc().empty();
  return gnn::CpuScheduleAttr::get(op->getContext(), tile, gathers ? prefetch : 0);
}

/// 16-byte loads where the features of a head allow them.
int64_t vectorOf(const RowFrame &frame, unsigned elementBits) {
  int64_t vector = 16 * 8 / elementBits;
  while (frame.features % vector != 0)
    vector /= 2;
  return vector;
}

/// Whether a region has a loop of its own, over the features of an edge: as long as its
/// loads take, more edges in flight are more code and nothing gained.
bool multipliesRows(Operation *op) {
  constexpr int64_t longest = 8; // without a loop
  bool found = false;
  op->walk([&](vector::ContractionOp product) {
    found |= cast<VectorType>(product.getLhs().getType()).getNumElements() > longest;
  });
  return found;
}

/// A head's features are one tile of at most a warp; more heads stand beside it while
/// there are lanes.
gnn::GpuScheduleAttr reducingSchedule(Operation *op, const RowFrame &frame, int64_t vector,
                                      int64_t chunk) {
  constexpr int64_t maxHeld = 64; // values a lane holds for all edges in flight
  int64_t lanes = llvm::divideCeil(frame.features, vector);
  int64_t group = std::min<int64_t>(llvm::PowerOf2Ceil(lanes), 32);
  int64_t regs = frame.reduces.features ? llvm::divideCeil(lanes, group) : 1;
  int64_t held = regs * vector * (frame.reduces.heads ? frame.heads : 1);
  if (!frame.reduces.heads && isa<gnn::MapOp>(op))
    while (group < 32 && group < lanes * frame.heads)
      group *= 2;
  int64_t unroll = std::clamp<int64_t>(maxHeld / held, 1, multipliesRows(op) ? 2 : 8);
  // A row's reduction ends before its features are used: warps beside it hide that better
  // than edges in flight.
  int64_t minBlocks = frame.reduces.features ? 0 : 1;
  return gnn::GpuScheduleAttr::get(op->getContext(), chunk, group, vector, regs, unroll,
                                   /*block=*/128, minBlocks, gnn::RowOrder::Windows,
                                   gnn::TileAxis::BySize);
}

/// A lane has all heads of a few features, so that their row is read once.
gnn::GpuScheduleAttr sharingSchedule(Operation *op, const RowFrame &frame, int64_t vector,
                                     int64_t chunk) {
  constexpr int64_t maxSums = 64, maxLoaded = 64; // values a lane holds
  while (vector > 1 && vector * frame.heads > maxSums)
    vector /= 2;
  int64_t lanes = llvm::PowerOf2Ceil(llvm::divideCeil(frame.features, vector));
  int64_t unroll = std::clamp<int64_t>(maxLoaded / (vector + 2 * frame.heads), 1, 4);
  return gnn::GpuScheduleAttr::get(op->getContext(), chunk, std::min<int64_t>(lanes, 8), vector,
                                   /*regs=*/1, unroll, /*block=*/128, /*min_blocks=*/1,
                                   gnn::RowOrder::Windows, gnn::TileAxis::BySize);
}

gnn::GpuScheduleAttr gpuSchedule(Operation *op, const RowFrame &frame, int64_t vector,
                                 int64_t chunk) {
  if (frame.reduces.features || frame.reduces.heads)
    return reducingSchedule(op, frame, vector, chunk);
  if (frame.sharesRows)
    return sharingSchedule(op, frame, vector, chunk);
  int64_t features = frame.heads * frame.features;
  int64_t lanes = llvm::PowerOf2Ceil(features / vector), regs = 1;
  // Narrow rows are bound by latency: shorter items, more edges in flight.
  bool narrow = features <= 64;
  bool followsEdges = isa<gnn::AggregateOp>(op) || cast<gnn::MapOp>(op).getGraph();
  int64_t group = std::min<int64_t>(lanes, 32);
  if (isa<gnn::AggregateOp>(op)) {
    // From 128 features on, tiles of 8 lanes can keep one slice of all source rows
    // in L2; narrower rows are read whole, whatever their loads.
    group = std::min<int64_t>(lanes, features >= 128 ? 8 : narrow ? 16 : 32);
    if (features < 128)
      regs = llvm::divideCeil(features / vector, group);
  } else if (followsEdges && features == 1) {
    group = 32; // lanes over edges
  }
  int64_t unroll = narrow || (isa<gnn::AggregateOp>(op) && regs * vector <= 4) ? 8 : 4;
  return gnn::GpuScheduleAttr::get(
      op->getContext(), narrow ? std::max<int64_t>(1, chunk / 2) : chunk, group, vector, regs,
      unroll, /*block=*/128, /*min_blocks=*/1, gnn::RowOrder::Windows, gnn::TileAxis::BySize);
}

struct GnnAssignSchedulesPass : gnnc::impl::GnnAssignSchedulesPassBase<GnnAssignSchedulesPass> {
  using Base::Base;

  LogicalResult assign(func::FuncOp kernel, gnn::TargetAttr target, ScheduleOverrides &byHand) {
    Operation *op = kernelOp(kernel);
    if (!op)
      return kernel.emitOpError("a kernel function holds one gnn.aggregate or gnn.map");
    if (failed(assign(kernel, op, target)))
      return failure();
    Attribute chosen = op->getAttr("schedule");
    FailureOr<Attribute> schedule = byHand.apply(op, kernel.getName(), chosen);
    if (failed(schedule) || *schedule == chosen)
      return failure(failed(schedule));
    op->setAttr("schedule", *schedule);
    auto gpu = dyn_cast<gnn::GpuScheduleAttr>(*schedule);
    if (!gpu)
      return success();
    FailureOr<RowFrame> frame = RowFrame::get(op);
    return failure(failed(frame) || failed(GpuLayout::check(op, gpu, *frame)));
  }

  LogicalResult assign(func::FuncOp kernel, Operation *op, gnn::TargetAttr target) {
    bool cpu = target.getKind() == gnn::TargetKind::Cpu;
    if (Attribute given = op->getAttr("schedule")) { // of this target, if any: the op's C5
      if (isa<gnn::CpuScheduleAttr, gnn::GpuScheduleAttr>(given))
        return success();
      return op->emitOpError("has ")
             << given << " as its schedule; write a #gnn." << (cpu ? "cpu" : "gpu")
             << "_schedule, or leave it out and it gets one";
    }
    if (cpu) {
      op->setAttr("schedule", cpuSchedule(op, target.getChip(), prefetch));
      return success();
    }
    FailureOr<RowFrame> frame = RowFrame::get(op);
    if (failed(frame))
      return failure();
    auto result = cast<RankedTensorType>(kernel.getResultTypes().front());
    // A warp whose lanes hold as much as they can: 64 features each.
    constexpr int64_t widest = 32 * 64;
    int64_t vector = vectorOf(*frame, result.getElementTypeBitWidth());
    if (frame->reduces.features &&
        llvm::divideCeil(frame->features, 32 * vector) * 32 * vector > widest)
      return op->emitOpError("reduces over ")
             << frame->features << " features; a kernel for cuda reduces over " << widest
             << " at most, use narrower rows or compile for cpu";
    op->setAttr("schedule", gpuSchedule(op, *frame, vector, chunk));
    return success();
  }

  void runOnOperation() override {
    auto target = getOperation()->getAttrOfType<gnn::TargetAttr>(gnn::kTargetAttr);
    if (!target) {
      getOperation().emitError("gnn-assign-schedules needs the module attribute gnn.target");
      return signalPassFailure();
    }
    Location loc = getOperation().getLoc();
    FailureOr<ScheduleOverrides> byHand = ScheduleOverrides::parse(loc, overrides);
    if (failed(byHand))
      return signalPassFailure();
    SmallVector<StringRef> names;
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      auto kind = kernel->getAttrOfType<StringAttr>(gnn::kKernelAttr);
      if (!kind || kind.getValue() == "gemm")
        continue;
      names.push_back(kernel.getName());
      if (failed(assign(kernel, target, *byHand)))
        return signalPassFailure();
    }
    if (failed(byHand->checkAllUsed(loc, names)))
      return signalPassFailure();
  }
};

} // namespace
