//===- SourceOps.h - The ops of a program, recognisable to the end --------===//
//
// Passes replace ops, but keep locations honest: what computes several ops has the
// locations of all. So each op of the source gets a name in its location before
// the first pass, and the command of the plan that carries the name computes it.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_EXPLAIN_SOURCEOPS_H
#define GNNC_LIB_EXPLAIN_SOURCEOPS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace gnnc::explain {

struct SourceOp {
  std::string name;  ///< "gnn.scatter"
  std::string where; ///< "gcn.mlir:12:5"
  std::string type;  ///< of its first result
  /// Computes something; sizes, constants, fills and broadcasts do not.
  bool isWork = false;
  bool isDead = false; ///< no result of its function depends on it
};

/// Lists the ops in the bodies of all functions of `module` in their order, without
/// terminators and without ops in regions of ops, and names each in its location.
std::vector<SourceOp> tagSourceOps(mlir::ModuleOp module);

/// Numbers of the source ops that `location` names, in their order.
std::vector<unsigned> sourceOpsAt(mlir::Location location);

} // namespace gnnc::explain

#endif // GNNC_LIB_EXPLAIN_SOURCEOPS_H
