//===- RowOps.cpp - Which tensor ops compute row by row -------------------===//
#include "passes/Common/RowOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gnnc;

bool gnnc::hasStaticFeatures(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() >= 1 && tensor.getRank() <= 3 &&
         llvm::none_of(tensor.getShape().drop_front(), ShapedType::isDynamic);
}

SmallVector<OpOperand *> gnnc::readersOf(Value value) {
  SmallVector<OpOperand *> readers;
  for (OpOperand &use : value.getUses())
    if (!isa<tensor::DimOp>(use.getOwner()))
      readers.push_back(&use);
  return readers;
}

bool gnnc::hasOneReader(Value value) { return readersOf(value).size() == 1; }

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

bool gnnc::isZeroSplat(Value tensor) {
  auto number = dyn_cast_if_present<FloatAttr>(splatValue(tensor));
  return number && number.getValue().isZero();
}

bool gnnc::isParameter(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || !type.hasStaticShape() || type.getRank() > 3)
    return false;
  if (type.getRank() > 0 || splatValue(tensor))
    return true;
  // One number is an operand as the tensor of one element that it was.
  auto collapse = tensor.getDefiningOp<tensor::CollapseShapeOp>();
  return collapse && collapse.getSrcType().hasStaticShape() && isParameter(collapse.getSrc());
}

bool gnnc::isRowCountCast(Operation *op) {
  auto cast = dyn_cast<tensor::CastOp>(op);
  if (!cast || !hasStaticFeatures(cast.getType()) || !hasStaticFeatures(cast.getSource().getType()))
    return false;
  auto from = llvm::cast<RankedTensorType>(cast.getSource().getType());
  auto to = llvm::cast<RankedTensorType>(cast.getType());
  return from.getShape().drop_front() == to.getShape().drop_front();
}

bool gnnc::isRowBroadcast(Operation *op) {
  auto broadcast = dyn_cast<linalg::BroadcastOp>(op);
  if (!broadcast || !hasStaticFeatures(broadcast->getResult(0).getType()))
    return false;
  return !llvm::is_contained(broadcast.getDimensions(), 0) || isParameter(broadcast.getInput());
}

bool gnnc::isFreeToRepeat(Operation *op) {
  return op && op->getNumResults() == 1 &&
         (isRowBroadcast(op) || isRowCountCast(op) || isRowReshape(op) ||
          (splatValue(op->getResult(0)) && hasStaticFeatures(op->getResult(0).getType())));
}

//===----------------------------------------------------------------------===//
// Features among themselves
//===----------------------------------------------------------------------===//

bool gnnc::isRowReshape(Operation *op) {
  RankedTensorType wide; // the type with more extents
  SmallVector<ReassociationIndices> groups;
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op)) {
    wide = expand.getResultType();
    groups = expand.getReassociationIndices();
  } else if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op)) {
    wide = collapse.getSrcType();
    groups = collapse.getReassociationIndices();
  } else {
    return false;
  }
  if (groups.empty() || !hasStaticFeatures(op->getResult(0).getType()) ||
      !hasStaticFeatures(op->getOperand(0).getType()))
    return false;
  // Extents of 1 may join the rows: tensor<?x1> and tensor<?> have the same.
  return llvm::all_of(ArrayRef(groups.front()).drop_front(),
                      [&](int64_t axis) { return wide.getDimSize(axis) == 1; });
}

std::optional<vector::CombiningKind> gnnc::combinerOf(linalg::ReduceOp reduce) {
  Block &body = *reduce.getBlock();
  if (!llvm::hasSingleElement(body.without_terminator()))
    return std::nullopt;
  Operation &op = body.front();
  if (op.getNumOperands() != 2 || body.getTerminator()->getOperand(0) != op.getResult(0) ||
      op.getOperand(0) == op.getOperand(1) ||
      !llvm::all_of(op.getOperands(), [&](Value v) { return v.getParentBlock() == &body; }))
    return std::nullopt;
  using Kind = vector::CombiningKind;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(&op)
      .Case([](arith::AddFOp) { return Kind::ADD; })
      .Case([](arith::MulFOp) { return Kind::MUL; })
      .Case([](arith::MaximumFOp) { return Kind::MAXIMUMF; })
      .Case([](arith::MinimumFOp) { return Kind::MINIMUMF; })
      .Case([](arith::MaxNumFOp) { return Kind::MAXNUMF; })
      .Case([](arith::MinNumFOp) { return Kind::MINNUMF; })
      .Default(std::nullopt);
}

bool gnnc::isRowReduction(Operation *op) {
  auto reduce = dyn_cast_or_null<linalg::ReduceOp>(op);
  return reduce && op->getNumResults() == 1 && reduce.getInputs().size() == 1 &&
         hasStaticFeatures(reduce.getInputs()[0].getType()) &&
         hasStaticFeatures(op->getResult(0).getType()) &&
         !llvm::is_contained(reduce.getDimensions(), 0) && splatValue(reduce.getInits()[0]) &&
         combinerOf(reduce);
}

/// Loops in rising order, each once; 0 where the operand has an extent of 1, and any
/// number where the one loop is that of rows: one feature of each.
static bool isOrderedSelection(AffineMap map, ShapedType operand) {
  int64_t last = -1;
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      if (static_cast<int64_t>(loop.getPosition()) <= last)
        return false;
      last = loop.getPosition();
      continue;
    }
    auto number = dyn_cast<AffineConstantExpr>(expr);
    bool isOne = number && number.getValue() == 0 && operand.getDimSize(axis) == 1;
    bool isFeature = number && map.getNumDims() == 1 && map.getNumResults() == 2 && last == 0;
    if (!isOne && !isFeature)
      return false;
  }
  return true;
}

bool gnnc::isRowGeneric(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || op->getNumResults() != 1 ||
      generic.getNumParallelLoops() != generic.getNumLoops())
    return false;
  OpOperand *init = generic.getDpsInitOperand(0);
  if (!hasStaticFeatures(op->getResult(0).getType()) ||
      !generic.getMatchingIndexingMap(init).isIdentity() ||
      generic.payloadUsesValueFromOperand(init))
    return false;
  for (OpOperand *input : generic.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    AffineMap map = generic.getMatchingIndexingMap(input);
    if (!type || !isOrderedSelection(map, type))
      return false;
    bool isRow = map.getNumResults() > 0 && map.getResult(0).isFunctionOfDim(0);
    if (isRow ? !hasStaticFeatures(type) : !isParameter(input->get()))
      return false;
  }
  // Constants stand for themselves; anything else is computed for each element.
  for (Operation &inner : generic.getBlock()->without_terminator())
    if (!inner.hasTrait<OpTrait::ConstantLike>() &&
        (!isa<arith::ArithDialect, math::MathDialect>(inner.getDialect()) ||
         !OpTrait::hasElementwiseMappableTraits(&inner) || inner.getNumResults() != 1))
      return false;
  // What the body reads from above would have to become an operand.
  return llvm::all_of(generic.getBlock()->getOperations(), [&](Operation &inner) {
    return llvm::all_of(inner.getOperands(), [&](Value v) {
      Attribute constant;
      return v.getParentBlock() == generic.getBlock() || matchPattern(v, m_Constant(&constant));
    });
  });
}

bool gnnc::isRowProduct(Operation *op) {
  auto contract = dyn_cast_or_null<linalg::ContractOp>(op);
  if (!contract || op->getNumResults() != 1 || !isZeroSplat(contract.getDpsInitOperand(0)->get()))
    return false;
  AffineExpr n, c, k;
  bindDims(op->getContext(), n, c, k);
  auto map = [&](AffineExpr a, AffineExpr b) {
    return AffineMap::get(3, 0, {a, b}, op->getContext());
  };
  Value rows = op->getOperand(0), weight = op->getOperand(1);
  return contract.getIndexingMapsArray() ==
             SmallVector<AffineMap>{map(n, k), map(k, c), map(n, c)} &&
         hasStaticFeatures(rows.getType()) && isParameter(weight) && !splatValue(weight);
}

bool gnnc::isRowComputation(Operation *op) {
  return isElementwise(op) || isRowReduction(op) || isRowGeneric(op) || isRowProduct(op);
}
