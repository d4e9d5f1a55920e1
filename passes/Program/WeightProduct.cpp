//===- WeightProduct.cpp - Products of rows with weights ------------------===//
#include "passes/Program/WeightProduct.h"

#include "dialects/Gnn/Gnn.h"
#include "passes/Common/RowOps.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

bool gnnc::isWeight(Value value) {
  SmallVector<Value> worklist{value};
  DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
      if (!function || !function.getArgAttr(argument.getArgNumber(), kWeightAttr))
        return false;
      continue;
    }
    Operation *op = next.getDefiningOp();
    // Graphs and sizes are known when a graph is bound, and no tensor of weights.
    if (!isMemoryEffectFree(op) || isa<tensor::DimOp>(op) || isa<GnnDialect>(op->getDialect()))
      return false;
    llvm::append_range(worklist, op->getOperands());
  }
  return true;
}

std::optional<WeightProduct> gnnc::matchProduct(Value value) {
  auto op = value.getDefiningOp<linalg::MatmulOp>();
  if (!op)
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  MLIRContext *context = op.getContext();
  AffineExpr n, c, k;
  bindDims(context, n, c, k);
  auto isMap = [&](unsigned i, AffineExpr a, AffineExpr b) {
    return maps[i] == AffineMap::get(3, 0, {a, b}, context);
  };
  if (!isZeroSplat(op.getDpsInitOperand(0)->get()) || !isMap(0, n, k) || !isMap(2, n, c) ||
      !(isMap(1, c, k) || isMap(1, k, c)) || !isWeight(op.getInputs()[1]) ||
      !cast<RankedTensorType>(op.getInputs()[1].getType()).hasStaticShape())
    return std::nullopt;
  return WeightProduct{op, op.getInputs()[0], op.getInputs()[1], isMap(1, c, k) ? 0 : 1};
}
