//===- FindTools.h - What this machine is and has, without MLIR -----------===//
#ifndef GNNC_LIB_CODEGEN_FINDTOOLS_H
#define GNNC_LIB_CODEGEN_FINDTOOLS_H

#include <string>

namespace gnnc {

/// The level of the x86-64 psABI that this machine has (x86-64-v4, ...), or
/// "generic" elsewhere.
std::string hostChip();

/// ptxas on PATH or in a toolkit that CUDA_HOME or CUDA_PATH names; empty: none.
std::string findPtxas();

} // namespace gnnc

#endif // GNNC_LIB_CODEGEN_FINDTOOLS_H
