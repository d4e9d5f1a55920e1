//===- Rewrite.h - Apply patterns, and hear why some did not match --------===//
//
// In: an operation and patterns. Out: the operation rewritten, and for each pattern
// that left an op alone the reason it gave to notifyMatchFailure, as an analysis
// remark (gnn-opt --remarks-filter-analyse=gnn-.*). Not a missed remark: a pattern
// looks at many ops that are none of its business, which no user wants explained.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_COMMON_REWRITE_H
#define GNNC_PASSES_COMMON_REWRITE_H

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace gnnc {

/// applyPatternsGreedily for the pass with that argument ("gnn-..."); when it does not
/// converge, the failure is an error at `root`.
mlir::LogicalResult applyPatterns(mlir::Operation *root,
                                  const mlir::FrozenRewritePatternSet &patterns,
                                  llvm::StringRef pass, mlir::GreedyRewriteConfig config = {});

} // namespace gnnc

#endif // GNNC_PASSES_COMMON_REWRITE_H
