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

/// A keyword of PyTorch's class and its default.
struct Parameter {
  StringLiteral name = "";
  double value = 0;
};

struct Activation {
  StringLiteral name;
  Parameter parameters[2];
  Expr (*build)(Expr x, ArrayRef<double> p);
};
} // namespace

static Expr sigmoid(Expr x) {
  Expr one = x.constant(1);
  return one / (one + (-x).exp());
}

static Expr leaky(Expr x, double slope) {
  return x.above(0, x, [&] { return x * x.constant(slope); });
}

/// PyTorch goes over to x itself where x * beta is above the threshold.
static Expr softplus(Expr x, double beta, double threshold) {
  Expr scaled = x * beta;
  return scaled.above(threshold, x, [&] { return scaled.exp().log1p() * (1 / beta); });
}

/// With approximate="tanh" or by the error function.
static Expr gelu(Expr x, bool approximate) {
  Expr half = x * 0.5, one = x.constant(1);
  if (!approximate)
    return half * (one + (x * std::sqrt(0.5)).erf());
  Expr cube = x * x * x;
  return half * (one + ((x + cube * 0.044715) * std::sqrt(2 / M_PI)).tanh());
}

static const Activation kActivations[] = {
    {"relu", {}, [](Expr x, ArrayRef<double>) { return x.maximum(0); }},
    {"elu",
     {{"alpha", 1}},
     [](Expr x, ArrayRef<double> p) { return x.above(0, x, [&] { return x.expm1() * p[0]; }); }},
    {"leaky_relu",
     {{"negative_slope", 0.01}},
     [](Expr x, ArrayRef<double> p) { return leaky(x, p[0]); }},
    {"tanh", {}, [](Expr x, ArrayRef<double>) { return x.tanh(); }},
    {"sigmoid", {}, [](Expr x, ArrayRef<double>) { return sigmoid(x); }},
    {"silu", {}, [](Expr x, ArrayRef<double>) { return x * sigmoid(x); }},
    {"swish", {}, [](Expr x, ArrayRef<double>) { return x * sigmoid(x); }},
    {"gelu", {{"approximate", 0}}, [](Expr x, ArrayRef<double> p) { return gelu(x, p[0] != 0); }},
    {"relu6", {}, [](Expr x, ArrayRef<double>) { return x.maximum(0).minimum(6); }},
    {"celu",
     {{"alpha", 1}},
     [](Expr x, ArrayRef<double> p) {
       return x.above(0, x, [&] { return (x * (1 / p[0])).expm1() * p[0]; });
     }},
    {"selu",
     {},
     [](Expr x, ArrayRef<double>) {
       constexpr double alpha = 1.6732632423543772, scale = 1.0507009873554805;
       return x.above(0, x, [&] { return x.expm1() * alpha; }) * scale;
     }},
    {"softplus",
     {{"beta", 1}, {"threshold", 20}},
     [](Expr x, ArrayRef<double> p) { return softplus(x, p[0], p[1]); }},
    {"mish", {}, [](Expr x, ArrayRef<double>) { return x * softplus(x, 1, 20).tanh(); }},
    {"log_sigmoid",
     {},
     [](Expr x, ArrayRef<double>) { return x.minimum(0) - (-x.abs()).exp().log1p(); }},
    {"hardtanh",
     {{"min_val", -1}, {"max_val", 1}},
     [](Expr x, ArrayRef<double> p) { return x.maximum(p[0]).minimum(p[1]); }},
    {"hardsigmoid",
     {},
     [](Expr x, ArrayRef<double>) {
       return (x + x.constant(3)).maximum(0).minimum(6) * (1.0 / 6);
     }},
    {"hardswish",
     {},
     [](Expr x, ArrayRef<double>) {
       return x * ((x + x.constant(3)).maximum(0).minimum(6) * (1.0 / 6));
     }},
    {"hardshrink",
     {{"lambd", 0.5}},
     [](Expr x, ArrayRef<double> p) { // NaN is not within
       return x.abs().within(p[0], x.constant(0), x);
     }},
    {"softshrink",
     {{"lambd", 0.5}},
     [](Expr x, ArrayRef<double> p) { return x - x.maximum(-p[0]).minimum(p[0]); }},
    {"softsign", {}, [](Expr x, ArrayRef<double>) { return x / (x.constant(1) + x.abs()); }},
    {"tanhshrink", {}, [](Expr x, ArrayRef<double>) { return x - x.tanh(); }},
    // In eval mode, the middle of its bounds.
    {"rrelu",
     {{"lower", 1.0 / 8}, {"upper", 1.0 / 3}},
     [](Expr x, ArrayRef<double> p) { return leaky(x, (p[0] + p[1]) / 2); }},
    {"none", {}, [](Expr x, ArrayRef<double>) { return x; }},
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

std::string gnnc::unknownActivationParameter(StringRef name, const ActivationParameters &given) {
  const Activation *activation = find(name);
  for (const auto &[key, value] : given)
    if (!activation || llvm::none_of(activation->parameters, [&](const Parameter &parameter) {
          return parameter.name == key;
        }))
      return key;
  return "";
}

Value gnnc::buildActivation(ModelBuilder &b, Value x, StringRef name,
                            const ActivationParameters &given) {
  const Activation *activation = find(name);
  assert(activation && "checkOptions lets no other name pass");
  SmallVector<double, 2> values;
  for (const Parameter &parameter : activation->parameters) {
    auto found = given.find(parameter.name.str());
    values.push_back(found == given.end() ? parameter.value : found->second);
  }
  return activation->build({b, x}, values).get();
}
