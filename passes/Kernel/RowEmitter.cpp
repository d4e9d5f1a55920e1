//===- RowEmitter.cpp - Code for one row of heads x features --------------===//
//
// Memory and values; RowRegionEmitter.cpp has the ops of a region.
//
//===----------------------------------------------------------------------===//
#include "passes/Kernel/RowEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gnnc;

RowTarget::~RowTarget() = default;

Value RowTarget::reduce(OpBuilder &, Location, vector::CombiningKind, Value value) { return value; }

Value RowTarget::exp(OpBuilder &builder, Location loc, Value value) {
  return math::ExpOp::create(builder, loc, value);
}

static bool hasHeads(RowShape shape) { return shape == RowShape::Head || shape == RowShape::Full; }
static bool hasFeatures(RowShape shape) {
  return shape == RowShape::Feature || shape == RowShape::Full;
}

unsigned RowEmitter::numValues(RowShape shape) const {
  if (!hasFeatures(shape))
    return 1;
  return tile.pieces.size() * (shape == RowShape::Full ? tile.heads : 1);
}

Type RowEmitter::valueType(Type element, RowShape shape, unsigned i) const {
  if (hasFeatures(shape))
    return VectorType::get({tile.pieces[i % tile.pieces.size()].width}, element);
  if (shape == RowShape::Head && tile.heads > 1)
    return VectorType::get({tile.heads}, element);
  return element;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), value);
}

/// a + b, where null is 0.
static Value sum(OpBuilder &builder, Location loc, Value a, Value b) {
  return a && b ? arith::AddIOp::create(builder, loc, a, b).getResult() : a ? a : b;
}

/// a * factor, where null is 0.
static Value product(OpBuilder &builder, Location loc, Value a, int64_t factor) {
  if (!a || factor == 1)
    return a;
  return arith::MulIOp::create(builder, loc, a, constant(builder, loc, factor));
}

/// The address of the tile's head number `head`, or of `piece` of it, in row `index`.
Value RowEmitter::address(Location loc, Value pointer, Type element, RowShape shape, Value index,
                          int64_t head, const Piece *piece) {
  Value offset = product(builder, loc, index, frame.numElements(shape));
  int64_t perHead = hasFeatures(shape) ? frame.features : 1;
  int64_t fixed = 0;
  if (hasHeads(shape)) {
    offset = sum(builder, loc, offset, product(builder, loc, tile.head, perHead));
    fixed += head * perHead;
  }
  if (piece) {
    offset = sum(builder, loc, offset, piece->base);
    fixed += piece->offset;
  }
  auto flags = LLVM::GEPNoWrapFlags::inbounds;
  if (offset)
    pointer = LLVM::GEPOp::create(builder, loc, pointer.getType(), element, pointer, offset, flags);
  if (fixed)
    pointer = LLVM::GEPOp::create(builder, loc, pointer.getType(), element, pointer,
                                  ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(fixed)}, flags);
  return pointer;
}

Value RowEmitter::mask(Location loc, const Piece &piece) {
  SmallVector<bool> bits(piece.width, false);
  std::fill_n(bits.begin(), piece.valid, true);
  auto type = VectorType::get({piece.width}, builder.getI1Type());
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, bits));
}

static unsigned bytesOf(Type type) {
  unsigned elements = 1;
  if (auto vector = dyn_cast<VectorType>(type))
    elements = vector.getNumElements();
  return std::max(1u, elements * getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8);
}

Row RowEmitter::load(Location loc, Value pointer, Type element, RowShape shape, Value index,
                     Access access) {
  unsigned natural = bytesOf(element);
  if (!hasFeatures(shape)) {
    Value from = address(loc, pointer, element, shape, index, 0, nullptr);
    unsigned alignment = natural;
    // A tensor's rows of all heads lie one behind the other.
    if (access.aligned && index && hasHeads(shape) && tile.heads == frame.heads) {
      constexpr uint64_t widest = 16;
      alignment = llvm::MinAlign(tile.heads * natural, widest);
    }
    return {LLVM::LoadOp::create(builder, loc, valueType(element, shape, 0), from, alignment, false,
                                 false, access.invariant)};
  }
  Row row;
  for (int64_t head = 0; head < (hasHeads(shape) ? tile.heads : 1); ++head)
    for (const Piece &piece : tile.pieces) {
      auto type = VectorType::get({piece.width}, element);
      Value from = address(loc, pointer, element, shape, index, head, &piece);
      if (piece.valid < piece.width) {
        Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
        row.push_back(
            LLVM::MaskedLoadOp::create(builder, loc, type, from, mask(loc, piece), zero, natural));
        continue;
      }
      row.push_back(
          LLVM::LoadOp::create(builder, loc, type, from, access.aligned ? bytesOf(type) : natural,
                               /*isVolatile=*/false, /*isNonTemporal=*/false, access.invariant));
    }
  return row;
}

Row RowEmitter::locate(Location loc, Value pointer, Type element, int64_t count, Value index) {
  if (Value offset = product(builder, loc, index, count))
    pointer = LLVM::GEPOp::create(builder, loc, pointer.getType(), element, pointer, offset,
                                  LLVM::GEPNoWrapFlags::inbounds);
  return {pointer};
}

Row RowEmitter::loadNumbers(Location loc, Value pointer, Type element, int64_t count, Value index,
                            Access access) {
  pointer = locate(loc, pointer, element, count, index).front();
  Row row;
  for (int64_t i = 0; i < count; ++i) {
    Value from = LLVM::GEPOp::create(builder, loc, pointer.getType(), element, pointer,
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)},
                                     LLVM::GEPNoWrapFlags::inbounds);
    row.push_back(LLVM::LoadOp::create(builder, loc, element, from, bytesOf(element), false, false,
                                       access.invariant));
  }
  return row;
}

void RowEmitter::store(Location loc, const Row &row, Value pointer, Type element, RowShape shape,
                       Value index, Access access) {
  OpBuilder::InsertionGuard guard(builder);
  unsigned natural = bytesOf(element);
  auto enter = [&](Value condition) {
    auto guarded = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(&guarded.getThenRegion().front());
  };
  if (Value mine = target.stores(shape))
    enter(mine);
  if (!hasFeatures(shape)) {
    Value to = address(loc, pointer, element, shape, index, 0, nullptr);
    LLVM::StoreOp::create(builder, loc, row.front(), to, natural);
    return;
  }
  for (auto [i, value] : llvm::enumerate(row)) {
    OpBuilder::InsertionGuard pieceGuard(builder);
    const Piece &piece = tile.pieces[i % tile.pieces.size()];
    if (piece.inRange)
      enter(piece.inRange);
    Value to = address(loc, pointer, element, shape, index, i / tile.pieces.size(), &piece);
    if (piece.valid < piece.width)
      LLVM::MaskedStoreOp::create(builder, loc, value, to, mask(loc, piece), natural);
    else
      LLVM::StoreOp::create(builder, loc, value, to,
                            access.aligned ? bytesOf(value.getType()) : natural);
  }
}

void RowEmitter::prefetch(Location loc, Value pointer, Type element, RowShape shape, Value index) {
  constexpr int64_t line = 64; // bytes of a cache line on every x86-64
  int64_t perLine = line * 8 / element.getIntOrFloatBitWidth();
  const Piece &last = tile.pieces.back();
  int64_t perHead = hasFeatures(shape) ? last.offset + last.valid : 1;
  int64_t heads = hasHeads(shape) ? tile.heads : 1;
  if (perHead == (hasFeatures(shape) ? frame.features : 1)) { // heads follow each other
    perHead *= heads;
    heads = 1;
  }
  for (int64_t head = 0; head < heads; ++head)
    for (int64_t offset = 0; offset < perHead; offset += perLine) {
      Piece piece{offset, 1, 1, tile.pieces.front().base};
      Value from = address(loc, pointer, element, shape, index, head,
                           hasFeatures(shape) || offset ? &piece : nullptr);
      LLVM::Prefetch::create(builder, loc, from, /*rw=*/0, /*hint=*/3, /*cache=*/1);
    }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Row RowEmitter::splat(Location loc, RowShape shape, TypedAttr value) {
  Row row;
  for (unsigned i = 0, e = numValues(shape); i < e; ++i) {
    TypedAttr attr = value;
    if (auto vector = dyn_cast<VectorType>(valueType(value.getType(), shape, i)))
      attr = DenseElementsAttr::get(vector, ArrayRef<Attribute>(value));
    row.push_back(arith::ConstantOp::create(builder, loc, attr));
  }
  return row;
}

Row RowEmitter::combine(const Row &a, const Row &b, function_ref<Value(Value, Value)> op) {
  Row row;
  for (auto [x, y] : llvm::zip_equal(a, b))
    row.push_back(op(x, y));
  return row;
}

/// The number of one of the tile's heads.
Value RowEmitter::headOf(Location loc, const Row &row, int64_t head) {
  if (!isa<VectorType>(row.front().getType()))
    return row.front();
  return vector::ExtractOp::create(builder, loc, row.front(), head);
}

Row RowEmitter::spread(Location loc, const Row &row, RowShape from, RowShape to) {
  if (from == to)
    return row;
  Row result;
  Type element = getElementTypeOrSelf(row.front().getType());
  for (unsigned i = 0, e = numValues(to); i < e; ++i) {
    Value value = row.front();
    if (from == RowShape::Feature) {
      result.push_back(row[i % tile.pieces.size()]);
      continue;
    }
    if (from == RowShape::Head)
      value = headOf(loc, row, i / tile.pieces.size());
    Type type = valueType(element, to, i);
    if (type != value.getType())
      value = vector::BroadcastOp::create(builder, loc, type, value);
    result.push_back(value);
  }
  return result;
}

Row RowEmitter::expDifference(Location loc, const Row &a, const Row &b) {
  return combine(a, b, [&](Value x, Value y) {
    return target.exp(builder, loc, arith::SubFOp::create(builder, loc, x, y));
  });
}
