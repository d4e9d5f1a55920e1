//===- CsrNormalization.h - Put edges into csr order, once per graph ------===//
#ifndef GNNC_PASSES_PROGRAM_CSRNORMALIZATION_H
#define GNNC_PASSES_PROGRAM_CSRNORMALIZATION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace gnnc {

/// Kernels reduce at destinations. What reduces at the sources of a coo graph goes
/// over to the transposed graph, with all ops that read the same edges; a graph
/// whose edge tensors are reduced at both ends stays as it is.
void turnToDestinations(mlir::func::FuncOp function);

/// Every coo graph of `function` that messages follow is converted by one
/// gnn.to_csr with indices of type `index`; its users and its edge tensors
/// change over. An error names the op whose edge order cannot be changed.
mlir::LogicalResult normalizeToCsr(mlir::func::FuncOp function, mlir::IntegerType index);

} // namespace gnnc

#endif // GNNC_PASSES_PROGRAM_CSRNORMALIZATION_H
