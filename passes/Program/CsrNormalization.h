//===- CsrNormalization.h - Put edges into csr order, once per graph ------===//
#ifndef GNNC_PASSES_PROGRAM_CSRNORMALIZATION_H
#define GNNC_PASSES_PROGRAM_CSRNORMALIZATION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace gnnc {

/// Kernels reduce at destinations. What reduces at the sources of a coo graph goes
/// over to the transposed graph, with what it reads of the edges: all of the graph's
/// ops, or copies of them where there are reductions at destinations too.
void turnToDestinations(mlir::func::FuncOp function, mlir::IntegerType index);

/// gnn.to_csr of the coo `graph` that takes `sources` along, with indices of type
/// `index` or narrower. The csr graph.
mlir::Value createCsr(mlir::OpBuilder &builder, mlir::Value graph, mlir::ValueRange sources,
                      mlir::IntegerType index);

/// Every coo graph of `function` that messages follow is converted by one
/// gnn.to_csr with indices of type `index`; its users and its edge tensors
/// change over. An error names the op whose edge order cannot be changed.
mlir::LogicalResult normalizeToCsr(mlir::func::FuncOp function, mlir::IntegerType index);

} // namespace gnnc

#endif // GNNC_PASSES_PROGRAM_CSRNORMALIZATION_H
