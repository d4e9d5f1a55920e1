//===- RowFrame.h - The heads and features that a kernel's rows have ------===//
//
// All rows of one kernel lie in one frame of `heads` x `features`: a value of its
// regions is one number (Scalar), one number per head (Head), the features that
// all heads share (Feature), or both (Full). An aggregate of GAT with 4 heads of 64
// has scores of shape Head and messages of shape Full; a kernel without heads has
// Scalar and Feature only.
//
// Types tell the shapes except where heads and features are equally many: what a
// vector<4xf32> is in a frame of 4 x 4 follows from the ops it meets.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_KERNEL_ROWFRAME_H
#define GNNC_PASSES_KERNEL_ROWFRAME_H

#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace gnnc {

/// Picked: a row of another width, of which a region takes single numbers only; every
/// thread holds all of them. Stored: a factor of a vector.contract (the features of an
/// edge and the weight they are multiplied with); threads hold its address.
enum class RowShape : uint8_t { Scalar, Head, Feature, Full, Picked, Stored };

/// The axes that a reduction of a value removes.
struct ReducedAxes {
  bool heads = false, features = false;
};

/// Whether the regions take nothing but single numbers of `row`, an argument of one.
bool isPicked(mlir::Value row);
/// Whether the regions do nothing with `row`, an argument of one or one with wider
/// elements, but multiply with it.
bool isStored(mlir::Value row);
/// The argument that `row`, a stored one, is or has the elements of.
mlir::BlockArgument storedArgument(mlir::Value row);

class RowFrame {
public:
  /// The frame of a gnn.aggregate or gnn.map. Fails with a diagnostic where its
  /// rows fit no frame.
  static mlir::FailureOr<RowFrame> get(mlir::Operation *op);

  int64_t heads = 1, features = 1;
  /// Some op of a region reduces over them: one thread (host) or one group of lanes
  /// (GPU) holds all of them.
  ReducedAxes reduces;
  /// Messages are outer products of numbers per head and a source row: one read of the
  /// row serves all heads (attention over rows before their product).
  bool sharesRows = false;
  /// Who holds some features of a head holds them of all heads.
  bool holdsHeads() const { return reduces.heads || sharesRows; }

  /// The shape of a value of `op`'s regions.
  RowShape shapeOf(mlir::Value value) const;
  /// The shape of a type that has only one; `Feature` where it is in doubt.
  RowShape shapeOf(mlir::Type type) const;
  /// Elements of a value of that shape.
  int64_t numElements(RowShape shape) const;
  /// What `op`, a vector.multi_reduction, removes of its source.
  ReducedAxes reducedAxes(mlir::vector::MultiDimReductionOp op) const;

private:
  bool isAmbiguous(mlir::Type type) const;
  llvm::DenseMap<mlir::Value, RowShape> known;
  friend class FrameBuilder;
};

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_ROWFRAME_H
