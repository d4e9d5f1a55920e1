//===- InProcess.cpp - The compiler of this library for jit::Program ------===//
#include "lib/Jit/InProcess.h"

gnnc::jit::Compiler gnnc::jit::compileInProcess(CompileOptions options) {
  return [options = std::move(options)](const ShapeOptions &shape, const std::string &output,
                                        std::string &error) {
    CompileOptions one = options;
    one.shape = shape;
    one.dynamic = shape.any() ? "false" : "true";
    one.output = output;
    CompileReport report;
    return compile(one, report, error);
  };
}
