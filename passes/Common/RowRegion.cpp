//===- RowRegion.cpp - Turn elementwise tensor ops into a row region ------===//
//
// In: tensor values and the set of ops that may be recomputed row by row.
// Out: a region on rows and the lists of tensors its arguments stand for. Which
// ops have such a form: RowOps.cpp.
//
//===----------------------------------------------------------------------===//
#include "passes/Common/RowRegion.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

/// An op that reads `value` from outside of a region, or null.
static Operation *findReaderOutside(Value value, function_ref<bool(OpOperand &)> isInside) {
  for (OpOperand &use : value.getUses())
    if (!isInside(use))
      return use.getOwner();
  return nullptr;
}

OpSet gnnc::collectRowOps(ArrayRef<Value> roots, function_ref<bool(OpOperand &)> isRootUse,
                          Operation *alsoTake, RowWidths widths) {
  // All users of a value come after it in the block, so when the latest
  // candidate is taken first, its users are already decided.
  auto earlier = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
  std::set<Operation *, decltype(earlier)> candidates(earlier);
  OpSet inside;
  DenseSet<Value> isRoot(roots.begin(), roots.end());
  Block *block = roots.empty() ? nullptr : Value(roots.front()).getParentBlock();
  auto consider = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == block &&
        (isRowComputation(op) || isFreeToRepeat(op) || op == alsoTake))
      candidates.insert(op);
  };
  for (Value root : roots) {
    widths.add(root.getType());
    consider(root);
  }
  while (!candidates.empty()) {
    Operation *op = *candidates.rbegin();
    candidates.erase(op);
    Value value = op->getResult(0);
    bool dies = !findReaderOutside(value, [&](OpOperand &use) {
      return inside.contains(use.getOwner()) || (isRoot.contains(value) && isRootUse(use));
    });
    Type source = isRowReduction(op) ? op->getOperand(0).getType() : Type();
    if (!dies || (source && !widths.fits(source) && !isRoot.contains(value)))
      continue;
    inside.insert(op);
    widths.add(value.getType());
    if (source)
      widths.add(source);
    auto destination = dyn_cast<DestinationStyleOpInterface>(op);
    for (OpOperand &operand : op->getOpOperands())
      if ((!destination || !destination.isDpsInit(&operand)) && !isRowProduct(op))
        consider(operand.get()); // a product reads its rows from memory
  }
  return inside;
}

std::optional<Blocker> gnnc::findRowBlocker(Value tensor,
                                            function_ref<bool(OpOperand &)> isInside) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (!isRowComputation(op) && !isFreeToRepeat(op) && !isa<GatherOp>(op))
    return Blocker(op, "'" + op->getName().getStringRef() + "' does not compute row by row");
  if (Operation *reader = findReaderOutside(tensor, isInside))
    return Blocker(op, "the value is also read by '" + reader->getName().getStringRef() +
                           "', so it must exist as a tensor");
  return Blocker(op, "its rows are not known to be those of the kernel that reads it");
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
  // An operand is there now; anything else was computed.
  if (rows.try_emplace({unsigned(space), tensor}, row).second)
    absorbed.push_back(tensor.getLoc());
  return row;
}

Location RowRegion::location(Location base) const {
  SmallVector<Location> all{base};
  llvm::append_range(all, absorbed);
  return FusedLoc::get(build.getContext(), all);
}

Value gnnc::createSplat(OpBuilder &builder, Location loc, Type type, TypedAttr value) {
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return arith::ConstantOp::create(builder, loc, value);
}

Value RowRegion::emit(Value tensor, RowRole space) {
  Operation *op = tensor.getDefiningOp();
  if (!op || !hasStaticFeatures(tensor.getType()))
    return operand(space, tensor);
  if (TypedAttr value = splatValue(tensor))
    return createSplat(build, op->getLoc(), rowType(cast<RankedTensorType>(tensor.getType())),
                       value);
  if (isRowBroadcast(op))
    return emitBroadcast(op, space);
  if (isRowCountCast(op))
    return row(op->getOperand(0), space);
  if (isRowReshape(op))
    return emitReshape(op, space);
  if (space != own)
    return operand(space, tensor);
  if (auto gather = dyn_cast<GatherOp>(op); gather && graph && gather.getGraph() == graph)
    return row(gather.getNodes(), gather.getEnd() == End::Src ? RowRole::Src : RowRole::Dst);
  if (!inside.contains(op))
    return operand(space, tensor);
  if (isRowReduction(op))
    return emitReduction(op);
  if (isRowGeneric(op))
    return emitGeneric(op);
  if (isRowProduct(op))
    return emitProduct(op, space);
  if (!isElementwise(op))
    return operand(space, tensor);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, row(operand, space));
  Operation *clone = build.clone(*op, mapping);
  clone->getResult(0).setType(rowType(cast<RankedTensorType>(tensor.getType())));
  return clone->getResult(0);
}

/// The elements of `value` as `to`, which has as many.
static Value createReshaped(OpBuilder &builder, Location loc, Value value, Type to) {
  if (value.getType() == to)
    return value;
  auto from = dyn_cast<VectorType>(value.getType());
  if (!from)
    return vector::BroadcastOp::create(builder, loc, to, value);
  if (!isa<VectorType>(to))
    return vector::ExtractOp::create(builder, loc, value, SmallVector<int64_t>(from.getRank(), 0));
  return vector::ShapeCastOp::create(builder, loc, to, value);
}

/// A parameter as the region sees it: numbers, or an operand behind reshapes.
Value RowRegion::whole(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Operation *op = tensor.getDefiningOp();
  if (TypedAttr value = splatValue(tensor)) {
    absorbed.push_back(op->getLoc());
    return createSplat(build, op->getLoc(), wholeType(type), value);
  }
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
      type.hasStaticShape() && isParameter(op->getOperand(0))) {
    absorbed.push_back(op->getLoc());
    return createReshaped(build, op->getLoc(), whole(op->getOperand(0)), wholeType(type));
  }
  return operand(RowRole::Param, tensor);
}

Value gnnc::createSpread(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape,
                         Type to) {
  auto vector = dyn_cast<VectorType>(to);
  if (!vector || value.getType() == to)
    return value;
  // vector.broadcast repeats leading extents and stretches extents of one: give
  // each new dimension an extent of one first.
  if (auto from = dyn_cast<VectorType>(value.getType()); from && shape != from.getShape())
    value = vector::ShapeCastOp::create(builder, loc, VectorType::get(shape, from.getElementType()),
                                        value);
  if (value.getType() == to)
    return value;
  return vector::BroadcastOp::create(builder, loc, to, value);
}

Value RowRegion::emitBroadcast(Operation *op, RowRole space) {
  auto broadcast = cast<linalg::BroadcastOp>(op);
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  bool isParam = llvm::is_contained(broadcast.getDimensions(), 0);
  if (TypedAttr value = isParam ? splatValue(broadcast.getInput()) : TypedAttr())
    return createSplat(build, op->getLoc(), rowType(result), value);
  Value input = isParam ? whole(broadcast.getInput()) : row(broadcast.getInput(), space);
  SmallVector<int64_t> shape(result.getShape().drop_front());
  for (int64_t dimension : broadcast.getDimensions())
    if (dimension > 0)
      shape[dimension - 1] = 1;
  return createSpread(build, op->getLoc(), input, shape, rowType(result));
}

Value RowRegion::emitReshape(Operation *op, RowRole space) {
  return createReshaped(build, op->getLoc(), row(op->getOperand(0), space),
                        rowType(cast<RankedTensorType>(op->getResult(0).getType())));
}

Value RowRegion::emitReduction(Operation *op) {
  auto reduce = cast<linalg::ReduceOp>(op);
  Value input = row(reduce.getInputs()[0]);
  Value start =
      createSplat(build, op->getLoc(), rowType(cast<RankedTensorType>(op->getResult(0).getType())),
                  splatValue(reduce.getInits()[0]));
  SmallVector<bool> mask(cast<VectorType>(input.getType()).getRank(), false);
  for (int64_t dimension : reduce.getDimensions())
    mask[dimension - 1] = true;
  return vector::MultiDimReductionOp::create(build, op->getLoc(), input, start, mask,
                                             *combinerOf(reduce));
}

Value RowRegion::emitGeneric(Operation *op) {
  auto generic = cast<linalg::GenericOp>(op);
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  ArrayRef<int64_t> features = result.getShape().drop_front();
  Location loc = op->getLoc();
  auto rowOf = [&](Type element) -> Type {
    return features.empty() ? element : Type(VectorType::get(features, element));
  };
  IRMapping mapping;
  for (OpOperand *input : generic.getDpsInputOperands()) {
    AffineMap map = generic.getMatchingIndexingMap(input);
    bool isRow = map.getNumResults() > 0 && map.getResult(0).isFunctionOfDim(0);
    Value value = isRow ? row(input->get()) : whole(input->get());
    SmallVector<int64_t> shape(features.size(), 1);
    for (AffineExpr expr : map.getResults())
      if (auto loop = dyn_cast<AffineDimExpr>(expr); loop && loop.getPosition() > 0)
        shape[loop.getPosition() - 1] = features[loop.getPosition() - 1];
    Type element = getElementTypeOrSelf(value.getType());
    // The map of one number says where it is.
    auto vector = dyn_cast<VectorType>(value.getType());
    if (vector && features.empty()) {
      SmallVector<int64_t> position;
      for (AffineExpr expr : map.getResults().drop_front(isRow ? 1 : 0))
        position.push_back(cast<AffineConstantExpr>(expr).getValue());
      value = vector::ExtractOp::create(build, loc, value, position);
    }
    mapping.map(generic.getMatchingBlockArgument(input),
                createSpread(build, loc, value, shape, rowOf(element)));
  }
  auto lookUp = [&](Value scalar) {
    Attribute constant;
    if (!mapping.contains(scalar) && matchPattern(scalar, m_Constant(&constant)))
      mapping.map(scalar,
                  createSplat(build, loc, rowOf(scalar.getType()), cast<TypedAttr>(constant)));
    return mapping.lookup(scalar);
  };
  for (Operation &inner : generic.getBlock()->without_terminator()) {
    if (inner.hasTrait<OpTrait::ConstantLike>())
      continue;
    for (Value scalar : inner.getOperands())
      lookUp(scalar);
    Operation *clone = build.clone(inner, mapping);
    clone->getResult(0).setType(rowOf(inner.getResult(0).getType()));
  }
  return lookUp(generic.getBlock()->getTerminator()->getOperand(0));
}

/// A kernel reads both factors number by number, so they are operands.
Value RowRegion::emitProduct(Operation *op, RowRole space) {
  Value tensor = op->getOperand(0);
  while (Operation *cast = tensor.getDefiningOp())
    if (isRowCountCast(cast))
      tensor = cast->getOperand(0);
    else
      break;
  auto gather = tensor.getDefiningOp<GatherOp>();
  Value row =
      gather && graph && gather.getGraph() == graph
          ? operand(gather.getEnd() == End::Src ? RowRole::Src : RowRole::Dst, gather.getNodes())
          : operand(space, tensor);
  Value weight = operand(RowRole::Param, op->getOperand(1));
  // Sums of narrow numbers are rounded once.
  auto result = cast<VectorType>(rowType(cast<RankedTensorType>(op->getResult(0).getType())));
  Type element = result.getElementType();
  bool isNarrow = element.getIntOrFloatBitWidth() < 32;
  VectorType wide = isNarrow ? result.clone(build.getF32Type()) : result;
  Value zero = arith::ConstantOp::create(build, op->getLoc(), build.getZeroAttr(wide));
  AffineExpr c, k;
  bindDims(build.getContext(), c, k);
  auto map = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(2, 0, exprs, build.getContext());
  };
  using Iterator = vector::IteratorType;
  auto loop = [&](Iterator type) -> Attribute {
    return vector::IteratorTypeAttr::get(build.getContext(), type);
  };
  Value product = vector::ContractionOp::create(
      build, op->getLoc(), row, weight, zero,
      build.getAffineMapArrayAttr({map({k}), map({k, c}), map({c})}),
      build.getArrayAttr({loop(Iterator::parallel), loop(Iterator::reduction)}));
  return isNarrow ? arith::TruncFOp::create(build, op->getLoc(), result, product) : product;
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

Value gnnc::createWidened(OpBuilder &builder, Location loc, Value value, Type element) {
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  Type wide = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    wide = vector.clone(element);
  return arith::ExtFOp::create(builder, loc, wide, value);
}

MapOp gnnc::createMap(OpBuilder &builder, Value value, Value graph, const OpSet &inside) {
  Operation *root = value.getDefiningOp();
  Location loc = root->getLoc();
  RowRegion body(root->getContext(), graph, inside);
  body.yield(loc, body.row(value));
  if (!graph && body.operands(RowRole::Row).empty())
    return {};
  auto map = MapOp::create(builder, loc, TypeRange{value.getType()}, graph,
                           body.operands(RowRole::Src), body.operands(RowRole::Dst),
                           body.operands(RowRole::Row), body.operands(RowRole::Param), Attribute());
  map->setLoc(body.location(loc));
  map.getBody().takeBody(body.region());
  return map;
}

AggregateOp gnnc::createAggregate(OpBuilder &builder, Location loc, Value graph, ReduceKind kind,
                                  Type acc, Value message, RankedTensorType result,
                                  const OpSet &inside) {
  MLIRContext *context = builder.getContext();
  RowRegion body(context, graph, inside);
  Value row = body.row(message);
  Value wide = createWidened(body.builder(), loc, row, acc);
  body.yield(loc, wide);
  auto aggregate = AggregateOp::create(
      builder, loc, TypeRange{result}, graph, body.operands(RowRole::Src),
      body.operands(RowRole::Dst), body.operands(RowRole::Row), body.operands(RowRole::Param),
      builder.getArrayAttr(ReduceKindAttr::get(context, kind)), TypeAttr::get(acc), Attribute());
  aggregate->setLoc(body.location(loc));
  aggregate.getMessage().takeBody(body.region());
  if (wide != row) {
    RowRegion epilogue(context, {}, inside, RowRole::Dst);
    Value sum = epilogue.addLeading(wide.getType(), loc);
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
