//===- Formula.cpp - Evaluate and print a plan's size formulas ------------===//
#include "runtime/format/Plan.h"

namespace gnnc::format {
namespace {

std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
  std::int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum))
    return sum;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

std::int64_t saturatingMul(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  if (!__builtin_mul_overflow(a, b, &product))
    return product;
  return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
  std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

} // namespace

std::int64_t Formula::evaluate(const std::vector<std::int64_t> &symbols) const {
  std::int64_t value = constant;
  for (const Term &term : terms) {
    std::int64_t count = symbols[static_cast<std::size_t>(term.symbol)];
    std::int64_t scaled = saturatingAdd(saturatingMul(term.scale, count), term.offset);
    value = saturatingAdd(value, saturatingMul(term.factor, floorDiv(scaled, term.divisor)));
  }
  return value;
}

std::string Formula::text(const Plan &plan) const {
  std::string out;
  for (const Term &term : terms) {
    std::string symbol = plan.symbols[static_cast<std::size_t>(term.symbol)].name;
    if (term.scale != 1)
      symbol = std::to_string(term.scale) + "*" + symbol;
    if (term.offset != 0)
      symbol = "(" + symbol + " + " + std::to_string(term.offset) + ")";
    if (term.divisor != 1)
      symbol = "(" + symbol + " / " + std::to_string(term.divisor) + ")";
    if (term.factor != 1)
      symbol = std::to_string(term.factor) + "*" + symbol;
    out += (out.empty() ? "" : " + ") + symbol;
  }
  if (constant != 0 || out.empty())
    out += (out.empty() ? "" : " + ") + std::to_string(constant);
  return out;
}

} // namespace gnnc::format
