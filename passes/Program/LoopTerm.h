//===- LoopTerm.h - An aggregate over its edges and one loop per node -----===//
//
// Input: an aggregate over a graph that has one loop at each node. Output: the
// same over the other edges alone, with what the loop adds computed in the
// epilogue: the message of a loop reads the node's own row at both ends.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_PROGRAM_LOOPTERM_H
#define GNNC_PASSES_PROGRAM_LOOPTERM_H

#include "dialects/Gnn/Gnn.h"
#include "mlir/IR/Builders.h"
#include "passes/Common/Blocker.h"

namespace gnnc {

/// Why the message of a loop cannot be computed in the epilogue; nothing when it can.
std::optional<Blocker> findLoopTermBlocker(gnn::AggregateOp aggregate);

/// Whether the term needs the number of edges, loop included, of each node: a mean
/// divides by it, and the maximum over no edge is 0.
bool needsEdgeCount(gnn::AggregateOp aggregate);

/// Replaces `aggregate`, whose graph has lost its loops, by one that adds their
/// terms. `rows` are what its edge tensors have for the loop of each node; `counts` is
/// a number per node, or null where it is not needed.
void addLoopTerm(gnn::AggregateOp aggregate, mlir::ValueRange rows, mlir::Value counts);

} // namespace gnnc

#endif // GNNC_PASSES_PROGRAM_LOOPTERM_H
