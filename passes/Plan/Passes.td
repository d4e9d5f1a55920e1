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
    cuda, products of f32 get the arithmetic of `products`, where the runtime may
    be more accurate than it must, and kernels that follow edges share one partition of the rows for each
    graph, chunk and order. Guards say what the graph must satisfy. Erases both
    functions and the gemm kernels.
    Leaves: the other kernel functions, for gnn-lower-to-cpu or gnn-lower-to-gpu.
    Offsets of transient buffers: gnn-plan-memory.
    Numerics: unchanged with products=fp32; fp32x3 is within 1e-5 of the largest
    result, tf32 rounds the operands to 10 bits of mantissa.
  }];
  let dependentDialects = ["::gnnc::plan::PlanDialect"];
  let options = [
    Option<"products", "products", "std::string", "\"fp32\"",
           "fp32, fp32x3 or tf32: arithmetic of f32 products on cuda">,
    Option<"mode", "mode", "std::string", "\"default\"", "mode that the plan records">,
    Option<"dynamic", "dynamic", "std::string", "\"true\"", "dynamic flag that the plan records">];
  let statistics = [
    Statistic<"numLaunches", "num-launches", "kernel launches of one forward">,
    Statistic<"numGemms", "num-gemms", "library products of one forward">,
    Statistic<"numPartitions", "num-partitions", "row partitions">];
}

def GnnPlanMemoryPass : Pass<"gnn-plan-memory", "::gnnc::plan::ProgramOp"> {
  let summary = "Place transient buffers in one arena";
  let description = [{
    Needs: a plan by gnn-build-plan.
    Does: gives each transient buffer an offset and prepare and forward the size
    of their arenas. Buffers whose lifetimes do not meet share a slot; a slot is as
    large as the largest of its tenants, term by term of their formulas, and starts
    at a multiple of 256 bytes. Large buffers choose first: the free slot that must grow
    the least, weighed at a typical graph, or a new one where that costs no more.
    Leaves: all other buffers; a zeroed buffer never shares.
    Numerics: unchanged.
  }];
  let dependentDialects = ["::gnnc::plan::PlanDialect"];
  let options = [
    Option<"reuse", "reuse", "bool", "true", "true: buffers may share memory; false: none does">];
  let statistics = [
    Statistic<"numBuffers", "num-buffers", "transient buffers placed">,
    Statistic<"numSlots", "num-slots", "slots that hold them">,
    Statistic<"bytesSaved", "bytes-saved",
              "bytes that sharing saves for 100,000 nodes and 1,000,000 edges">];
}

#endif // GNNC_PASSES_PLAN_PASSES_TD
