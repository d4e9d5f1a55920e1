//===- KernelPipelines.cpp - Kernel level pipelines -----------------------===//
//
// Our lowering, then upstream's conversions down to the dialect that translates
// to LLVM IR.
//
//===----------------------------------------------------------------------===//
#include "passes/Kernel/KernelPipelines.h"
#include "passes/Kernel/Passes.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// scf, vector, math and arith -> llvm, in whatever op `pm` is anchored on.
static void addCommonConversions(OpPassManager &pm) {
  pm.addPass(gnnc::createGnnExpandMathPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
}

void gnnc::addCpuLowering(OpPassManager &pm) {
  pm.addPass(createGnnLowerToCpuPass());
  pm.addPass(createGnnExpandFloatsPass());
  addCommonConversions(pm);
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void gnnc::addCudaLowering(OpPassManager &pm) {
  pm.addPass(createGnnLowerToGpuPass());
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  addCommonConversions(kernels);
  kernels.addPass(createConvertGpuOpsToNVVMOps());
  kernels.addPass(createArithToLLVMConversionPass());
  // Upstream's own pass for cf runs on builtin.module only.
  ConvertToLLVMPassOptions branches;
  branches.filterDialects = {"cf"};
  kernels.addPass(createConvertToLLVMPass(branches));
  kernels.addPass(createReconcileUnrealizedCastsPass());
}

void gnnc::registerKernelPipelines() {
  PassPipelineRegistration<>("gnn-cpu-lowering-pipeline",
                             "Kernel functions with host schedules to the llvm dialect",
                             addCpuLowering);
  PassPipelineRegistration<>("gnn-cuda-lowering-pipeline",
                             "Kernel functions with GPU schedules to the nvvm dialect",
                             addCudaLowering);
}
