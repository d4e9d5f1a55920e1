//===- Optimize.h - LLVM IR to optimised machine code ---------------------===//
#ifndef GNNC_LIB_CODEGEN_OPTIMIZE_H
#define GNNC_LIB_CODEGEN_OPTIMIZE_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace gnnc {

/// A target machine, or null with `error` set.
std::unique_ptr<llvm::TargetMachine> createMachine(llvm::StringRef triple, llvm::StringRef cpu,
                                                   llvm::StringRef features, std::string &error);

/// Runs LLVM's O3 pipeline and the code generator; `assembly` chooses text (PTX)
/// over an object file. Empty with `error` set on failure.
std::string emitCode(llvm::Module &module, llvm::TargetMachine &machine, bool assembly,
                     std::string &error);

} // namespace gnnc

#endif // GNNC_LIB_CODEGEN_OPTIMIZE_H
