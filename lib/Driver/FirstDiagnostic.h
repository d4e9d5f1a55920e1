//===- FirstDiagnostic.h - One line out of MLIR's diagnostics -------------===//
#ifndef GNNC_LIB_DRIVER_FIRSTDIAGNOSTIC_H
#define GNNC_LIB_DRIVER_FIRSTDIAGNOSTIC_H

#include "mlir/IR/Diagnostics.h"

namespace gnnc {

/// While alive, keeps the first error of `context` as `file:line:column: text`;
/// later ones mostly follow from it.
class FirstDiagnostic {
public:
  explicit FirstDiagnostic(mlir::MLIRContext *context);
  bool empty() const { return text.empty(); }
  const std::string &get() const { return text; }

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace gnnc

#endif // GNNC_LIB_DRIVER_FIRSTDIAGNOSTIC_H
