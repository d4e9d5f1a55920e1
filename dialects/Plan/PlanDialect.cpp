//===- PlanDialect.cpp - Registration of the gnn_plan dialect -------------===//
#include "dialects/Plan/Plan.h"

using namespace mlir;
using namespace gnnc::plan;

#include "dialects/Plan/PlanDialect.cpp.inc"
#include "dialects/Plan/PlanEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Plan/PlanTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Plan/PlanAttrs.cpp.inc"

void PlanDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Plan/PlanTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Plan/PlanAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Plan/PlanOps.cpp.inc"
      >();
}

Attribute FormulaAttr::parse(AsmParser &parser, Type) {
  FormulaAttr formula;
  if (parser.parseLess() || parseFormula(parser, formula) || parser.parseGreater())
    return {};
  return formula;
}

void FormulaAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printFormula(printer, *this);
  printer << '>';
}
