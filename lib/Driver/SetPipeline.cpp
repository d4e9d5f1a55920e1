//===- SetPipeline.cpp - The pipeline that a command line asks for --------===//
#include "lib/Driver/SetPipeline.h"

void gnnc::setPipeline(const CompileOptions &options, const std::string &chip,
                       DefaultPipelineOptions &pipeline) {
  pipeline.target = options.target;
  pipeline.chip = chip;
  pipeline.mode = options.mode;
  pipeline.dynamic = options.dynamic;
  pipeline.dst = options.shape.dst;
  pipeline.src = options.shape.src;
  pipeline.edges = options.shape.edges;
  pipeline.index = options.index;
  pipeline.order = options.order;
  bool narrows = options.precision == "bf16" || options.precision == "f16";
  pipeline.storage = narrows ? options.precision : "program";
  if (!narrows)
    pipeline.products = options.precision;
  pipeline.selfLoops = options.selfLoops;
  pipeline.normalize = options.normalize;
  pipeline.virtualLoops = !options.loopEdges;
  pipeline.scope = options.fixes == "on" ? "graph" : "layer";
  pipeline.maxResults = options.maxResults;
  for (const std::string &schedule : options.schedules)
    pipeline.schedules.push_back(schedule);
}
