//===- TuneProgram.h - The form of a program, by measuring ----------------===//
//
// Before kernels exist: in which order products and aggregates stand, and whether aggregates
// share a traversal. Schedules are gnn-autotune's.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_DRIVER_TUNEPROGRAM_H
#define GNNC_LIB_DRIVER_TUNEPROGRAM_H

#include "lib/Driver/Compile.h"

namespace gnnc {

/// Sets `order` and `maxResults` of `options`, whose order is "auto", to the fastest on its
/// graph and takes the time from its budget. Whatever keeps it from measuring leaves
/// them; the compilation that follows says what is wrong.
void tuneProgram(const std::string &program, const std::string &chip, CompileOptions &options);

} // namespace gnnc

#endif // GNNC_LIB_DRIVER_TUNEPROGRAM_H
