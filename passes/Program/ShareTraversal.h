//===- ShareTraversal.h - Aggregates that read the same rows --------------===//
//
// A row of a source costs a random access for each edge. Aggregates that want the
// same rows get them together: one gnn.aggregate with the results of both.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_PROGRAM_SHARETRAVERSAL_H
#define GNNC_PASSES_PROGRAM_SHARETRAVERSAL_H

#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gnnc {

/// Joins aggregates of `function` over one graph that have a source tensor in
/// common, up to `maxResults` results each. Returns how many joined another.
unsigned shareTraversals(mlir::func::FuncOp function, unsigned maxResults);

} // namespace gnnc

#endif // GNNC_PASSES_PROGRAM_SHARETRAVERSAL_H
