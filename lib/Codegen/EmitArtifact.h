//===- EmitArtifact.h - Plan and code of a lowered module -----------------===//
#ifndef GNNC_LIB_CODEGEN_EMITARTIFACT_H
#define GNNC_LIB_CODEGEN_EMITARTIFACT_H

#include "mlir/IR/BuiltinOps.h"
#include "runtime/format/Artifact.h"

namespace gnnc {

/// What code is made for.
struct EmitOptions {
  std::string target; ///< cpu | cuda
  std::string chip;
  bool cubin = true; ///< assemble PTX where a toolkit is at hand
};

/// Moves the gnn_plan.program of `module` into `artifact` and makes code of the kernels
/// that remain; the weights are left to selectWeights. Emits diagnostics on failure.
mlir::LogicalResult emitArtifact(mlir::ModuleOp module, const EmitOptions &options,
                                 format::Artifact &artifact);

} // namespace gnnc

#endif // GNNC_LIB_CODEGEN_EMITARTIFACT_H
