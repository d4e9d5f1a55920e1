//===- GraphHandling.cpp - What passes on self loops and norms share ------===//
#include "passes/Program/GraphHandling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

bool gnnc::followsEdges(Operation *op) {
  if (auto softmax = dyn_cast<SegmentSoftmaxOp>(op))
    return !!softmax.getGraph();
  return isa<GatherOp, ScatterOp, DegreeOp, AggregateOp, MapOp>(op);
}

bool gnnc::isEdgeSource(Value value) {
  return isa<BlockArgument>(value) ||
         isa_and_nonnull<AddSelfLoopsOp, RemoveSelfLoopsOp, AppendSelfLoopsOp>(
             value.getDefiningOp());
}

bool gnnc::isComputedByRow(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<GatherOp, MapOp, ToCsrOp, SegmentSoftmaxOp>(op) ||
                llvm::any_of(op->getOpOperands(), RowSpaces::isRowwise));
}

std::optional<Blocker> gnnc::findEdgeWeights(func::FuncOp function, Value graph,
                                             const RowSpaces &spaces, Value &weights) {
  weights = {};
  for (Value member : spaces.members(spaces.of(graph, RowSpaces::Edges))) {
    auto type = cast<RankedTensorType>(member.getType());
    if (!isEdgeSource(member) || type.getRank() != 1)
      continue;
    if (weights)
      return Blocker(function,
                     "two tensors have one number per edge, and either may be its weight");
    weights = member;
  }
  return std::nullopt;
}

LogicalResult gnnc::checkChoice(Operation *op, StringRef what, StringRef value,
                                std::initializer_list<StringRef> known) {
  if (llvm::is_contained(known, value))
    return success();
  return op->emitError() << what << " is one of " << llvm::join(known, ", ") << ", found '" << value
                         << "'";
}

Value gnnc::createFilledLike(OpBuilder &builder, Location loc, Value like, double value) {
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, like);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  Value scalar =
      arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type.getElementType(), value));
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

Value gnnc::repeatedNumbers(Value value) {
  auto broadcast = value.getDefiningOp<linalg::BroadcastOp>();
  if (!broadcast || cast<RankedTensorType>(broadcast.getInput().getType()).getRank() != 1 ||
      llvm::is_contained(broadcast.getDimensions(), 0))
    return {};
  return broadcast.getInput();
}

Value gnnc::createRepeatedLike(OpBuilder &builder, Location loc, Value numbers, Value like) {
  auto from = cast<RankedTensorType>(numbers.getType());
  auto type = cast<RankedTensorType>(like.getType());
  unsigned have = from.getElementTypeBitWidth(), want = type.getElementTypeBitWidth();
  RankedTensorType converted = from.clone(type.getElementType());
  if (have > want)
    numbers = arith::TruncFOp::create(builder, loc, converted, numbers);
  else if (have < want)
    numbers = arith::ExtFOp::create(builder, loc, converted, numbers);
  if (type.getRank() == from.getRank())
    return numbers;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, like);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  auto added = llvm::to_vector(llvm::seq<int64_t>(from.getRank(), type.getRank()));
  return linalg::BroadcastOp::create(builder, loc, numbers, empty, added)->getResult(0);
}
