//===- NarrowKernels.cpp - Kernels that read and write 16 bits ------------===//
#include "passes/Kernel/NarrowKernels.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Kernel/KernelAbi.h"
#include "passes/Kernel/RowFrame.h"

using namespace mlir;
using namespace gnnc;

Type gnnc::rowWith(Type row, Type element) {
  auto vector = dyn_cast<VectorType>(row);
  return vector ? Type(vector.clone(element)) : element;
}

void gnnc::rewriteProduct(func::FuncOp kernel, OpBuilder &builder) {
  Block &block = kernel.front();
  Type element = cast<RankedTensorType>(kernel.getResultTypes().front()).getElementType();
  IRMapping mapping;
  auto retyped = [&](Value value) {
    return cast<RankedTensorType>(value.getType()).clone(element);
  };
  for (Operation &op : llvm::make_early_inc_range(block)) {
    builder.setInsertionPoint(&op);
    Location loc = op.getLoc();
    auto operand = [&](unsigned i) { return mapping.lookupOrDefault(op.getOperand(i)); };
    Value result;
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (isa<FloatType>(constant.getType()))
        result = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    } else if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      result = tensor::EmptyOp::create(builder, loc, retyped(empty), empty.getDynamicSizes());
    } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
      Value from = operand(0);
      Type other = cast<RankedTensorType>(from.getType()).getElementType();
      result = tensor::CollapseShapeOp::create(builder, loc, collapse.getResultType().clone(other),
                                               from, collapse.getReassociationIndices());
    } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
      Value from = operand(0);
      Type other = cast<RankedTensorType>(from.getType()).getElementType();
      result = tensor::ExpandShapeOp::create(builder, loc, expand.getResultType().clone(other),
                                             from, expand.getReassociationIndices(),
                                             expand.getMixedOutputShape());
    } else if (isa<linalg::FillOp>(op)) {
      result = linalg::FillOp::create(builder, loc, operand(0), operand(1)).getResult(0);
    } else if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op)) {
      result = linalg::BroadcastOp::create(builder, loc, operand(0), operand(1),
                                           broadcast.getDimensions())
                   ->getResult(0);
    } else if (auto matmul = dyn_cast<linalg::MatmulOp>(op)) {
      auto product = linalg::MatmulOp::create(builder, loc, ValueRange{operand(0), operand(1)},
                                              ValueRange{operand(2)});
      product.setIndexingMapsAttr(matmul.getIndexingMaps());
      result = product.getResult(0);
    } else if (auto contract = dyn_cast<linalg::ContractOp>(op)) {
      result = linalg::ContractOp::create(builder, loc, operand(2).getType(),
                                          ValueRange{operand(0), operand(1)},
                                          ValueRange{operand(2)}, contract.getIndexingMaps())
                   ->getResult(0);
    } else if (isa<arith::AddFOp>(op)) {
      result = arith::AddFOp::create(builder, loc, operand(0), operand(1));
    } else if (isa<arith::MaximumFOp>(op)) {
      result = arith::MaximumFOp::create(builder, loc, operand(0), operand(1));
    } else if (isa<func::ReturnOp>(op)) {
      op.setOperand(0, operand(0));
    }
    if (result)
      mapping.map(op.getResult(0), result);
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>())
      op.erase();
}

/// Arguments of a region whose operands became narrow: their rows are widened first.
static void widenArguments(OpBuilder &builder, Type storage, Region &region, unsigned first,
                           OperandRange operands) {
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (getElementTypeOrSelf(operand.getType()) != storage)
      continue;
    BlockArgument argument = region.getArgument(first + i);
    Type wide = argument.getType();
    argument.setType(rowWith(wide, storage));
    if (argument.use_empty())
      continue;
    if (isPicked(argument)) { // single numbers of it are widened
      for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
        auto extract = cast<vector::ExtractOp>(user);
        builder.setInsertionPoint(extract);
        Value number = vector::ExtractOp::create(builder, extract.getLoc(), argument,
                                                 extract.getStaticPosition());
        extract.replaceAllUsesWith(
            arith::ExtFOp::create(builder, extract.getLoc(), extract.getType(), number)
                .getResult());
        extract.erase();
      }
      continue;
    }
    builder.setInsertionPointToStart(&region.front());
    auto extended = arith::ExtFOp::create(builder, argument.getLoc(), wide, argument);
    argument.replaceAllUsesExcept(extended, extended);
  }
}

LogicalResult gnnc::rewriteRowOp(func::FuncOp kernel, Type storage, OpBuilder &builder) {
  Operation *op = kernelOp(kernel);
  if (!op)
    return kernel.emitOpError("a kernel function holds one gnn.aggregate or gnn.map");
  for (auto [result, type] : llvm::zip_equal(op->getResults(), kernel.getResultTypes()))
    result.setType(type);
  auto roundYields = [&](Region &region) {
    Operation *yield = region.front().getTerminator();
    builder.setInsertionPoint(yield);
    for (auto [operand, result] : llvm::zip_equal(yield->getOpOperands(), op->getResults())) {
      Type row = operand.get().getType();
      if (getElementTypeOrSelf(result.getType()) == storage)
        operand.set(arith::TruncFOp::create(builder, yield->getLoc(), rowWith(row, storage),
                                            operand.get()));
    }
  };
  if (auto map = dyn_cast<gnn::MapOp>(op)) {
    unsigned first = 0;
    for (OperandRange operands : {map.getSrc(), map.getDst(), map.getRows(), map.getParam()}) {
      widenArguments(builder, storage, map.getBody(), first, operands);
      first += operands.size();
    }
    roundYields(map.getBody());
    return success();
  }
  auto aggregate = cast<gnn::AggregateOp>(op);
  bool roundsResult = llvm::any_of(aggregate.getOuts(), [&](Value out) {
    return getElementTypeOrSelf(out.getType()) == storage;
  });
  if (!aggregate.hasEpilogue() && roundsResult) {
    Block &block = aggregate.getEpilogue().emplaceBlock();
    Location loc = op->getLoc();
    SmallVector<Value> values;
    for (Type type : aggregate.getAccumulatorTypes())
      values.push_back(block.addArgument(type, loc));
    Block &message = aggregate.getMessage().front();
    unsigned next = aggregate.getSrc().size();
    for (unsigned i = 0, e = aggregate.getDst().size(); i < e; ++i)
      block.addArgument(message.getArgument(next + i).getType(), loc);
    next += aggregate.getDst().size() + aggregate.getEdge().size();
    for (unsigned i = 0, e = aggregate.getParam().size(); i < e; ++i)
      block.addArgument(message.getArgument(next + i).getType(), loc);
    builder.setInsertionPointToStart(&block);
    gnn::YieldOp::create(builder, loc, values);
  }
  unsigned first = 0;
  for (OperandRange operands :
       {aggregate.getSrc(), aggregate.getDst(), aggregate.getEdge(), aggregate.getParam()}) {
    widenArguments(builder, storage, aggregate.getMessage(), first, operands);
    first += operands.size();
  }
  if (aggregate.hasEpilogue()) {
    first = aggregate.getNumAccumulators();
    widenArguments(builder, storage, aggregate.getEpilogue(), first, aggregate.getDst());
    widenArguments(builder, storage, aggregate.getEpilogue(), first + aggregate.getDst().size(),
                   aggregate.getParam());
    roundYields(aggregate.getEpilogue());
  }
  return success();
}
