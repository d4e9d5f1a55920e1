//===- LowerToCpu.cpp - Kernel functions as loops over rows ---------------===//
//
// In:  kernel functions on tensors with #gnn.cpu_schedule.
// Out: functions void(arguments, begin, end) on addresses, as runtime/format's
//      Launch describes them: the runtime hands out ranges of rows to threads.
//
// One walk over the rows per tile of heads and features; a tile's accumulators
// stay in vector registers.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Kernel/KernelBody.h"
#include "passes/Kernel/Passes.h"

namespace gnnc {
#define GEN_PASS_DEF_GNNLOWERTOCPUPASS
#include "passes/Kernel/Passes.h.inc"
} // namespace gnnc

using namespace mlir;
using namespace gnnc;

/// Edges added one after the other; a longer row is a sum of such sums. Rounding
/// errors grow with the length of a sum: a row of 20,000 edges was off by 1.5e-5 of
/// the largest output.
static constexpr int64_t kSumLength = 1024;

namespace {

/// Bytes of a vector register at a level of the x86-64 psABI.
int64_t vectorBytes(StringRef chip) {
  if (chip == "x86-64-v4")
    return 64;
  if (chip == "x86-64-v3")
    return 32;
  return 16;
}

/// Splits features [begin, end) into registers of `lanes`; a tail that is no
/// power of two is masked.
SmallVector<Piece> splitTile(int64_t width, int64_t lanes, Value base) {
  SmallVector<Piece> pieces;
  int64_t offset = 0;
  for (; width - offset >= lanes; offset += lanes)
    pieces.push_back({offset, lanes, lanes, base});
  if (int64_t rest = width - offset) {
    int64_t rounded = llvm::PowerOf2Ceil(rest);
    pieces.push_back({offset, rounded, rest, base});
  }
  return pieces;
}

/// Heads and features that one walk over the rows holds: `tile` values, but all of an
/// axis that a region reduces over.
std::pair<int64_t, int64_t> tileOf(const RowFrame &frame, int64_t tile, int64_t lanes) {
  int64_t heads = std::clamp<int64_t>(tile / frame.features, 1, frame.heads);
  if (frame.holdsHeads())
    heads = frame.heads;
  if (frame.reduces.features || tile >= heads * frame.features)
    return {heads, frame.features};
  // Whole registers, so that no tile but the last has a tail.
  int64_t features = std::max(lanes, tile / heads / lanes * lanes);
  return {heads, std::min(features, frame.features)};
}

class CpuKernel {
public:
  CpuKernel(func::FuncOp kernel, KernelAbi abi, int64_t vectorBytes)
      : kernel(kernel), op(kernelOp(kernel)), abi(std::move(abi)), vectorBytes(vectorBytes),
        loc(op->getLoc()), builder(kernel.getContext()) {}

  LogicalResult emit() {
    openFunction();
    FailureOr<RowFrame> frame = RowFrame::get(op);
    if (failed(frame))
      return failure();
    auto type = cast<RankedTensorType>(kernel.getResultTypes().front());
    auto schedule = cast<gnn::CpuScheduleAttr>(op->getAttr("schedule"));
    int64_t lanes = std::max<int64_t>(1, vectorBytes * 8 / type.getElementTypeBitWidth());
    auto [heads, features] = tileOf(*frame, schedule.getTile(), lanes);
    RowTarget host;
    for (int64_t head = 0; head < frame->heads; head += heads)
      for (int64_t first = 0; first < frame->features; first += features) {
        RowTile tile;
        tile.heads = std::min(heads, frame->heads - head);
        tile.head = head ? i64(head) : Value();
        Value base = first ? i64(first) : Value();
        tile.pieces = splitTile(std::min(features, frame->features - first), lanes, base);
        RowEmitter rows(builder, *frame, tile, host);
        KernelBody body(op, addresses, rows, builder, {});
        if (failed(emitTile(body, schedule.getPrefetch())))
          return failure();
      }
    func::ReturnOp::create(builder, loc);
    kernel.erase();
    return success();
  }

private:
  Value i64(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), value);
  }

  void openFunction() {
    builder.setInsertionPoint(kernel);
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    auto type = builder.getFunctionType({pointer, builder.getI64Type(), builder.getI64Type()}, {});
    auto lowered = func::FuncOp::create(builder, kernel.getLoc(), kernel.getName(), type);
    Block *entry = lowered.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    begin = entry->getArgument(1);
    end = entry->getArgument(2);
    SmallVector<Value> values;
    for (unsigned i = 0; i < abi.entries.front().params.size(); ++i) {
      Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer, entry->getArgument(0),
                                       ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
      values.push_back(LLVM::LoadOp::create(builder, loc, pointer, slot));
    }
    addresses = KernelAddresses::sort(abi.entries.front(), values);
    if (abi.graph)
      index = cast<gnn::GnnGraphType>(kernel.getArgumentTypes()[*abi.graph]).getIndex();
  }

  /// array[at] of the graph's index type, as i64.
  Value loadIndex(Value array, Value at) {
    Value from = LLVM::GEPOp::create(builder, loc, array.getType(), index, array, at,
                                     LLVM::GEPNoWrapFlags::inbounds);
    Value value = LLVM::LoadOp::create(builder, loc, index, from, index.getWidth() / 8);
    if (index.getWidth() == 64)
      return value;
    return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), value);
  }

  scf::ForOp loop(Value from, Value to, ValueRange carried = {}) {
    return scf::ForOp::create(builder, loc, from, to, i64(1), carried);
  }

  /// All rows of the range for one tile of features.
  LogicalResult emitTile(KernelBody &body, int64_t prefetch) {
    body.loadParams();
    Value lastEdge;
    if (abi.graph && prefetch && body.readsSources())
      lastEdge = arith::SubIOp::create(builder, loc, loadIndex(addresses.rowPtr, end), i64(1));
    scf::ForOp rowLoop = loop(begin, end);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(rowLoop.getBody());
    Value row = rowLoop.getInductionVar();
    if (!abi.graph)
      return body.map({{}, {}, row});
    Value first = loadIndex(addresses.rowPtr, row);
    Value last = loadIndex(addresses.rowPtr, arith::AddIOp::create(builder, loc, row, i64(1)));
    body.loadDestination(row);
    if (isa<gnn::MapOp>(op)) {
      scf::ForOp edgeLoop = loop(first, last);
      builder.setInsertionPointToStart(edgeLoop.getBody());
      Value edge = edgeLoop.getInductionVar();
      Value source = body.readsSources() ? loadIndex(addresses.col, edge) : Value();
      return body.map({source, row, edge});
    }
    return emitRow(body, row, first, last, lastEdge, prefetch);
  }

  /// Accumulators after the edges from `first` to `last`, from the start on.
  FailureOr<SmallVector<Value>> accumulate(KernelBody &body, Value row, Value first, Value last,
                                           Value lastEdge, int64_t prefetch) {
    scf::ForOp edgeLoop = loop(first, last, body.start());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(edgeLoop.getBody());
    Value edge = edgeLoop.getInductionVar();
    Value source = body.readsSources() ? loadIndex(addresses.col, edge) : Value();
    if (lastEdge) { // the next rows' edges follow this row's: keep asking ahead
      Value ahead = arith::MinSIOp::create(
          builder, loc, arith::AddIOp::create(builder, loc, edge, i64(prefetch)), lastEdge);
      body.prefetch(loadIndex(addresses.col, ahead));
    }
    SmallVector<Value> accumulators(edgeLoop.getRegionIterArgs());
    auto next = body.step(accumulators, body.loadEdge({source, row, edge}));
    if (failed(next))
      return failure();
    scf::YieldOp::create(builder, loc, *next);
    return SmallVector<Value>(edgeLoop.getResults());
  }

  /// Whether each addition to a long sum loses digits of what is added.
  bool isRounded() const {
    return llvm::any_of(cast<gnn::AggregateOp>(op).getReduce(), [](Attribute kind) {
      auto value = cast<gnn::ReduceKindAttr>(kind).getValue();
      return value == gnn::ReduceKind::Sum || value == gnn::ReduceKind::Mean ||
             value == gnn::ReduceKind::Softmax;
    });
  }

  LogicalResult emitRow(KernelBody &body, Value row, Value first, Value last, Value lastEdge,
                        int64_t prefetch) {
    Value firstLast = last;
    if (isRounded())
      firstLast = arith::MinSIOp::create(
          builder, loc, arith::AddIOp::create(builder, loc, first, i64(kSumLength)), last);
    auto sums = accumulate(body, row, first, firstLast, lastEdge, prefetch);
    if (failed(sums))
      return failure();
    if (isRounded()) {
      auto rest = scf::ForOp::create(builder, loc, firstLast, last, i64(kSumLength), *sums);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(rest.getBody());
      Value from = rest.getInductionVar();
      Value to = arith::MinSIOp::create(
          builder, loc, arith::AddIOp::create(builder, loc, from, i64(kSumLength)), last);
      auto part = accumulate(body, row, from, to, lastEdge, prefetch);
      if (failed(part))
        return failure();
      SmallVector<Value> before(rest.getRegionIterArgs());
      scf::YieldOp::create(builder, loc, body.merge(before, *part));
      sums = SmallVector<Value>(rest.getResults());
    }
    Value count = arith::TruncIOp::create(builder, loc, builder.getI32Type(),
                                          arith::SubIOp::create(builder, loc, last, first));
    return body.finish(*sums, row, count);
  }

  func::FuncOp kernel;
  Operation *op;
  KernelAbi abi;
  int64_t vectorBytes;
  Location loc;
  OpBuilder builder;
  KernelAddresses addresses;
  Value begin, end;
  IntegerType index;
};

struct GnnLowerToCpuPass : gnnc::impl::GnnLowerToCpuPassBase<GnnLowerToCpuPass> {
  void runOnOperation() override {
    auto target = getOperation()->getAttrOfType<gnn::TargetAttr>(gnn::kTargetAttr);
    if (!target || target.getKind() != gnn::TargetKind::Cpu) {
      getOperation().emitError("gnn-lower-to-cpu needs the module attribute gnn.target = "
                               "#gnn.target<cpu, ...>");
      return signalPassFailure();
    }
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      auto kind = kernel->getAttrOfType<StringAttr>(gnn::kKernelAttr);
      if (!kind || kind.getValue() == "gemm")
        continue;
      if (failed(checkPlanned(kernel, getArgument())))
        return signalPassFailure();
      FailureOr<KernelAbi> abi = getKernelAbi(kernel, target);
      if (failed(abi) ||
          failed(CpuKernel(kernel, std::move(*abi), vectorBytes(target.getChip())).emit()))
        return signalPassFailure();
    }
  }
};

} // namespace
