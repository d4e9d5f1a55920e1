//===- KernelBody.h - What a kernel computes, whatever its target ---------===//
//
// The two lowerings differ in how rows and features are handed out and in how
// memory is addressed. What happens to one row of one tile is the same and is
// here: which rows are loaded for an edge, the message, the step of the
// reductions, the epilogue, the stores.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_KERNEL_KERNELBODY_H
#define GNNC_PASSES_KERNEL_KERNELBODY_H

#include "passes/Kernel/KernelAbi.h"
#include "passes/Kernel/Reduction.h"
#include "passes/Kernel/RowEmitter.h"

namespace gnnc {

/// The addresses a kernel got, by what they stand for.
struct KernelAddresses {
  llvm::DenseMap<unsigned, mlir::Value> operands; ///< by argument of the function
  llvm::SmallVector<mlir::Value> results;
  mlir::Value rowPtr, col, items, splits, workspace, sources, count;

  /// Sorts `values` (one per parameter of `entry`) into their places.
  static KernelAddresses sort(const KernelEntry &entry, mlir::ValueRange values);
};

/// One edge, or one row where there are no edges. All i64.
struct EdgeIndex {
  mlir::Value src, dst, edge;
};

/// The work of one gnn.aggregate or gnn.map on one tile of heads and features.
class KernelBody {
public:
  KernelBody(mlir::Operation *op, const KernelAddresses &addresses, RowEmitter &rows,
             mlir::OpBuilder &builder, RowEmitter::Access access);

  /// Loads the `param` rows; call where they can stay for the whole tile.
  void loadParams();
  /// Loads the rows of destination `dst`; call once per row.
  void loadDestination(mlir::Value dst);

  /// Accumulators before the first edge, flattened over pieces.
  llvm::SmallVector<mlir::Value> start();
  /// The source and edge rows of one edge; may be called ahead of `step`.
  llvm::SmallVector<Row> loadEdge(const EdgeIndex &index);
  /// Accumulators after the edge whose rows are `loaded`.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> step(llvm::ArrayRef<mlir::Value> accumulators,
                                                       llvm::ArrayRef<Row> loaded);
  /// Accumulators merged with partial ones.
  llvm::SmallVector<mlir::Value> merge(llvm::ArrayRef<mlir::Value> a,
                                       llvm::ArrayRef<mlir::Value> b);
  /// Reduction's end, epilogue and stores of row `dst`, which has `count` (i32) edges.
  mlir::LogicalResult finish(llvm::ArrayRef<mlir::Value> accumulators, mlir::Value dst,
                             mlir::Value count);
  /// Partial accumulators to and from workspace slot `slot` (i64).
  void storePartial(llvm::ArrayRef<mlir::Value> accumulators, mlir::Value slot);
  llvm::SmallVector<mlir::Value> loadPartial(mlir::Value slot);

  /// gnn.map: body and stores for one edge or row.
  mlir::LogicalResult map(const EdgeIndex &index);

  /// Asks for the source rows of node `src` ahead of their use (host).
  void prefetch(mlir::Value src);
  bool readsSources() const { return !used(sources).empty(); }

private:
  struct Operand {
    unsigned argument;           ///< of the kernel function
    mlir::BlockArgument message; ///< null where the region has no such argument
    mlir::BlockArgument epilogue;
    mlir::RankedTensorType type;
    RowShape shape = RowShape::Scalar;
    bool isUsed() const {
      return (message && !message.use_empty()) || (epilogue && !epilogue.use_empty());
    }
  };
  static llvm::SmallVector<const Operand *> used(llvm::ArrayRef<Operand> operands);
  Row load(const Operand &operand, mlir::Value index);
  llvm::SmallVector<Row> unflatten(llvm::ArrayRef<mlir::Value> values);
  mlir::Value slotAddress(mlir::Value slot, unsigned accumulator);
  void store(llvm::ArrayRef<Row> results, mlir::ValueRange yielded, mlir::Value index);

  mlir::Operation *op;
  const KernelAddresses &addresses;
  RowEmitter &rows;
  mlir::OpBuilder &builder;
  RowEmitter::Access access;
  mlir::Location loc;
  llvm::SmallVector<Operand> sources, destinations, edges, params;
  llvm::SmallVector<Row> paramRows, destinationRows;
  llvm::SmallVector<Accumulator> accumulators; ///< of an aggregate
};

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_KERNELBODY_H
