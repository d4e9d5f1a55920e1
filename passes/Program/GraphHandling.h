//===- GraphHandling.h - What passes on self loops and norms share --------===//
//
// Which tensors have a row for each edge of a graph, and which of them weighs the
// edges; tensors of the shape of another.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_PROGRAM_GRAPHHANDLING_H
#define GNNC_PASSES_PROGRAM_GRAPHHANDLING_H

#include "passes/Common/Blocker.h"
#include "passes/Common/RowSpaces.h"

namespace gnnc {

/// `value` was made in an order of edges that is not the graph's own doing: an
/// argument, or what came with added or removed loops.
bool isEdgeSource(mlir::Value value);
/// Computed row by row from other edge tensors, or gathered from nodes.
bool isComputedByRow(mlir::Value value);

/// The weights of the edges of `graph`: the one source among its edge tensors that
/// has a number per edge, or null. A blocker when there are several.
std::optional<Blocker> findEdgeWeights(mlir::func::FuncOp function, mlir::Value graph,
                                       const RowSpaces &spaces, mlir::Value &weights);

/// Ops that send messages along, or count, the edges of their graph operand.
bool followsEdges(mlir::Operation *op);

/// Success when `value` is one of `known`; `what` names pass and option.
mlir::LogicalResult checkChoice(mlir::Operation *op, llvm::StringRef what, llvm::StringRef value,
                                std::initializer_list<llvm::StringRef> known);

/// A tensor like `like`, every element of which is `value`.
mlir::Value createFilledLike(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value like,
                             double value);
/// Numbers that `value` repeats along all features of their row, or null.
mlir::Value repeatedNumbers(mlir::Value value);
/// One number a row, repeated to the shape and element type of `like`.
mlir::Value createRepeatedLike(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value numbers,
                               mlir::Value like);

} // namespace gnnc

#endif // GNNC_PASSES_PROGRAM_GRAPHHANDLING_H
