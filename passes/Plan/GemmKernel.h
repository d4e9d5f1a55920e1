//===- GemmKernel.h - Recognise a kernel function that is a dense product -===//
#ifndef GNNC_PASSES_PLAN_GEMMKERNEL_H
#define GNNC_PASSES_PLAN_GEMMKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gnnc {

/// result = relu?(a * op(b) + bias? + residual?), each operand an argument of the
/// function. Several heads are as many products, as in gnn_plan.gemm.
struct GemmKernel {
  unsigned a, b; ///< numbers of function arguments
  std::optional<unsigned> bias, residual;
  int64_t heads = 1;
  bool beside = false, transposeB = false;
  bool relu = false;
};

/// Matches a function with `gnn.kernel = "gemm"`: linalg.matmul onto zeros, or a product
/// for each head with the heads side by side in the result (linalg.contract), then
/// optionally a bias broadcast over the rows and a tensor of the result's extents,
/// in this order, then optionally a maximum with zero. Anything else in the function is an error
/// that names the op.
mlir::FailureOr<GemmKernel> matchGemmKernel(mlir::func::FuncOp kernel);

} // namespace gnnc

#endif // GNNC_PASSES_PLAN_GEMMKERNEL_H
