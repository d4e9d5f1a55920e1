#ifndef GNNC_LIB_TUNE_PASSES_TD
#define GNNC_LIB_TUNE_PASSES_TD

include "mlir/Pass/PassBase.td"

def GnnAutotunePass : Pass<"gnn-autotune", "mlir::ModuleOp"> {
  let summary = "Measure schedules on a graph and keep the fastest";
  let description = [{
    Needs: kernel functions with schedules (after gnn-assign-schedules) that @forward calls,
    the module attribute `gnn.target`, a device of that target, and a graph file.
    Does: proposes schedules for each kernel by the cost model, compiles and runs the
    program with them, and sets those that were faster than the given ones beyond noise
    and whose outputs agree (docs/tuning.md). With a database, what it knows of this graph
    is taken without measuring, and what is measured is added to it.
    Leaves: kernels of `@prepare`, products, and every kernel for which nothing is faster.
    Refuses: a module without `@forward` or target, kernels without schedules, a graph,
    weights or database that cannot be read, a device that is not there, a program whose
    untuned output is wrong.
    Numerics: the order of additions within a row depends on the schedule; the output is
    within 1e-5 of the untuned one (wider for types of 16 bits).
  }];
  let options = [
    Option<"graph", "graph", "std::string", "\"\"", "graph file to measure on">,
    Option<"weights", "weights", "std::string", "\"\"", "weights file; empty when the program has none">,
    Option<"database", "database", "std::string", "\"\"", "file in which results are kept; empty: none">,
    Option<"budget", "budget", "double", "10", "seconds that tuning may take; 0 takes what the database has and measures nothing">,
    Option<"candidates", "candidates", "unsigned", "16", "schedules of each kernel that the cost model proposes">,
    Option<"products", "products", "std::string", "\"fp32x3\"", "precision of f32 products, as in gnn-build-plan">,
    Option<"mode", "mode", "std::string", "\"default\"", "as in gnn-build-plan: how whole forwards are timed">,
    Option<"dynamic", "dynamic", "std::string", "\"true\"", "as in gnn-build-plan">,
    Option<"quiet", "quiet", "bool", "false", "true: no progress on standard error">];
  let statistics = [Statistic<"numChanged", "num-changed", "kinds of kernels that got another schedule">,
                    Statistic<"numFound", "num-found", "kinds of kernels that the database knew">,
                    Statistic<"numMeasured", "num-measured", "candidates measured">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect"];
}

#endif // GNNC_LIB_TUNE_PASSES_TD
