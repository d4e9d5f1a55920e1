//===- Formula.h - Arithmetic on symbolic sizes ---------------------------===//
//
// constant + sum of factor * floor((scale * symbol + offset) / divisor), the
// sizes, offsets and grid extents of a plan. Symbols are counts: never negative.
// What the form cannot hold exactly is either refused (floorDiv, ceilDiv) or
// replaced by an upper bound (upperMax, alignedUp, bounded), which is what
// sizes need.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_DIALECTS_PLAN_FORMULA_H
#define GNNC_DIALECTS_PLAN_FORMULA_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace gnnc::plan {

struct FormulaTerm {
  mlir::StringAttr symbol;
  int64_t factor = 1;
  int64_t scale = 1, offset = 0, divisor = 1;

  bool operator==(const FormulaTerm &) const = default;
  /// The same multiple of the same quantity.
  bool sameQuantity(const FormulaTerm &other) const {
    return symbol == other.symbol && scale == other.scale && offset == other.offset &&
           divisor == other.divisor;
  }
};

// The name that llvm::hash_combine looks up.
// NOLINTNEXTLINE(readability-identifier-naming)
inline llvm::hash_code hash_value(const FormulaTerm &term) {
  return llvm::hash_combine(term.symbol, term.factor, term.scale, term.offset, term.divisor);
}

class FormulaAttr;

/// A formula under construction. Always canonical: like terms are merged, no
/// factor is 0, fractions are reduced, terms are ordered by symbol name.
class Formula {
public:
  Formula() = default;
  Formula(int64_t constant) : constant_(constant) {}
  Formula(mlir::StringAttr symbol) { add({symbol}); }
  Formula(FormulaAttr attr);
  static Formula of(FormulaTerm term) {
    Formula formula;
    formula.add(term);
    return formula;
  }

  int64_t constant() const { return constant_; }
  llvm::ArrayRef<FormulaTerm> terms() const { return terms_; }
  bool isConstant() const { return terms_.empty(); }
  /// The symbol when the formula is that symbol alone, else null.
  mlir::StringAttr asSymbol() const;

  Formula &operator+=(const Formula &other);
  Formula operator+(const Formula &other) const { return Formula(*this) += other; }
  Formula operator*(int64_t factor) const;
  Formula operator-(const Formula &other) const { return *this + other * -1; }
  bool operator==(const Formula &) const = default;

  /// Exact quotient rounded down (up); nothing when more than one symbol or a
  /// quotient is divided. `divisor` is positive.
  std::optional<Formula> floorDiv(int64_t divisor) const;
  std::optional<Formula> ceilDiv(int64_t divisor) const;

  /// Never below either formula: the larger factor of each term.
  static Formula upperMax(const Formula &a, const Formula &b);
  /// Never below this formula, always a multiple of `unit`; less than one
  /// `unit` too large for each term.
  Formula alignedUp(int64_t unit) const;
  /// Never below this formula, each symbol for which `boundOf` gives a formula
  /// being at most that.
  Formula bounded(llvm::function_ref<std::optional<Formula>(mlir::StringAttr)> boundOf) const;

  int64_t evaluate(llvm::function_ref<int64_t(mlir::StringAttr)> valueOf) const;
  FormulaAttr attr(mlir::MLIRContext *context) const;
  /// "64*n + 4", as it is printed and parsed.
  std::string text() const;

private:
  void add(FormulaTerm term);

  int64_t constant_ = 0;
  llvm::SmallVector<FormulaTerm, 2> terms_;
};

} // namespace gnnc::plan

#endif // GNNC_DIALECTS_PLAN_FORMULA_H
