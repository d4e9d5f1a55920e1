//===- KernelCost.cpp - Bytes and operations of a kernel, for profiles ----===//
#include "passes/Plan/KernelCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Kernel/KernelAbi.h"

using namespace mlir;
using namespace gnnc;
using plan::Formula;

static int64_t elements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// Float operations of one execution of `region`; a sum of features takes one for each.
static int64_t floatOps(Region &region) {
  int64_t count = 0;
  region.walk([&](Operation *op) {
    if (auto sum = dyn_cast<vector::MultiDimReductionOp>(op))
      count += elements(sum.getSource().getType());
    bool arithmetic = isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
                      !op->hasTrait<OpTrait::ConstantLike>() && op->getNumResults() == 1 &&
                      isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
    if (arithmetic)
      count += elements(op->getResult(0).getType());
    if (auto product = dyn_cast<vector::ContractionOp>(op))
      count += 2 * elements(product.getRhs().getType());
  });
  return count;
}

/// What reducing one message takes: an element of a softmax is multiplied by its weight and
/// added; its score is compared with the maximum, and the exponential of the difference added.
static int64_t reductionOps(gnn::AggregateOp aggregate) {
  ValueRange messages = aggregate.getMessage().front().getTerminator()->getOperands();
  int64_t count = 0;
  for (unsigned i = 0, e = aggregate.getReduce().size(); i < e; ++i) {
    bool isSoftmax = aggregate.getReduceKind(i) == gnn::ReduceKind::Softmax;
    count += elements(messages.front().getType()) * (isSoftmax ? 4 : 1);
    messages = messages.drop_front();
    if (!isSoftmax)
      continue;
    count += elements(messages.front().getType()) * 2;
    messages = messages.drop_front();
  }
  return count;
}

void gnnc::annotateCost(plan::LaunchOp launch, func::FuncOp kernel, ArrayRef<Value> operands,
                        const Formula &edges, const Formula &rows) {
  Operation *op = kernelOp(kernel);
  auto aggregate = dyn_cast<gnn::AggregateOp>(op);
  auto map = dyn_cast<gnn::MapOp>(op);
  Formula bytes;
  DenseSet<Value> counted, ofSources;
  auto bufferOf = [&](Value operand) {
    auto argument = dyn_cast<BlockArgument>(operand);
    return argument ? operands[argument.getArgNumber()] : Value();
  };
  for (Value source : aggregate ? aggregate.getSrc() : map.getSrc()) {
    auto type = cast<RankedTensorType>(source.getType());
    if (Value buffer = bufferOf(source); buffer && ofSources.insert(buffer).second)
      bytes += edges * (rowFeatures(type) * type.getElementTypeBitWidth() / 8);
  }
  // A node's own rows, where the same tensor is read at both ends.
  for (Value own : aggregate ? aggregate.getDst() : map.getDst())
    if (Value buffer = bufferOf(own); ofSources.contains(buffer) && counted.insert(buffer).second)
      bytes += plan::bufferOf(buffer).bytes();
  counted.insert_range(ofSources);
  launch.forEachArgument(
      [&](Value buffer, bool) {
        if (counted.insert(buffer).second)
          bytes += plan::bufferOf(buffer).bytes();
      },
      [](plan::FormulaAttr) {});
  Formula flops;
  if (aggregate) {
    flops += edges * (floatOps(aggregate.getMessage()) + reductionOps(aggregate));
    flops += rows * floatOps(aggregate.getEpilogue());
  } else {
    flops += (map.getGraph() ? edges : rows) * floatOps(map.getBody());
  }
  launch.setBytesAttr(bytes.attr(launch.getContext()));
  launch.setFlopsAttr(flops.attr(launch.getContext()));
}
