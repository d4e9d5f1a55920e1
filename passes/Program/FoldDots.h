//===- FoldDots.h - Dot products behind a product go into its weight ------===//
#ifndef GNNC_PASSES_PROGRAM_FOLDDOTS_H
#define GNNC_PASSES_PROGRAM_FOLDDOTS_H

#include "mlir/IR/PatternMatch.h"

namespace gnnc {

/// Adds the pattern of FoldDots.cpp, which counts its rewrites in `numFolded`.
void addFoldDots(mlir::RewritePatternSet &patterns, unsigned &numFolded);

} // namespace gnnc

#endif // GNNC_PASSES_PROGRAM_FOLDDOTS_H
