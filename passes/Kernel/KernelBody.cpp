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
    case Kind::Sources:
      sorted.sources = value;
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
    epilogueArg = aggregate.getNumAccumulators();
  }
  auto collect = [&](OperandRange operands, SmallVector<Operand> &into, bool inEpilogue) {
    for (Value operand : operands) {
      Operand entry;
      entry.argument = cast<BlockArgument>(operand).getArgNumber();
      entry.type = cast<RankedTensorType>(operand.getType());
      entry.message = message.getArgument(messageArg++);
      if (inEpilogue && epilogue)
        entry.epilogue = epilogue->getArgument(epilogueArg++);
      if (entry.isUsed())
        entry.shape = rows.getFrame().shapeOf(
            entry.message && !entry.message.use_empty() ? entry.message : entry.epilogue);
      into.push_back(entry);
    }
  };
  if (aggregate) {
    accumulators = accumulatorsOf(aggregate, rows.getFrame());
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

Row KernelBody::load(const Operand &operand, Value index) {
  if (!operand.isUsed())
    return {};
  if (operand.shape == RowShape::Picked)
    return rows.loadNumbers(loc, addresses.operands.lookup(operand.argument),
                            operand.type.getElementType(), operand.type.getShape().back(), index,
                            access);
  if (operand.shape == RowShape::Stored)
    return rows.locate(loc, addresses.operands.lookup(operand.argument),
                       operand.type.getElementType(), operand.type.getShape().back(), index);
  return rows.load(loc, addresses.operands.lookup(operand.argument), operand.type.getElementType(),
                   operand.shape, index, access);
}

void KernelBody::loadParams() {
  paramRows.clear();
  for (const Operand &param : params) // the whole tensor stands for one row
    paramRows.push_back(load(param, {}));
}

void KernelBody::loadDestination(Value dst) {
  destinationRows.clear();
  for (const Operand &operand : destinations)
    destinationRows.push_back(load(operand, dst));
}

SmallVector<Row> KernelBody::loadEdge(const EdgeIndex &index) {
  SmallVector<Row> loaded;
  for (const Operand &operand : sources)
    loaded.push_back(load(operand, index.src));
  for (const Operand &operand : edges)
    loaded.push_back(load(operand, index.edge));
  return loaded;
}

void KernelBody::prefetch(Value src) {
  for (const Operand *operand : used(sources))
    if (!llvm::is_contained({RowShape::Scalar, RowShape::Picked, RowShape::Stored}, operand->shape))
      rows.prefetch(loc, addresses.operands.lookup(operand->argument),
                    operand->type.getElementType(), operand->shape, src);
}

//===----------------------------------------------------------------------===//
// Aggregates
//===----------------------------------------------------------------------===//

SmallVector<Value> KernelBody::start() {
  SmallVector<Value> flat;
  for (const Accumulator &accumulator : accumulators)
    llvm::append_range(flat, reductionStart(rows, builder, loc, accumulator));
  return flat;
}

SmallVector<Row> KernelBody::unflatten(ArrayRef<Value> values) {
  SmallVector<Row> result;
  for (const Accumulator &accumulator : accumulators) {
    unsigned n = rows.numValues(accumulator.shape);
    result.emplace_back(values.begin(), values.begin() + n);
    values = values.drop_front(n);
  }
  return result;
}

static SmallVector<Value> flatten(ArrayRef<Row> list) {
  SmallVector<Value> flat;
  for (const Row &row : list)
    llvm::append_range(flat, row);
  return flat;
}

FailureOr<SmallVector<Value>> KernelBody::step(ArrayRef<Value> state, ArrayRef<Row> loaded) {
  auto aggregate = cast<gnn::AggregateOp>(op);
  SmallVector<Row> arguments(loaded.take_front(sources.size()));
  llvm::append_range(arguments, destinationRows);
  llvm::append_range(arguments, loaded.drop_front(sources.size()));
  llvm::append_range(arguments, paramRows);
  auto messages = rows.emitRegion(aggregate.getMessage(), arguments, access);
  if (failed(messages))
    return failure();
  return flatten(reductionStep(rows, builder, loc, accumulators, unflatten(state), *messages));
}

SmallVector<Value> KernelBody::merge(ArrayRef<Value> a, ArrayRef<Value> b) {
  return flatten(reductionMerge(rows, builder, loc, accumulators, unflatten(a), unflatten(b)));
}

void KernelBody::store(ArrayRef<Row> results, ValueRange yielded, Value index) {
  for (auto [i, row] : llvm::enumerate(results))
    rows.store(loc, row, addresses.results[i], getElementTypeOrSelf(op->getResult(i).getType()),
               rows.getFrame().shapeOf(yielded[i]), index, access);
}

LogicalResult KernelBody::finish(ArrayRef<Value> state, Value dst, Value count) {
  auto aggregate = cast<gnn::AggregateOp>(op);
  SmallVector<Row> results =
      reductionEnd(rows, builder, loc, accumulators, unflatten(state), count);
  if (!aggregate.hasEpilogue()) {
    // Results of softmax come in the order of its accumulators.
    for (auto [i, row] : llvm::enumerate(results))
      rows.store(loc, row, addresses.results[i], accumulators[i].element, accumulators[i].shape,
                 dst, access);
    return success();
  }
  llvm::append_range(results, destinationRows);
  llvm::append_range(results, paramRows);
  auto yielded = rows.emitRegion(aggregate.getEpilogue(), results, access);
  if (failed(yielded))
    return failure();
  store(*yielded, aggregate.getEpilogue().front().getTerminator()->getOperands(), dst);
  return success();
}

/// The address of one accumulator in slot `slot`.
Value KernelBody::slotAddress(Value slot, unsigned accumulator) {
  SlotLayout layout = getSlotLayout(cast<gnn::AggregateOp>(op));
  Type byte = builder.getI8Type();
  Value start = arith::MulIOp::create(
      builder, loc, slot,
      arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), layout.bytes));
  Value at = LLVM::GEPOp::create(builder, loc, addresses.workspace.getType(), byte,
                                 addresses.workspace, start, LLVM::GEPNoWrapFlags::inbounds);
  if (!layout.offsets[accumulator])
    return at;
  return LLVM::GEPOp::create(
      builder, loc, at.getType(), byte, at,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(layout.offsets[accumulator])},
      LLVM::GEPNoWrapFlags::inbounds);
}

void KernelBody::storePartial(ArrayRef<Value> state, Value slot) {
  for (auto [i, row] : llvm::enumerate(unflatten(state)))
    rows.store(loc, row, slotAddress(slot, i), accumulators[i].element, accumulators[i].shape, {},
               access);
}

SmallVector<Value> KernelBody::loadPartial(Value slot) {
  SmallVector<Value> flat;
  for (auto [i, accumulator] : llvm::enumerate(accumulators))
    llvm::append_range(flat, rows.load(loc, slotAddress(slot, i), accumulator.element,
                                       accumulator.shape, {}, access));
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
  auto results = rows.emitRegion(cast<gnn::MapOp>(op).getBody(), arguments, access);
  if (failed(results))
    return failure();
  store(*results, cast<gnn::MapOp>(op).getBody().front().getTerminator()->getOperands(),
        index.edge);
  return success();
}
