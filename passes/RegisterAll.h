//===- RegisterAll.h - The one list of dialects and passes ----------------===//
//
// Shared by gnn-opt, the language server and the driver, so that what one of
// them knows all of them know.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_REGISTERALL_H
#define GNNC_PASSES_REGISTERALL_H

#include "mlir/IR/Dialect.h"

namespace gnnc {

/// Every dialect that a program, a kernel or a plan may contain.
void registerDialects(mlir::DialectRegistry &registry);
/// Every pass of gnnc, the upstream ones that pipelines use, and the pipelines.
void registerPasses();
inline void registerAll(mlir::DialectRegistry &registry) {
  registerDialects(registry);
  registerPasses();
}

} // namespace gnnc

#endif // GNNC_PASSES_REGISTERALL_H
