#ifndef GNNC_DIALECTS_PLAN_PLANTYPES_TD
#define GNNC_DIALECTS_PLAN_PLANTYPES_TD

include "dialects/Plan/PlanDialect.td"
include "mlir/IR/AttrTypeBase.td"

def Plan_BufferType : TypeDef<Plan_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "A buffer of the plan";
  let description = [{
    The value of a `gnn_plan.buffer`, which holds the element type and shape.

    Example: `!gnn_plan.buffer`
  }];
}
/// The only type of values here, so that commands need not write it.
def Plan_Buffer : Type<Plan_BufferType.predicate, "buffer", "::gnnc::plan::BufferType">,
                  BuildableType<"::gnnc::plan::BufferType::get($_builder.getContext())">;

#endif // GNNC_DIALECTS_PLAN_PLANTYPES_TD
