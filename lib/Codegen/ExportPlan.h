//===- ExportPlan.h - A gnn_plan.program as the artefact's plan -----------===//
#ifndef GNNC_LIB_CODEGEN_EXPORTPLAN_H
#define GNNC_LIB_CODEGEN_EXPORTPLAN_H

#include "dialects/Plan/Plan.h"
#include "runtime/format/Plan.h"

namespace gnnc {

/// The same plan as plain data, for runtime/format to write; `out` is replaced. Fails with a
/// diagnostic when gnn-plan-memory has not run.
mlir::LogicalResult exportPlan(plan::ProgramOp program, format::Plan &out);

} // namespace gnnc

#endif // GNNC_LIB_CODEGEN_EXPORTPLAN_H
