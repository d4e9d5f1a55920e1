//===- Signature.h - By what a kernel is known in the database ------------===//
#ifndef GNNC_LIB_TUNE_SIGNATURE_H
#define GNNC_LIB_TUNE_SIGNATURE_H

#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace gnnc::tune {

struct Signature {
  std::string key;   ///< the same for kernels of one structure, types, target and chip
  std::string about; ///< "aggregate sum, rows of 256xf32"
};

/// Of a kernel function, whatever its name, schedule and place.
Signature signatureOf(mlir::func::FuncOp kernel, gnn::TargetAttr target);

/// A number of 128 bits as text, the same for the same text on every machine.
std::string digest(llvm::StringRef text);

} // namespace gnnc::tune

#endif // GNNC_LIB_TUNE_SIGNATURE_H
