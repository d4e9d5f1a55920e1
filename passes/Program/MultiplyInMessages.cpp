//===- MultiplyInMessages.cpp - Edge features times a weight, per edge ----===//
//
// In: @prepare, which multiplies the features of each edge by a weight, and @forward,
// which reads the product: a tensor of edges x width (GATv2's transformed features).
// Out: @forward multiplies: x W = sum over k of x[:, k] * W[:, k], elementwise, which
// fusion puts into the message. What is left of an edge in memory are its features,
// as they were bound.
//
// @prepare takes the columns of the weight apart, since a row can be multiplied by a
// column, not by a matrix.
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

/// One column of the product's weight: out[c] = weight[c, k].
static Value columnOf(OpBuilder &builder, WeightProduct &product, int64_t k) {
  auto type = cast<RankedTensorType>(product.weight.getType());
  bool outFirst = product.outAxis == 0;
  int64_t width = type.getDimSize(outFirst ? 0 : 1);
  auto numbers = [&](int64_t out, int64_t in) {
    SmallVector<OpFoldResult> both{builder.getIndexAttr(out), builder.getIndexAttr(in)};
    if (!outFirst)
      std::swap(both[0], both[1]);
    return both;
  };
  auto column = RankedTensorType::get({width}, type.getElementType());
  return tensor::ExtractSliceOp::create(builder, product.op.getLoc(), column, product.weight,
                                        numbers(0, k), numbers(width, 1), numbers(1, 1));
}

/// Feature `k` of each row.
static Value featureOf(OpBuilder &builder, Location loc, Value rows, Value count, int64_t k) {
  auto type = cast<RankedTensorType>(rows.getType());
  SmallVector<OpFoldResult> sizes{type.isDynamicDim(0)
                                      ? OpFoldResult(count)
                                      : OpFoldResult(builder.getIndexAttr(type.getDimSize(0)))};
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  MLIRContext *context = builder.getContext();
  AffineExpr row = builder.getAffineDimExpr(0);
  AffineMap maps[] = {AffineMap::get(1, 0, {row, builder.getAffineConstantExpr(k)}, context),
                      AffineMap::get(1, 0, {row}, context)};
  utils::IteratorType loops[] = {utils::IteratorType::parallel};
  return linalg::GenericOp::create(builder, loc, TypeRange{empty.getType()}, ValueRange{rows},
                                   ValueRange{empty}, maps, loops,
                                   [](OpBuilder &inner, Location at, ValueRange numbers) {
                                     linalg::YieldOp::create(inner, at, numbers.front());
                                   })
      .getResult(0);
}

/// `rows` times the matrix of which `columns` are the columns.
static Value multiply(OpBuilder &builder, Location loc, Value rows, ArrayRef<Value> columns,
                      RankedTensorType result) {
  Value count = tensor::DimOp::create(builder, loc, rows, 0);
  SmallVector<OpFoldResult> sizes;
  for (auto [axis, extent] : llvm::enumerate(result.getShape()))
    sizes.push_back(ShapedType::isDynamic(extent) ? OpFoldResult(count)
                                                  : OpFoldResult(builder.getIndexAttr(extent)));
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, result.getElementType());
  auto repeated = [&](Value value, int64_t axis) {
    return linalg::BroadcastOp::create(builder, loc, value, empty, ArrayRef<int64_t>{axis})
        ->getResult(0);
  };
  Value sum;
  for (auto [k, column] : llvm::enumerate(columns)) {
    Value feature = repeated(featureOf(builder, loc, rows, count, k), 1);
    Value part = arith::MulFOp::create(builder, loc, feature, repeated(column, 0));
    sum = sum ? arith::AddFOp::create(builder, loc, sum, part).getResult() : part;
  }
  return sum;
}

/// Why @forward goes on reading `product`, whose rows are those of edges.
static std::optional<Blocker> findBlocker(WeightProduct &product, int64_t mostFeatures,
                                          int64_t mostCoefficients) {
  auto type = cast<RankedTensorType>(product.op.getResult(0).getType());
  int64_t in = cast<RankedTensorType>(product.rows.getType()).getDimSize(1);
  int64_t out = type.getDimSize(1);
  if (out <= in && out <= mostCoefficients)
    return Blocker(product.op, "its rows have " + Twine(out) + " numbers, those of the edges " +
                                   Twine(in) + ": reading them is less work");
  if (in > mostFeatures)
    return Blocker(product.op, "the edges have " + Twine(in) +
                                   " features; a message multiplies up to " + Twine(mostFeatures));
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
      if (auto blocker = findBlocker(*product, features, coefficients)) {
        reportMissed(product->op, "gnn-multiply-in-messages", *blocker);
        continue;
      }
      OpBuilder builder(product->op);
      SmallVector<Value> columns;
      int64_t in = cast<RankedTensorType>(product->rows.getType()).getDimSize(1);
      for (int64_t k = 0; k < in; ++k)
        columns.push_back(pass(columnOf(builder, *product, k)));
      Value rows = pass(product->rows);
      builder.setInsertionPointToStart(&program->forward.front());
      argument.replaceAllUsesWith(multiply(builder, product->op.getLoc(), rows, columns,
                                           cast<RankedTensorType>(argument.getType())));
      done.push_back(argument);
      ++numProducts;
    }
    for (BlockArgument argument : llvm::reverse(done))
      program->dropPrepared(argument);
  }
};
} // namespace
