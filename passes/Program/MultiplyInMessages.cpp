//===- MultiplyInMessages.cpp - Edge features times a weight, per edge ----===//
//
// In: @prepare, which multiplies the features of each edge by a weight, and @forward,
// which reads the product: a tensor of edges x width (GATv2's transformed features).
// Out: @forward multiplies, in a form that fusion puts into the message (isRowProduct of
// passes/Common/RowOps.h). What is left of an edge in memory are its features, as they
// were bound.
//
//===----------------------------------------------------------------------===//
#include "passes/Common/Blocker.h"
#include "passes/Common/RowOps.h"
#include "passes/Common/RowSpaces.h"
#include "passes/Program/Passes.h"
#include "passes/Program/PreparedProgram.h"
#include "passes/Program/WeightProduct.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNMULTIPLYINMESSAGESPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

static bool areEdges(Value rows, const RowSpaces &spaces) {
  int space = spaces.of(rows);
  return space >= 0 && llvm::any_of(spaces.axes(space), [](const auto &member) {
           return member.second == RowSpaces::Edges;
         });
}

/// The weight of the product as k x c. @prepare transposes one of c x k, for a message
/// reads a row of the weight per feature.
static Value weightByFeature(OpBuilder &builder, WeightProduct &product) {
  if (product.outAxis == 1)
    return product.weight;
  auto type = cast<RankedTensorType>(product.weight.getType());
  Location loc = product.op.getLoc();
  SmallVector<int64_t> shape{type.getDimSize(1), type.getDimSize(0)};
  Value empty = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, product.weight, empty, ArrayRef<int64_t>{1, 0})
      ->getResult(0);
}

/// `rows` times `weight`, k x c, in a form that is no dense product.
static Value multiply(OpBuilder &builder, Location loc, Value rows, Value weight,
                      RankedTensorType result) {
  SmallVector<OpFoldResult> sizes{builder.getIndexAttr(result.getDimSize(0)),
                                  builder.getIndexAttr(result.getDimSize(1))};
  if (result.isDynamicDim(0))
    sizes[0] = tensor::DimOp::create(builder, loc, rows, 0).getResult();
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, result.getElementType());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(result.getElementType()));
  Value zeros = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  AffineExpr n, c, k;
  bindDims(builder.getContext(), n, c, k);
  auto map = [&](AffineExpr a, AffineExpr b) {
    return AffineMap::get(3, 0, {a, b}, builder.getContext());
  };
  return linalg::ContractOp::create(
             builder, loc, TypeRange{result}, ValueRange{rows, weight}, ValueRange{zeros},
             builder.getAffineMapArrayAttr({map(n, k), map(k, c), map(n, c)}))
      ->getResult(0);
}

/// Whether `rows` are added up over their features before anything else is done with
/// them than row by row: features of a message, not coefficients of one.
static bool areFeatures(Value rows) {
  SmallVector<Value> worklist{rows};
  DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (Operation *user : next.getUsers()) {
      if (isRowReduction(user))
        return true;
      if (isElementwise(user) || isRowGeneric(user) || isRowReshape(user) || isRowCountCast(user))
        worklist.push_back(user->getResult(0));
    }
  }
  return false;
}

/// Why @forward goes on reading `product`, whose rows are those of edges and which it
/// knows as `argument`.
static std::optional<Blocker> findBlocker(WeightProduct &product, Value argument) {
  int64_t in = cast<RankedTensorType>(product.rows.getType()).getDimSize(1);
  int64_t out = cast<RankedTensorType>(argument.getType()).getDimSize(1);
  if (out <= in && !areFeatures(argument))
    return Blocker(product.op, "its rows have " + Twine(out) + " numbers, those of the edges " +
                                   Twine(in) + ": reading them is less work");
  return std::nullopt;
}

namespace {
struct MultiplyInMessages final : gnnc::impl::GnnMultiplyInMessagesPassBase<MultiplyInMessages> {
  using GnnMultiplyInMessagesPassBase::GnnMultiplyInMessagesPassBase;

protected:
  void runOnOperation() override {
    auto program = PreparedProgram::of(getOperation());
    if (!program)
      return;
    RowSpaces spaces(program->prepare);
    DenseMap<Value, BlockArgument> passed; // of @prepare, in @forward
    auto pass = [&](Value value) -> Value {
      BlockArgument &argument = passed[value];
      for (BlockArgument known : program->forward.getArguments())
        if (!argument && program->preparedValue(known) == value)
          argument = known;
      if (!argument)
        argument = program->addPrepared(value);
      return argument;
    };
    SmallVector<BlockArgument> done;
    for (BlockArgument argument : llvm::to_vector(program->forward.getArguments())) {
      Value value = program->preparedValue(argument);
      auto product = value ? matchProduct(value) : std::nullopt;
      if (!product || argument.use_empty() || !areEdges(product->rows, spaces))
        continue;
      if (auto blocker = findBlocker(*product, argument)) {
        reportMissed(product->op, "gnn-multiply-in-messages", *blocker);
        continue;
      }
      OpBuilder builder(product->op);
      Value weight = pass(weightByFeature(builder, *product)), rows = pass(product->rows);
      builder.setInsertionPointToStart(&program->forward.front());
      argument.replaceAllUsesWith(multiply(builder, product->op.getLoc(), rows, weight,
                                           cast<RankedTensorType>(argument.getType())));
      done.push_back(argument);
      ++numProducts;
    }
    for (BlockArgument argument : llvm::reverse(done))
      program->dropPrepared(argument);
  }
};
} // namespace
