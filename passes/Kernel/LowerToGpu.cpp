//===- LowerToGpu.cpp - Kernel functions as a gpu.module ------------------===//
//
// In:  kernel functions on tensors with #gnn.gpu_schedule.
// Out: one gpu.module with a gpu.func per entry of each kernel's ABI.
//
// A group of lanes shares one work item (at most `chunk` edges of one row, or one
// row where there are no edges); which heads and features a lane owns is GpuLayout's.
// Rows of more than one item leave partial sums in the workspace, which the
// merge kernel adds in order: no atomics, the same bits every time.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Common/RowRegion.h"
#include "passes/Kernel/GpuLayout.h"
#include "passes/Kernel/KeepLoop.h"
#include "passes/Kernel/KernelBody.h"
#include "passes/Kernel/LaneGroup.h"
#include "passes/Kernel/Passes.h"

namespace gnnc {
#define GEN_PASS_DEF_GNNLOWERTOGPUPASS
#include "passes/Kernel/Passes.h.inc"
} // namespace gnnc

using namespace mlir;
using namespace gnnc;

namespace {

class GpuKernel {
public:
  GpuKernel(func::FuncOp kernel, const KernelAbi &abi, gpu::GPUModuleOp module, RowFrame frame)
      : kernel(kernel), op(kernelOp(kernel)), abi(abi), module(module), loc(op->getLoc()),
        builder(kernel.getContext()), frame(std::move(frame)),
        schedule(cast<gnn::GpuScheduleAttr>(op->getAttr("schedule"))),
        layout(schedule, this->frame) {
    if (abi.graph)
      index = cast<gnn::GnnGraphType>(kernel.getArgumentTypes()[*abi.graph]).getIndex();
  }

  LogicalResult emit() {
    if (failed(GpuLayout::check(op, schedule, frame)))
      return failure();
    for (const KernelEntry &entry : abi.entries)
      if (failed(emitEntry(entry)))
        return failure();
    return success();
  }

private:
  Value i32(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), value);
  }
  Value i64(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), value);
  }
  Value toI64(Value value) {
    return value.getType().isInteger(64)
               ? value
               : arith::ExtSIOp::create(builder, loc, builder.getI64Type(), value).getResult();
  }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) { return arith::MulIOp::create(builder, loc, a, b); }
  Value less(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, b);
  }
  Value special(Value id) {
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), id);
  }

  /// Global memory that no kernel of this launch writes goes through the
  /// read-only path; vectors are aligned because rows are.
  static RowEmitter::Access access() { return {/*invariant=*/true, /*aligned=*/true}; }

  void openFunction(const KernelEntry &entry) {
    builder.setInsertionPointToEnd(module.getBody());
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext(),
                                              static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
    SmallVector<Type> types;
    for (const KernelParam &param : entry.params)
      types.push_back(param.isCount() ? Type(builder.getI64Type()) : Type(pointer));
    auto function = gpu::GPUFuncOp::create(builder, kernel.getLoc(), entry.name,
                                           builder.getFunctionType(types, {}));
    function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
    function.setKnownBlockSizeAttr(
        builder.getDenseI32ArrayAttr({static_cast<int32_t>(entry.block), 1, 1}));
    // Without a bound of its own ptxas prefers full occupancy, 32 registers, to the loads
    // that the schedule has in flight.
    if (int64_t minBlocks = schedule.getMinBlocks(); minBlocks > 0)
      function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                        builder.getI32IntegerAttr(static_cast<int32_t>(minBlocks)));
    builder.setInsertionPointToStart(&function.getBody().front());
    addresses = KernelAddresses::sort(entry, function.getArguments());
  }

  Value both(Value a, Value b) {
    return a && b ? arith::AndIOp::create(builder, loc, a, b).getResult() : a ? a : b;
  }
  Value isZero(Value value) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value, i32(0));
  }

  /// The lanes of the warp that share this thread's item, as bits.
  Value groupMask(Value thread) {
    if (schedule.getGroup() == 32)
      return i32(-1);
    Value bits = i32((int64_t(1) << schedule.getGroup()) - 1);
    if (!thread) // a merge: lanes from 0 on
      return bits;
    Value first = arith::AndIOp::create(builder, loc, thread, i32(31 & -schedule.getGroup()));
    return arith::ShLIOp::create(builder, loc, bits, first);
  }

  /// Where a group stands: its item, i32, and its tile, null where there is one.
  struct Place {
    Value item, tile;
  };

  /// Whether the tiles of an item are far apart, i1; null: they are, whatever the graph.
  Value tilesAreOuter() {
    if (schedule.getTiles() == gnn::TileAxis::Inner)
      return arith::ConstantIntOp::create(builder, loc, builder.getI1Type(), 0);
    if (!addresses.sources)
      return {};
    GpuLayout::Sources outer = layout.outerSources(op);
    return both(less(i64(outer.above), addresses.sources),
                arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, addresses.sources,
                                      i64(outer.most)));
  }

  Place placeGroup(const KernelEntry &entry, Value thread, Value block) {
    bool merges = entry.domain == KernelEntry::Domain::Splits;
    Value number =
        merges ? Value() : arith::DivUIOp::create(builder, loc, thread, i32(schedule.getGroup()));
    Place place{merges ? block : add(mul(block, i32(entry.perBlock)), number), Value()};
    if (entry.tiles == 1)
      return place;
    place.tile = special(gpu::BlockIdOp::create(builder, loc, gpu::Dimension::y));
    Value outer = merges ? Value() : tilesAreOuter();
    if (!outer)
      return place;
    // The same grid, its blocks numbered in the order in which they start.
    Value blocks = special(gpu::GridDimOp::create(builder, loc, gpu::Dimension::x));
    Value started = add(mul(toI64(place.tile), toI64(blocks)), toI64(block));
    Value group = add(mul(started, i64(entry.perBlock)), toI64(number));
    auto narrow = [&](Value value) {
      return arith::TruncIOp::create(builder, loc, builder.getI32Type(), value);
    };
    Value tiles = i64(entry.tiles);
    Value item = narrow(arith::DivUIOp::create(builder, loc, group, tiles));
    Value tile = narrow(arith::RemUIOp::create(builder, loc, group, tiles));
    place.item = arith::SelectOp::create(builder, loc, outer, place.item, item);
    place.tile = arith::SelectOp::create(builder, loc, outer, place.tile, tile);
    return place;
  }

  /// Which heads and features lane `lane` of its group has, and what it stores. `holds`
  /// is false for lanes that may go home.
  RowTile placeLane(Value lane, Value tile, LaneGroup &lanes, Value &holds) {
    int64_t vector = schedule.getVector(), regs = schedule.getRegs();
    int64_t headsBeside = schedule.getGroup() / layout.lanesPerHead;
    int64_t width = layout.lanesPerHead * vector * regs;
    lanes.lanesPerHead = layout.lanesPerHead;

    Value featureTile = layout.headTiles == 1 ? tile : Value();
    Value headTile = layout.featureTiles == 1 ? tile : Value();
    if (tile && layout.headTiles > 1 && layout.featureTiles > 1) {
      featureTile = arith::RemUIOp::create(builder, loc, tile, i32(layout.featureTiles));
      headTile = arith::DivUIOp::create(builder, loc, tile, i32(layout.featureTiles));
    }
    Value laneOfHead = lane, headOfLane;
    if (headsBeside > 1) {
      laneOfHead = arith::RemUIOp::create(builder, loc, lane, i32(layout.lanesPerHead));
      headOfLane = arith::DivUIOp::create(builder, loc, lane, i32(layout.lanesPerHead));
    }

    RowTile held;
    held.heads = layout.headsPerLane;
    Value head = headTile && headsBeside > 1 ? mul(headTile, i32(headsBeside)) : headTile;
    head = head && headOfLane ? add(head, headOfLane) : head ? head : headOfLane;
    Value headInRange;
    if (head && layout.headTiles * headsBeside != frame.heads) {
      headInRange = less(head, i32(frame.heads));
      // Where lanes must stay for a reduction, they repeat the last head.
      if (frame.reduces.features)
        head = arith::MinSIOp::create(builder, loc, head, i32(frame.heads - 1));
    }
    if (head)
      held.head = toI64(head);

    Value first = mul(laneOfHead, i32(vector));
    if (featureTile)
      first = add(first, mul(featureTile, i32(width)));
    bool whole = frame.features % width == 0;
    Value base = toI64(first);
    for (int64_t r = 0; r < regs; ++r) {
      int64_t offset = r * layout.lanesPerHead * vector;
      Piece piece{offset, vector, vector, base};
      if (!whole && (regs > 1 || frame.reduces.features)) {
        Value at = offset ? add(first, i32(offset)) : first;
        piece.inRange = less(at, i32(frame.features));
        piece.base = toI64(arith::MinSIOp::create(builder, loc, at, i32(frame.features - vector)));
        piece.offset = 0;
      }
      held.pieces.push_back(piece);
    }
    if (!frame.reduces.features) {
      if (!whole)
        holds = less(base, i64(frame.features));
      holds = both(holds, headInRange);
      headInRange = {};
    }

    // What several lanes hold is stored by the first of them.
    Value firstLane = layout.lanesPerHead > 1 ? isZero(laneOfHead) : Value();
    Value firstFeature = both(firstLane, featureTile ? isZero(featureTile) : Value());
    Value firstHead =
        both(headOfLane ? isZero(headOfLane) : Value(), headTile ? isZero(headTile) : Value());
    lanes.storing[unsigned(RowShape::Full)] = headInRange;
    lanes.storing[unsigned(RowShape::Feature)] = firstHead;
    lanes.storing[unsigned(RowShape::Head)] = both(firstFeature, headInRange);
    lanes.storing[unsigned(RowShape::Scalar)] = both(firstFeature, firstHead);
    return held;
  }

  LogicalResult emitEntry(const KernelEntry &entry) {
    openFunction(entry);
    Value thread = special(gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x));
    Value block = special(gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x));
    Value group = i32(schedule.getGroup());
    bool merges = entry.domain == KernelEntry::Domain::Splits;
    Value lane = merges ? thread : arith::RemUIOp::create(builder, loc, thread, group).getResult();
    auto [item, rowTile] = placeGroup(entry, thread, block);
    Value active = less(toI64(item), addresses.count);
    if (merges)
      active = arith::AndIOp::create(builder, loc, active, less(lane, group));
    bool lanesOverEdges =
        isa<gnn::MapOp>(op) && abi.graph && frame.heads == 1 && frame.features == 1;
    LaneGroup lanes;
    RowTile tile;
    Value holds; // null: every lane of an active group has something to hold
    if (lanesOverEdges)
      tile.pieces.push_back({0, 1, 1});
    else
      tile = placeLane(lane, rowTile, lanes, holds);
    if (holds)
      active = arith::AndIOp::create(builder, loc, active, holds);
    if (frame.reduces.features)
      lanes.mask = groupMask(merges ? Value() : thread);
    auto guarded = scf::IfOp::create(builder, loc, active, /*withElseRegion=*/false);
    gpu::ReturnOp::create(builder, loc);
    builder.setInsertionPointToStart(&guarded.getThenRegion().front());
    RowEmitter rows(builder, frame, tile, lanes);
    KernelBody body(op, addresses, rows, builder, access());
    switch (entry.domain) {
    case KernelEntry::Domain::Rows:
      body.loadParams();
      return body.map({{}, {}, toI64(item)});
    case KernelEntry::Domain::Splits:
      return emitMerge(body, item);
    case KernelEntry::Domain::Items:
      return isa<gnn::MapOp>(op) ? emitEdgeMap(body, item, lanesOverEdges ? lane : Value())
                                 : emitAggregate(body, item);
    case KernelEntry::Domain::Nodes:
      break;
    }
    llvm_unreachable("a cuda kernel runs on rows, items or splits");
  }

  /// The four i32 of record `at`.
  SmallVector<Value, 4> loadRecord(Value records, Value at) {
    auto type = VectorType::get({4}, builder.getI32Type());
    Value from = LLVM::GEPOp::create(builder, loc, records.getType(), type, records, toI64(at),
                                     LLVM::GEPNoWrapFlags::inbounds);
    Value record = LLVM::LoadOp::create(builder, loc, type, from, 16, false, false, true);
    SmallVector<Value, 4> fields;
    for (int64_t i = 0; i < 4; ++i)
      fields.push_back(vector::ExtractOp::create(builder, loc, record, i));
    return fields;
  }

  Value loadSource(Value edge) {
    Value from = LLVM::GEPOp::create(builder, loc, addresses.col.getType(), index, addresses.col,
                                     edge, LLVM::GEPNoWrapFlags::inbounds);
    return toI64(
        LLVM::LoadOp::create(builder, loc, index, from, index.getWidth() / 8, false, false, true));
  }

  /// for (i = from; i < to; i += step) with values carried around.
  FailureOr<SmallVector<Value>>
  loop(Value from, Value to, int64_t step, ArrayRef<Value> carried,
       function_ref<FailureOr<SmallVector<Value>>(Value, ArrayRef<Value>)> emitBody) {
    auto loop = scf::ForOp::create(builder, loc, from, to, i32(step), carried);
    keepLoop(loop);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    auto next = emitBody(loop.getInductionVar(), SmallVector<Value>(loop.getRegionIterArgs()));
    if (failed(next))
      return failure();
    if (!next->empty())
      scf::YieldOp::create(builder, loc, *next);
    return SmallVector<Value>(loop.getResults());
  }

  /// Where the rows of an index are: a source, or null.
  using Locate = function_ref<Value(Value)>;
  /// The rows of a place and an index.
  using Load = function_ref<SmallVector<Row>(Value, Value)>;
  using Step = function_ref<FailureOr<SmallVector<Value>>(ArrayRef<Value>, ArrayRef<Row>)>;

  /// The loop above, `unroll` iterations' loads ahead of their first use, those of places
  /// first: ptxas keeps that order, but spreads rows out where both alternate. The rest
  /// is one more such block: it loads the last index again where there is none
  /// left and drops what comes of it, so that a row of few edges waits for memory
  /// once and not once per edge. The order of steps is that of the indices.
  FailureOr<SmallVector<Value>> unrolledLoop(Value from, Value to, int64_t unroll,
                                             ArrayRef<Value> carried, Locate locate, Load load,
                                             Step step) {
    if (unroll == 1)
      return loop(from, to, 1, carried, [&](Value at, ArrayRef<Value> state) {
        return step(state, load(locate(at), at));
      });
    Value count = arith::SubIOp::create(builder, loc, to, from);
    Value rest = arith::RemUIOp::create(builder, loc, count, i32(unroll));
    Value middle = arith::SubIOp::create(builder, loc, to, rest);
    auto main = loop(from, middle, unroll, carried, [&](Value first, ArrayRef<Value> state) {
      return block(first, Value(), unroll, state, locate, load, step);
    });
    if (failed(main))
      return failure();
    auto tail = scf::IfOp::create(builder, loc, ValueRange(*main).getTypes(), less(middle, to),
                                  /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&tail.getThenRegion().front());
    auto last = block(middle, to, unroll - 1, *main, locate, load, step);
    if (failed(last))
      return failure();
    scf::YieldOp::create(builder, loc, *last);
    builder.setInsertionPointToStart(&tail.getElseRegion().front());
    scf::YieldOp::create(builder, loc, *main);
    return SmallVector<Value>(tail.getResults());
  }

  /// `width` steps from index `first`, loads first; with `end`, only those below it.
  FailureOr<SmallVector<Value>> block(Value first, Value end, int64_t width,
                                      ArrayRef<Value> initial, Locate locate, Load load,
                                      Step step) {
    SmallVector<Value> state(initial), indices, places, exists;
    SmallVector<SmallVector<Row>> loaded;
    for (int64_t u = 0; u < width; ++u) {
      Value at = u ? add(first, i32(u)) : first;
      if (end && u) {
        exists.push_back(less(at, end));
        at = arith::MinSIOp::create(builder, loc, at,
                                    arith::SubIOp::create(builder, loc, end, i32(1)));
      } else {
        exists.push_back({});
      }
      indices.push_back(at);
      places.push_back(locate(at));
    }
    for (auto [place, at] : llvm::zip_equal(places, indices))
      loaded.push_back(load(place, at));
    for (auto [rows, given] : llvm::zip_equal(loaded, exists)) {
      auto next = step(state, rows);
      if (failed(next))
        return failure();
      for (auto [value, old] : llvm::zip_equal(*next, state))
        if (given)
          value = arith::SelectOp::create(builder, loc, given, value, old);
      state = *next;
    }
    return state;
  }

  LogicalResult emitAggregate(KernelBody &body, Value item) {
    auto fields = loadRecord(addresses.items, item);
    Value row = toI64(fields[0]);
    Value first = fields[1], last = fields[2], slot = fields[3];
    body.loadParams();
    body.loadDestination(row);
    auto sums = unrolledLoop(
        first, last, schedule.getUnroll(), body.start(),
        [&](Value edge) { return body.readsSources() ? loadSource(toI64(edge)) : Value(); },
        [&](Value source, Value edge) { return body.loadEdge({source, row, toI64(edge)}); },
        [&](ArrayRef<Value> state, ArrayRef<Row> loaded) { return body.step(state, loaded); });
    if (failed(sums))
      return failure();
    Value whole = less(slot, i32(0));
    auto split = scf::IfOp::create(builder, loc, whole, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(&split.getThenRegion().front());
    Value count = arith::SubIOp::create(builder, loc, last, first);
    if (failed(body.finish(*sums, row, count)))
      return failure();
    builder.setInsertionPointToStart(&split.getElseRegion().front());
    body.storePartial(*sums, toI64(slot));
    return success();
  }

  LogicalResult emitMerge(KernelBody &body, Value item) {
    constexpr int64_t inFlight = 8;
    auto fields = loadRecord(addresses.splits, item);
    Value row = toI64(fields[0]);
    body.loadParams();
    body.loadDestination(row);
    auto sums = unrolledLoop(
        fields[1], fields[2], inFlight, body.start(), [](Value) { return Value(); },
        [&](Value, Value slot) { return SmallVector<Row>{Row(body.loadPartial(toI64(slot)))}; },
        [&](ArrayRef<Value> state, ArrayRef<Row> loaded) -> FailureOr<SmallVector<Value>> {
          return body.merge(state, loaded.front());
        });
    return failed(sums) ? failure() : body.finish(*sums, row, fields[3]);
  }

  LogicalResult emitEdgeMap(KernelBody &body, Value item, Value lane) {
    auto fields = loadRecord(addresses.items, item);
    Value row = toI64(fields[0]);
    body.loadParams();
    body.loadDestination(row);
    Value first = lane ? add(fields[1], lane) : fields[1];
    return loop(first, fields[2], lane ? schedule.getGroup() : 1, {},
                [&](Value edge, ArrayRef<Value>) -> FailureOr<SmallVector<Value>> {
                  Value wide = toI64(edge);
                  Value source = body.readsSources() ? loadSource(wide) : Value();
                  if (failed(body.map({source, row, wide})))
                    return failure();
                  return SmallVector<Value>();
                });
  }

  func::FuncOp kernel;
  Operation *op;
  const KernelAbi &abi;
  gpu::GPUModuleOp module;
  Location loc;
  OpBuilder builder;
  RowFrame frame;
  gnn::GpuScheduleAttr schedule;
  GpuLayout layout;
  KernelAddresses addresses;
  IntegerType index;
};

struct GnnLowerToGpuPass : gnnc::impl::GnnLowerToGpuPassBase<GnnLowerToGpuPass> {
  void runOnOperation() override {
    auto target = getOperation()->getAttrOfType<gnn::TargetAttr>(gnn::kTargetAttr);
    if (!target || target.getKind() != gnn::TargetKind::Cuda) {
      getOperation().emitError("gnn-lower-to-gpu needs the module attribute gnn.target = "
                               "#gnn.target<cuda, ...>");
      return signalPassFailure();
    }
    OpBuilder builder(getOperation().getBodyRegion());
    builder.setInsertionPointToEnd(getOperation().getBody());
    gpu::GPUModuleOp module;
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      auto kind = kernel->getAttrOfType<StringAttr>(gnn::kKernelAttr);
      if (!kind || kind.getValue() == "gemm")
        continue;
      if (!module)
        module = gpu::GPUModuleOp::create(builder, getOperation().getLoc(), "kernels");
      if (failed(checkPlanned(kernel, getArgument())))
        return signalPassFailure();
      FailureOr<KernelAbi> abi = getKernelAbi(kernel, target);
      if (failed(abi))
        return signalPassFailure();
      FailureOr<RowFrame> frame = RowFrame::get(kernelOp(kernel));
      if (failed(frame) || failed(GpuKernel(kernel, *abi, module, std::move(*frame)).emit()))
        return signalPassFailure();
      kernel.erase();
    }
  }
};

} // namespace
