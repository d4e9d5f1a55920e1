//===- LaneGroup.cpp - The lanes of a group among themselves --------------===//
#include "passes/Kernel/LaneGroup.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "passes/Common/RowRegion.h"

using namespace mlir;
using namespace gnnc;

Value LaneGroup::reduce(OpBuilder &builder, Location loc, vector::CombiningKind kind, Value value) {
  // A butterfly: all lanes end with the same bits.
  for (int64_t distance = lanesPerHead / 2; distance > 0; distance /= 2)
    value = vector::makeArithReduction(builder, loc, kind, value,
                                       exchange(builder, loc, value, distance));
  return value;
}

Value LaneGroup::exp(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType();
  if (!getElementTypeOrSelf(type).isF32())
    return RowTarget::exp(builder, loc, value);
  Value log2e = createSplat(builder, loc, type, builder.getF32FloatAttr(1.44269504f));
  Value power = arith::MulFOp::create(builder, loc, value, log2e);
  auto exp2 =
      LLVM::CallIntrinsicOp::create(builder, loc, type, builder.getStringAttr("llvm.exp2"), power);
  exp2.setFastmathFlags(LLVM::FastmathFlags::afn);
  return exp2.getResult(0);
}

Value LaneGroup::exchange(OpBuilder &builder, Location loc, Value value, int64_t distance) {
  auto shuffle = [&](Value part) -> Value {
    auto i32 = [&](int64_t number) {
      return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), number);
    };
    return NVVM::ShflOp::create(builder, loc, part.getType(), mask, part, i32(distance), i32(31),
                                NVVM::ShflKind::bfly, UnitAttr());
  };
  if (!value.getType().isF64())
    return shuffle(value);
  auto halves = VectorType::get({2}, builder.getI32Type());
  Value bits = vector::BitCastOp::create(
      builder, loc, halves,
      vector::BroadcastOp::create(builder, loc, VectorType::get({1}, value.getType()), value));
  SmallVector<Value> moved;
  for (int64_t i = 0; i < 2; ++i)
    moved.push_back(shuffle(vector::ExtractOp::create(builder, loc, bits, i)));
  Value joined = vector::FromElementsOp::create(builder, loc, halves, moved);
  Value wide =
      vector::BitCastOp::create(builder, loc, VectorType::get({1}, value.getType()), joined);
  return vector::ExtractOp::create(builder, loc, wide, 0);
}
