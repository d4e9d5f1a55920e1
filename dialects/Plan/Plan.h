//===- Plan.h - The gnn_plan dialect: types, attributes and operations ----===//
//
// The one header users of the dialect include. Meaning of every op: PlanOps.td.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_DIALECTS_PLAN_PLAN_H
#define GNNC_DIALECTS_PLAN_PLAN_H

#include "dialects/Gnn/Gnn.h"
#include "dialects/Plan/Formula.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"

#include "dialects/Plan/PlanDialect.h.inc"
#include "dialects/Plan/PlanEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Plan/PlanAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Plan/PlanTypes.h.inc"

namespace gnnc::plan {
class BufferOp;

/// Parses a formula and prints it, without `#gnn_plan.formula<...>` around it.
mlir::ParseResult parseFormula(mlir::AsmParser &parser, FormulaAttr &formula);
void printFormula(mlir::AsmPrinter &printer, FormulaAttr formula);

/// Alignment of every offset in an arena, in bytes.
inline constexpr int64_t kArenaAlignment = 256;

/// The declaration behind a buffer value.
BufferOp bufferOf(mlir::Value value);
} // namespace gnnc::plan

#define GET_OP_CLASSES
#include "dialects/Plan/PlanOps.h.inc"

#endif // GNNC_DIALECTS_PLAN_PLAN_H
