//===- Math.cpp - math ops, by the C library in float64 -------------------===//
#include "lib/Reference/Elementwise.h"

#include <cmath>

using namespace mlir;
using namespace gnnc::reference;

template <double (*Function)(double)>
static constexpr Handler unary = unaryFloat<[](double a) { return Function(a); }>;

static LogicalResult fpowi(Operation *op, Frame &frame) {
  if (failed(checkSameShape(op, frame)))
    return failure();
  const Tensor &a = frame.tensor(op->getOperand(0)), &b = frame.tensor(op->getOperand(1));
  Tensor out = Tensor::zeros(a.shape);
  for (size_t i = 0; i < out.floats.size(); ++i)
    out.floats[i] = std::pow(a.floats[i], static_cast<double>(b.integers[i]));
  frame.set(op->getResult(0), std::move(out));
  return success();
}

void gnnc::reference::addMathHandlers(HandlerTable &table) {
  table["math.absf"] = unary<std::fabs>;
  table["math.ceil"] = unary<std::ceil>;
  table["math.floor"] = unary<std::floor>;
  table["math.round"] = unary<std::round>;
  table["math.roundeven"] = unary<std::nearbyint>;
  table["math.trunc"] = unary<std::trunc>;
  table["math.sqrt"] = unary<std::sqrt>;
  table["math.cbrt"] = unary<std::cbrt>;
  table["math.rsqrt"] = unaryFloat<[](double a) { return 1 / std::sqrt(a); }>;
  table["math.exp"] = unary<std::exp>;
  table["math.exp2"] = unary<std::exp2>;
  table["math.expm1"] = unary<std::expm1>;
  table["math.log"] = unary<std::log>;
  table["math.log2"] = unary<std::log2>;
  table["math.log10"] = unary<std::log10>;
  table["math.log1p"] = unary<std::log1p>;
  table["math.sin"] = unary<std::sin>;
  table["math.cos"] = unary<std::cos>;
  table["math.tan"] = unary<std::tan>;
  table["math.atan"] = unary<std::atan>;
  table["math.sinh"] = unary<std::sinh>;
  table["math.cosh"] = unary<std::cosh>;
  table["math.tanh"] = unary<std::tanh>;
  table["math.erf"] = unary<std::erf>;
  table["math.erfc"] = unary<std::erfc>;
  table["math.powf"] = binaryFloat<[](double a, double b) { return std::pow(a, b); }>;
  table["math.atan2"] = binaryFloat<[](double a, double b) { return std::atan2(a, b); }>;
  table["math.copysign"] = binaryFloat<[](double a, double b) { return std::copysign(a, b); }>;
  table["math.fma"] = ternaryFloat<[](double a, double b, double c) { return std::fma(a, b, c); }>;
  table["vector.fma"] = table["math.fma"];
  table["math.fpowi"] = fpowi;
}
