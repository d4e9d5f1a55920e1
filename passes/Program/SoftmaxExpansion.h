//===- SoftmaxExpansion.h - Edge softmax as scatters and gathers ----------===//
//
// For passes that cannot keep gnn.segment_softmax whole: gnn-expand-softmax, and
// hoisting where one end's softmax is summed up at the other end.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_PROGRAM_SOFTMAXEXPANSION_H
#define GNNC_PASSES_PROGRAM_SOFTMAXEXPANSION_H

#include "dialects/Gnn/Gnn.h"
#include "mlir/IR/Builders.h"

namespace gnnc {

/// exp(scores - max) / (sum + 1e-16) over the edges of each node, before `op`;
/// its graph form only.
mlir::Value createExpandedSoftmax(mlir::OpBuilder &builder, gnn::SegmentSoftmaxOp op);

} // namespace gnnc

#endif // GNNC_PASSES_PROGRAM_SOFTMAXEXPANSION_H
