//===- LowerToGpu.cpp - Kernel functions as a gpu.module ------------------===//
//
// In:  kernel functions on tensors with #gnn.gpu_schedule.
// Out: one gpu.module with a gpu.func per entry of each kernel's ABI.
//
// A group of lanes shares one work item (at most `chunk` edges of one row, or one
// row where there are no edges); a lane owns `regs` short vectors of features.
// Rows of more than one item leave partial sums in the workspace, which the
// merge kernel adds in order: no atomics, the same bits every time.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Kernel/KernelBody.h"
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
  GpuKernel(func::FuncOp kernel, const KernelAbi &abi, gpu::GPUModuleOp module)
      : kernel(kernel), op(kernelOp(kernel)), abi(abi), module(module), loc(op->getLoc()),
        builder(kernel.getContext()),
        schedule(cast<gnn::GpuScheduleAttr>(op->getAttr("schedule"))) {
    auto type = cast<RankedTensorType>(kernel.getResultTypes().front());
    features = rowFeatures(type);
    elementBytes = type.getElementTypeBitWidth() / 8;
    if (abi.graph)
      index = cast<gnn::GnnGraphType>(kernel.getArgumentTypes()[*abi.graph]).getIndex();
  }

  LogicalResult emit() {
    int64_t tile = schedule.getGroup() * schedule.getVector() * schedule.getRegs();
    if (features % schedule.getVector() != 0)
      return op->emitOpError("gpu schedule: vector = ")
             << schedule.getVector() << " does not divide the " << features << " features of a row";
    if (schedule.getRegs() > 1 && features % tile != 0)
      return op->emitOpError("gpu schedule: with regs = ")
             << schedule.getRegs() << " a tile of " << tile << " features must divide the "
             << features << " features of a row";
    if (schedule.getBlock() % schedule.getGroup() != 0)
      return op->emitOpError("gpu schedule: group = ")
             << schedule.getGroup() << " does not divide block = " << schedule.getBlock();
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
  RowEmitter::Access access() {
    return {true, static_cast<unsigned>(schedule.getVector() * elementBytes)};
  }

  void openFunction(const KernelEntry &entry) {
    builder.setInsertionPointToEnd(module.getBody());
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext(),
                                              static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
    SmallVector<Type> types;
    for (const KernelParam &param : entry.params)
      types.push_back(param.kind == KernelParam::Kind::Count ? Type(builder.getI64Type())
                                                             : Type(pointer));
    auto function = gpu::GPUFuncOp::create(builder, kernel.getLoc(), entry.name,
                                           builder.getFunctionType(types, {}));
    function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
    function.setKnownBlockSizeAttr(
        builder.getDenseI32ArrayAttr({static_cast<int32_t>(entry.block), 1, 1}));
    builder.setInsertionPointToStart(&function.getBody().front());
    addresses = KernelAddresses::sort(entry, function.getArguments());
  }

  LogicalResult emitEntry(const KernelEntry &entry) {
    openFunction(entry);
    Value thread = special(gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x));
    Value block = special(gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x));
    Value group = i32(schedule.getGroup());
    bool merges = entry.domain == KernelEntry::Domain::Splits;
    Value lane = merges ? thread : arith::RemUIOp::create(builder, loc, thread, group).getResult();
    Value item = merges ? block
                        : add(mul(block, i32(entry.perBlock)),
                              arith::DivUIOp::create(builder, loc, thread, group).getResult());
    Value active = less(toI64(item), addresses.count);
    if (merges)
      active = arith::AndIOp::create(builder, loc, active, less(lane, group));
    bool lanesOverEdges = isa<gnn::MapOp>(op) && abi.graph && features == 1;
    Value base;
    if (!lanesOverEdges) {
      base = toI64(mul(lane, i32(schedule.getVector())));
      int64_t tile = schedule.getGroup() * schedule.getVector() * schedule.getRegs();
      if (entry.tiles > 1) {
        Value slice = special(gpu::BlockIdOp::create(builder, loc, gpu::Dimension::y));
        base = add(base, toI64(mul(slice, i32(tile))));
      }
      if (features % tile != 0)
        active = arith::AndIOp::create(builder, loc, active, less(base, i64(features)));
    }
    auto guarded = scf::IfOp::create(builder, loc, active, /*withElseRegion=*/false);
    gpu::ReturnOp::create(builder, loc);
    builder.setInsertionPointToStart(&guarded.getThenRegion().front());

    SmallVector<Piece> pieces;
    for (int64_t r = 0; r < schedule.getRegs(); ++r)
      pieces.push_back({r * schedule.getGroup() * schedule.getVector(), schedule.getVector(),
                        schedule.getVector()});
    RowEmitter rows(builder, pieces, base);
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
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    auto next = emitBody(loop.getInductionVar(), SmallVector<Value>(loop.getRegionIterArgs()));
    if (failed(next))
      return failure();
    if (!next->empty())
      scf::YieldOp::create(builder, loc, *next);
    return SmallVector<Value>(loop.getResults());
  }

  using Load = function_ref<SmallVector<Row>(Value)>;
  using Step = function_ref<FailureOr<SmallVector<Value>>(ArrayRef<Value>, ArrayRef<Row>)>;

  /// The loop above, `unroll` iterations' loads ahead of their first use. The rest
  /// is one more such block: it loads the last index again where there is none
  /// left and drops what comes of it, so that a row of few edges waits for memory
  /// once and not once per edge. The order of steps is that of the indices.
  FailureOr<SmallVector<Value>> unrolledLoop(Value from, Value to, int64_t unroll,
                                             ArrayRef<Value> carried, Load load, Step step) {
    if (unroll == 1)
      return loop(from, to, 1, carried,
                  [&](Value at, ArrayRef<Value> state) { return step(state, load(at)); });
    Value count = arith::SubIOp::create(builder, loc, to, from);
    Value rest = arith::RemUIOp::create(builder, loc, count, i32(unroll));
    Value middle = arith::SubIOp::create(builder, loc, to, rest);
    auto main = loop(from, middle, unroll, carried, [&](Value first, ArrayRef<Value> state) {
      return block(first, Value(), unroll, state, load, step);
    });
    if (failed(main))
      return failure();
    auto tail = scf::IfOp::create(builder, loc, ValueRange(*main).getTypes(), less(middle, to),
                                  /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&tail.getThenRegion().front());
    auto last = block(middle, to, unroll - 1, *main, load, step);
    if (failed(last))
      return failure();
    scf::YieldOp::create(builder, loc, *last);
    builder.setInsertionPointToStart(&tail.getElseRegion().front());
    scf::YieldOp::create(builder, loc, *main);
    return SmallVector<Value>(tail.getResults());
  }

  /// `width` steps from index `first`, loads first; with `end`, only those below it.
  FailureOr<SmallVector<Value>> block(Value first, Value end, int64_t width,
                                      ArrayRef<Value> initial, Load load, Step step) {
    SmallVector<Value> state(initial);
    SmallVector<SmallVector<Row>> loaded;
    SmallVector<Value> exists;
    for (int64_t u = 0; u < width; ++u) {
      Value at = u ? add(first, i32(u)) : first;
      if (end && u) {
        exists.push_back(less(at, end));
        at = arith::MinSIOp::create(builder, loc, at,
                                    arith::SubIOp::create(builder, loc, end, i32(1)));
      } else {
        exists.push_back({});
      }
      loaded.push_back(load(at));
    }
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
        [&](Value edge) {
          Value wide = toI64(edge);
          return body.loadEdge({body.readsSources() ? loadSource(wide) : Value(), row, wide});
        },
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
        fields[1], fields[2], inFlight, body.start(),
        [&](Value slot) { return SmallVector<Row>{Row(body.loadPartial(toI64(slot)))}; },
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
  gnn::GpuScheduleAttr schedule;
  KernelAddresses addresses;
  IntegerType index;
  int64_t features, elementBytes;
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
      if (failed(abi) || failed(GpuKernel(kernel, *abi, module).emit()))
        return signalPassFailure();
      kernel.erase();
    }
  }
};

} // namespace
