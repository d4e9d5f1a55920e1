//===- RowRegion.h - Turn elementwise tensor ops into a row region --------===//
//
// gnn.aggregate and gnn.map compute on one row at a time. This file rewrites
// tensor code (one value per edge or per node) into such a region:
//
//   tensor<?xf32>          -> f32                 (a scalar per row)
//   tensor<?xFxf32>        -> vector<Fxf32>       (features of a row)
//   tensor<?xHxFxf32>      -> vector<HxFxf32>     (heads x features)
//   arith / math op        -> the same op on rows
//   linalg.broadcast       -> vector.broadcast    (row scalar, or a parameter)
//   linalg.reduce          -> vector.multi_reduction over features
//   linalg.generic         -> broadcasts and the ops of its body
//   linalg.contract        -> vector.contract of two operands (isRowProduct)
//   expand, collapse_shape -> vector.shape_cast
//   fill, splat constants  -> arith.constant
//   gnn.gather over graph  -> an argument for the row at that end
//   anything else          -> an argument: the tensor becomes an operand
//
// Typical use (a map over nodes; an aggregate is built by createAggregate):
//   auto ops = collectRowOps({value});     // what may move into the region
//   RowRegion body(context, /*graph=*/{}, ops);
//   body.yield(loc, {body.row(value)});
//   auto map = gnn::MapOp::create(builder, loc, types, /*graph=*/Value(),
//       body.operands(RowRole::Src), body.operands(RowRole::Dst),
//       body.operands(RowRole::Row), body.operands(RowRole::Param), Attribute());
//   map.getBody().takeBody(body.region());
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_COMMON_ROWREGION_H
#define GNNC_PASSES_COMMON_ROWREGION_H

#include "dialects/Gnn/Gnn.h"
#include "mlir/IR/Builders.h"
#include "passes/Common/Blocker.h"
#include "passes/Common/RowOps.h"
#include "passes/Common/RowWidths.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <array>
#include <memory>

namespace gnnc {

using OpSet = llvm::SetVector<mlir::Operation *>;

/// Which operand list of a row op a tensor belongs to, in the order of the
/// region's arguments. `Row` is `edge` of gnn.aggregate and `rows` of gnn.map.
enum class RowRole : unsigned { Src, Dst, Row, Param };

/// Row computations and free-to-repeat ops behind `roots` whose every use is inside
/// the set, so that they die when the roots are replaced. A use of a root's
/// value for which `isRootUse` holds counts as inside. Values that are used
/// elsewhere too are not in the set: they stay tensors and become operands.
/// `alsoTake` is taken like a row computation though it is none. A reduction of rows
/// that do not fit beside the others, and beside `widths`, stays outside.
OpSet collectRowOps(llvm::ArrayRef<mlir::Value> roots,
                    llvm::function_ref<bool(mlir::OpOperand &)> isRootUse,
                    mlir::Operation *alsoTake = nullptr, RowWidths widths = {});

/// Why `tensor` is read from memory by a region and not computed in it, when each
/// use for which `isInside` holds is part of the region; `at` is what makes it.
/// Nothing for arguments of the function, which are memory anyway.
std::optional<Blocker> findRowBlocker(mlir::Value tensor,
                                      llvm::function_ref<bool(mlir::OpOperand &)> isInside);

class RowRegion {
public:
  /// `graph`: gathers over this graph value become src and dst operands; null
  /// makes every gather an operand. `inside`: ops to compute in the region.
  /// `own`: the role of tensors that have the region's own rows (Dst in an
  /// epilogue).
  RowRegion(mlir::MLIRContext *context, mlir::Value graph, const OpSet &inside,
            RowRole own = RowRole::Row);

  /// Adds an argument before those of the operands (an epilogue's accumulator).
  mlir::BlockArgument addLeading(mlir::Type type, mlir::Location loc);
  /// From now on `row` stands for the row of `tensor`.
  void bind(mlir::Value tensor, mlir::Value row) { rows[{unsigned(own), tensor}] = row; }
  /// The argument for `tensor` in that role; added on the first request.
  mlir::Value operand(RowRole role, mlir::Value tensor);
  /// The row of `tensor`, emitted on the first request.
  mlir::Value row(mlir::Value tensor) { return row(tensor, own); }
  /// Copies the ops of another row region's block, whose arguments stand for
  /// `arguments`; returns what it yields.
  llvm::SmallVector<mlir::Value> inlineBlock(mlir::Block &from, mlir::ValueRange arguments);
  /// Ends the block with gnn.yield.
  void yield(mlir::Location loc, mlir::ValueRange values);

  /// `base` and the locations of all tensor ops that the region stands for, those
  /// that leave no trace in it (gathers, reshapes) included.
  mlir::Location location(mlir::Location base) const;

  llvm::ArrayRef<mlir::Value> operands(RowRole role) const { return lists[unsigned(role)]; }
  /// Emits further ops at the end of the region.
  mlir::OpBuilder &builder() { return build; }
  /// For Region::takeBody of the op that gets the region.
  mlir::Region &region() { return *body; }
  mlir::Block &block() { return body->front(); }

private:
  mlir::Value row(mlir::Value tensor, RowRole space);
  mlir::Value emit(mlir::Value tensor, RowRole space);
  mlir::Value emitBroadcast(mlir::Operation *op, RowRole space);
  mlir::Value emitReshape(mlir::Operation *op, RowRole space);
  mlir::Value emitReduction(mlir::Operation *op);
  mlir::Value emitGeneric(mlir::Operation *op);
  mlir::Value emitProduct(mlir::Operation *op, RowRole space);
  mlir::Value whole(mlir::Value tensor);

  mlir::OpBuilder build;
  mlir::Value graph;
  const OpSet &inside;
  RowRole own;
  std::unique_ptr<mlir::Region> body;
  unsigned numLeading = 0;
  llvm::SmallVector<mlir::Location> absorbed;
  std::array<llvm::SmallVector<mlir::Value>, 4> lists;
  llvm::DenseMap<std::pair<unsigned, mlir::Value>, mlir::Value> rows;
};

/// A scalar or vector constant of `type`, a region value.
mlir::Value createSplat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                        mlir::TypedAttr value);
/// `value` repeated to the scalar or vector type `to`. `shape` has as many extents
/// as `to`: those of `value` in order, and 1 where it is to be repeated.
mlir::Value createSpread(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                         llvm::ArrayRef<int64_t> shape, mlir::Type to);
/// `value` with elements of the wider float type `element`.
mlir::Value createWidened(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                          mlir::Type element);

/// gnn.map that computes `value`, with the ops behind it that nothing else
/// reads; over the edges of `graph` where gathers over that are among them. Null where
/// neither a graph nor an operand says how many rows there are.
gnn::MapOp createMap(mlir::OpBuilder &builder, mlir::Value value, mlir::Value graph,
                     const OpSet &inside);

/// gnn.aggregate that reduces the edge tensor `message` at the destinations of
/// `graph` and computes the ops of `inside` on the way; `result` is the type of
/// the reduced node tensor. Narrow elements are widened to `acc` in the message
/// and narrowed in an epilogue.
gnn::AggregateOp createAggregate(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value graph,
                                 gnn::ReduceKind kind, mlir::Type acc, mlir::Value message,
                                 mlir::RankedTensorType result, const OpSet &inside);

} // namespace gnnc

#endif // GNNC_PASSES_COMMON_ROWREGION_H
