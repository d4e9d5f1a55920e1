//===- Activations.cpp - PyTorch's activations as elementwise ops ---------===//
#include "lib/Models/Activations.h"

#include "lib/Models/ModelBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace gnnc;

namespace {
/// Elementwise expressions: what the formulas below are written with.
class Expr {
public:
  Expr(ModelBuilder &b, Value value) : b(b), value(value) {}
  Value get() const { return value; }
  Expr constant(double number) const { return {b, b.splat(number, value)}; }
  template <class Op>
  Expr unary() const {
    return {b, Op::create(b.ops(), value)};
  }
  template <class Op>
  Expr binary(Expr other) const {
    return {b, Op::create(b.ops(), value, other.value)};
  }
  Expr operator+(Expr other) const { return binary<arith::AddFOp>(other); }
  Expr operator-(Expr other) const { return binary<arith::SubFOp>(other); }
  Expr operator*(Expr other) const { return binary<arith::MulFOp>(other); }
  Expr operator/(Expr other) const { return binary<arith::DivFOp>(other); }
  Expr operator*(double factor) const { return factor == 1 ? *this : *this * constant(factor); }
  Expr operator-() const { return unary<arith::NegFOp>(); }
  Expr maximum(double bound) const { return binary<arith::MaximumFOp>(constant(bound)); }
  Expr minimum(double bound) const { return binary<arith::MinimumFOp>(constant(bound)); }
  /// *this > bound ? then : otherwise
  Expr above(double bound, Expr then, function_ref<Expr()> otherwise) const {
    Value isAbove =
        arith::CmpFOp::create(b.ops(), arith::CmpFPredicate::OGT, value, constant(bound).value);
    return {b, arith::SelectOp::create(b.ops(), isAbove, then.value, otherwise().value)};
  }
  /// *this <= bound ? then : otherwise
  Expr within(double bound, Expr then, Expr otherwise) const {
    Value isWithin =
        arith::CmpFOp::create(b.ops(), arith::CmpFPredicate::OLE, value, constant(bound).value);
    return {b, arith::SelectOp::create(b.ops(), isWithin, then.value, otherwise.value)};
  }
  Expr exp() const { return unary<math::ExpOp>(); }
  Expr expm1() const { return unary<math::ExpM1Op>(); }
  Expr log1p() const { return unary<math::Log1pOp>(); }
  Expr abs() const { return unary<math::AbsFOp>(); }
  Expr tanh() const { return unary<math::TanhOp>(); }
  Expr erf() const { return unary<math::ErfOp>(); }

private:
  ModelBuilder &b;
  Value value;
};

struct Activation {
  StringLiteral name;
  StringLiteral parameter; ///< its keyword; empty: none
  double value;            ///< PyTorch's default
  Expr (*build)(Expr x, double p);
};
} // namespace

static Expr sigmoid(Expr x) {
  Expr one = x.constant(1);
  return one / (one + (-x).exp());
}

static Expr leaky(Expr x, double slope) {
  return x.above(0, x, [&] { return x * x.constant(slope); });
}

/// PyTorch goes over to x itself where x * beta is above 20.
static Expr softplus(Expr x, double beta) {
  Expr scaled = x * beta;
  return scaled.above(20, x, [&] { return scaled.exp().log1p() * (1 / beta); });
}

static const Activation kActivations[] = {
    {"relu", "", 0, [](Expr x, double) { return x.maximum(0); }},
    {"elu", "alpha", 1,
     [](Expr x, double alpha) { return x.above(0, x, [&] { return x.expm1() * alpha; }); }},
    {"leaky_relu", "negative_slope", 0.01, leaky},
    {"tanh", "", 0, [](Expr x, double) { return x.tanh(); }},
    {"sigmoid", "", 0, [](Expr x, double) { return sigmoid(x); }},
    {"silu", "", 0, [](Expr x, double) { return x * sigmoid(x); }},
    {"swish", "", 0, [](Expr x, double) { return x * sigmoid(x); }},
    {"gelu", "", 0,
     [](Expr x, double) { return x * 0.5 * (x.constant(1) + (x * std::sqrt(0.5)).erf()); }},
    {"relu6", "", 0, [](Expr x, double) { return x.maximum(0).minimum(6); }},
    {"celu", "alpha", 1,
     [](Expr x, double alpha) {
       return x.above(0, x, [&] { return (x * (1 / alpha)).expm1() * alpha; });
     }},
    {"selu", "", 0,
     [](Expr x, double) {
       constexpr double alpha = 1.6732632423543772, scale = 1.0507009873554805;
       return x.above(0, x, [&] { return x.expm1() * alpha; }) * scale;
     }},
    {"softplus", "beta", 1, softplus},
    {"mish", "", 0, [](Expr x, double) { return x * softplus(x, 1).tanh(); }},
    {"log_sigmoid", "", 0, [](Expr x, double) { return x.minimum(0) - (-x.abs()).exp().log1p(); }},
    {"hardtanh", "", 0, [](Expr x, double) { return x.maximum(-1).minimum(1); }},
    {"hardsigmoid", "", 0,
     [](Expr x, double) { return (x + x.constant(3)).maximum(0).minimum(6) * (1.0 / 6); }},
    {"hardswish", "", 0,
     [](Expr x, double) { return x * ((x + x.constant(3)).maximum(0).minimum(6) * (1.0 / 6)); }},
    {"hardshrink", "lambd", 0.5,
     [](Expr x, double lambd) { // NaN is not within
       return x.abs().within(lambd, x.constant(0), x);
     }},
    {"softshrink", "lambd", 0.5,
     [](Expr x, double lambd) { return x - x.maximum(-lambd).minimum(lambd); }},
    {"softsign", "", 0, [](Expr x, double) { return x / (x.constant(1) + x.abs()); }},
    {"tanhshrink", "", 0, [](Expr x, double) { return x - x.tanh(); }},
    // In eval mode, the middle of its bounds 1/8 and 1/3.
    {"rrelu", "", 0, [](Expr x, double) { return leaky(x, (1.0 / 8 + 1.0 / 3) / 2); }},
    {"none", "", 0, [](Expr x, double) { return x; }},
};

std::string gnnc::resolverName(StringRef name) {
  std::string result;
  for (char c : name.lower())
    if (c != '_' && c != '-' && c != ' ')
      result += c;
  return result;
}

static const Activation *find(StringRef name) {
  for (const Activation &activation : kActivations)
    if (resolverName(activation.name) == resolverName(name))
      return &activation;
  return nullptr;
}

std::string gnnc::activationName(StringRef name) {
  const Activation *activation = find(name);
  return activation ? activation->name.str() : "";
}

std::string gnnc::activationNames() {
  std::string names;
  for (const Activation &activation : kActivations)
    names += (names.empty() ? "" : ", ") + activation.name.str();
  return names;
}

StringRef gnnc::activationParameter(StringRef name) {
  const Activation *activation = find(name);
  return activation ? StringRef(activation->parameter) : StringRef();
}

Value gnnc::buildActivation(ModelBuilder &b, Value x, StringRef name,
                            std::optional<double> parameter) {
  const Activation *activation = find(name);
  assert(activation && "checkOptions lets no other name pass");
  return activation->build({b, x}, parameter.value_or(activation->value)).get();
}
