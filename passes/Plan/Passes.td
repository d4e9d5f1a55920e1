#ifndef GNNC_PASSES_PLAN_PASSES_TD
#define GNNC_PASSES_PLAN_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // GNNC_PASSES_PLAN_PASSES_TD
