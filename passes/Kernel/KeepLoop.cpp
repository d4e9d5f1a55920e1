//===- KeepLoop.cpp - Loops that stay as they are written -----------------===//
#include "passes/Kernel/KeepLoop.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

void gnnc::keepLoop(scf::ForOp loop) {
  Builder builder(loop.getContext());
  auto never = LLVM::LoopUnrollAttr::get(builder.getContext(), builder.getBoolAttr(true), {}, {},
                                         {}, {}, {}, {});
  loop->setAttr("llvm.loop_annotation",
                LLVM::LoopAnnotationAttr::get(builder.getContext(), {}, {}, {}, never, {}, {}, {},
                                              {}, {}, {}, {}, {}, {}, {}, {}));
}
