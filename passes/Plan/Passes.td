#ifndef GNNC_PASSES_PLAN_PASSES_TD
#define GNNC_PASSES_PLAN_PASSES_TD

include "mlir/Pass/PassBase.td"

def GnnBuildPlanPass : Pass<"gnn-build-plan", "mlir::ModuleOp"> {
  let summary = "Turn @prepare and @forward into one gnn_plan.program";
  let description = [{
    Needs: gnn-form-kernels and gnn-assign-schedules: both functions hold calls of
    kernels, graph ops and a return; the module attribute `gnn.target`.
    Does: gives each tensor and each array of a graph a buffer, each `?` a
    formula over the extents of the graph, each call of a kernel its launches (by
    passes/Kernel/KernelAbi.h), each gemm kernel a product of the library. On
    cuda, kernels that follow edges share one partition of the rows for each
    graph, chunk and order. Guards say what the graph must satisfy. Erases both
    functions and the gemm kernels.
    Leaves: the other kernel functions, for gnn-lower-to-cpu or gnn-lower-to-gpu.
    Offsets of transient buffers: gnn-plan-memory.
    Numerics: unchanged.
  }];
  let dependentDialects = ["::gnnc::plan::PlanDialect"];
  let options = [
    Option<"mode", "mode", "std::string", "\"default\"", "mode that the plan records">,
    Option<"dynamic", "dynamic", "std::string", "\"true\"", "dynamic flag that the plan records">];
  let statistics = [
    Statistic<"numLaunches", "num-launches", "kernel launches of one forward">,
    Statistic<"numGemms", "num-gemms", "library products of one forward">,
    Statistic<"numPartitions", "num-partitions", "row partitions">];
}

#endif // GNNC_PASSES_PLAN_PASSES_TD
