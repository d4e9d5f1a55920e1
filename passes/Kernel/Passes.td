#ifndef GNNC_PASSES_KERNEL_PASSES_TD
#define GNNC_PASSES_KERNEL_PASSES_TD

include "mlir/Pass/PassBase.td"

def GnnSetTargetPass : Pass<"gnn-set-target", "mlir::ModuleOp"> {
  let summary = "Say what kernels are compiled for";
  let description = [{
    Needs: nothing.
    Does: sets the module attribute `gnn.target`.
    Leaves: everything else.
    Numerics: unchanged.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "cpu or cuda">,
    Option<"chip", "chip", "std::string", "\"\"", "sm_90 and the like (default sm_90), or x86-64-v2, x86-64-v3, x86-64-v4, generic (default generic)">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect"];
}

def GnnFormKernelsPass : Pass<"gnn-form-kernels", "mlir::ModuleOp"> {
  let summary = "Outline every piece of work into a kernel function";
  let description = [{
    Needs: `@forward` and `@prepare` as gnn-hoist-graph-invariants leaves them.
    Does: turns what fusion left over (gathers, scatters, degrees, chains of
    elementwise ops) into gnn.aggregate and gnn.map, makes one gnn.map of those
    over nodes that read a tensor in common and lie in one frame of heads and
    features, groups each matrix product with its bias and ReLU, and outlines each into a private function with the
    attribute `gnn.kernel` = "aggregate", "map" or "gemm". Both functions are then
    calls, graph construction and a return.
    Leaves: gnn.add_self_loops, gnn.remove_self_loops, gnn.append_self_loops,
    gnn.loop_weights, gnn.transpose and gnn.to_csr, and slices and reshapes of whole weights, which the runtime
    executes.
    Refuses: what goes by indices or row pointers of its own (gnn.graph,
    gnn.gather_at, gnn.scatter_at, gnn.segment_reduce): a plan follows the edges of
    one graph file.
    Numerics: unchanged.
  }];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::func::FuncDialect",
                           "::mlir::vector::VectorDialect", "::mlir::linalg::LinalgDialect"];
  let options = [Option<"maxResults", "max-results", "unsigned", "4",
                        "Results that maps over the same rows have together when they are merged; 1 merges none">];
  let statistics = [Statistic<"numKernels", "num-kernels", "kernel functions formed">,
                    Statistic<"numMerged", "num-merged", "maps that went into another">];
}

def GnnNarrowStoragePass : Pass<"gnn-narrow-storage", "mlir::ModuleOp"> {
  let summary = "Keep tensors between kernels in 16 bits";
  let description = [{
    Needs: kernel functions, each called once, and the module attribute `gnn.storage`
    (gnn-set-precision); without it nothing is done.
    Does: gives operands and results of products, and tensors with rows of at least 16
    features, that element type; weights too. Arguments and results of the program
    are as it states them. Rows are widened where they enter a region and rounded
    where they leave it; products take 16-bit matrices and round their result once.
    Where a product needs another type than a tensor has, a kernel converts it.
    Leaves: tensors with few values per row (norms, attention scores) and edge
    tensors of the runtime's graph ops, in f32.
    Numerics: one rounding, to nearest even, per tensor stored.
  }];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numNarrowed", "num-narrowed", "values kept in 16 bits">];
}

def GnnAssignSchedulesPass : Pass<"gnn-assign-schedules", "mlir::ModuleOp"> {
  let summary = "Choose a schedule for every kernel by a cost model";
  let description = [{
    Needs: kernel functions and the module attribute `gnn.target`.
    Does: sets `schedule` on each gnn.aggregate and gnn.map that has none, from the
    width of its rows and the target's registers, lanes and load width.
    Leaves: schedules that are there (written by hand or by a tuner), but for the
    fields in `overrides`: KERNEL:field=value:..., KERNEL a name or a pattern with *.
    What the chip or the kernel cannot do is an error.
    Numerics: the order of additions within a row depends on `chunk` (cuda); it is
    fixed by graph and schedule.
  }];
  let options = [
    Option<"chunk", "chunk", "int64_t", "128", "cuda: edges of a work item (half of it for rows of up to 64 features); longer rows are split">,
    Option<"prefetch", "prefetch", "int64_t", "8", "cpu: edges ahead that a source row is asked for">,
    ListOption<"overrides", "overrides", "std::string",
               "fields of schedules by hand, KERNEL:field=value:..., for example agg_*:chunk=64:group=16">];
}

def GnnLowerToCpuPass : Pass<"gnn-lower-to-cpu", "mlir::ModuleOp"> {
  let summary = "Turn kernel functions into loops over rows for the host";
  let description = [{
    Needs: kernel functions with #gnn.cpu_schedule; a cpu `gnn.target`.
    Does: replaces each by a function (arguments, begin, end) on addresses that
    works on rows begin to end, features in vector registers.
    Leaves: everything else; upstream conversions take the result to the llvm
    dialect.
    Numerics: messages are added in the order of edges, 1024 of a row at a time
    and then those sums; multiply and add may become one operation.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect", "::mlir::arith::ArithDialect"];
}

def GnnLowerToGpuPass : Pass<"gnn-lower-to-gpu", "mlir::ModuleOp"> {
  let summary = "Turn kernel functions into a gpu.module for NVPTX";
  let description = [{
    Needs: kernel functions with #gnn.gpu_schedule; a cuda `gnn.target`.
    Does: emits one gpu.func per entry of the kernel's ABI into one gpu.module,
    for aggregates a second one that merges the parts of split rows in order, and
    removes the kernel functions.
    Leaves: everything else; upstream conversions take the result to nvvm.
    Numerics: the additions of a work item are in the order of edges, work items
    of one row are merged in order: the same bits from run to run.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect", "::mlir::arith::ArithDialect"];
}

def GnnExpandFloatsPass : Pass<"gnn-expand-floats", "mlir::ModuleOp"> {
  let summary = "Write 16-bit float conversions as integer arithmetic";
  let description = [{
    Needs: kernels as scalars and vectors (after gnn-lower-to-cpu); a cpu `gnn.target`.
    Does: replaces extf and truncf between f32 and bf16, and on levels below x86-64-v3
    those between f32 and f16, by integer arithmetic, so that a kernel calls no
    library. Other arithmetic on these types is refused at its place.
    Loads and stores of bf16 become those of integers.
    Leaves: f16 where the processor converts it; everything on a GPU, which converts
    both.
    Numerics: to nearest, ties to even; NaN stays NaN, too large is infinite.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def GnnExpandMathPass : Pass<"gnn-expand-math"> {
  let summary = "Write exp, tanh, erf and their like as arithmetic";
  let description = [{
    Needs: kernels as scalars and vectors (after gnn-lower-to-cpu or -gpu).
    Does: replaces f32 and f64 math functions that neither target has as an instruction
    by polynomial approximations, and rsqrt by 1 / sqrt, so that a kernel calls no
    library: no libdevice on the GPU, no libm symbol in the host object.
    What is an instruction (sqrt, fabs, fma, floor, ...) becomes the intrinsic; on
    a processor without it, rounding goes by way of integers and fma is two ops.
    Refuses: every other function, at its place. There is code in f32 (f16 and
    bf16 go through it) and f64 for `exp exp2 expm1 log log2 log10 log1p tanh cosh erf
    erfc atan round sqrt rsqrt absf floor ceil trunc roundeven copysign fma`; not for
    `sin cos tan sinh cbrt powf atan2` and `arith.remf`, whose approximations fail for
    some arguments.
    Numerics: in f64 one unit in the last place for exp and log, up to four for the
    others, denormal numbers included; in f32 a few, and log of a denormal number is
    that of the least normal one. x - tanh(x) of f32 is as precise near 0 as elsewhere.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"];
}

#endif // GNNC_PASSES_KERNEL_PASSES_TD
