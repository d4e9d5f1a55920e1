//===- FormulaSyntax.cpp - Text of formulas -------------------------------===//
//
//   sum     := ['-'] product (('+' | '-') product)*
//   product := primary (('*' primary) | (('floordiv' | 'ceildiv') integer))*
//   primary := integer | symbol | '(' sum ')'
//
// A product of two symbols and a quotient of a sum of symbols have no formula.
//
//===----------------------------------------------------------------------===//
#include "dialects/Plan/Plan.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace gnnc::plan;

namespace {

struct FormulaParser {
  AsmParser &parser;

  ParseResult sum(Formula &result) {
    bool negative = succeeded(parser.parseOptionalMinus());
    while (true) {
      Formula part;
      if (product(part))
        return failure();
      result += negative ? part * -1 : part;
      if (succeeded(parser.parseOptionalPlus()))
        negative = false;
      else if (succeeded(parser.parseOptionalMinus()))
        negative = true;
      else
        return success();
    }
  }

  ParseResult product(Formula &result) {
    if (primary(result))
      return failure();
    while (true) {
      SMLoc loc = parser.getCurrentLocation();
      if (succeeded(parser.parseOptionalStar())) {
        Formula right;
        if (primary(right))
          return failure();
        if (!result.isConstant() && !right.isConstant())
          return parser.emitError(loc) << "a formula has no product of symbols, found '"
                                       << result.text() << "' times '" << right.text() << "'";
        result = right.isConstant() ? result * right.constant() : right * result.constant();
        continue;
      }
      bool down = succeeded(parser.parseOptionalKeyword("floordiv"));
      if (!down && failed(parser.parseOptionalKeyword("ceildiv")))
        return success();
      int64_t divisor = 1;
      if (parser.parseInteger(divisor))
        return failure();
      if (divisor < 1)
        return parser.emitError(loc) << "a formula is divided by at least 1, found " << divisor;
      std::optional<Formula> quotient = down ? result.floorDiv(divisor) : result.ceilDiv(divisor);
      if (!quotient)
        return parser.emitError(loc) << "only a multiple of one symbol plus a constant is divided, "
                                        "found '"
                                     << result.text() << "'";
      result = *quotient;
    }
  }

  ParseResult primary(Formula &result) {
    if (succeeded(parser.parseOptionalLParen()))
      return failure(sum(result) || parser.parseRParen());
    int64_t number = 0;
    OptionalParseResult parsed = parser.parseOptionalInteger(number);
    if (parsed.has_value()) {
      result = Formula(number);
      return *parsed;
    }
    StringRef symbol;
    if (failed(parser.parseOptionalKeyword(&symbol)))
      return parser.emitError(parser.getCurrentLocation(),
                              "expected an integer, a symbol or '(' in a formula");
    result = Formula(StringAttr::get(parser.getContext(), symbol));
    return success();
  }
};

/// Prints `term` without its factor: n, 7*n ceildiv 64, (7*n + 2) floordiv 64.
void printQuantity(raw_ostream &os, const FormulaTerm &term) {
  bool up = term.divisor > 1 && term.offset == term.divisor - 1;
  bool parenthesised = !up && term.offset != 0;
  if (parenthesised)
    os << '(';
  if (term.scale != 1)
    os << term.scale << '*';
  os << term.symbol.getValue();
  if (parenthesised)
    os << " + " << term.offset << ')';
  if (term.divisor != 1)
    os << (up ? " ceildiv " : " floordiv ") << term.divisor;
}

} // namespace

std::string Formula::text() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool first = true;
  auto sign = [&](bool negative) {
    if (first)
      os << (negative ? "-" : "");
    else
      os << (negative ? " - " : " + ");
    first = false;
  };
  for (const FormulaTerm &term : terms_) {
    sign(term.factor < 0);
    int64_t factor = std::abs(term.factor);
    if (factor == 1) {
      printQuantity(os, term);
      continue;
    }
    os << factor << '*' << (term.divisor != 1 ? "(" : "");
    printQuantity(os, term);
    os << (term.divisor != 1 ? ")" : "");
  }
  if (constant_ != 0 || terms_.empty()) {
    sign(constant_ < 0);
    os << std::abs(constant_);
  }
  return text;
}

ParseResult gnnc::plan::parseFormula(AsmParser &parser, FormulaAttr &formula) {
  Formula result;
  if (FormulaParser{parser}.sum(result))
    return failure();
  formula = result.attr(parser.getContext());
  return success();
}

void gnnc::plan::printFormula(AsmPrinter &printer, FormulaAttr formula) {
  printer << Formula(formula).text();
}
