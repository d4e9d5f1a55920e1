#ifndef GNNC_DIALECTS_PLAN_PLANDIALECT_TD
#define GNNC_DIALECTS_PLAN_PLANDIALECT_TD

include "mlir/IR/OpBase.td"

def Plan_Dialect : Dialect {
  let name = "gnn_plan";
  let cppNamespace = "::gnnc::plan";
  let summary = "The execution plan: buffers, commands, symbolic sizes";
  let description = [{
    What the runtime does with a compiled program, one to one with plan.json
    (runtime/format/Plan.h): a list of buffers and two lists of commands,
    `prepare`, run once when a graph is bound, and `forward`, run every time.

    Sizes, offsets and grid extents are formulas over named symbols: the counts
    of the bound graph and counts that `prepare` finds. A formula is a sum of
    multiples of a symbol or of `(a*symbol + b) floordiv c`; `ceildiv` is the
    same with rounding up. Symbols count things and are never negative.

    Buffers are SSA values of one type: their shape is printed once, where they
    are declared, and commands stay short.

    Example:
    ```mlir
    gnn_plan.program @double target(<cpu, "generic">) {
      gnn_plan.symbol n graph_dst
      %x = gnn_plan.buffer input "x" f32[n, 16]
      %y = gnn_plan.buffer output "y" f32[n, 16]
      gnn_plan.forward {
        gnn_plan.launch @map_0(%x, out %y, n) items(n)
      }
    }
    ```
  }];
  let dependentDialects = ["::gnnc::gnn::GnnDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

#endif // GNNC_DIALECTS_PLAN_PLANDIALECT_TD
