//===- GemmKernel.cpp - Recognise a kernel function that is a dense product ==//
#include "passes/Plan/GemmKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "passes/Common/HeadProduct.h"
#include "passes/Common/RowOps.h"

using namespace mlir;
using namespace gnnc;

static bool isZeros(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
  if (auto splat = value.getDefiningOp<tensor::SplatOp>())
    return matchPattern(splat.getInput(), m_AnyZeroFloat());
  return matchPattern(value, m_AnyZeroFloat());
}

/// Sizes, zeros and broadcasts: no work of their own.
static bool isNoise(Operation *op) {
  return isa<tensor::EmptyOp, tensor::DimOp, tensor::SplatOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, linalg::FillOp, linalg::BroadcastOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

/// The other operand of `op` when one of its two satisfies `predicate`.
static Value otherOperand(Operation *op, function_ref<bool(Value)> predicate) {
  for (unsigned i : {1, 0})
    if (predicate(op->getOperand(i)))
      return op->getOperand(1 - i);
  return {};
}

/// The vector that `value` repeats in every row, or null.
static Value rowBroadcast(Value value) {
  auto broadcast = value.getDefiningOp<linalg::BroadcastOp>();
  bool perColumn = broadcast && broadcast.getDimensions() == ArrayRef<int64_t>{0} &&
                   cast<ShapedType>(broadcast.getInput().getType()).getRank() == 1;
  return perColumn ? broadcast.getInput() : Value();
}

/// True (false) when the second operand of `matmul` is [n, k] ([k, n]); nothing
/// when its maps are those of no product of matrices.
static std::optional<bool> isTransposed(linalg::MatmulOp matmul) {
  MLIRContext *context = matmul.getContext();
  AffineExpr m, n, k;
  bindDims(context, m, n, k);
  auto map = [&](AffineExpr a, AffineExpr b) { return AffineMap::get(3, 0, {a, b}, context); };
  SmallVector<AffineMap> maps = matmul.getIndexingMapsArray();
  if (maps[0] != map(m, k) || maps[2] != map(m, n))
    return std::nullopt;
  if (maps[1] == map(n, k))
    return true;
  if (maps[1] == map(k, n))
    return false;
  return std::nullopt;
}

FailureOr<GemmKernel> gnnc::matchGemmKernel(func::FuncOp kernel) {
  if (kernel.isExternal() || !llvm::hasSingleElement(kernel.getBody()) ||
      kernel.getNumResults() != 1)
    return kernel.emitError("a gemm kernel is a function with a body and one result");
  GemmKernel gemm;
  Operation *terminator = kernel.front().getTerminator();
  Value value = terminator->getOperand(0);
  DenseSet<Operation *> matched{terminator};
  if (auto max = value.getDefiningOp<arith::MaximumFOp>()) {
    Value inner = otherOperand(max, isZeros);
    if (!inner)
      return max.emitError("a gemm kernel takes a maximum with zeros only");
    gemm.relu = true;
    matched.insert(max);
    value = inner;
  }
  auto argumentNumber = [&](Operation *user, Value operand, StringRef what) -> FailureOr<unsigned> {
    if (auto argument = dyn_cast<BlockArgument>(operand))
      return argument.getArgNumber();
    return user->emitError() << "the " << what << " of a gemm kernel is an argument of @"
                             << kernel.getName() << ", found the result of "
                             << operand.getDefiningOp()->getName();
  };
  // An argument is the residual, the other operand of its sum comes of the product.
  if (auto add = value.getDefiningOp<arith::AddFOp>())
    if (Value inner =
            otherOperand(add, [](Value operand) { return isa<BlockArgument>(operand); })) {
      Value residual = add.getLhs() == inner ? add.getRhs() : add.getLhs();
      gemm.residual = cast<BlockArgument>(residual).getArgNumber();
      matched.insert(add);
      value = inner;
    }
  if (auto add = value.getDefiningOp<arith::AddFOp>()) {
    Value bias;
    Value inner = otherOperand(add, [&](Value operand) {
      Value row = rowBroadcast(operand);
      bias = row ? row : bias;
      return !!row;
    });
    if (!inner)
      return add.emitError(
          "a gemm kernel adds an argument and, before it, a bias that is broadcast over "
          "the rows");
    FailureOr<unsigned> number = argumentNumber(add, bias, "bias");
    if (failed(number))
      return failure();
    gemm.bias = number;
    matched.insert(add);
    value = inner;
  }
  Value left, right;
  Operation *product;
  if (auto heads = HeadProduct::match(value)) {
    product = heads->op;
    left = heads->rows;
    right = heads->weight;
    gemm.heads = heads->heads;
    gemm.beside = heads->beside;
    gemm.transposeB = heads->transposed;
  } else {
    auto matmul = value.getDefiningOp<linalg::MatmulOp>();
    if (!matmul)
      return (value.getDefiningOp() ? value.getDefiningOp() : terminator)
          ->emitError(
              "expected linalg.matmul in a gemm kernel, optionally with a bias, a residual, "
              "then a ReLU");
    std::optional<bool> transposed = isTransposed(matmul);
    if (!transposed)
      return matmul.emitError("a gemm kernel multiplies [m, k] by [k, n] or [n, k]; these indexing "
                              "maps do something else");
    gemm.transposeB = *transposed;
    if (!isZeros(matmul.getOutputs()[0]))
      return matmul.emitError("a gemm kernel starts from zeros; it cannot add to a tensor");
    // A matrix whose rows were of another shape is read as it lies in memory.
    left = matmul.getInputs()[0];
    right = matmul.getInputs()[1];
    product = matmul;
    while (isRowReshape(left.getDefiningOp()))
      left = left.getDefiningOp()->getOperand(0);
  }
  matched.insert(product);
  FailureOr<unsigned> a = argumentNumber(product, left, "left operand");
  FailureOr<unsigned> b = argumentNumber(product, right, "right operand");
  if (failed(a) || failed(b))
    return failure();
  gemm.a = *a;
  gemm.b = *b;
  for (Operation &op : kernel.front())
    if (!matched.contains(&op) && !isNoise(&op))
      return op.emitError(
          "has no place in a gemm kernel: linalg.matmul, a bias, a residual, a ReLU");
  return gemm;
}
