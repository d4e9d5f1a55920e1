//===- RegisterAll.cpp - The one list of dialects and passes --------------===//
#include "passes/RegisterAll.h"

#include "dialects/Gnn/Gnn.h"
#include "dialects/Plan/Plan.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Kernel/KernelPipelines.h"
#include "passes/Kernel/Passes.h"
#include "passes/Pipelines.h"
#include "passes/Plan/Passes.h"
#include "passes/Program/Passes.h"

void gnnc::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<gnn::GnnDialect, plan::PlanDialect, mlir::affine::AffineDialect,
                  mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                  mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect,
                  mlir::linalg::LinalgDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                  mlir::tensor::TensorDialect, mlir::vector::VectorDialect>();
  mlir::cf::registerConvertControlFlowToLLVMInterface(registry);
}

void gnnc::registerPasses() {
  mlir::registerTransformsPasses();
  registerProgramPasses();
  registerKernelPasses();
  registerKernelPipelines();
  registerPlanPasses();
  registerPipelines();
}
