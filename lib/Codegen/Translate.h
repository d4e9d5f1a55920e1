//===- Translate.h - The llvm dialect to LLVM IR ----------------*- C++ -*-===//
#ifndef GNNC_LIB_CODEGEN_TRANSLATE_H
#define GNNC_LIB_CODEGEN_TRANSLATE_H

#include "mlir/IR/Operation.h"
#include "llvm/IR/Module.h"

#include <memory>

namespace gnnc {

/// LLVM IR of `module`, a builtin.module or gpu.module of the llvm dialect; null with
/// diagnostics where it has none. What the lowering says of loops becomes metadata.
std::unique_ptr<llvm::Module> translateKernels(mlir::Operation *module, llvm::LLVMContext &context);

} // namespace gnnc

#endif // GNNC_LIB_CODEGEN_TRANSLATE_H
