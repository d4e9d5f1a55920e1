//===- SetPipeline.h - The pipeline that a command line asks for ----------===//
#ifndef GNNC_LIB_DRIVER_SETPIPELINE_H
#define GNNC_LIB_DRIVER_SETPIPELINE_H

#include "lib/Driver/Compile.h"
#include "passes/Pipelines.h"

namespace gnnc {

/// All but its stage.
void setPipeline(const CompileOptions &options, const std::string &chip,
                 DefaultPipelineOptions &pipeline);

} // namespace gnnc

#endif // GNNC_LIB_DRIVER_SETPIPELINE_H
