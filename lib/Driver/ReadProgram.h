//===- ReadProgram.h - IR out of a file, or one diagnostic ----------------===//
#ifndef GNNC_LIB_DRIVER_READPROGRAM_H
#define GNNC_LIB_DRIVER_READPROGRAM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <string>

namespace gnnc {

/// The text of file `path` (- is standard input). Null with one line in `error`.
std::unique_ptr<llvm::MemoryBuffer> openProgram(const std::string &path, std::string &error);

/// Parses and verifies the IR in `text`. Null after an error, which then is a diagnostic
/// of `context`, except that what ends the parser is told in `error`.
mlir::OwningOpRef<mlir::ModuleOp> readProgram(std::unique_ptr<llvm::MemoryBuffer> text,
                                              mlir::MLIRContext *context, std::string &error);

/// Both, one after the other.
mlir::OwningOpRef<mlir::ModuleOp> readProgram(const std::string &path, mlir::MLIRContext *context,
                                              std::string &error);

} // namespace gnnc

#endif // GNNC_LIB_DRIVER_READPROGRAM_H
