//===- InProcess.cpp - The compiler of this library for jit::Program ------===//
#include "lib/Jit/InProcess.h"

gnnc::jit::Compiler gnnc::jit::compileInProcess(CompileOptions options) {
  return [options = std::move(options)](const ShapeOptions &shape,
                                        const std::string &output) -> Result<Compiled> {
    CompileOptions one = options;
    one.shape = shape;
    one.dynamic = shape.any() ? "false" : "true";
    one.output = output;
    CompileReport report;
    if (std::string error; !compile(one, report, error))
      return Error{GNNC_INVALID_FILE, error};
    return Compiled{report.cache == "hit", report.tuningRuns};
  };
}
