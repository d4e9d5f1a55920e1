//===- Arith.cpp - Floating-point arith ops, constants and selection ------===//
//
// float64 throughout: truncf and extf change nothing.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace gnnc::reference;

/// i1 is 0 or 1, wider integers are signed.
static int64_t valueOf(const APInt &value) {
  return value.getBitWidth() == 1 ? value.getZExtValue() : value.getSExtValue();
}

static double valueOf(APFloat value) {
  bool inexact = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}

static LogicalResult constant(Operation *op, Frame &frame) {
  Attribute value = cast<arith::ConstantOp>(op).getValue();
  mlir::Value result = op->getResult(0);
  if (auto number = dyn_cast<FloatAttr>(value)) {
    frame.set(result, scalar(valueOf(number.getValue())));
    return success();
  }
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    frame.set(result, indexScalar(valueOf(number.getValue())));
    return success();
  }
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements)
    return op->emitOpError("holds a constant that is neither a number nor dense");
  Tensor out = Tensor::zeros(elements.getType().getShape().vec(), holdsIntegers(result.getType()));
  if (out.isInteger)
    llvm::transform(elements.getValues<APInt>(), out.integers.begin(),
                    [](const APInt &v) { return valueOf(v); });
  else
    llvm::transform(elements.getValues<APFloat>(), out.floats.begin(),
                    [](const APFloat &v) { return valueOf(v); });
  frame.set(result, std::move(out));
  return success();
}

static bool compare(arith::CmpFPredicate predicate, double a, double b) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::ORD:
    return !unordered;
  case P::UNO:
    return unordered;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return a < b || a > b;
  case P::UEQ:
    return unordered || a == b;
  case P::UGT:
    return unordered || a > b;
  case P::UGE:
    return unordered || a >= b;
  case P::ULT:
    return unordered || a < b;
  case P::ULE:
    return unordered || a <= b;
  case P::UNE:
    return unordered || a != b;
  }
  llvm_unreachable("all predicates covered");
}

static LogicalResult cmpf(Operation *op, Frame &frame) {
  if (failed(checkSameShape(op, frame)))
    return failure();
  auto predicate = cast<arith::CmpFOp>(op).getPredicate();
  const Tensor &a = frame.tensor(op->getOperand(0)), &b = frame.tensor(op->getOperand(1));
  Tensor out = Tensor::zeros(a.shape, /*isInteger=*/true);
  for (size_t i = 0; i < out.integers.size(); ++i)
    out.integers[i] = compare(predicate, a.floats[i], b.floats[i]);
  frame.set(op->getResult(0), std::move(out));
  return success();
}

static LogicalResult select(Operation *op, Frame &frame) {
  const Tensor &condition = frame.tensor(op->getOperand(0));
  const Tensor &a = frame.tensor(op->getOperand(1)), &b = frame.tensor(op->getOperand(2));
  bool whole = condition.shape.empty();
  if (a.shape != b.shape || (!whole && a.shape != condition.shape))
    return op->emitOpError() << "selects from " << describe(*frame.get(op->getOperand(1)))
                             << " and " << describe(*frame.get(op->getOperand(2))) << " by "
                             << describe(*frame.get(op->getOperand(0)));
  Tensor out = a;
  for (int64_t i = 0, e = out.elements(); i < e; ++i) {
    if (condition.integers[whole ? 0 : i])
      continue;
    if (out.isInteger)
      out.integers[i] = b.integers[i];
    else
      out.floats[i] = b.floats[i];
  }
  frame.set(op->getResult(0), std::move(out));
  return success();
}

static double maximum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : std::fmax(a, b);
}
static double minimum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : std::fmin(a, b);
}

static LogicalResult passThrough(Operation *op, Frame &frame) {
  frame.set(op->getResult(0), frame.get(op->getOperand(0)));
  return success();
}

void gnnc::reference::addArithHandlers(HandlerTable &table) {
  table["arith.constant"] = constant;
  table["arith.cmpf"] = cmpf;
  table["arith.select"] = select;
  table["arith.extf"] = table["arith.truncf"] = passThrough;
  table["arith.negf"] = unaryFloat<[](double a) { return -a; }>;
  table["arith.addf"] = binaryFloat<[](double a, double b) { return a + b; }>;
  table["arith.subf"] = binaryFloat<[](double a, double b) { return a - b; }>;
  table["arith.mulf"] = binaryFloat<[](double a, double b) { return a * b; }>;
  table["arith.divf"] = binaryFloat<[](double a, double b) { return a / b; }>;
  table["arith.remf"] = binaryFloat<[](double a, double b) { return std::fmod(a, b); }>;
  table["arith.maximumf"] = binaryFloat<maximum>;
  table["arith.minimumf"] = binaryFloat<minimum>;
  table["arith.maxnumf"] = binaryFloat<[](double a, double b) { return std::fmax(a, b); }>;
  table["arith.minnumf"] = binaryFloat<[](double a, double b) { return std::fmin(a, b); }>;
}
