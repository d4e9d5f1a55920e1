//===- InProcess.h - The compiler of this library for jit::Program --------===//
#ifndef GNNC_LIB_JIT_INPROCESS_H
#define GNNC_LIB_JIT_INPROCESS_H

#include "lib/Jit/Program.h"

namespace gnnc::jit {

/// Calls gnnc::compile with `options`, in which what depends on the shape is set for
/// each compilation: `shape`, `dynamic` and `output`.
Compiler compileInProcess(CompileOptions options);

} // namespace gnnc::jit

#endif // GNNC_LIB_JIT_INPROCESS_H
