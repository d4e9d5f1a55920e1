//===- CompilerProcess.h - gnn-compile for jit::Program -------------------===//
//
// Without MLIR: the compiler is a process of its own, which finds artefacts of its cache
// without loading LLVM.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_JIT_COMPILERPROCESS_H
#define GNNC_LIB_JIT_COMPILERPROCESS_H

#include "lib/Jit/Program.h"

namespace gnnc::jit {

/// `command`: gnn-compile, the program and all flags but those for the shape and the
/// output. Its last line on failure is the error.
Compiler compileByCommand(std::vector<std::string> command);

} // namespace gnnc::jit

#endif // GNNC_LIB_JIT_COMPILERPROCESS_H
