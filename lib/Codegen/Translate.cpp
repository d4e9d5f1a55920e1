//===- Translate.cpp - The llvm dialect to LLVM IR ------------------------===//
#include "lib/Codegen/Translate.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"

using namespace mlir;

std::unique_ptr<llvm::Module> gnnc::translateKernels(Operation *module,
                                                     llvm::LLVMContext &context) {
  // Upstream's conversions of scf and cf hand an annotation of scf.for down as a
  // discardable attribute of the branch, which the translation does not read.
  module->walk([](LLVM::BrOp branch) {
    constexpr StringLiteral name = "llvm.loop_annotation";
    if (auto annotation = branch->getAttrOfType<LLVM::LoopAnnotationAttr>(name)) {
      branch->removeAttr(name);
      branch.setLoopAnnotationAttr(annotation);
    }
  });
  return translateModuleToLLVMIR(module, context, "kernels");
}
