//===- HeadProduct.cpp - One matrix product for each head -----------------===//
#include "passes/Common/HeadProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Common/RowOps.h"

using namespace mlir;
using namespace gnnc;

/// Loops: row, head, column, and the one that is summed over.
static SmallVector<AffineMap, 3> mapsOf(MLIRContext *context, bool beside, bool transposed) {
  AffineExpr n, h, c, k;
  bindDims(context, n, h, c, k);
  SmallVector<AffineExpr, 3> weight =
      transposed ? SmallVector<AffineExpr, 3>{c, k} : SmallVector<AffineExpr, 3>{k, c};
  weight.insert(weight.begin() + beside, h);
  return {AffineMap::get(4, 0, {n, h, k}, context), AffineMap::get(4, 0, weight, context),
          AffineMap::get(4, 0, {n, h, c}, context)};
}

/// [[0, 1], [2]] or [[0], [1, 2]]
static SmallVector<ReassociationIndices> apart(bool beside) {
  return beside ? SmallVector<ReassociationIndices>{{0}, {1, 2}}
                : SmallVector<ReassociationIndices>{{0, 1}, {2}};
}

std::optional<HeadProduct> HeadProduct::match(Value value) {
  auto contract = value.getDefiningOp<linalg::ContractOp>();
  if (auto joined = value.getDefiningOp<tensor::CollapseShapeOp>())
    if (joined.getReassociationIndices() == apart(/*beside=*/true))
      contract = joined.getSrc().getDefiningOp<linalg::ContractOp>();
  if (!contract || !isZeroSplat(contract.getDpsInitOperand(0)->get()))
    return std::nullopt;
  auto split = contract->getOperand(1).getDefiningOp<tensor::ExpandShapeOp>();
  auto maps = contract.getIndexingMapsArray();
  for (bool beside : {false, true})
    for (bool transposed : {false, true})
      if (split && maps == mapsOf(value.getContext(), beside, transposed) &&
          split.getReassociationIndices() == apart(beside))
        return HeadProduct{
            contract,       contract->getOperand(0),
            split.getSrc(), cast<RankedTensorType>(contract->getOperand(0).getType()).getDimSize(1),
            beside,         transposed};
  return std::nullopt;
}

Value HeadProduct::create(OpBuilder &builder, Location loc, Value rows, Value weight, bool beside,
                          bool transposed) {
  auto in = cast<RankedTensorType>(rows.getType());
  auto matrix = cast<RankedTensorType>(weight.getType());
  int64_t heads = in.getDimSize(1), depth = in.getDimSize(2);
  int64_t columns = matrix.getNumElements() / heads / depth;
  SmallVector<int64_t> shape =
      transposed ? SmallVector<int64_t>{columns, depth} : SmallVector<int64_t>{depth, columns};
  shape.insert(shape.begin() + beside, heads);
  Value split =
      tensor::ExpandShapeOp::create(builder, loc, matrix.clone(shape), weight, apart(beside));
  auto type = in.clone({in.getDimSize(0), heads, columns});
  SmallVector<Value> sizes;
  if (type.isDynamicDim(0))
    sizes.push_back(tensor::DimOp::create(builder, loc, rows, 0));
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  Value init = tensor::EmptyOp::create(builder, loc, type, sizes);
  Value zeros = linalg::FillOp::create(builder, loc, zero, init).getResult(0);
  SmallVector<AffineMap, 3> maps = mapsOf(builder.getContext(), beside, transposed);
  auto contract =
      linalg::ContractOp::create(builder, loc, TypeRange{type}, ValueRange{rows, split},
                                 ValueRange{zeros}, builder.getAffineMapArrayAttr(maps));
  return tensor::CollapseShapeOp::create(builder, loc, contract->getResult(0),
                                         apart(/*beside=*/true));
}
