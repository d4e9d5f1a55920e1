//===- RowSpaces.h - Which tensors of a function share their rows ---------===//
//
// Idea: two tensors are in one space when row i of one and row i of the other
// belong to the same node, or to the same edge in the same order. gnn ops say
// which space their operands are in; elementwise and row-wise linalg ops carry
// it on. Fills, splats and broadcast parameters have the same row everywhere
// and are in no space: they fit all.
//
// Used to find the edge tensors that must follow when a graph's edges are put
// into another order, and to take row counts from arguments instead of
// tensors that fusion wants to remove.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_COMMON_ROWSPACES_H
#define GNNC_PASSES_COMMON_ROWSPACES_H

#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace gnnc {

class RowSpaces {
public:
  enum Axis : unsigned { Rows, Dst, Src, Edges };

  explicit RowSpaces(mlir::func::FuncOp function);

  /// Space of a tensor's rows (axis Rows) or of one axis of a graph; -1 when the
  /// value is in no space.
  int of(mlir::Value value, Axis axis = Rows) const;
  /// The tensors in a space: arguments first, then in the order of the function.
  llvm::ArrayRef<mlir::Value> members(int space) const;
  /// The axes of graphs in a space, in the order of the function.
  llvm::SmallVector<std::pair<mlir::Value, Axis>> axes(int space) const;

  /// True when `op` computes row i of its result from row i of the operand
  /// `use` alone (and of others in the same space).
  static bool isRowwise(mlir::OpOperand &use);

private:
  using Key = std::pair<mlir::Value, unsigned>;
  int find(Key key);
  int root(int node) const;
  void join(Key a, Key b);
  void addOp(mlir::Operation *op);
  void joinTensors(mlir::Value a, mlir::Value b);

  llvm::DenseMap<Key, int> nodes;
  llvm::SmallVector<int> parents;
  llvm::SmallVector<Key> keys;
  llvm::DenseMap<int, llvm::SmallVector<mlir::Value>> tensors; ///< of each root
};

/// Replaces every tensor.dim of a row count by that of an argument in the same
/// space, where there is one (inputs first), or else of the first tensor in the
/// space. A count then keeps nothing alive that fusion could remove. Returns the
/// number of ops that changed.
unsigned takeRowCountsFromArguments(mlir::func::FuncOp function);

} // namespace gnnc

#endif // GNNC_PASSES_COMMON_ROWSPACES_H
