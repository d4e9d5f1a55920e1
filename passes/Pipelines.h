//===- Pipelines.h - The passes of each level in their order --------------===//
//
// Named pipelines of gnn-opt and the functions behind them, which the driver
// calls with the same options.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_PIPELINES_H
#define GNNC_PASSES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace gnnc {

struct ProgramPipelineOptions : mlir::PassPipelineOptions<ProgramPipelineOptions> {
  Option<std::string> index{
      *this, "index",
      llvm::cl::desc("Index type of csr graphs, i32 or i64 (gnn-hoist-graph-invariants)"),
      llvm::cl::init("i32")};
  Option<std::string> order{
      *this, "order",
      llvm::cl::desc("auto, transform-first or aggregate-first (gnn-reorder-linear)"),
      llvm::cl::init("auto")};
};

/// Program level, `gnn-program-pipeline`: a program of graph ops becomes
/// @prepare and @forward with gnn.aggregate ops. To be run on a module.
void addProgramPasses(mlir::OpPassManager &manager, const ProgramPipelineOptions &options);

/// Makes the pipelines known by name.
void registerPipelines();

} // namespace gnnc

#endif // GNNC_PASSES_PIPELINES_H
