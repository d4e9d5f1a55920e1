//===- EmitArtifact.cpp - Plan and code of a lowered module ---------------===//
#include "lib/Codegen/EmitArtifact.h"

#include "dialects/Plan/Plan.h"
#include "lib/Codegen/Codegen.h"
#include "lib/Codegen/ExportPlan.h"

using namespace mlir;
using namespace gnnc;

LogicalResult gnnc::emitArtifact(ModuleOp module, const EmitOptions &options,
                                 format::Artifact &artifact) {
  auto programs = module.getOps<plan::ProgramOp>();
  if (programs.empty())
    return module.emitError("has no gnn_plan.program; run gnn-build-plan first");
  plan::ProgramOp program = *programs.begin();
  if (failed(exportPlan(program, artifact.plan)))
    return failure();
  artifact.plan.producer = std::string("gnnc ") + GNNC_VERSION;
  program.erase(); // code generation sees kernels only

  // The names say what runs where: runtime/format/Artifact.h.
  auto add = [&](const std::string &name, std::string bytes) {
    artifact.code.push_back({name, format::Bytes::fromString(std::move(bytes))});
  };
  if (options.target == "cpu") {
    auto object = compileHostObject(module, options.chip);
    if (failed(object))
      return failure();
    add("host.so", std::move(*object));
    return success();
  }
  auto ptx = compilePtx(module, options.chip);
  if (failed(ptx))
    return failure();
  if (ptx->empty())
    return success();
  if (options.cubin) {
    auto cubin = assembleCubin(module->getLoc(), *ptx, options.chip);
    if (failed(cubin))
      return failure();
    if (!cubin->empty())
      add(options.chip + ".cubin", std::move(*cubin));
  }
  add(options.chip + ".ptx", std::move(*ptx));
  return success();
}
