//===- RowRegionEmitter.cpp - Code for the ops of a row region ------------===//
#include "passes/Kernel/RowEmitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Kernel/KeepLoop.h"

using namespace mlir;
using namespace gnnc;
using vector::CombiningKind;

/// Lets multiply and add become one instruction; DESIGN's bounds allow for it and
/// a fixed instruction choice keeps results repeatable.
static void allowContraction(Operation *op) {
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op)) {
    auto flags = arith::FastMathFlags::contract;
    if (auto attr = fast.getFastMathFlagsAttr())
      flags = flags | attr.getValue();
    op->setAttr(fast.getFastMathAttrName(), arith::FastMathFlagsAttr::get(op->getContext(), flags));
  }
}

LogicalResult RowEmitter::emitConstant(arith::ConstantOp op, DenseMap<Value, Row> &rows) {
  TypedAttr value = op.getValue();
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    if (!dense.isSplat())
      return op.emitOpError("a vector constant in a row region must be a splat; pass others as "
                            "a param operand");
    value = cast<TypedAttr>(dense.getSplatValue<Attribute>());
  }
  rows[op.getResult()] = splat(op.getLoc(), frame.shapeOf(op.getResult()), value);
  return success();
}

/// A number of a picked row, or what takes extents of 1 away: the parts of other rows are
/// spread over threads.
LogicalResult RowEmitter::emitExtract(vector::ExtractOp op, DenseMap<Value, Row> &rows) {
  if (frame.shapeOf(op.getSource()) == RowShape::Picked) {
    Value number = rows.lookup(op.getSource())[op.getStaticPosition().front()];
    rows[op.getResult()] = {number};
    return success();
  }
  int64_t before = op.getSourceVectorType().getNumElements(), after = 1;
  if (auto vector = dyn_cast<VectorType>(op.getType()))
    after = vector.getNumElements();
  if (before != after || !op.getDynamicPosition().empty())
    return op.emitOpError(
        "takes some of the values of a row, which has no form in a kernel region");
  Row row = rows.lookup(op.getSource());
  rows[op.getResult()] = row;
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions within a row
//===----------------------------------------------------------------------===//

static Value combineTwo(OpBuilder &builder, Location loc, CombiningKind kind, Value a, Value b) {
  return vector::makeArithReduction(builder, loc, kind, a, b);
}

/// The number that combining with changes nothing.
static FloatAttr identityOf(OpBuilder &builder, CombiningKind kind, Type element) {
  const llvm::fltSemantics &semantics = cast<FloatType>(element).getFloatSemantics();
  switch (kind) {
  case CombiningKind::MUL:
    return builder.getFloatAttr(element, 1.0);
  case CombiningKind::MAXIMUMF:
  case CombiningKind::MAXNUMF:
    return builder.getFloatAttr(element, APFloat::getInf(semantics, /*Negative=*/true));
  case CombiningKind::MINIMUMF:
  case CombiningKind::MINNUMF:
    return builder.getFloatAttr(element, APFloat::getInf(semantics));
  default:
    return builder.getFloatAttr(element, 0.0);
  }
}

/// All features of one head as one number: first the pieces, then the two halves of
/// a vector until one number is left, then the threads.
Value RowEmitter::reducePieces(Location loc, CombiningKind kind, ArrayRef<Value> pieces) {
  Type element = getElementTypeOrSelf(pieces.front().getType());
  Value vector, number;
  for (auto [piece, part] : llvm::zip_equal(tile.pieces, pieces)) {
    Value value = part;
    bool partial = piece.valid < piece.width;
    if (partial || piece.inRange) {
      auto nothing = DenseElementsAttr::get(cast<VectorType>(value.getType()),
                                            Attribute(identityOf(builder, kind, element)));
      Value condition = partial ? mask(loc, piece) : piece.inRange;
      value = arith::SelectOp::create(builder, loc, condition, value,
                                      arith::ConstantOp::create(builder, loc, nothing));
    }
    if (vector && vector.getType() != value.getType()) {
      // A narrower tail: the wide ones are done.
      number = vector;
      vector = {};
    }
    vector = vector ? combineTwo(builder, loc, kind, vector, value) : value;
  }
  auto fold = [&](Value wide) {
    while (true) {
      int64_t width = cast<VectorType>(wide.getType()).getNumElements();
      if (width == 1)
        return vector::ExtractOp::create(builder, loc, wide, 0).getResult();
      int64_t half = width / 2;
      auto part = [&](int64_t offset) {
        return vector::ExtractStridedSliceOp::create(builder, loc, wide, ArrayRef<int64_t>{offset},
                                                     ArrayRef<int64_t>{half}, ArrayRef<int64_t>{1})
            .getResult();
      };
      wide = combineTwo(builder, loc, kind, part(0), part(half));
    }
  };
  Value result = fold(vector);
  if (number)
    result = combineTwo(builder, loc, kind, fold(number), result);
  return target.reduce(builder, loc, kind, result);
}

Row RowEmitter::emitReduction(vector::MultiDimReductionOp op, const Row &source, const Row &start) {
  Location loc = op.getLoc();
  CombiningKind kind = op.getKind();
  ReducedAxes axes = frame.reducedAxes(op);
  RowShape shape = frame.shapeOf(op.getSource());
  Row row = source;
  if (axes.features) {
    SmallVector<Value> numbers;
    for (size_t i = 0; i < row.size(); i += tile.pieces.size())
      numbers.push_back(reducePieces(loc, kind, ArrayRef<Value>(row).slice(i, tile.pieces.size())));
    shape = shape == RowShape::Full ? RowShape::Head : RowShape::Scalar;
    row = {numbers.front()};
    if (numbers.size() > 1)
      row = {vector::FromElementsOp::create(
          builder, loc, VectorType::get({tile.heads}, numbers.front().getType()), numbers)};
  }
  if (axes.heads) {
    unsigned perHead = shape == RowShape::Full ? tile.pieces.size() : 1;
    Row reduced;
    for (unsigned i = 0; i < perHead; ++i) {
      Value value;
      for (int64_t head = 0; head < tile.heads; ++head) {
        Value part = shape == RowShape::Full ? row[head * perHead + i] : headOf(loc, row, head);
        value = value ? combineTwo(builder, loc, kind, value, part) : part;
      }
      reduced.push_back(value);
    }
    row = reduced;
  }
  return combine(row, start,
                 [&](Value a, Value b) { return combineTwo(builder, loc, kind, a, b); });
}

//===----------------------------------------------------------------------===//
// Products of a row with a weight
//===----------------------------------------------------------------------===//

bool RowEmitter::keepsWeight(vector::ContractionOp op) const {
  constexpr int64_t mostKept = 32; // registers
  int64_t held = 0;
  RowShape shape = frame.shapeOf(op.getResult());
  for (unsigned i = 0, e = numValues(shape); i < e; ++i) {
    auto vector = dyn_cast<VectorType>(valueType(builder.getF32Type(), shape, i));
    held += vector ? vector.getNumElements() : 1;
  }
  return cast<VectorType>(op.getLhs().getType()).getNumElements() * held <= mostKept;
}

/// sum over k of row[k] * weight[k, :], in the order of k. Either all terms stand one
/// behind the other, for the compiler to keep the weight in registers, or a loop that it
/// must leave a loop reads the weight for each row anew.
LogicalResult RowEmitter::emitProduct(vector::ContractionOp op, DenseMap<Value, Row> &rows,
                                      Access access) {
  Location loc = op.getLoc();
  auto weightType = cast<VectorType>(op.getRhs().getType());
  if (!isStored(op.getLhs()) || !isStored(op.getRhs()) || weightType.getRank() != 2 ||
      op.getKind() != CombiningKind::ADD ||
      op.getIndexingMapsArray()[1] !=
          AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0}, op.getContext()))
    return op.emitOpError("has no form in a kernel region, which adds up the numbers of an "
                          "operand's row times the rows of a param and uses both for nothing else");
  constexpr int64_t unroll = 4;
  int64_t depth = weightType.getDimSize(0);
  RowShape shape = frame.shapeOf(op.getResult());
  Type element = getElementTypeOrSelf(op.getType());
  Value row = rows.lookup(op.getLhs()).front(), weight = rows.lookup(op.getRhs()).front();
  auto elementOf = [](Value factor) {
    return getElementTypeOrSelf(storedArgument(factor).getType());
  };
  Type rowElement = elementOf(op.getLhs()), weightElement = elementOf(op.getRhs());

  auto add = [&](Row sums, Value k) {
    Value from = LLVM::GEPOp::create(builder, loc, row.getType(), rowElement, row, k,
                                     LLVM::GEPNoWrapFlags::inbounds);
    Value number =
        LLVM::LoadOp::create(builder, loc, rowElement, from, rowElement.getIntOrFloatBitWidth() / 8,
                             false, false, access.invariant);
    if (rowElement != element)
      number = arith::ExtFOp::create(builder, loc, element, number);
    for (auto [sum, factor] :
         llvm::zip_equal(sums, load(loc, weight, weightElement, shape, k, access))) {
      Value part = factor;
      if (weightElement != element)
        part = arith::ExtFOp::create(builder, loc, sum.getType(), part);
      Value spread = number;
      if (spread.getType() != part.getType())
        spread = vector::BroadcastOp::create(builder, loc, part.getType(), number);
      part = arith::MulFOp::create(builder, loc, spread, part);
      allowContraction(part.getDefiningOp());
      sum = arith::AddFOp::create(builder, loc, sum, part);
      allowContraction(sum.getDefiningOp());
    }
    return sums;
  };
  auto index = [&](int64_t k) -> Value {
    return arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), k);
  };

  Row sums = rows.lookup(op.getAcc());
  int64_t looped = keepsWeight(op) ? 0 : depth / unroll * unroll;
  if (looped) {
    auto loop =
        scf::ForOp::create(builder, loc, index(0), index(looped), index(unroll), ValueRange(sums));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Row next(loop.getRegionIterArgs());
    for (int64_t i = 0; i < unroll; ++i)
      next = add(next, arith::AddIOp::create(builder, loc, loop.getInductionVar(), index(i)));
    scf::YieldOp::create(builder, loc, next);
    keepLoop(loop);
    sums = Row(loop.getResults());
  }
  for (int64_t k = looped; k < depth; ++k)
    sums = add(sums, index(k));
  rows[op.getResult()] = sums;
  return success();
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

LogicalResult RowEmitter::emitOp(Operation &op, DenseMap<Value, Row> &rows, Access access) {
  Location loc = op.getLoc();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return emitConstant(constant, rows);
  if (auto extract = dyn_cast<vector::ExtractOp>(op))
    return emitExtract(extract, rows);
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op)) {
    if (!isa<FloatType>(getElementTypeOrSelf(reduction.getType())))
      return op.emitOpError("reduces ")
             << reduction.getSourceVectorType() << "; a kernel region reduces rows of floats";
    Row row = emitReduction(reduction, rows.lookup(reduction.getSource()),
                            rows.lookup(reduction.getAcc()));
    rows[reduction.getResult()] = row;
    return success();
  }
  if (isa<arith::ExtFOp>(op) && isStored(op.getResult(0))) { // widened as it is read
    rows[op.getResult(0)] = Row(rows.lookup(op.getOperand(0)));
    return success();
  }
  if (auto product = dyn_cast<vector::ContractionOp>(op))
    return emitProduct(product, rows, access);
  if (isa<vector::BroadcastOp, vector::ShapeCastOp>(op)) {
    RowShape from = frame.shapeOf(op.getOperand(0)), to = frame.shapeOf(op.getResult(0));
    if (isa<vector::ShapeCastOp>(op) && from != to)
      return op.emitOpError("reshapes ")
             << op.getOperand(0).getType() << " to " << op.getResult(0).getType()
             << ", which mixes the heads and features of a row";
    Row row = spread(loc, rows.lookup(op.getOperand(0)), from, to);
    rows[op.getResult(0)] = row;
    return success();
  }
  if (!OpTrait::hasElementwiseMappableTraits(&op) || op.getNumResults() != 1 ||
      op.getNumRegions() != 0)
    return op.emitOpError("has no row-wise form in a kernel region");

  RowShape shape = frame.shapeOf(op.getResult(0));
  Type element = getElementTypeOrSelf(op.getResult(0).getType());
  Row result;
  for (unsigned i = 0, e = numValues(shape); i < e; ++i) {
    OperationState state(loc, op.getName());
    for (Value operand : op.getOperands())
      state.operands.push_back(frame.shapeOf(operand) == shape ? rows[operand][i]
                                                               : rows[operand].front());
    state.addTypes(valueType(element, shape, i));
    state.addAttributes(op.getAttrs());
    Operation *copy = builder.create(state);
    allowContraction(copy);
    result.push_back(copy->getResult(0));
  }
  rows[op.getResult(0)] = result;
  return success();
}

FailureOr<SmallVector<Row>> RowEmitter::emitRegion(Region &region, ArrayRef<Row> arguments,
                                                   Access access) {
  DenseMap<Value, Row> rows;
  for (auto [argument, row] : llvm::zip_equal(region.getArguments(), arguments))
    rows[argument] = row;
  for (Operation &op : region.front().without_terminator())
    if (failed(emitOp(op, rows, access)))
      return failure();
  SmallVector<Row> yielded;
  for (Value value : region.front().getTerminator()->getOperands())
    yielded.push_back(rows[value]);
  return yielded;
}
