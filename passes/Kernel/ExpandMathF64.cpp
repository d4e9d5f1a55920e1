//===- ExpandMathF64.cpp - Math functions of f64 as arithmetic ------------===//
//
// In:  math ops on f64 scalars and vectors. Out: additions, products, selects and
//      integer ops on the bits; no table, no branch, no call, so that the same code
//      serves the host and the GPU.
//
// The coefficients are Chebyshev fits, made in 60 digits, whose error is below that of
// f64; test/tools/math.test holds each function to a number of units in the last place.
// Upstream's approximations are of f32.
//
//===----------------------------------------------------------------------===//
#include "passes/Kernel/ExpandMathF64.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Common/RowRegion.h"

#include <limits>

using namespace mlir;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// Added to a number below 2^51, it leaves the nearest integer in the lowest bits.
constexpr double kRounder = 0x1.8p52;
constexpr double kLn2 = 0.69314718055994531, kLog2E = 1.4426950408889634;
/// ln 2 in two parts; the first has 21 zeros at its end: its product with an exponent is exact.
constexpr double kLn2High = 0.69314718036912382, kLn2Low = 1.9082149292705877e-10;

/// (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2; here and below from the highest power down.
constexpr double kExp[] = {2.0914686968086876e-09,
                           2.5105217004720745e-08,
                           2.7557273643110297e-07,
                           2.7557255400206422e-06,
                           2.4801587325547743e-05,
                           0.00019841269874820627,
                           0.0013888888888883748,
                           0.0083333333333261358,
                           0.041666666666666671,
                           0.16666666666666671,
                           0.5};
/// (2 atanh(s) / s - 2) / s^2 as a function of s^2, for 1 + f in [sqrt(1/2), sqrt(2)], s = f / (2 +
/// f).
constexpr double kLog[] = {0.13088034850927555, 0.13268638369266825, 0.15386244737621665,
                           0.18181795547521137, 0.22222222392581045, 0.28571428570799784,
                           0.40000000000000885, 0.66666666666666663};
/// erf(x) / x as a function of x^2, for |x| <= 1.
constexpr double kErf[] = {
    -7.7958988270021425e-10, 1.3720064546777686e-08,  -1.6208483801871705e-07,
    1.6447424703317362e-06,  -1.4924736907419661e-05, 0.00012055294904839707,
    -0.00085483259753896918, 0.0052239776071164225,   -0.02686617064323777,
    0.11283791670945006,     -0.37612638903183543,    1.1283791670955126};
/// erfc(x) e^(x^2) (1 + 2 x) as a function of (x - 3.75) / (x + 3.75), for x in [1/2, 28].
constexpr double kErfc[] = {
    2.5265557531642926e-08,  1.350875974161026e-08,  -2.4233140808399475e-07,
    -4.5210823716014646e-08, 1.7402699032121291e-06, -9.8205174221099797e-07,
    -1.1439294277760925e-05, 2.2387956730131351e-05, 5.1647807418558562e-05,
    -0.00029015511154243344, 0.00029371387469142674, 0.0017556260320963533,
    -0.009746579577035586,   0.028362277400278118,   -0.058693398588857311,
    0.092304321161442937,    -0.10880393014175117,   0.082276738490117518,
    0.0035854154854639947,   -0.14024059858554674,   1.2375126308378275};
/// (atan(x) / x - 1) / x^2 as a function of x^2, for |x| <= tan(pi / 8).
constexpr double kAtan[] = {-0.019175404711104935, 0.039230447784793093,  -0.050854078345894844,
                            0.058581409048663283,  -0.066645105255089362, 0.076921831253768919,
                            -0.090909045753064896, 0.11111111015187018,   -0.14285714284665682,
                            0.19999999999995516,   -0.33333333333333331};

/// A scalar or vector of f64, or of integers with its bits, and ops on all elements.
class Number {
public:
  Number(OpBuilder &builder, Location loc, Value value)
      : builder(&builder), loc(loc), value(value) {}
  Value get() const { return value; }

  Number number(double constant) const { return splat(builder->getF64FloatAttr(constant)); }
  Number integer(int64_t constant) const { return splat(builder->getI64IntegerAttr(constant)); }

  Number operator+(Number b) const { return make<arith::AddFOp>(b); }
  Number operator-(Number b) const { return make<arith::SubFOp>(b); }
  Number operator*(Number b) const { return make<arith::MulFOp>(b); }
  Number operator/(Number b) const { return make<arith::DivFOp>(b); }
  Number operator+(double b) const { return *this + number(b); }
  Number operator-(double b) const { return *this - number(b); }
  Number operator*(double b) const { return *this * number(b); }
  Number operator-() const { return with(arith::NegFOp::create(*builder, loc, value)); }
  Number abs() const { return with(math::AbsFOp::create(*builder, loc, value)); }
  Number truncated() const { return with(math::TruncOp::create(*builder, loc, value)); }
  Number withSignOf(Number b) const { return make<math::CopySignOp>(b); }
  /// this * factor + term, rounded once where there is an instruction for it.
  Number fma(Number factor, Number term) const {
    return with(math::FmaOp::create(*builder, loc, value, factor.value, term.value));
  }
  Number fma(double factor, Number term) const { return fma(number(factor), term); }

  Number plusInteger(Number b) const { return make<arith::AddIOp>(b); }
  Number minusInteger(Number b) const { return make<arith::SubIOp>(b); }
  Number shiftLeft(int64_t n) const { return make<arith::ShLIOp>(integer(n)); }
  Number shiftRight(int64_t n) const { return make<arith::ShRSIOp>(integer(n)); }
  Number andBits(int64_t mask) const { return make<arith::AndIOp>(integer(mask)); }
  Number bits() const { return cast(builder->getI64Type()); }
  Number floating() const { return cast(builder->getF64Type()); }

  Number choose(arith::CmpFPredicate predicate, double bound, Number then, Number otherwise) const {
    Value holds = arith::CmpFOp::create(*builder, loc, predicate, value, number(bound).value);
    return with(arith::SelectOp::create(*builder, loc, holds, then.value, otherwise.value));
  }
  Number ifBelow(double bound, Number then, Number otherwise) const {
    return choose(arith::CmpFPredicate::OLT, bound, then, otherwise);
  }
  Number ifAbove(double bound, Number then, Number otherwise) const {
    return choose(arith::CmpFPredicate::OGT, bound, then, otherwise);
  }
  /// NaN stays NaN.
  Number clamped(double low, double high) const {
    Number raised = ifBelow(low, number(low), *this);
    return raised.ifAbove(high, number(high), raised);
  }
  Number polynomial(ArrayRef<double> coefficients) const {
    Number sum = number(coefficients.front());
    for (double coefficient : coefficients.drop_front())
      sum = sum.fma(*this, number(coefficient));
    return sum;
  }

private:
  Number with(Value other) const { return {*builder, loc, other}; }
  template <class Op>
  Number make(Number b) const {
    return with(Op::create(*builder, loc, value, b.value));
  }
  Type like(Type element) const {
    auto shaped = dyn_cast<ShapedType>(value.getType());
    return shaped ? Type(shaped.clone(element)) : element;
  }
  Number splat(TypedAttr constant) const {
    return with(gnnc::createSplat(*builder, loc, like(constant.getType()), constant));
  }
  Number cast(Type element) const {
    return with(arith::BitcastOp::create(*builder, loc, like(element), value));
  }

  OpBuilder *builder;
  Location loc;
  Value value;
};

/// x as an integer multiple of ln 2 (or of 1), and what is left of it.
struct Reduced {
  Number exponent; ///< i64
  Number rest;     ///< e^rest - 1
};

/// 2^exponent for an integer in [-1022, 1023].
Number powerOfTwo(Number exponent) {
  return exponent.plusInteger(exponent.integer(1023)).shiftLeft(52).floating();
}

/// y 2^exponent, in two steps, since the power alone may be no number of f64.
Number scaled(Number y, Number exponent) {
  Number half = exponent.shiftRight(1);
  return y * powerOfTwo(half) * powerOfTwo(exponent.minusInteger(half));
}

/// e^(high - low) - 1 for a sum in [-ln(2) / 2, ln(2) / 2].
Number expRest(Number high, Number low) {
  Number r = high - low;
  return high + ((r * r) * r.polynomial(kExp) - low);
}

/// e^(x + more), `more` being small beside x. x is in [-746, 712] or NaN.
Reduced reduceExp(Number x, Number more) {
  Number shifted = x.fma(kLog2E, x.number(kRounder));
  Number count = shifted - kRounder;
  Number high = count.fma(-kLn2High, x);
  return {shifted.bits().minusInteger(shifted.number(kRounder).bits()),
          expRest(high, count.fma(kLn2Low, -more))};
}

/// e^(x + more): below -746 it is 0, above 710 infinite.
Number exp(Number x, Number more) {
  Reduced reduced = reduceExp(x.clamped(-746, 710), more);
  return scaled(reduced.rest + 1.0, reduced.exponent);
}

Number exp(Number x) { return exp(x, x.number(0)); }

/// h + 1 / (4 h) for h = e^|x| / 2, which is a number where e^|x| is none.
Number cosh(Number x) {
  Reduced reduced = reduceExp(x.abs().clamped(0, 712), x.number(0));
  Number half = scaled(reduced.rest + 1.0, reduced.exponent.minusInteger(x.integer(1)));
  return half + x.number(0.25) / half;
}

/// 2^x: the integer part needs no rounding.
Number exp2(Number x) {
  Number inside = x.clamped(-1100, 1100);
  Number shifted = inside + kRounder;
  Number exponent = shifted.bits().minusInteger(shifted.number(kRounder).bits());
  Number rest = (inside - (shifted - kRounder)) * kLn2;
  return scaled(expRest(rest, rest.number(0)) + 1.0, exponent);
}

/// 2^k ((e^r - 1) + (1 - 2^-k)): nothing is lost near 0, where k is 0.
Number expm1(Number x) {
  Number inside = x.clamped(-40, 710); // e^-40 is less than half of the last bit of 1
  Reduced reduced = reduceExp(inside, x.number(0));
  // Of a k above 60 the 1 - 2^-k is 1: its power need not be right, but finite.
  Number negated = reduced.exponent.integer(0).minusInteger(reduced.exponent);
  Number offset = inside.number(1) - inside.ifAbove(42, inside.number(0), powerOfTwo(negated));
  return scaled(reduced.rest + offset, reduced.exponent).withSignOf(x);
}

/// log(x) = count ln 2 + log(1 + f), the second term as f - (half - product).
struct Logarithm {
  Number count, f, half, product;
};

Logarithm reduceLog(Number x) {
  Number normal = x.ifBelow(0x1p-1022, x * 0x1p54, x);
  Number bits = normal.bits();
  Number exponent = bits.minusInteger(x.number(0x1.6a09e667f3bcdp-1).bits()).shiftRight(52);
  Number f = bits.minusInteger(exponent.shiftLeft(52)).floating() - 1.0;
  // As an integer in the lowest bits of a number, and out of them again.
  Number counted = exponent.plusInteger(x.number(kRounder).bits()).floating() - kRounder;
  Number count = x.ifBelow(0x1p-1022, counted - 54.0, counted);
  Number s = f / (f + 2.0);
  Number z = s * s;
  Number half = f * f * 0.5;
  return {count, f, half, s * z.fma(z.polynomial(kLog), half)};
}

/// The logarithm where there is one; -inf at 0, NaN below.
Number logLimits(Number x, Number result) {
  result = x.choose(arith::CmpFPredicate::OEQ, kInfinity, x, result);
  result = x.choose(arith::CmpFPredicate::OEQ, 0, x.number(-kInfinity), result);
  return x.choose(arith::CmpFPredicate::OGE, 0, result, x.number(kNaN));
}

Number log(Number x) {
  Logarithm l = reduceLog(x);
  Number small = l.count.fma(kLn2Low, l.product);
  return logLimits(x, l.count.fma(kLn2High, l.f - (l.half - small)));
}

/// The exponent is added last: exact for powers of two.
Number log2(Number x) {
  Logarithm l = reduceLog(x);
  return logLimits(x, (l.f - (l.half - l.product)).fma(kLog2E, l.count));
}

Number log10(Number x) { return log(x) * 0.43429448190325183; }

/// log(u) + (x - (u - 1)) / u for u = 1 + x: what rounding took from u is given back.
Number log1p(Number x) {
  Number u = x + 1.0;
  Number lost = (x - (u - 1.0)) / u;
  lost = u.ifAbove(0, u.ifBelow(kInfinity, lost, x.number(0)), x.number(0));
  return (log(u) + lost).withSignOf(x);
}

/// -t / (t + 2) for t = e^(-2 |x|) - 1
Number tanh(Number x) {
  Number t = expm1(x.abs() * -2.0);
  return (-t / (t + 2.0)).withSignOf(x);
}

/// erfc(a) for a >= 1/2. The square is taken in two parts, for its error would be
/// multiplied by its size.
Number erfcTail(Number a) {
  a = a.ifAbove(28, a.number(28), a);
  Number high = a.bits().andBits(int64_t(~0ull << 27)).floating();
  Number power = exp(-(high * high), -((a - high) * (a + high)));
  Number t = (a - 3.75) / (a + 3.75);
  return power * (t.polynomial(kErfc) / a.fma(2.0, a.number(1)));
}

Number erf(Number x) {
  Number a = x.abs();
  Number tail = (x.number(1) - erfcTail(a)).withSignOf(x);
  return a.ifBelow(1, x * (x * x).polynomial(kErf), tail);
}

Number erfc(Number x) {
  Number a = x.abs();
  Number tail = erfcTail(a);
  Number outside = x.ifBelow(0, x.number(2) - tail, tail);
  return a.ifBelow(0.5, x.number(1) - x * (x * x).polynomial(kErf), outside);
}

/// Beyond tan(pi / 8) by the sum of angles pi / 4 + atan((a - 1) / (a + 1)), beyond
/// tan(3 pi / 8) by pi / 2 - atan(1 / a).
Number atan(Number x) {
  constexpr double low = 0.41421356237309503, high = 2.4142135623730949;
  Number a = x.abs();
  auto byRange = [&](Number near, Number middle, Number far) {
    return a.ifAbove(high, far, a.ifAbove(low, middle, near));
  };
  Number rest = byRange(a, (a - 1.0) / (a + 1.0), x.number(-1) / a);
  Number angle = byRange(x.number(0), x.number(0.78539816339744828), x.number(1.5707963267948966));
  Number angleLow =
      byRange(x.number(0), x.number(3.061616997868383e-17), x.number(6.123233995736766e-17));
  Number z = rest * rest;
  Number sum = angle + (rest + (rest * z).fma(z.polynomial(kAtan), angleLow));
  return sum.withSignOf(x);
}

/// Halves go away from 0; the number below a half keeps what is just below one there.
Number round(Number x) { return (x + x.number(0.49999999999999994).withSignOf(x)).truncated(); }

template <class Op, Number (*Function)(Number)>
struct ExpandF64 final : OpRewritePattern<Op> {
  /// Before upstream's expansions, which are of every type and less exact.
  explicit ExpandF64(MLIRContext *context) : OpRewritePattern<Op>(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "not of f64");
    rewriter.replaceOp(op, Function(Number(rewriter, op.getLoc(), op.getOperand())).get());
    return success();
  }
};

} // namespace

void gnnc::populateF64MathPatterns(RewritePatternSet &patterns) {
  patterns.add<
      ExpandF64<math::ExpOp, exp>, ExpandF64<math::Exp2Op, exp2>, ExpandF64<math::ExpM1Op, expm1>,
      ExpandF64<math::LogOp, log>, ExpandF64<math::Log2Op, log2>, ExpandF64<math::Log10Op, log10>,
      ExpandF64<math::Log1pOp, log1p>, ExpandF64<math::TanhOp, tanh>, ExpandF64<math::CoshOp, cosh>,
      ExpandF64<math::ErfOp, erf>, ExpandF64<math::ErfcOp, erfc>, ExpandF64<math::AtanOp, atan>,
      ExpandF64<math::RoundOp, round>>(patterns.getContext());
}
