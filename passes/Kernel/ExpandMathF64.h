//===- ExpandMathF64.h - Math functions of f64 as arithmetic ----*- C++ -*-===//
#ifndef GNNC_PASSES_KERNEL_EXPANDMATHF64_H
#define GNNC_PASSES_KERNEL_EXPANDMATHF64_H

#include "mlir/IR/PatternMatch.h"

namespace gnnc {

/// Patterns that write exp, exp2, expm1, log, log2, log10, log1p, tanh, cosh, erf,
/// erfc, atan and round of f64 scalars and vectors as arithmetic.
void populateF64MathPatterns(mlir::RewritePatternSet &patterns);

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_EXPANDMATHF64_H
