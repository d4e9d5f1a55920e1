//===- FormulaTest.cpp - Arithmetic on symbolic sizes ---------------------===//
//
// Properties over many formulas and values: exact operations are exact, upper
// bounds are bounds and not far off.
//
//===----------------------------------------------------------------------===//
#include "dialects/Plan/Plan.h"
#include "llvm/Support/MathExtras.h"
#include <gtest/gtest.h>
#include <random>

using namespace gnnc::plan;
using mlir::StringAttr;

namespace {

class FormulaTest : public ::testing::Test {
protected:
  FormulaTest() { context.loadDialect<PlanDialect>(); }

  StringAttr name(llvm::StringRef text) { return StringAttr::get(&context, text); }
  Formula n() { return Formula(name("n")); }
  Formula e() { return Formula(name("e")); }

  int64_t at(const Formula &formula, int64_t nValue, int64_t eValue) {
    return formula.evaluate([&](StringAttr symbol) { return symbol == "n" ? nValue : eValue; });
  }
  int64_t draw(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  /// A size: no negative term.
  Formula drawSize() {
    Formula size(draw(0, 1) ? 0 : draw(0, 600));
    size += n() * draw(0, 300);
    if (draw(0, 1))
      size += e() * draw(0, 300);
    if (draw(0, 1))
      size += *(e() * draw(1, 9) + draw(0, 500)).floorDiv(draw(1, 300)) * draw(1, 300);
    return size;
  }

  mlir::MLIRContext context;
  std::mt19937 random{1}; // NOLINT(bugprone-random-generator-seed): a failure repeats
};

TEST_F(FormulaTest, LikeTermsMergeAndVanish) {
  EXPECT_EQ((n() + e() + n() * 2).text(), "e + 3*n");
  EXPECT_EQ((n() - n()).text(), "0");
  EXPECT_TRUE((n() - n()).isConstant());
  EXPECT_EQ((n() + n()).asSymbol(), StringAttr());
  EXPECT_EQ(n().asSymbol(), name("n"));
}

TEST_F(FormulaTest, QuotientsAreExact) {
  for (int trial = 0; trial < 2000; ++trial) {
    int64_t factor = draw(1, 50), offset = draw(-80, 80), divisor = draw(1, 70);
    int64_t nValue = draw(0, 1000), eValue = draw(0, 1000);
    Formula dividend = n() * factor + e() * (divisor * draw(0, 3)) + offset;
    int64_t value = at(dividend, nValue, eValue);
    auto down = dividend.floorDiv(divisor), up = dividend.ceilDiv(divisor);
    ASSERT_TRUE(down && up) << dividend.text() << " / " << divisor;
    EXPECT_EQ(at(*down, nValue, eValue), llvm::divideFloorSigned(value, divisor))
        << dividend.text() << " / " << divisor << " = " << down->text();
    EXPECT_EQ(at(*up, nValue, eValue), llvm::divideCeilSigned(value, divisor))
        << dividend.text() << " / " << divisor << " = " << up->text();
  }
}

TEST_F(FormulaTest, QuotientsThatHaveNoFormula) {
  EXPECT_FALSE((n() + e()).floorDiv(3));
  EXPECT_FALSE(n().floorDiv(3)->floorDiv(2));
  EXPECT_FALSE((n() * -1).floorDiv(3));
}

TEST_F(FormulaTest, AlignedIsAMultipleNeverBelowAndTight) {
  for (int trial = 0; trial < 4000; ++trial) {
    Formula size = drawSize(), aligned = size.alignedUp(256);
    int64_t nValue = draw(0, 3000), eValue = draw(0, 3000);
    int64_t exact = at(size, nValue, eValue), rounded = at(aligned, nValue, eValue);
    EXPECT_EQ(rounded % 256, 0) << aligned.text();
    EXPECT_GE(rounded, exact) << size.text() << " -> " << aligned.text() << " at " << nValue << ", "
                              << eValue;
    // One unit a term, and a fraction may lose its remainder times its factor.
    int64_t slack = 256;
    for (const FormulaTerm &term : size.terms())
      slack += 256 + (term.divisor > 1 ? term.factor : 0);
    EXPECT_LT(rounded - exact, slack) << size.text() << " -> " << aligned.text();
  }
}

TEST_F(FormulaTest, OneTermIsAlignedExactly) {
  for (int64_t bytes : {4, 28, 64, 132, 256, 5732})
    for (int64_t rows = 0; rows < 300; ++rows)
      EXPECT_EQ(at((n() * bytes + 4).alignedUp(256), rows, 0),
                static_cast<int64_t>(llvm::alignTo(rows * bytes + 4, 256)));
}

TEST_F(FormulaTest, UpperMaxIsAboveBoth) {
  for (int trial = 0; trial < 2000; ++trial) {
    Formula a = drawSize(), b = drawSize(), both = Formula::upperMax(a, b);
    int64_t nValue = draw(0, 3000), eValue = draw(0, 3000);
    EXPECT_GE(at(both, nValue, eValue), at(a, nValue, eValue));
    EXPECT_GE(at(both, nValue, eValue), at(b, nValue, eValue));
    EXPECT_EQ(Formula::upperMax(a, a), a);
  }
}

TEST_F(FormulaTest, BoundedIsAboveForEveryValueWithinTheBound) {
  // e <= 3*n + floor((n + 5) / 7) + 2
  Formula bound = n() * 3 + *(n() + 5).floorDiv(7) + 2;
  for (int trial = 0; trial < 2000; ++trial) {
    Formula size = drawSize();
    Formula over = size.bounded(
        [&](StringAttr symbol) { return symbol == "e" ? std::optional(bound) : std::nullopt; });
    for (const FormulaTerm &term : over.terms())
      EXPECT_EQ(term.symbol, "n");
    int64_t nValue = draw(0, 2000), most = at(bound, nValue, 0);
    for (int64_t eValue : {int64_t(0), draw(0, most), most})
      EXPECT_GE(at(over, nValue, 0), at(size, nValue, eValue))
          << size.text() << " -> " << over.text();
  }
}

TEST_F(FormulaTest, AttributesKeepTheFormula) {
  for (int trial = 0; trial < 100; ++trial) {
    Formula size = drawSize();
    EXPECT_EQ(Formula(size.attr(&context)), size);
  }
}

} // namespace
