//===- Pipelines.cpp - The passes of each level in their order ------------===//
#include "passes/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "passes/Kernel/KernelPipelines.h"
#include "passes/Kernel/Passes.h"
#include "passes/Plan/Passes.h"
#include "passes/Program/Passes.h"

using namespace mlir;

void gnnc::addProgramPasses(OpPassManager &manager, const ProgramPipelineOptions &options) {
  manager.addPass(createGnnSetPrecisionPass({options.storage}));
  manager.addNestedPass<func::FuncOp>(createGnnSimplifyDensePass());
  // As the program is written: a layer is found by what its ops share.
  manager.addNestedPass<func::FuncOp>(
      createGnnAddSelfLoopsPass({options.selfLoops, /*fill=*/1.0, options.scope}));
  manager.addNestedPass<func::FuncOp>(createGnnNormalizePass({options.normalize, options.scope}));
  manager.addPass(createGnnCleanUpPass());
  manager.addNestedPass<func::FuncOp>(createGnnRaiseToGraphPass());
  manager.addNestedPass<func::FuncOp>(createGnnIndexToGraphPass({options.index}));
  manager.addNestedPass<func::FuncOp>(createGnnRaiseSoftmaxPass());
  manager.addNestedPass<func::FuncOp>(createGnnFoldInferencePass());
  manager.addPass(createGnnCleanUpPass());
  manager.addNestedPass<func::FuncOp>(createGnnReorderAttentionPass({options.order}));
  manager.addNestedPass<func::FuncOp>(createGnnScaleRowsPass());
  manager.addPass(createGnnCleanUpPass());
  manager.addPass(createGnnHoistGraphInvariantsPass({options.index}));
  manager.addPass(createGnnCleanUpPass());
  manager.addPass(createGnnMultiplyInMessagesPass());
  manager.addNestedPass<func::FuncOp>(createGnnFuseAggregatePass({options.maxResults}));
  // What no traversal took along becomes scatters, which are fused in turn.
  manager.addPass(createGnnCleanUpPass());
  manager.addNestedPass<func::FuncOp>(createGnnExpandSoftmaxPass());
  manager.addNestedPass<func::FuncOp>(createGnnFuseAggregatePass({options.maxResults}));
  // Chains that the fusion emptied would count as users.
  manager.addPass(createGnnCleanUpPass());
  manager.addNestedPass<func::FuncOp>(createGnnReorderLinearPass({options.order}));
  manager.addNestedPass<func::FuncOp>(createGnnFuseEpiloguePass());
  manager.addPass(createGnnCleanUpPass());
  manager.addNestedPass<func::FuncOp>(createGnnMoveRowScalesPass());
  manager.addNestedPass<func::FuncOp>(createGnnFuseEpiloguePass());
  if (options.virtualLoops) { // last: the passes before want messages, not epilogues
    manager.addPass(createGnnCleanUpPass());
    manager.addPass(createGnnVirtualSelfLoopsPass());
  }
  manager.addPass(createGnnCleanUpPass());
}

void gnnc::addDefaultPasses(OpPassManager &manager, const DefaultPipelineOptions &options) {
  ProgramPipelineOptions program;
  program.index = options.index;
  program.order = options.order;
  program.selfLoops = options.selfLoops;
  program.normalize = options.normalize;
  program.scope = options.scope;
  program.storage = options.storage;
  program.virtualLoops = options.virtualLoops;
  program.maxResults = options.maxResults;
  manager.addPass(createGnnSetTargetPass({options.target, options.chip}));
  addProgramPasses(manager, program);
  if (options.dst >= 0 || options.src >= 0 || options.edges >= 0) {
    manager.addPass(createGnnSpecializeShapesPass({options.dst, options.src, options.edges}));
    manager.addPass(createGnnCleanUpPass());
  }
  if (options.stage == PipelineStage::Program)
    return;
  manager.addPass(createGnnFormKernelsPass());
  manager.addPass(createGnnNarrowStoragePass());
  GnnAssignSchedulesPassOptions schedules;
  llvm::append_range(schedules.overrides, options.schedules);
  manager.addPass(createGnnAssignSchedulesPass(schedules));
  manager.addPass(createGnnCleanUpPass());
  if (options.tune)
    options.tune(manager);
  if (options.stage == PipelineStage::Kernels)
    return;
  addPlanPasses(manager, options);
}

void gnnc::addPlanPasses(OpPassManager &manager, const DefaultPipelineOptions &options) {
  manager.addPass(createGnnBuildPlanPass({options.products, options.mode, options.dynamic}));
  manager.addNestedPass<plan::ProgramOp>(createGnnPlanMemoryPass());
  if (options.stage == PipelineStage::Plan)
    return;
  if (options.target == "cuda")
    addCudaLowering(manager);
  else
    addCpuLowering(manager);
}

void gnnc::registerPipelines() {
  PassPipelineRegistration<DefaultPipelineOptions>(
      "gnn-default-pipeline", "Everything from a program to its plan and lowered kernels",
      addDefaultPasses);
  PassPipelineRegistration<ProgramPipelineOptions>(
      "gnn-program-pipeline",
      "All program level passes: raise, fold, hoist, fuse, reorder, fuse epilogues",
      addProgramPasses);
}
