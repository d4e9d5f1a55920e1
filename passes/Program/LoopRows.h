//===- LoopRows.h - What edge tensors have in the row of a loop -*- C++ -*-===//
//
// Input: edge tensors of a graph with one loop at each node, and tensors of nodes
// that hold the loops' rows. Output: the same for all that is computed from them,
// row by row.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_PROGRAM_LOOPROWS_H
#define GNNC_PASSES_PROGRAM_LOOPROWS_H

#include "passes/Common/Blocker.h"
#include "passes/Program/PreparedProgram.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace gnnc {

class LoopRows {
public:
  explicit LoopRows(PreparedProgram &program) : program(program) {}

  /// Takes `edges`, and what is computed from it, into the set of edge tensors whose
  /// loops' rows are known; or says what stands in the way.
  std::optional<Blocker> follow(mlir::Value edges);
  /// Once all are followed: what reads an edge tensor outside of the set.
  std::optional<Blocker> findStranger() const;
  bool contains(mlir::Value edges) const { return known.contains(edges); }

  /// States the rows of a tensor that nothing here computes.
  void set(mlir::Value edges, mlir::Value ofNodes) { rows[edges] = ofNodes; }
  /// The loops' rows of a followed tensor, one per node, in the same function.
  mlir::Value get(mlir::Value edges);

private:
  mlir::Value copy(mlir::Operation *op);

  PreparedProgram &program;
  llvm::SetVector<mlir::Value> known;
  llvm::DenseMap<mlir::Value, mlir::Value> rows;
};

} // namespace gnnc

#endif // GNNC_PASSES_PROGRAM_LOOPROWS_H
