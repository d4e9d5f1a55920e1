//===- SoftmaxMessage.h - Messages weighed by an edge softmax -------------===//
//
// sum over e of row(e) * softmax(score)(e) is one traversal of its own kind: the
// softmax is not computed before, but kept up while the rows are added. This file
// finds the softmax in the product that makes a message and builds the aggregate.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_PROGRAM_SOFTMAXMESSAGE_H
#define GNNC_PASSES_PROGRAM_SOFTMAXMESSAGE_H

#include "passes/Common/Blocker.h"
#include "passes/Common/RowRegion.h"

namespace gnnc {

struct SoftmaxMessage {
  gnn::SegmentSoftmaxOp softmax;
  /// The multiplication by the softmax, and what is multiplied.
  mlir::Operation *product;
  mlir::Value row;
};

/// The softmax over the edges of `graph` at dst that is a factor of `message`: of
/// the message itself, or of a factor of it, seen through reshapes of features.
std::optional<SoftmaxMessage> findSoftmaxMessage(mlir::Value message, mlir::Value graph);

/// Why the softmax cannot join the traversal; nothing when it can.
std::optional<Blocker> findSoftmaxBlocker(const SoftmaxMessage &found, mlir::Value message);

/// gnn.aggregate with the reduction softmax for the sum of `message` at the
/// destinations of `graph`; the epilogue divides by the denominator + 1e-16.
/// `inside` holds the softmax besides the ops that the region computes.
gnn::AggregateOp createSoftmaxAggregate(mlir::OpBuilder &builder, mlir::Location loc,
                                        mlir::Value graph, mlir::Type acc,
                                        const SoftmaxMessage &found, mlir::Value message,
                                        mlir::RankedTensorType result, const OpSet &inside);

} // namespace gnnc

#endif // GNNC_PASSES_PROGRAM_SOFTMAXMESSAGE_H
