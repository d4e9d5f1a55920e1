//===- HeadProduct.h - One matrix product for each head -------------------===//
//
// tensor<N x H*C> whose columns are H windows: window h of a row is the product of
// window h of the row of tensor<N x H x K> with matrix h of a weight. It is written
//
//   %w3 = tensor.expand_shape %weight       the heads of the weight apart
//   %y3 = linalg.contract (n, h, k), (h, c, k) -> (n, h, c) into zeros
//   %y  = tensor.collapse_shape %y3         heads side by side
//
// with the axes of the weight in any order but that heads come first or second.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_COMMON_HEADPRODUCT_H
#define GNNC_PASSES_COMMON_HEADPRODUCT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <optional>

namespace gnnc {

struct HeadProduct {
  mlir::linalg::ContractOp op;
  mlir::Value rows;   ///< N x H x K
  mlir::Value weight; ///< a matrix: [H*C, K], [K, H*C], [H*K, C] or [C, H*K]
  int64_t heads = 1;
  bool beside = false;     ///< heads are windows of the weight's columns, not of its rows
  bool transposed = false; ///< the matrices are [C, K]

  /// The product that `value` is; none when it is something else.
  static std::optional<HeadProduct> match(mlir::Value value);
  /// N x H*C; rows and weight as above.
  static mlir::Value create(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value rows,
                            mlir::Value weight, bool beside, bool transposed);
};

} // namespace gnnc

#endif // GNNC_PASSES_COMMON_HEADPRODUCT_H
