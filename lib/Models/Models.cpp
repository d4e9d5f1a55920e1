//===- Models.cpp - The list of models ------------------------------------===//
#include "lib/Models/Models.h"

#include "lib/Models/ModelBuilder.h"

using namespace gnnc;

Model gnnc::buildModel(mlir::MLIRContext *context, const ModelOptions &options) {
  ModelBuilder builder(context, options);
  return builder.finish(buildGcn(builder, options));
}
