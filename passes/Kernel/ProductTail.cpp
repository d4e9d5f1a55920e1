//===- ProductTail.cpp - A matrix product and what joins it ---------------===//
#include "passes/Kernel/ProductTail.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/Common/HeadProduct.h"
#include "passes/Common/RowRegion.h"

using namespace mlir;
using namespace gnnc;

Location Product::location() {
  SmallVector<Location> parts{matmul->getLoc()};
  for (Operation *part : {add.getOperation(), sum.getOperation(), relu.getOperation()})
    if (part)
      parts.push_back(part->getLoc());
  if (broadcast)
    parts.push_back(broadcast.getLoc());
  return FusedLoc::get(matmul->getContext(), parts);
}

OpOperand *gnnc::singleRealUse(Value value) {
  OpOperand *found = nullptr;
  for (OpOperand &use : value.getUses()) {
    if (isa<tensor::DimOp>(use.getOwner()))
      continue;
    if (found)
      return nullptr;
    found = &use;
  }
  return found;
}

static Value otherOperand(OpOperand &use) {
  return use.getOwner()->getOperand(1 - use.getOperandNumber());
}

/// Holds a tensor in memory whatever reads it: an argument, a product, an aggregate.
static bool isStored(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || isa<linalg::MatmulOp, gnn::AggregateOp, func::CallOp>(op) ||
         HeadProduct::match(value);
}

bool gnnc::isHeadProduct(Operation &op) {
  if (isa<tensor::CollapseShapeOp>(op))
    return HeadProduct::match(op.getResult(0)) && singleRealUse(op.getOperand(0));
  if (!isa<linalg::ContractOp>(op) || !HeadProduct::match(op.getResult(0)))
    return false;
  OpOperand *use = singleRealUse(op.getResult(0));
  return !use || !isHeadProduct(*use->getOwner());
}

/// + bias, when that is what reads the product next and it has none yet.
static bool takeBias(Product &product, OpOperand *use) {
  auto add = dyn_cast<arith::AddFOp>(use->getOwner());
  auto rows = add ? otherOperand(*use).getDefiningOp<linalg::BroadcastOp>() : nullptr;
  if (product.add || !rows || rows.getDimensions() != ArrayRef<int64_t>{0})
    return false;
  product.add = add;
  product.broadcast = rows;
  product.bias = rows.getInput();
  product.append(add);
  return true;
}

/// + a stored tensor, likewise.
static bool takeResidual(Product &product, OpOperand *use) {
  auto sum = dyn_cast<arith::AddFOp>(use->getOwner());
  if (product.sum || !sum)
    return false;
  Value other = otherOperand(*use);
  if (other == use->get() || !isStored(other))
    return false;
  product.sum = sum;
  product.residual = other;
  product.append(sum);
  return true;
}

Product gnnc::matchProductTail(Operation *matmul) {
  Product product;
  product.matmul = matmul;
  product.append(matmul);
  OpOperand *use = singleRealUse(product.result());
  // In either order; the kernel adds the bias first.
  while (use && (takeBias(product, use) || takeResidual(product, use)))
    use = singleRealUse(product.result());
  if (use)
    if (auto relu = dyn_cast<arith::MaximumFOp>(use->getOwner()))
      if (isZeroSplat(otherOperand(*use))) {
        product.relu = relu;
        product.append(relu);
      }
  return product;
}

Blocker gnnc::findTailBlocker(Product &product) {
  Operation *op = product.matmul;
  OpOperand *use = singleRealUse(product.result());
  if (!use)
    return Blocker(op, "the value of the product is read in more than one place");
  if (use->getOwner()->hasTrait<OpTrait::IsTerminator>())
    return Blocker(op, "the value of the product is returned");
  return Blocker(use->getOwner(),
                 "products of the library take a bias, a stored tensor and a ReLU along, not '" +
                     use->getOwner()->getName().getStringRef() + "'");
}
