//===- KernelCost.cpp - Bytes and operations of a kernel, for profiles ----===//
#include "passes/Plan/KernelCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Kernel/KernelAbi.h"

using namespace mlir;
using namespace gnnc;
using plan::Formula;

static int64_t elements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// Float operations of one execution of `region`.
static int64_t floatOps(Region &region) {
  int64_t count = 0;
  region.walk([&](Operation *op) {
    bool arithmetic = isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
                      !op->hasTrait<OpTrait::ConstantLike>() && op->getNumResults() == 1 &&
                      isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
    if (arithmetic)
      count += elements(op->getResult(0).getType());
  });
  return count;
}

void gnnc::annotateCost(plan::LaunchOp launch, func::FuncOp kernel, ArrayRef<Value> operands,
                        const Formula &edges, const Formula &rows) {
  Operation *op = kernelOp(kernel);
  auto aggregate = dyn_cast<gnn::AggregateOp>(op);
  auto map = dyn_cast<gnn::MapOp>(op);
  Formula bytes;
  DenseSet<Value> counted;
  for (Value source : aggregate ? aggregate.getSrc() : map.getSrc()) {
    auto argument = dyn_cast<BlockArgument>(source);
    if (!argument)
      continue;
    auto type = cast<RankedTensorType>(argument.getType());
    bytes += edges * (rowFeatures(type) * type.getElementTypeBitWidth() / 8);
    counted.insert(operands[argument.getArgNumber()]);
  }
  launch.forEachArgument(
      [&](Value buffer, bool) {
        if (counted.insert(buffer).second)
          bytes += plan::bufferOf(buffer).bytes();
      },
      [](plan::FormulaAttr) {});
  Formula flops;
  if (aggregate) {
    int64_t messages = 0;
    for (Value value : aggregate.getMessage().front().getTerminator()->getOperands())
      messages += elements(value.getType());
    flops += edges * (floatOps(aggregate.getMessage()) + messages);
    flops += rows * floatOps(aggregate.getEpilogue());
  } else {
    flops += (map.getGraph() ? edges : rows) * floatOps(map.getBody());
  }
  launch.setBytesAttr(bytes.attr(launch.getContext()));
  launch.setFlopsAttr(flops.attr(launch.getContext()));
}
