//===- Compiler.cpp - Compile a program to a .gnnx artefact ---------------===//
//
// What gnn-compile becomes when its cache does not have what is asked for.
//
//===----------------------------------------------------------------------===//
#include "tools/gnn-compile/Flags.h"
#include "tools/tune/GraphWorkload.h"

int main(int argc, char **argv) {
  gnnc::CompileOptions options;
  bool timing = false;
  if (std::optional<int> code = gnnc::tools::readFlags(argc, argv, options, timing))
    return *code;
  options.tuning.open = gnnc::tools::openWorkload;
  gnnc::CompileReport report;
  std::string error;
  bool isDone = gnnc::compile(options, report, error);
  return gnnc::tools::reportCompilation(options, report, isDone, error, timing);
}
