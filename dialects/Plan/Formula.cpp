//===- Formula.cpp - Arithmetic on symbolic sizes -------------------------===//
#include "dialects/Plan/Formula.h"
#include "dialects/Plan/Plan.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace gnnc::plan;

Formula::Formula(FormulaAttr attr) : constant_(attr.getConstant()) {
  for (const FormulaTerm &term : attr.getTerms())
    add(term);
}

StringAttr Formula::asSymbol() const {
  if (constant_ != 0 || terms_.size() != 1)
    return {};
  const FormulaTerm &term = terms_.front();
  return term == FormulaTerm{term.symbol} ? term.symbol : StringAttr();
}

/// Brings the term to its canonical form and merges it.
void Formula::add(FormulaTerm term) {
  // floor((g*a*x + r) / (g*b)) = floor((a*x + floor(r/g)) / b)
  int64_t common = std::gcd(term.scale, term.divisor);
  term.scale /= common;
  term.divisor /= common;
  term.offset = llvm::divideFloorSigned(term.offset, common);
  // Whole units of the offset leave the fraction.
  int64_t whole = llvm::divideFloorSigned(term.offset, term.divisor);
  constant_ += term.factor * whole;
  term.offset -= whole * term.divisor;
  if (term.divisor == 1) {
    term.factor *= term.scale;
    term.scale = 1;
  }
  auto less = [](const FormulaTerm &a, const FormulaTerm &b) {
    if (a.symbol != b.symbol)
      return a.symbol.getValue() < b.symbol.getValue();
    return std::tie(a.divisor, a.scale, a.offset) < std::tie(b.divisor, b.scale, b.offset);
  };
  auto *at = llvm::lower_bound(terms_, term, less);
  if (at == terms_.end() || !at->sameQuantity(term))
    at = terms_.insert(at, term);
  else
    at->factor += term.factor;
  if (at->factor == 0)
    terms_.erase(at);
}

Formula &Formula::operator+=(const Formula &other) {
  constant_ += other.constant_;
  for (const FormulaTerm &term : llvm::to_vector(other.terms_))
    add(term);
  return *this;
}

Formula Formula::operator*(int64_t factor) const {
  Formula product(constant_ * factor);
  for (FormulaTerm term : terms_) {
    term.factor *= factor;
    product.add(term);
  }
  return product;
}

std::optional<Formula> Formula::floorDiv(int64_t divisor) const {
  // Multiples of the divisor need no rounding: only the rest is divided.
  Formula whole, rest(constant_);
  for (FormulaTerm term : terms_) {
    if (term.factor % divisor == 0) {
      term.factor /= divisor;
      whole.add(term);
    } else {
      rest.add(term);
    }
  }
  if (rest.terms_.empty())
    return whole += llvm::divideFloorSigned(rest.constant_, divisor);
  const FormulaTerm &term = rest.terms_.front();
  if (rest.terms_.size() != 1 || term.divisor != 1 || term.factor < 0)
    return std::nullopt;
  Formula quotient;
  quotient.add({term.symbol, 1, term.factor, rest.constant_, divisor});
  return whole += quotient;
}

std::optional<Formula> Formula::ceilDiv(int64_t divisor) const {
  return (*this + (divisor - 1)).floorDiv(divisor);
}

Formula Formula::upperMax(const Formula &a, const Formula &b) {
  Formula result(std::max(a.constant_, b.constant_));
  auto factorIn = [](const Formula &formula, const FormulaTerm &term) -> int64_t {
    for (const FormulaTerm &candidate : formula.terms_)
      if (candidate.sameQuantity(term))
        return candidate.factor;
    return 0;
  };
  auto addLarger = [&](const FormulaTerm &term) {
    FormulaTerm larger = term;
    larger.factor = std::max(factorIn(a, term), factorIn(b, term));
    if (larger.factor != 0)
      result.add(larger);
  };
  for (const FormulaTerm &term : a.terms_)
    addLarger(term);
  for (const FormulaTerm &term : b.terms_)
    if (factorIn(a, term) == 0)
      addLarger(term);
  return result;
}

Formula Formula::alignedUp(int64_t unit) const {
  // The constant rides in the first fraction, where rounding swallows it.
  int64_t constant = constant_;
  Formula result;
  for (const FormulaTerm &term : terms_) {
    if (term.factor < 0)
      continue; // at most 0, since counts are not negative
    if (term.factor % unit == 0) {
      result.add(term);
      continue;
    }
    // f*floor((s*x + o) / d) <= (f*s*x + f*o) / d <= unit * ceil((f*s*x + f*o) / (unit*d))
    int64_t divisor = unit * term.divisor;
    int64_t inside = term.factor * term.offset + std::max<int64_t>(constant, 0) * term.divisor;
    constant = std::min<int64_t>(constant, 0);
    result.add({term.symbol, unit, term.factor * term.scale, inside + divisor - 1, divisor});
  }
  return result += llvm::alignTo(std::max<int64_t>(constant, 0), unit);
}

Formula Formula::bounded(function_ref<std::optional<Formula>(StringAttr)> boundOf) const {
  Formula result(constant_);
  for (const FormulaTerm &term : terms_) {
    std::optional<Formula> bound = boundOf(term.symbol);
    if (!bound) {
      result.add(term);
      continue;
    }
    if (term.factor < 0)
      continue; // at most 0
    Formula inner = *bound * term.scale + term.offset;
    if (std::optional<Formula> exact = inner.floorDiv(term.divisor)) {
      result += *exact * term.factor;
      continue;
    }
    // floor((a + b) / d) <= floor(a / d) + floor(b / d) + 1
    Formula sum(llvm::divideFloorSigned(inner.constant_, term.divisor));
    for (const FormulaTerm &part : inner.terms_) {
      if (part.factor < 0)
        continue;
      // f*floor((s*x + o) / d1) / d <= (f*s*x + f*o) / (d1*d)
      sum.add({part.symbol, 1, part.factor * part.scale, part.factor * part.offset,
               part.divisor * term.divisor});
      sum.constant_ += 1;
    }
    result += sum * term.factor;
  }
  return result;
}

int64_t Formula::evaluate(function_ref<int64_t(StringAttr)> valueOf) const {
  int64_t value = constant_;
  for (const FormulaTerm &term : terms_)
    value += term.factor *
             llvm::divideFloorSigned(term.scale * valueOf(term.symbol) + term.offset, term.divisor);
  return value;
}

FormulaAttr Formula::attr(MLIRContext *context) const {
  return FormulaAttr::get(context, constant_, terms_);
}
