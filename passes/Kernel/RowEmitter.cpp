//===- RowEmitter.cpp - Code for one row of features ----------------------===//
#include "passes/Kernel/RowEmitter.h"
#include "passes/Kernel/KernelAbi.h"

using namespace mlir;
using namespace gnnc;

Type RowEmitter::pieceType(Type type, unsigned i) const {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return type;
  return VectorType::get({pieces[i].width}, vector.getElementType());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), value);
}

/// &pointer[index * features + base + piece.offset]
Value RowEmitter::address(Location loc, Value pointer, Type element, int64_t features, Value index,
                          const Piece &piece) {
  Value offset;
  if (index) {
    offset = index;
    if (features != 1)
      offset = arith::MulIOp::create(builder, loc, index, constant(builder, loc, features));
  }
  if (base)
    offset = offset ? arith::AddIOp::create(builder, loc, offset, base).getResult() : base;
  Value moved = pointer;
  if (offset)
    moved = LLVM::GEPOp::create(builder, loc, pointer.getType(), element, pointer, offset,
                                LLVM::GEPNoWrapFlags::inbounds);
  if (piece.offset)
    moved = LLVM::GEPOp::create(builder, loc, pointer.getType(), element, moved,
                                ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(piece.offset)},
                                LLVM::GEPNoWrapFlags::inbounds);
  return moved;
}

Value RowEmitter::mask(Location loc, const Piece &piece) {
  SmallVector<bool> bits(piece.width, false);
  std::fill_n(bits.begin(), piece.valid, true);
  auto type = VectorType::get({piece.width}, builder.getI1Type());
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, bits));
}

static unsigned alignmentOf(Type element, unsigned asked) {
  return asked ? asked : std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

Row RowEmitter::loadVector(Location loc, Value pointer, Type element, int64_t features, Value index,
                           Access access) {
  Row row;
  unsigned alignment = alignmentOf(element, access.alignment);
  for (const Piece &piece : pieces) {
    auto type = VectorType::get({piece.width}, element);
    Value from = address(loc, pointer, element, features, index, piece);
    if (piece.valid < piece.width) {
      Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
      row.push_back(LLVM::MaskedLoadOp::create(builder, loc, type, from, mask(loc, piece), zero,
                                               alignmentOf(element, 0)));
      continue;
    }
    row.push_back(LLVM::LoadOp::create(builder, loc, type, from, alignment, /*isVolatile=*/false,
                                       /*isNonTemporal=*/false, access.invariant));
  }
  return row;
}

void RowEmitter::storeVector(Location loc, const Row &row, Value pointer, Type element,
                             int64_t features, Value index, unsigned alignment) {
  for (auto [piece, value] : llvm::zip_equal(pieces, row)) {
    Value to = address(loc, pointer, element, features, index, piece);
    if (piece.valid < piece.width)
      LLVM::MaskedStoreOp::create(builder, loc, value, to, mask(loc, piece),
                                  alignmentOf(element, 0));
    else
      LLVM::StoreOp::create(builder, loc, value, to, alignmentOf(element, alignment));
  }
}

Row RowEmitter::loadRow(Location loc, Value pointer, RankedTensorType type, Value index,
                        Access access) {
  Type element = type.getElementType();
  if (type.getRank() > 1)
    return loadVector(loc, pointer, element, rowFeatures(type), index, access);
  Value from = LLVM::GEPOp::create(builder, loc, pointer.getType(), element, pointer, index,
                                   LLVM::GEPNoWrapFlags::inbounds);
  return {LLVM::LoadOp::create(builder, loc, element, from, alignmentOf(element, 0), false, false,
                               access.invariant)};
}

Row RowEmitter::loadParam(Location loc, Value pointer, RankedTensorType type, Access access) {
  Type element = type.getElementType();
  if (type.getRank() == 0)
    return {LLVM::LoadOp::create(builder, loc, element, pointer, alignmentOf(element, 0), false,
                                 false, access.invariant)};
  return loadVector(loc, pointer, element, type.getNumElements(), {}, access);
}

void RowEmitter::storeRow(Location loc, const Row &row, Value pointer, RankedTensorType type,
                          Value index, unsigned alignment) {
  Type element = type.getElementType();
  if (type.getRank() > 1)
    return storeVector(loc, row, pointer, element, rowFeatures(type), index, alignment);
  Value to = LLVM::GEPOp::create(builder, loc, pointer.getType(), element, pointer, index,
                                 LLVM::GEPNoWrapFlags::inbounds);
  LLVM::StoreOp::create(builder, loc, row.front(), to, alignmentOf(element, 0));
}

void RowEmitter::prefetchRow(Location loc, Value pointer, RankedTensorType type, Value index) {
  constexpr int64_t line = 64; // bytes of a cache line on every x86-64
  Type element = type.getElementType();
  int64_t perLine = line * 8 / element.getIntOrFloatBitWidth();
  int64_t end = pieces.back().offset + pieces.back().valid;
  for (int64_t offset = 0; offset < end; offset += perLine) {
    Value from = address(loc, pointer, element, rowFeatures(type), index, {offset, 1, 1});
    LLVM::Prefetch::create(builder, loc, from, /*rw=*/0, /*hint=*/3, /*cache=*/1);
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Row RowEmitter::splat(Location loc, Type regionType, TypedAttr value) {
  Row row;
  for (unsigned i = 0, e = numPieces(regionType); i < e; ++i) {
    Type type = pieceType(regionType, i);
    TypedAttr attr = value;
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, ArrayRef<Attribute>(value));
    row.push_back(arith::ConstantOp::create(builder, loc, attr));
  }
  return row;
}

Row RowEmitter::combine(Location loc, const Row &a, const Row &b,
                        function_ref<Value(Value, Value)> op) {
  Row row;
  for (auto [x, y] : llvm::zip_equal(a, b))
    row.push_back(op(x, y));
  return row;
}

Row RowEmitter::broadcastLike(Location loc, Value scalar, const Row &like) {
  Row row;
  for (Value piece : like)
    row.push_back(
        isa<VectorType>(piece.getType())
            ? vector::BroadcastOp::create(
                  builder, loc,
                  VectorType::get(cast<VectorType>(piece.getType()).getShape(), scalar.getType()),
                  scalar)
                  .getResult()
            : scalar);
  return row;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

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

LogicalResult RowEmitter::emitOp(Operation &op, DenseMap<Value, Row> &rows) {
  Location loc = op.getLoc();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    TypedAttr value = constant.getValue();
    if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
      if (!dense.isSplat())
        return op.emitOpError("a vector constant in a row region must be a splat; pass others as "
                              "a param operand");
      value = cast<TypedAttr>(dense.getSplatValue<Attribute>());
    }
    rows[constant.getResult()] = splat(loc, constant.getType(), value);
    return success();
  }
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    if (isa<VectorType>(broadcast.getSourceType()))
      return op.emitOpError("a row region broadcasts scalars only, found ")
             << broadcast.getSourceType();
    Row row;
    Value scalar = rows.lookup(broadcast.getSource()).front();
    for (unsigned i = 0, e = numPieces(broadcast.getType()); i < e; ++i)
      row.push_back(vector::BroadcastOp::create(
          builder, loc, cast<VectorType>(pieceType(broadcast.getType(), i)), scalar));
    rows[broadcast.getResult()] = row;
    return success();
  }
  if (!OpTrait::hasElementwiseMappableTraits(&op) || op.getNumResults() != 1 ||
      op.getNumRegions() != 0)
    return op.emitOpError("has no row-wise form in a kernel region");

  Row result;
  Type type = op.getResult(0).getType();
  for (unsigned i = 0, e = numPieces(type); i < e; ++i) {
    OperationState state(loc, op.getName());
    for (Value operand : op.getOperands()) {
      const Row &row = rows[operand];
      state.operands.push_back(row.size() == 1 ? row.front() : row[i]);
    }
    state.addTypes(pieceType(type, i));
    state.addAttributes(op.getAttrs());
    Operation *copy = builder.create(state);
    allowContraction(copy);
    result.push_back(copy->getResult(0));
  }
  rows[op.getResult(0)] = result;
  return success();
}

FailureOr<SmallVector<Row>> RowEmitter::emitRegion(Region &region, ArrayRef<Row> arguments) {
  DenseMap<Value, Row> rows;
  for (auto [argument, row] : llvm::zip_equal(region.getArguments(), arguments))
    rows[argument] = row;
  for (Operation &op : region.front().without_terminator())
    if (failed(emitOp(op, rows)))
      return failure();
  SmallVector<Row> yielded;
  for (Value value : region.front().getTerminator()->getOperands())
    yielded.push_back(rows[value]);
  return yielded;
}
