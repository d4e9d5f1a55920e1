//===- Reduction.cpp - The reductions of gnn.scatter and gnn.aggregate ----===//
#include "passes/Kernel/Reduction.h"

using namespace mlir;
using namespace gnnc;
using gnn::ReduceKind;

Row gnnc::reductionStart(RowEmitter &rows, OpBuilder &builder, Location loc, ReduceKind kind,
                         Type regionType) {
  auto element = cast<FloatType>(getElementTypeOrSelf(regionType));
  APFloat value = APFloat::getZero(element.getFloatSemantics());
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    break;
  case ReduceKind::Max:
    value = APFloat::getInf(element.getFloatSemantics(), /*Negative=*/true);
    break;
  case ReduceKind::Min:
    value = APFloat::getInf(element.getFloatSemantics());
    break;
  case ReduceKind::Mul:
    value = APFloat::getOne(element.getFloatSemantics());
    break;
  case ReduceKind::Softmax:
    llvm_unreachable("gnn-form-kernels refuses it");
  }
  return rows.splat(loc, regionType, builder.getFloatAttr(element, value));
}

Row gnnc::reductionStep(RowEmitter &rows, OpBuilder &builder, Location loc, ReduceKind kind,
                        const Row &accumulator, const Row &message) {
  auto contract = arith::FastMathFlags::contract;
  return rows.combine(loc, accumulator, message, [&](Value a, Value b) -> Value {
    switch (kind) {
    case ReduceKind::Sum:
    case ReduceKind::Mean:
      return arith::AddFOp::create(builder, loc, a, b, contract);
    case ReduceKind::Max: // NaN wins, as in torch
      return arith::MaximumFOp::create(builder, loc, a, b);
    case ReduceKind::Min:
      return arith::MinimumFOp::create(builder, loc, a, b);
    case ReduceKind::Mul:
      return arith::MulFOp::create(builder, loc, a, b);
    case ReduceKind::Softmax:
      break;
    }
    llvm_unreachable("all reductions handled");
  });
}

Row gnnc::reductionEnd(RowEmitter &rows, OpBuilder &builder, Location loc, ReduceKind kind,
                       const Row &accumulator, Value count) {
  Type element = getElementTypeOrSelf(accumulator.front().getType());
  Value zero = arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 0);
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mul:
    return accumulator;
  case ReduceKind::Mean: {
    Value one = arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 1);
    Value atLeastOne = arith::MaxSIOp::create(builder, loc, count, one);
    Value divisor = arith::SIToFPOp::create(builder, loc, element, atLeastOne);
    return rows.combine(
        loc, accumulator, rows.broadcastLike(loc, divisor, accumulator),
        [&](Value a, Value b) -> Value { return arith::DivFOp::create(builder, loc, a, b); });
  }
  case ReduceKind::Max:
  case ReduceKind::Min: {
    Value none = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, count, zero);
    Row result;
    for (Value piece : accumulator) {
      Value empty = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(piece.getType()));
      result.push_back(arith::SelectOp::create(builder, loc, none, empty, piece));
    }
    return result;
  }
  case ReduceKind::Softmax:
    break;
  }
  llvm_unreachable("all reductions handled");
}
