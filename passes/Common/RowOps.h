//===- RowOps.h - Which tensor ops compute row by row ---------------------===//
//
// One answer for all passes: an op that is in a class below has a form on rows
// (RowRegion), so it can be computed inside of gnn.aggregate and gnn.map, where
// its tensor need not exist.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_COMMON_ROWOPS_H
#define GNNC_PASSES_COMMON_ROWOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace gnnc {

/// What reads the value; asking for its size is not reading.
llvm::SmallVector<mlir::OpOperand *> readersOf(mlir::Value value);
bool hasOneReader(mlir::Value value);

/// A tensor of rank 1 to 3: row counts may be `?`, the features of a row must be
/// static, since a region sees them as a vector.
bool hasStaticFeatures(mlir::Type type);

/// An arith or math op on ranked tensors of one shape with static features,
/// element by element; it has one result and no effects.
bool isElementwise(mlir::Operation *op);

/// linalg.reduce over features (never over rows) by one op, from a splat.
bool isRowReduction(mlir::Operation *op);
/// The reduction that the body of `reduce` computes, if it is one op.
std::optional<mlir::vector::CombiningKind> combinerOf(mlir::linalg::ReduceOp reduce);

/// linalg.generic that is elementwise but for operands it broadcasts: its loops
/// are parallel, its one result is indexed by all of them in order, each operand
/// by some of them in order (or by 0 where its extent is 1), and its body uses
/// arith and math. Operands that the row loop does not index are parameters.
bool isRowGeneric(mlir::Operation *op);

/// linalg.contract of rows with a parameter, into zeros: out[n, c] = sum over k of
/// rows[n, k] * weight[k, c]. Where the rows are walked each is multiplied, and needs
/// to be no operand of a dense product.
bool isRowProduct(mlir::Operation *op);

/// Any of the four above: work that is done once per row.
bool isRowComputation(mlir::Operation *op);

/// tensor.expand_shape or collapse_shape of features: row i stays row i.
bool isRowReshape(mlir::Operation *op);

/// A tensor that a region can see whole: static, of rank 1 to 3, known to be a
/// splat, or one number that tensor.collapse_shape makes of such a tensor.
bool isParameter(mlir::Value tensor);

/// linalg.broadcast of rows, or of a parameter to all rows.
bool isRowBroadcast(mlir::Operation *op);

/// tensor.cast that changes what is known of the row count only.
bool isRowCountCast(mlir::Operation *op);

/// The one value all elements of `tensor` have when that is known: a splat
/// constant, linalg.fill or tensor.splat of a constant. Null otherwise.
mlir::TypedAttr splatValue(mlir::Value tensor);
/// Whether all elements of `tensor` are known to be 0.0 (of either sign).
bool isZeroSplat(mlir::Value tensor);

/// Ops that a region repeats instead of reading their result from memory: splat
/// values, broadcasts, reshapes of features, and casts of the row count.
bool isFreeToRepeat(mlir::Operation *op);

} // namespace gnnc

#endif // GNNC_PASSES_COMMON_ROWOPS_H
