//===- Pipelines.cpp - The passes of each level in their order ------------===//
#include "passes/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Program/Passes.h"

using namespace mlir;

/// Folds what a pass left and removes what nobody reads.
static void addCleanUp(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void gnnc::addProgramPasses(OpPassManager &manager, const ProgramPipelineOptions &options) {
  addCleanUp(manager);
  manager.addPass(createGnnHoistGraphInvariantsPass({options.index}));
  addCleanUp(manager);
  manager.addNestedPass<func::FuncOp>(createGnnFuseAggregatePass());
  // Chains that the fusion emptied would count as users.
  addCleanUp(manager);
  manager.addNestedPass<func::FuncOp>(createGnnReorderLinearPass({options.order}));
  manager.addNestedPass<func::FuncOp>(createGnnFuseEpiloguePass());
  addCleanUp(manager);
}

void gnnc::registerPipelines() {
  PassPipelineRegistration<ProgramPipelineOptions>(
      "gnn-program-pipeline", "All program level passes: hoist, fuse, reorder, fuse epilogues",
      addProgramPasses);
}
