//===- LoopRows.cpp - What edge tensors have in the row of a loop ---------===//
//
// 1. Rows of edges are computed one by one, so the row of a loop follows from its
//    operands' rows: each op is copied once, on tensors of nodes.
// 2. A gather gives a loop the row of its node.
// 3. What @prepare passes on is passed on for loops, too.
// Copies of one row or number (fills, broadcasts) are made again for as many nodes.
//
//===----------------------------------------------------------------------===//
#include "passes/Program/LoopRows.h"

#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Common/RowSpaces.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

/// Equal rows, as many as its reader asks for.
static bool isCopyOfOne(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(op))
    return isCopyOfOne(fill.getOutputs()[0]);
  if (auto broadcast = dyn_cast_or_null<linalg::BroadcastOp>(op))
    return llvm::is_contained(broadcast.getDimensions(), 0) && isCopyOfOne(broadcast.getInit());
  auto empty = dyn_cast_or_null<tensor::EmptyOp>(op);
  return empty && empty.getType().getRank() > 0;
}

/// A number of edges as the size of a tensor that has a row for each of them.
static bool isSizeAlone(tensor::DimOp dim) {
  return llvm::all_of(dim->getUsers(), [](Operation *user) {
    return isa<tensor::EmptyOp, tensor::ExpandShapeOp>(user);
  });
}

std::optional<Blocker> LoopRows::follow(Value edges) {
  if (!known.insert(edges))
    return std::nullopt;
  for (OpOperand &use : edges.getUses()) {
    Operation *op = use.getOwner();
    if (isa<AggregateOp, DegreeOp>(op)) // their graph's readers
      continue;
    if (auto dim = dyn_cast<tensor::DimOp>(op); dim && isSizeAlone(dim))
      continue;
    Value next;
    if (op == program.results())
      next = program.argument(use.getOperandNumber());
    else if (op->getNumResults() == 1 && RowSpaces::isRowwise(use))
      next = op->getResult(0);
    else
      return Blocker(op, "'" + op->getName().getStringRef() +
                             "' reads a row for each edge, loops included");
    if (next)
      if (auto blocker = follow(next))
        return blocker;
  }
  return std::nullopt;
}

std::optional<Blocker> LoopRows::findStranger() const {
  for (Value edges : known) {
    Operation *op = edges.getDefiningOp();
    if (!op || isa<GnnDialect>(op->getDialect()))
      continue;
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()) && RowSpaces::isRowwise(operand) &&
          !known.contains(operand.get()) && !isCopyOfOne(operand.get()))
        return Blocker(op, "'" + op->getName().getStringRef() +
                               "' reads rows of edges that nothing gives for loops");
  }
  return std::nullopt;
}

Value LoopRows::get(Value edges) {
  if (Value found = rows.lookup(edges))
    return found;
  Value made;
  if (auto argument = dyn_cast<BlockArgument>(edges))
    made = program.addPrepared(get(program.preparedValue(argument)));
  else if (auto gather = edges.getDefiningOp<GatherOp>())
    made = gather.getNodes();
  else
    made = copy(edges.getDefiningOp());
  return rows[edges] = made;
}

static RankedTensorType withRows(Type type, int64_t count) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape.front() = count;
  return tensor.clone(shape);
}

/// The copy of one for `count` nodes.
static Value repeated(OpBuilder &builder, Value value, OpFoldResult count) {
  Operation *op = value.getDefiningOp();
  Location loc = op->getLoc();
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return linalg::FillOp::create(builder, loc, fill.getInputs()[0],
                                  repeated(builder, fill.getOutputs()[0], count))
        .getResult(0);
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op))
    return linalg::BroadcastOp::create(builder, loc, broadcast.getInput(),
                                       repeated(builder, broadcast.getInit(), count),
                                       broadcast.getDimensions())
        ->getResult(0);
  auto empty = cast<tensor::EmptyOp>(op);
  SmallVector<OpFoldResult> sizes = empty.getMixedSizes();
  sizes.front() = count;
  return tensor::EmptyOp::create(builder, loc, sizes, empty.getType().getElementType());
}

Value LoopRows::copy(Operation *op) {
  IRMapping mapping;
  Value first;
  for (OpOperand &operand : op->getOpOperands())
    if (known.contains(operand.get()) && RowSpaces::isRowwise(operand)) {
      mapping.map(operand.get(), get(operand.get()));
      first = first ? first : mapping.lookup(operand.get());
    }
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  OpFoldResult count = tensor::getMixedSize(builder, op->getLoc(), first, 0);
  RankedTensorType type =
      withRows(op->getResult(0).getType(), cast<RankedTensorType>(first.getType()).getDimSize(0));
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
    sizes.front() = count;
    return tensor::ExpandShapeOp::create(builder, op->getLoc(), type, first,
                                         expand.getReassociationIndices(), sizes);
  }
  for (OpOperand &operand : op->getOpOperands())
    if (!known.contains(operand.get()) && isa<RankedTensorType>(operand.get().getType()) &&
        RowSpaces::isRowwise(operand))
      mapping.map(operand.get(), repeated(builder, operand.get(), count));
  Operation *made = builder.clone(*op, mapping);
  made->getResult(0).setType(type);
  return made->getResult(0);
}
