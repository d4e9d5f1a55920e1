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

#include <functional>

namespace gnnc {

struct ProgramPipelineOptions : mlir::PassPipelineOptions<ProgramPipelineOptions> {
  Option<std::string> storage{*this, "storage",
                              llvm::cl::desc("program, bf16 or f16 (gnn-set-precision)"),
                              llvm::cl::init("program")};
  Option<std::string> index{
      *this, "index",
      llvm::cl::desc("Index type of csr graphs, i32 or i64 (gnn-hoist-graph-invariants)"),
      llvm::cl::init("i32")};
  Option<std::string> order{
      *this, "order",
      llvm::cl::desc("auto, transform-first or aggregate-first (gnn-reorder-linear)"),
      llvm::cl::init("auto")};
  Option<std::string> selfLoops{*this, "self-loops",
                                llvm::cl::desc("marked, all or none (gnn-add-self-loops: loops)"),
                                llvm::cl::init("marked")};
  Option<std::string> normalize{
      *this, "normalize", llvm::cl::desc("marked, symmetric, row or none (gnn-normalize: kind)"),
      llvm::cl::init("marked")};
  Option<std::string> scope{
      *this, "scope",
      llvm::cl::desc(
          "graph or layer: who adds loops and norms (gnn-add-self-loops, gnn-normalize)"),
      llvm::cl::init("graph")};
  Option<bool> virtualLoops{*this, "virtual-loops",
                            llvm::cl::desc("true: added self loops are terms of epilogues where "
                                           "that is possible; false: they are edges"),
                            llvm::cl::init(true)};
  Option<unsigned> maxResults{
      *this, "max-results",
      llvm::cl::desc("results of aggregates that share a traversal; 1 keeps "
                     "them apart (gnn-fuse-aggregate)"),
      llvm::cl::init(4)};
};

/// Program level, `gnn-program-pipeline`: a program of graph ops becomes
/// @prepare and @forward with gnn.aggregate ops. To be run on a module.
void addProgramPasses(mlir::OpPassManager &manager, const ProgramPipelineOptions &options);

enum class PipelineStage { Program, Kernels, Plan, LLVM };

struct DefaultPipelineOptions : mlir::PassPipelineOptions<DefaultPipelineOptions> {
  Option<std::string> storage{*this, "storage",
                              llvm::cl::desc("program, bf16 or f16: 16 bits in memory"),
                              llvm::cl::init("program")};
  Option<std::string> target{*this, "target", llvm::cl::desc("cpu or cuda"), llvm::cl::init("cpu")};
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("sm_90, x86-64-v4, ...; empty: the target's default"),
                           llvm::cl::init("")};
  Option<std::string> products{
      *this, "products",
      llvm::cl::desc("fp32x3, fp32 or tf32: f32 products on cuda (gnn-build-plan)"),
      llvm::cl::init("fp32x3")};
  ListOption<std::string> schedules{
      *this, "schedules",
      llvm::cl::desc("fields of schedules by hand, KERNEL:field=value:... (gnn-assign-schedules)")};
  Option<std::string> mode{*this, "mode", llvm::cl::desc("default or reduce-overhead"),
                           llvm::cl::init("default")};
  Option<std::string> dynamic{*this, "dynamic", llvm::cl::desc("true: symbolic sizes"),
                              llvm::cl::init("true")};
  Option<std::int64_t> dst{
      *this, "dst", llvm::cl::desc("destination nodes as a constant (gnn-specialize-shapes)"),
      llvm::cl::init(-1)};
  Option<std::int64_t> src{*this, "src", llvm::cl::desc("source nodes as a constant"),
                           llvm::cl::init(-1)};
  Option<std::int64_t> edges{*this, "edges", llvm::cl::desc("edges as a constant"),
                             llvm::cl::init(-1)};
  Option<std::string> index{*this, "index", llvm::cl::desc("index type of csr graphs, i32 or i64"),
                            llvm::cl::init("i32")};
  Option<std::string> order{*this, "order",
                            llvm::cl::desc("auto, transform-first or aggregate-first"),
                            llvm::cl::init("auto")};
  Option<std::string> selfLoops{*this, "self-loops", llvm::cl::desc("marked, all or none"),
                                llvm::cl::init("marked")};
  Option<std::string> normalize{*this, "normalize",
                                llvm::cl::desc("marked, symmetric, row or none"),
                                llvm::cl::init("marked")};
  Option<std::string> scope{*this, "scope",
                            llvm::cl::desc("graph or layer: who adds loops and norms"),
                            llvm::cl::init("graph")};
  Option<bool> virtualLoops{*this, "virtual-loops",
                            llvm::cl::desc("false: added self loops are stored as edges"),
                            llvm::cl::init(true)};
  Option<unsigned> maxResults{
      *this, "max-results",
      llvm::cl::desc("results of aggregates that share a traversal; 1 keeps "
                     "them apart (gnn-fuse-aggregate)"),
      llvm::cl::init(4)};
  Option<PipelineStage> stage{
      *this, "stage", llvm::cl::desc("where to stop"), llvm::cl::init(PipelineStage::LLVM),
      llvm::cl::values(
          clEnumValN(PipelineStage::Program, "program", "fused, split into prepare and forward"),
          clEnumValN(PipelineStage::Kernels, "kernels", "kernel functions with schedules"),
          clEnumValN(PipelineStage::Plan, "plan", "the plan with its memory"),
          clEnumValN(PipelineStage::LLVM, "llvm", "kernels in the llvm or nvvm dialect"))};
  /// Adds what comes behind the choice of schedules: a tuner, which this layer does not
  /// know. Null: nothing.
  std::function<void(mlir::OpPassManager &)> tune;
};

/// Everything, `gnn-default-pipeline`: from a program of graph ops to a
/// gnn_plan.program and its kernels in the llvm or nvvm dialect.
void addDefaultPasses(mlir::OpPassManager &manager, const DefaultPipelineOptions &options);

/// Its end: from kernel functions with schedules to the plan and lowered kernels.
void addPlanPasses(mlir::OpPassManager &manager, const DefaultPipelineOptions &options);

/// Makes the pipelines known by name.
void registerPipelines();

} // namespace gnnc

#endif // GNNC_PASSES_PIPELINES_H
