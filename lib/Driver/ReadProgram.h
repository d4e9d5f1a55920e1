//===- ReadProgram.h - IR out of a file, or one diagnostic ----------------===//
#ifndef GNNC_LIB_DRIVER_READPROGRAM_H
#define GNNC_LIB_DRIVER_READPROGRAM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace gnnc {

/// Parses and verifies the IR in file `path` (- is standard input). Null after an
/// error, which then is a diagnostic of `context`, except that a file which cannot
/// be read is told in `error`.
mlir::OwningOpRef<mlir::ModuleOp> readProgram(const std::string &path, mlir::MLIRContext *context,
                                              std::string &error);

} // namespace gnnc

#endif // GNNC_LIB_DRIVER_READPROGRAM_H
