//===- RowRegion.cpp - Turn elementwise tensor ops into a row region ------===//
//
// In: tensor values and the set of ops that may be recomputed row by row.
// Out: a region on rows and the lists of tensors its arguments stand for.
//
//===----------------------------------------------------------------------===//
#include "passes/Common/RowRegion.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

/// Row counts may be `?`; the features of a row must be a static vector.
static bool hasStaticFeatures(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() >= 1 && tensor.getRank() <= 3 &&
         llvm::none_of(tensor.getShape().drop_front(), ShapedType::isDynamic);
}

bool gnnc::isElementwise(Operation *op) {
  if (!op || !isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return false;
  return OpTrait::hasElementwiseMappableTraits(op) && op->getNumOperands() > 0 &&
         op->getNumResults() == 1 && hasStaticFeatures(op->getResult(0).getType()) &&
         llvm::all_of(op->getOperandTypes(), hasStaticFeatures) && isMemoryEffectFree(op);
}

TypedAttr gnnc::splatValue(Value tensor) {
  Attribute value;
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    matchPattern(fill.getInputs()[0], m_Constant(&value));
  else if (auto splat = tensor.getDefiningOp<tensor::SplatOp>())
    matchPattern(splat.getInput(), m_Constant(&value));
  else if (SplatElementsAttr elements; matchPattern(tensor, m_Constant(&elements)))
    value = elements.getSplatValue<Attribute>();
  return dyn_cast_or_null<TypedAttr>(value);
}

/// Same rows and features under another static or dynamic row count.
static bool isRowCountCast(Operation *op) {
  auto cast = dyn_cast<tensor::CastOp>(op);
  if (!cast || !hasStaticFeatures(cast.getType()) || !hasStaticFeatures(cast.getSource().getType()))
    return false;
  auto from = llvm::cast<RankedTensorType>(cast.getSource().getType());
  auto to = llvm::cast<RankedTensorType>(cast.getType());
  return from.getShape().drop_front() == to.getShape().drop_front();
}

/// The parameter (or row) of a broadcast can be an operand of a region.
static bool isRowBroadcast(Operation *op) {
  auto broadcast = dyn_cast<linalg::BroadcastOp>(op);
  if (!broadcast || !hasStaticFeatures(broadcast->getResult(0).getType()))
    return false;
  auto input = cast<RankedTensorType>(broadcast.getInput().getType());
  if (!llvm::is_contained(broadcast.getDimensions(), 0))
    return true;
  return (input.getRank() > 0 || splatValue(broadcast.getInput())) && input.hasStaticShape();
}

bool gnnc::isFreeToRepeat(Operation *op) {
  return op && op->getNumResults() == 1 &&
         (isRowBroadcast(op) || isRowCountCast(op) ||
          (splatValue(op->getResult(0)) && hasStaticFeatures(op->getResult(0).getType())));
}

OpSet gnnc::collectRowOps(ArrayRef<Value> roots, function_ref<bool(OpOperand &)> isRootUse) {
  // All users of a value come after it in the block, so when the latest
  // candidate is taken first, its users are already decided.
  auto earlier = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
  std::set<Operation *, decltype(earlier)> candidates(earlier);
  OpSet inside;
  DenseSet<Value> isRoot(roots.begin(), roots.end());
  Block *block = roots.empty() ? nullptr : Value(roots.front()).getParentBlock();
  auto consider = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == block && (isElementwise(op) || isFreeToRepeat(op)))
      candidates.insert(op);
  };
  for (Value root : roots)
    consider(root);
  while (!candidates.empty()) {
    Operation *op = *candidates.rbegin();
    candidates.erase(op);
    Value value = op->getResult(0);
    bool dies = llvm::all_of(value.getUses(), [&](OpOperand &use) {
      return inside.contains(use.getOwner()) || (isRoot.contains(value) && isRootUse(use));
    });
    if (!dies)
      continue;
    inside.insert(op);
    auto destination = dyn_cast<DestinationStyleOpInterface>(op);
    for (OpOperand &operand : op->getOpOperands())
      if (!destination || !destination.isDpsInit(&operand))
        consider(operand.get());
  }
  return inside;
}

//===----------------------------------------------------------------------===//
// RowRegion
//===----------------------------------------------------------------------===//

RowRegion::RowRegion(MLIRContext *context, Value graph, const OpSet &inside, RowRole own)
    : build(context), graph(graph), inside(inside), own(own), body(std::make_unique<Region>()) {
  build.setInsertionPointToStart(&body->emplaceBlock());
}

BlockArgument RowRegion::addLeading(Type type, Location loc) {
  return block().insertArgument(numLeading++, type, loc);
}

Value RowRegion::operand(RowRole role, Value tensor) {
  // A tensor may be read at several ends; parameters live in a space of their own.
  Value &row = rows[{unsigned(role), tensor}];
  if (row)
    return row;
  unsigned position = numLeading;
  for (unsigned r = 0; r <= unsigned(role); ++r)
    position += lists[r].size();
  auto type = cast<RankedTensorType>(tensor.getType());
  lists[unsigned(role)].push_back(tensor);
  row = block().insertArgument(position, role == RowRole::Param ? wholeType(type) : rowType(type),
                               tensor.getLoc());
  return row;
}

Value RowRegion::row(Value tensor, RowRole space) {
  if (Value known = rows.lookup({unsigned(space), tensor}))
    return known;
  Value row = emit(tensor, space);
  rows[{unsigned(space), tensor}] = row;
  return row;
}

/// A scalar or vector constant of `type`.
static Value splatConstant(OpBuilder &builder, Location loc, Type type, TypedAttr value) {
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return arith::ConstantOp::create(builder, loc, value);
}

Value RowRegion::emit(Value tensor, RowRole space) {
  Operation *op = tensor.getDefiningOp();
  if (!op || !hasStaticFeatures(tensor.getType()))
    return operand(space, tensor);
  if (TypedAttr value = splatValue(tensor))
    return splatConstant(build, op->getLoc(), rowType(cast<RankedTensorType>(tensor.getType())),
                         value);
  if (isRowBroadcast(op))
    return emitBroadcast(op, space);
  if (isRowCountCast(op))
    return row(op->getOperand(0), space);
  if (space != own)
    return operand(space, tensor);
  if (auto gather = dyn_cast<GatherOp>(op); gather && graph && gather.getGraph() == graph)
    return row(gather.getNodes(), gather.getEnd() == End::Src ? RowRole::Src : RowRole::Dst);
  if (!inside.contains(op) || !isElementwise(op))
    return operand(space, tensor);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, row(operand, space));
  Operation *clone = build.clone(*op, mapping);
  clone->getResult(0).setType(rowType(cast<RankedTensorType>(tensor.getType())));
  return clone->getResult(0);
}

Value RowRegion::emitBroadcast(Operation *op, RowRole space) {
  auto broadcast = cast<linalg::BroadcastOp>(op);
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  bool isParam = llvm::is_contained(broadcast.getDimensions(), 0);
  Value input;
  if (!isParam)
    input = row(broadcast.getInput(), space);
  else if (TypedAttr value = splatValue(broadcast.getInput()))
    return splatConstant(build, op->getLoc(), rowType(result), value);
  else
    input = operand(RowRole::Param, broadcast.getInput());
  auto to = dyn_cast<VectorType>(rowType(result));
  if (!to || input.getType() == to)
    return input;
  // vector.broadcast repeats leading extents and stretches extents of one: give
  // each new dimension an extent of one first.
  if (auto from = dyn_cast<VectorType>(input.getType())) {
    SmallVector<int64_t> shape(to.getShape());
    for (int64_t dimension : broadcast.getDimensions())
      if (dimension > 0)
        shape[dimension - 1] = 1;
    if (ArrayRef<int64_t>(shape) != from.getShape())
      input = vector::ShapeCastOp::create(build, op->getLoc(),
                                          VectorType::get(shape, from.getElementType()), input);
  }
  return vector::BroadcastOp::create(build, op->getLoc(), to, input);
}

SmallVector<Value> RowRegion::inlineBlock(Block &from, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(from.getArguments(), arguments);
  for (Operation &op : from.without_terminator())
    build.clone(op, mapping);
  SmallVector<Value> yielded;
  for (Value value : from.getTerminator()->getOperands())
    yielded.push_back(mapping.lookup(value));
  return yielded;
}

void RowRegion::yield(Location loc, ValueRange values) { YieldOp::create(build, loc, values); }

//===----------------------------------------------------------------------===//
// createAggregate
//===----------------------------------------------------------------------===//

/// `type` (scalar or vector) with another element type.
static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

AggregateOp gnnc::createAggregate(OpBuilder &builder, Location loc, Value graph, ReduceKind kind,
                                  Type acc, Value message, RankedTensorType result,
                                  const OpSet &inside) {
  MLIRContext *context = builder.getContext();
  RowRegion body(context, graph, inside);
  Value row = body.row(message);
  Type wide = withElement(row.getType(), acc);
  bool narrow = row.getType() != wide;
  body.yield(loc, narrow ? arith::ExtFOp::create(body.builder(), loc, wide, row).getResult() : row);
  auto aggregate = AggregateOp::create(
      builder, loc, TypeRange{result}, graph, body.operands(RowRole::Src),
      body.operands(RowRole::Dst), body.operands(RowRole::Row), body.operands(RowRole::Param),
      builder.getArrayAttr(ReduceKindAttr::get(context, kind)), TypeAttr::get(acc), Attribute());
  aggregate.getMessage().takeBody(body.region());
  if (narrow) {
    RowRegion epilogue(context, {}, inside, RowRole::Dst);
    Value sum = epilogue.addLeading(wide, loc);
    for (Value dst : aggregate.getDst())
      epilogue.operand(RowRole::Dst, dst);
    for (Value param : aggregate.getParam())
      epilogue.operand(RowRole::Param, param);
    epilogue.yield(
        loc, arith::TruncFOp::create(epilogue.builder(), loc, rowType(result), sum).getResult());
    aggregate.getEpilogue().takeBody(epilogue.region());
  }
  return aggregate;
}
