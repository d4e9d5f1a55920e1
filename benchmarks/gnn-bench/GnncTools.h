//===- GnncTools.h - Programs and artefacts by the project's own tools ----===//
//
// Input: a model's specification. Output: a program, and artefacts of it. gnn-model and
// gnn-compile run as users run them, so that their time is what users wait for.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_GNNCTOOLS_H
#define GNNC_BENCHMARKS_GNN_BENCH_GNNCTOOLS_H

#include "benchmarks/eager/ModelSpec.h"

#include <string>
#include <vector>

namespace gnnc::bench {

/// How gnnc gets its artefact.
struct GnncOptions {
  std::string artifact; ///< empty: compile one
  std::string mode = "default", dynamic = "true", chip, precision = "fp32x3";
  std::string budget, tuningDatabase; ///< of the max-autotune modes
  std::string cacheFolder;            ///< that compilations are kept in; empty: none
  std::string toolsFolder;            ///< of gnn-model and gnn-compile; empty: beside the program
  std::string runtime;                ///< libgnnc_runtime.so; empty: beside the program
  std::string weightsPath;            ///< file that holds the weights, if there are any
  std::string scratch;                ///< folder for the program and the artefact
};

/// Opens the runtime of `options`, the first time; throws Failure.
void openRuntimeOf(const GnncOptions &options);

/// Writes the program of a model to `path`; throws Failure.
void writeProgram(const ModelSpec &spec, bool edgeWeight, const GnncOptions &options,
                  const std::string &path);

/// gnn-compile's arguments for `program` but for those of the shape and the output.
std::vector<std::string> compilerCommand(const GnncOptions &options, const std::string &program,
                                         const std::string &target);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_GNNCTOOLS_H
