//===- KernelBody.cpp - What a kernel computes, whatever its target -------===//
#include "passes/Kernel/KernelBody.h"

using namespace mlir;
using namespace gnnc;
using Kind = KernelParam::Kind;

KernelAddresses KernelAddresses::sort(const KernelEntry &entry, ValueRange values) {
  KernelAddresses sorted;
  for (auto [param, value] : llvm::zip_equal(entry.params, values)) {
    switch (param.kind) {
    case Kind::Operand:
      sorted.operands[param.index] = value;
      break;
    case Kind::RowPtr:
      sorted.rowPtr = value;
      break;
    case Kind::Col:
      sorted.col = value;
      break;
    case Kind::Result:
      sorted.results.push_back(value);
      break;
    case Kind::Items:
      sorted.items = value;
      break;
    case Kind::Splits:
      sorted.splits = value;
      break;
    case Kind::Workspace:
      sorted.workspace = value;
      break;
    case Kind::Count:
      sorted.count = value;
      break;
    }
  }
  return sorted;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

KernelBody::KernelBody(Operation *op, const KernelAddresses &addresses, RowEmitter &rows,
                       OpBuilder &builder, RowEmitter::Access access)
    : op(op), addresses(addresses), rows(rows), builder(builder), access(access),
      loc(op->getLoc()) {
  auto aggregate = dyn_cast<gnn::AggregateOp>(op);
  auto map = dyn_cast<gnn::MapOp>(op);
  Block &message = aggregate ? aggregate.getMessage().front() : map.getBody().front();
  unsigned messageArg = 0;
  unsigned epilogueArg = 0;
  Block *epilogue = nullptr;
  if (aggregate && aggregate.hasEpilogue()) {
    epilogue = &aggregate.getEpilogue().front();
    epilogueArg = aggregate.getReduce().size();
  }
  auto collect = [&](OperandRange operands, SmallVector<Operand> &into, bool inEpilogue) {
    for (Value operand : operands) {
      Operand entry;
      entry.argument = cast<BlockArgument>(operand).getArgNumber();
      entry.type = cast<RankedTensorType>(operand.getType());
      entry.message = message.getArgument(messageArg++);
      if (inEpilogue && epilogue)
        entry.epilogue = epilogue->getArgument(epilogueArg++);
      into.push_back(entry);
    }
  };
  if (aggregate) {
    collect(aggregate.getSrc(), sources, false);
    collect(aggregate.getDst(), destinations, true);
    collect(aggregate.getEdge(), edges, false);
    collect(aggregate.getParam(), params, true);
  } else {
    collect(map.getSrc(), sources, false);
    collect(map.getDst(), destinations, false);
    collect(map.getRows(), edges, false);
    collect(map.getParam(), params, false);
  }
}

SmallVector<const KernelBody::Operand *> KernelBody::used(ArrayRef<Operand> operands) {
  SmallVector<const Operand *> found;
  for (const Operand &operand : operands)
    if (operand.isUsed())
      found.push_back(&operand);
  return found;
}

void KernelBody::loadParams() {
  paramRows.clear();
  for (const Operand &param : params)
    paramRows.push_back(
        param.isUsed()
            ? rows.loadParam(loc, addresses.operands.lookup(param.argument), param.type, access)
            : Row());
}

void KernelBody::loadDestination(Value dst) {
  destinationRows.clear();
  for (const Operand &operand : destinations)
    destinationRows.push_back(operand.isUsed()
                                  ? rows.loadRow(loc, addresses.operands.lookup(operand.argument),
                                                 operand.type, dst, access)
                                  : Row());
}

SmallVector<Row> KernelBody::loadEdge(const EdgeIndex &index) {
  SmallVector<Row> loaded;
  auto load = [&](ArrayRef<Operand> operands, Value row) {
    for (const Operand &operand : operands)
      loaded.push_back(operand.isUsed()
                           ? rows.loadRow(loc, addresses.operands.lookup(operand.argument),
                                          operand.type, row, access)
                           : Row());
  };
  load(sources, index.src);
  load(edges, index.edge);
  return loaded;
}

void KernelBody::prefetch(Value src) {
  for (const Operand *operand : used(sources))
    if (operand->type.getRank() > 1)
      rows.prefetchRow(loc, addresses.operands.lookup(operand->argument), operand->type, src);
}

//===----------------------------------------------------------------------===//
// Aggregates
//===----------------------------------------------------------------------===//

static Block &messageBlock(Operation *op) {
  return cast<gnn::AggregateOp>(op).getMessage().front();
}

SmallVector<Value> KernelBody::start() {
  auto aggregate = cast<gnn::AggregateOp>(op);
  SmallVector<Value> flat;
  auto types = messageBlock(op).getTerminator()->getOperandTypes();
  for (auto [i, type] : llvm::enumerate(types))
    llvm::append_range(flat, reductionStart(rows, builder, loc, aggregate.getReduceKind(i), type));
  return flat;
}

SmallVector<Row> KernelBody::unflatten(ArrayRef<Value> values) {
  SmallVector<Row> result;
  for (Type type : messageBlock(op).getTerminator()->getOperandTypes()) {
    unsigned n = rows.numPieces(type);
    result.emplace_back(values.begin(), values.begin() + n);
    values = values.drop_front(n);
  }
  return result;
}

FailureOr<SmallVector<Value>> KernelBody::step(ArrayRef<Value> accumulators, ArrayRef<Row> loaded) {
  auto aggregate = cast<gnn::AggregateOp>(op);
  SmallVector<Row> arguments(loaded.take_front(sources.size()));
  llvm::append_range(arguments, destinationRows);
  llvm::append_range(arguments, loaded.drop_front(sources.size()));
  llvm::append_range(arguments, paramRows);
  auto messages = rows.emitRegion(aggregate.getMessage(), arguments);
  if (failed(messages))
    return failure();
  SmallVector<Value> flat;
  for (auto [i, accumulator] : llvm::enumerate(unflatten(accumulators)))
    llvm::append_range(flat, reductionStep(rows, builder, loc, aggregate.getReduceKind(i),
                                           accumulator, (*messages)[i]));
  return flat;
}

SmallVector<Value> KernelBody::merge(ArrayRef<Value> a, ArrayRef<Value> b) {
  auto aggregate = cast<gnn::AggregateOp>(op);
  SmallVector<Value> flat;
  SmallVector<Row> left = unflatten(a), right = unflatten(b);
  for (unsigned i = 0; i < left.size(); ++i)
    llvm::append_range(
        flat, reductionStep(rows, builder, loc, aggregate.getReduceKind(i), left[i], right[i]));
  return flat;
}

LogicalResult KernelBody::store(ArrayRef<Row> results, Value index) {
  for (auto [i, row] : llvm::enumerate(results)) {
    auto type = cast<RankedTensorType>(op->getResult(i).getType());
    rows.storeRow(loc, row, addresses.results[i], type, index, access.alignment);
  }
  return success();
}

LogicalResult KernelBody::finish(ArrayRef<Value> accumulators, Value dst, Value count) {
  auto aggregate = cast<gnn::AggregateOp>(op);
  SmallVector<Row> results;
  for (auto [i, accumulator] : llvm::enumerate(unflatten(accumulators)))
    results.push_back(
        reductionEnd(rows, builder, loc, aggregate.getReduceKind(i), accumulator, count));
  if (aggregate.hasEpilogue()) {
    llvm::append_range(results, destinationRows);
    llvm::append_range(results, paramRows);
    auto yielded = rows.emitRegion(aggregate.getEpilogue(), results);
    if (failed(yielded))
      return failure();
    results = *yielded;
  }
  return store(results, dst);
}

/// A slot holds the accumulators of all reductions one after the other; this is
/// the address of one of them in slot `slot`.
Value KernelBody::slotAddress(Value slot, unsigned result, int64_t &features, Type &element) {
  int64_t before = 0, total = 0;
  for (auto [i, type] : llvm::enumerate(messageBlock(op).getTerminator()->getOperandTypes())) {
    auto vector = dyn_cast<VectorType>(type);
    int64_t n = vector ? vector.getNumElements() : 1;
    if (i == result) {
      before = total;
      features = n;
      element = getElementTypeOrSelf(type);
    }
    total += n;
  }
  Value stride = arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), total);
  Value start = arith::MulIOp::create(builder, loc, slot, stride);
  Value offset = arith::AddIOp::create(
      builder, loc, start,
      arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), before));
  return LLVM::GEPOp::create(builder, loc, addresses.workspace.getType(), element,
                             addresses.workspace, offset, LLVM::GEPNoWrapFlags::inbounds);
}

/// Vectors in the workspace are as aligned as those of rows when all before them
/// in a slot, and the slot itself, are a multiple of that; else like an element.
unsigned KernelBody::slotAlignment(unsigned result) {
  int64_t bytes = 0, before = 0;
  for (auto [i, type] : llvm::enumerate(messageBlock(op).getTerminator()->getOperandTypes())) {
    auto vector = dyn_cast<VectorType>(type);
    if (i == result)
      before = bytes;
    bytes += (vector ? vector.getNumElements() : 1) *
             getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8;
  }
  int64_t wanted = access.alignment;
  return wanted && bytes % wanted == 0 && before % wanted == 0 ? wanted : 0;
}

void KernelBody::storePartial(ArrayRef<Value> accumulators, Value slot) {
  for (auto [i, row] : llvm::enumerate(unflatten(accumulators))) {
    int64_t features;
    Type element;
    Value to = slotAddress(slot, i, features, element);
    if (isa<VectorType>(row.front().getType()))
      rows.storeVector(loc, row, to, element, features, {}, slotAlignment(i));
    else
      LLVM::StoreOp::create(builder, loc, row.front(), to);
  }
}

SmallVector<Value> KernelBody::loadPartial(Value slot) {
  SmallVector<Value> flat;
  for (auto [i, type] : llvm::enumerate(messageBlock(op).getTerminator()->getOperandTypes())) {
    int64_t features;
    Type element;
    Value from = slotAddress(slot, i, features, element);
    if (isa<VectorType>(type))
      llvm::append_range(flat, rows.loadVector(loc, from, element, features, {},
                                               {access.invariant, slotAlignment(i)}));
    else
      flat.push_back(LLVM::LoadOp::create(builder, loc, element, from));
  }
  return flat;
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

LogicalResult KernelBody::map(const EdgeIndex &index) {
  SmallVector<Row> loaded = loadEdge(index);
  SmallVector<Row> arguments(loaded.begin(), loaded.begin() + sources.size());
  llvm::append_range(arguments, destinationRows);
  arguments.append(loaded.begin() + sources.size(), loaded.end());
  llvm::append_range(arguments, paramRows);
  auto results = rows.emitRegion(cast<gnn::MapOp>(op).getBody(), arguments);
  if (failed(results))
    return failure();
  return store(*results, index.edge);
}
