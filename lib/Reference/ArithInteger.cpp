//===- ArithInteger.cpp - Integer arith ops and conversions ---------------===//
//
// Integers are held as int64_t, signed, and cut to their type's width after each
// op; i1 is 0 or 1. Index is 64 bits.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gnnc::reference;

static unsigned widthOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

static int64_t cut(int64_t value, unsigned width) {
  if (width == 1)
    return value & 1;
  return width >= 64 ? value : llvm::SignExtend64(static_cast<uint64_t>(value), width);
}

static uint64_t asUnsigned(int64_t value, unsigned width) {
  return width >= 64 ? static_cast<uint64_t>(value)
                     : static_cast<uint64_t>(value) & ((uint64_t(1) << width) - 1);
}

template <auto Function>
static LogicalResult binary(Operation *op, Frame &frame) {
  if (failed(checkSameShape(op, frame)))
    return failure();
  unsigned width = widthOf(op->getResult(0).getType());
  const Tensor &a = frame.tensor(op->getOperand(0)), &b = frame.tensor(op->getOperand(1));
  Tensor out = Tensor::zeros(a.shape, /*isInteger=*/true);
  for (size_t i = 0; i < out.integers.size(); ++i)
    out.integers[i] = cut(Function(a.integers[i], b.integers[i]), width);
  frame.set(op->getResult(0), std::move(out));
  return success();
}

/// Wraps around as the ops are defined to, without overflow of signed numbers.
static int64_t add(int64_t a, int64_t b) { return static_cast<int64_t>(uint64_t(a) + uint64_t(b)); }
static int64_t sub(int64_t a, int64_t b) { return static_cast<int64_t>(uint64_t(a) - uint64_t(b)); }
static int64_t mul(int64_t a, int64_t b) { return static_cast<int64_t>(uint64_t(a) * uint64_t(b)); }

static int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

/// Division: a zero divisor is an error, not a trap.
template <auto Function>
static LogicalResult divide(Operation *op, Frame &frame) {
  const Tensor &divisor = frame.tensor(op->getOperand(1));
  if (llvm::is_contained(divisor.integers, 0))
    return op->emitOpError("divides by zero");
  if (llvm::is_contained(divisor.integers, -1) &&
      llvm::is_contained(frame.tensor(op->getOperand(0)).integers, INT64_MIN))
    return op->emitOpError("overflows: the smallest integer over -1");
  return binary<Function>(op, frame);
}

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b, unsigned width) {
  using P = arith::CmpIPredicate;
  // i1 is held as 0 and 1; as a signed number true is -1.
  int64_t sa = width == 1 ? -a : a, sb = width == 1 ? -b : b;
  uint64_t ua = asUnsigned(a, width), ub = asUnsigned(b, width);
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return sa < sb;
  case P::sle:
    return sa <= sb;
  case P::sgt:
    return sa > sb;
  case P::sge:
    return sa >= sb;
  case P::ult:
    return ua < ub;
  case P::ule:
    return ua <= ub;
  case P::ugt:
    return ua > ub;
  case P::uge:
    return ua >= ub;
  }
  llvm_unreachable("all predicates covered");
}

static LogicalResult cmpi(Operation *op, Frame &frame) {
  if (failed(checkSameShape(op, frame)))
    return failure();
  auto predicate = cast<arith::CmpIOp>(op).getPredicate();
  unsigned width = widthOf(op->getOperand(0).getType());
  const Tensor &a = frame.tensor(op->getOperand(0)), &b = frame.tensor(op->getOperand(1));
  Tensor out = Tensor::zeros(a.shape, /*isInteger=*/true);
  for (size_t i = 0; i < out.integers.size(); ++i)
    out.integers[i] = compare(predicate, a.integers[i], b.integers[i], width);
  frame.set(op->getResult(0), std::move(out));
  return success();
}

/// Integer to integer: extension by sign or by zeros, or cutting.
template <bool Signed>
static LogicalResult resize(Operation *op, Frame &frame) {
  unsigned from = widthOf(op->getOperand(0).getType()), to = widthOf(op->getResult(0).getType());
  Tensor out = frame.tensor(op->getOperand(0));
  for (int64_t &value : out.integers) {
    int64_t extended =
        Signed ? (from == 1 ? -value : value) : static_cast<int64_t>(asUnsigned(value, from));
    value = cut(extended, to);
  }
  frame.set(op->getResult(0), std::move(out));
  return success();
}

template <bool Signed>
static LogicalResult toFloat(Operation *op, Frame &frame) {
  unsigned width = widthOf(op->getOperand(0).getType());
  const Tensor &in = frame.tensor(op->getOperand(0));
  Tensor out = Tensor::zeros(in.shape);
  for (size_t i = 0; i < out.floats.size(); ++i)
    out.floats[i] = Signed ? double(width == 1 ? -in.integers[i] : in.integers[i])
                           : double(asUnsigned(in.integers[i], width));
  frame.set(op->getResult(0), std::move(out));
  return success();
}

static LogicalResult toInteger(Operation *op, Frame &frame) {
  const Tensor &in = frame.tensor(op->getOperand(0));
  unsigned width = widthOf(op->getResult(0).getType());
  Tensor out = Tensor::zeros(in.shape, /*isInteger=*/true);
  for (size_t i = 0; i < out.integers.size(); ++i) {
    if (!(std::abs(in.floats[i]) < 0x1p63))
      return op->emitOpError() << "element " << i << " is " << in.floats[i]
                               << ", no integer holds it";
    out.integers[i] = cut(static_cast<int64_t>(in.floats[i]), width);
  }
  frame.set(op->getResult(0), std::move(out));
  return success();
}

void gnnc::reference::addIntegerHandlers(HandlerTable &table) {
  table["arith.addi"] = binary<add>;
  table["arith.subi"] = binary<sub>;
  table["arith.muli"] = binary<mul>;
  table["arith.divsi"] = divide<[](int64_t a, int64_t b) { return a / b; }>;
  table["arith.remsi"] = divide<[](int64_t a, int64_t b) { return a % b; }>;
  table["arith.floordivsi"] = divide<floorDivide>;
  table["arith.ceildivsi"] = divide<[](int64_t a, int64_t b) { return -floorDivide(-a, b); }>;
  table["arith.andi"] = binary<[](int64_t a, int64_t b) { return a & b; }>;
  table["arith.ori"] = binary<[](int64_t a, int64_t b) { return a | b; }>;
  table["arith.xori"] = binary<[](int64_t a, int64_t b) { return a ^ b; }>;
  table["arith.maxsi"] = binary<[](int64_t a, int64_t b) { return std::max(a, b); }>;
  table["arith.minsi"] = binary<[](int64_t a, int64_t b) { return std::min(a, b); }>;
  table["arith.cmpi"] = cmpi;
  table["arith.index_cast"] = table["arith.extsi"] = table["arith.trunci"] = resize<true>;
  table["arith.index_castui"] = table["arith.extui"] = resize<false>;
  table["arith.sitofp"] = toFloat<true>;
  table["arith.uitofp"] = toFloat<false>;
  table["arith.fptosi"] = toInteger;
}
