//===- KernelAbi.cpp - How a kernel function is called --------------------===//
#include "passes/Kernel/KernelAbi.h"
#include "passes/Kernel/GpuLayout.h"

using namespace mlir;
using namespace gnnc;
using Kind = KernelParam::Kind;
using Domain = KernelEntry::Domain;

int64_t gnnc::rowFeatures(RankedTensorType tensor) {
  int64_t features = 1;
  for (int64_t extent : tensor.getShape().drop_front())
    features *= extent;
  return features;
}

Operation *gnnc::kernelOp(func::FuncOp kernel) {
  Operation *found = nullptr;
  if (!kernel.isExternal())
    for (Operation &op : kernel.getBody().front())
      if (isa<gnn::AggregateOp, gnn::MapOp>(op))
        found = found ? nullptr : &op;
  return found;
}

static bool hasSourceRows(Operation *op) {
  if (auto aggregate = dyn_cast<gnn::AggregateOp>(op))
    return !aggregate.getSrc().empty();
  return !cast<gnn::MapOp>(op).getSrc().empty();
}

/// The parameters that stand for the function's own signature; a graph's row
/// pointer only where asked for, its sources where rows of them are read.
static void appendSignature(func::FuncOp kernel, Operation *op, bool withRowPtr,
                            KernelEntry &entry) {
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    unsigned i = index;
    if (isa<gnn::GnnGraphType>(type)) {
      if (withRowPtr)
        entry.params.push_back({Kind::RowPtr, i});
      if (hasSourceRows(op))
        entry.params.push_back({Kind::Col, i});
    } else {
      entry.params.push_back({Kind::Operand, i});
    }
  }
  for (unsigned i = 0; i < kernel.getNumResults(); ++i)
    entry.params.push_back({Kind::Result, i});
}

static KernelAbi cpuAbi(func::FuncOp kernel, Operation *op, KernelAbi abi) {
  KernelEntry entry;
  entry.name = kernel.getName().str();
  entry.domain = isa<gnn::MapOp>(op) && abi.graph ? Domain::Nodes : Domain::Rows;
  appendSignature(kernel, op, /*withRowPtr=*/true, entry);
  abi.entries.push_back(std::move(entry));
  return abi;
}

SlotLayout gnnc::getSlotLayout(gnn::AggregateOp op) {
  // As aligned as the widest vector of floats that a thread loads.
  constexpr int64_t widest = 32;
  SlotLayout layout;
  int64_t slotAlignment = 1;
  for (Type type : op.getAccumulatorTypes()) {
    auto vector = dyn_cast<VectorType>(type);
    int64_t bytes = (vector ? vector.getNumElements() : 1) *
                    getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8;
    int64_t alignment = std::min<int64_t>(widest, llvm::PowerOf2Ceil(bytes));
    slotAlignment = std::max(slotAlignment, alignment);
    layout.bytes = llvm::alignTo(layout.bytes, alignment);
    layout.offsets.push_back(layout.bytes);
    layout.bytes += bytes;
  }
  layout.bytes = llvm::alignTo(layout.bytes, slotAlignment);
  return layout;
}

/// The place of its tiles depends on the graph.
static bool asksForSources(Operation *op, gnn::GpuScheduleAttr schedule, int64_t tiles) {
  return tiles > 1 && schedule.getTiles() == gnn::TileAxis::BySize && hasSourceRows(op);
}

static FailureOr<KernelAbi> cudaAbi(func::FuncOp kernel, Operation *op,
                                    gnn::GpuScheduleAttr schedule, KernelAbi abi) {
  FailureOr<RowFrame> frame = RowFrame::get(op);
  if (failed(frame))
    return failure();
  KernelEntry entry;
  entry.name = kernel.getName().str();
  entry.block = schedule.getBlock();
  entry.perBlock = schedule.getBlock() / schedule.getGroup();
  entry.tiles = GpuLayout(schedule, *frame).numTiles();
  if (!abi.graph) {
    entry.domain = Domain::Rows;
    appendSignature(kernel, op, false, entry);
    entry.params.push_back({Kind::Count});
    abi.entries.push_back(std::move(entry));
    return abi;
  }
  abi.partition = schedule;
  entry.domain = Domain::Items;
  entry.params.push_back({Kind::Items});
  appendSignature(kernel, op, false, entry);
  auto aggregate = dyn_cast<gnn::AggregateOp>(op);
  if (aggregate)
    entry.params.push_back({Kind::Workspace});
  if (asksForSources(op, schedule, entry.tiles))
    entry.params.push_back({Kind::Sources});
  entry.params.push_back({Kind::Count});
  abi.entries.push_back(std::move(entry));
  if (!aggregate)
    return abi;

  abi.workspaceBytes = getSlotLayout(aggregate).bytes;
  KernelEntry merge;
  merge.name = (kernel.getName() + "_merge").str();
  merge.domain = Domain::Splits;
  merge.params.push_back({Kind::Splits});
  appendSignature(kernel, op, false, merge);
  merge.params.push_back({Kind::Workspace});
  merge.params.push_back({Kind::Count});
  merge.perBlock = 0;
  merge.block = std::max<int64_t>(32, schedule.getGroup());
  merge.tiles = abi.entries.front().tiles;
  abi.entries.push_back(std::move(merge));
  return abi;
}

FailureOr<KernelAbi> gnnc::getKernelAbi(func::FuncOp kernel, gnn::TargetAttr target) {
  Operation *op = kernelOp(kernel);
  if (!op)
    return kernel.emitOpError("a kernel function holds one gnn.aggregate or gnn.map");
  KernelAbi abi;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto graph = dyn_cast<gnn::GnnGraphType>(type);
    if (!graph)
      continue;
    if (abi.graph)
      return kernel.emitOpError("a kernel follows the edges of one graph, found a second one");
    if (!graph.isCsr())
      return kernel.emitOpError("a kernel follows a csr graph, found ")
             << graph << "; run gnn-hoist-graph-invariants first";
    abi.graph = index;
  }
  Attribute schedule = op->getAttr("schedule");
  if (target.getKind() == gnn::TargetKind::Cpu) {
    if (!isa_and_present<gnn::CpuScheduleAttr>(schedule))
      return op->emitOpError("has no #gnn.cpu_schedule; run gnn-assign-schedules first");
    return cpuAbi(kernel, op, std::move(abi));
  }
  auto gpu = dyn_cast_if_present<gnn::GpuScheduleAttr>(schedule);
  if (!gpu)
    return op->emitOpError("has no #gnn.gpu_schedule; run gnn-assign-schedules first");
  return cudaAbi(kernel, op, gpu, std::move(abi));
}

LogicalResult gnnc::checkPlanned(func::FuncOp kernel, StringRef pass) {
  auto uses = SymbolTable::getSymbolUses(kernel, kernel->getParentOfType<ModuleOp>());
  if (!uses)
    return success();
  for (const SymbolTable::SymbolUse &use : *uses)
    if (isa<func::CallOp>(use.getUser()))
      return kernel.emitOpError("is still called on tensors; run gnn-build-plan before ") << pass;
  return success();
}
