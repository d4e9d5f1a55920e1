//===- Codegen.h - Machine code of lowered kernels ------------------------===//
//
// In:  a module whose kernels are in the llvm (host) or nvvm (gpu.module) dialect.
// Out: bytes that the runtime loads: a shared object, PTX, a cubin.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_CODEGEN_CODEGEN_H
#define GNNC_LIB_CODEGEN_CODEGEN_H

#include "lib/Codegen/FindTools.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"

#include <string>

namespace gnnc {

/// What translation to LLVM IR needs registered in the context.
void registerCodegen(mlir::DialectRegistry &registry);

/// A position-independent shared object with the functions of `module`, for the
/// psABI level `chip`; needs no library. Emits diagnostics on failure.
mlir::FailureOr<std::string> compileHostObject(mlir::ModuleOp module, llvm::StringRef chip);

/// PTX text of the one gpu.module in `module` for `chip` (sm_90); empty when
/// there is none.
mlir::FailureOr<std::string> compilePtx(mlir::ModuleOp module, llvm::StringRef chip);

/// Assembles PTX with ptxas where a toolkit is found (PATH, CUDA_HOME,
/// CUDA_PATH); empty, with no diagnostic, where there is none.
mlir::FailureOr<std::string> assembleCubin(mlir::Location loc, llvm::StringRef ptx,
                                           llvm::StringRef chip);

} // namespace gnnc

#endif // GNNC_LIB_CODEGEN_CODEGEN_H
