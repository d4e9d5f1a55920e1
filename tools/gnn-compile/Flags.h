//===- Flags.h - The command line of gnn-compile --------------------------===//
//
// Without MLIR: read by the program that is called and, where that has to compile, by
// the compiler once more.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TOOLS_GNN_COMPILE_FLAGS_H
#define GNNC_TOOLS_GNN_COMPILE_FLAGS_H

#include "lib/Driver/Compile.h"

#include <optional>

namespace gnnc::tools {

/// Fills `options`, all but what opens a workload; or the exit code to leave with.
std::optional<int> readFlags(int argc, char **argv, CompileOptions &options, bool &timing);

/// Says how a compilation went. Returns the exit code.
int reportCompilation(const CompileOptions &options, const CompileReport &report, bool isDone,
                      const std::string &error, bool timing);

} // namespace gnnc::tools

#endif // GNNC_TOOLS_GNN_COMPILE_FLAGS_H
