//===- WeightProduct.h - Products of rows with weights ----------*- C++ -*-===//
//
// What gnn-fold-inference knows of weights: which values depend on nothing else, and
// which matrix products are one of rows with a weight.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_PROGRAM_WEIGHTPRODUCT_H
#define GNNC_PASSES_PROGRAM_WEIGHTPRODUCT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace gnnc {

/// Known before the first run, whatever the graph.
bool isWeight(mlir::Value value);

/// A product of rows with a weight of static extents, into zeros:
/// out[n, c] = sum over k.
struct WeightProduct {
  mlir::linalg::MatmulOp op;
  mlir::Value rows, weight;
  int64_t outAxis = 0; ///< the axis of `weight` that is c
};
std::optional<WeightProduct> matchProduct(mlir::Value value);

} // namespace gnnc

#endif // GNNC_PASSES_PROGRAM_WEIGHTPRODUCT_H
