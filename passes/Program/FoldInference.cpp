//===- FoldInference.cpp - Scales and shifts go into weights --------------===//
//
// In: rows of features that are scaled and shifted by numbers which are known
// before the first run (batch norm, biases, constant factors).
// Out: as few scales and shifts as possible.
//
// 1. A vector is a weight when it depends on arguments marked gnn.weight and on
//    constants alone. rows(v) is that vector repeated for each row.
// 2. Scales move towards what they scale, shifts away from it:
//    (x + rows(a)) * rows(b) = x * rows(b) + rows(a b).
// 3. What meets is merged, and so are shifts within one sum; a scale that meets a
//    matrix product is merged with its weight. Products of weights are computed by
//    @prepare.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "passes/Common/Blocker.h"
#include "passes/Common/KeepLocations.h"
#include "passes/Common/Rewrite.h"
#include "passes/Common/RowOps.h"
#include "passes/Common/RowSpaces.h"
#include "passes/Program/FoldDots.h"
#include "passes/Program/Passes.h"
#include "passes/Program/WeightProduct.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNFOLDINFERENCEPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

//===----------------------------------------------------------------------===//
// Weights and rows of them
//===----------------------------------------------------------------------===//

/// The vector of weights that every row of the matrix `rows` is, or null. A splat
/// is made a constant vector.
static Value rowOf(OpBuilder &builder, Value rows) {
  auto type = dyn_cast<RankedTensorType>(rows.getType());
  if (!type || type.getRank() != 2 || type.isDynamicDim(1))
    return {};
  if (TypedAttr value = splatValue(rows)) {
    auto row = RankedTensorType::get({type.getDimSize(1)}, type.getElementType());
    return arith::ConstantOp::create(builder, rows.getLoc(),
                                     DenseElementsAttr::get(row, Attribute(value)));
  }
  auto broadcast = rows.getDefiningOp<linalg::BroadcastOp>();
  if (!broadcast || broadcast.getDimensions() != ArrayRef<int64_t>{0} ||
      !isWeight(broadcast.getInput()))
    return {};
  return broadcast.getInput();
}

static bool isRow(Value rows) {
  auto type = dyn_cast<RankedTensorType>(rows.getType());
  if (!type || type.getRank() != 2 || type.isDynamicDim(1))
    return false;
  auto broadcast = rows.getDefiningOp<linalg::BroadcastOp>();
  return splatValue(rows) || (broadcast && broadcast.getDimensions() == ArrayRef<int64_t>{0} &&
                              isWeight(broadcast.getInput()));
}

/// `vector` once for each row of `like`.
static Value rowsOf(OpBuilder &builder, Location loc, Value vector, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  Value init = tensor::EmptyOp::create(builder, loc, tensor::getMixedSizes(builder, loc, like),
                                       type.getElementType());
  return linalg::BroadcastOp::create(builder, loc, vector, init, ArrayRef<int64_t>{0})
      ->getResult(0);
}

/// `vector` along axis `axis` of the static matrix `weight`.
static Value along(OpBuilder &builder, Location loc, Value vector, Value weight, int64_t axis) {
  auto type = cast<RankedTensorType>(weight.getType());
  Value init = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  return linalg::BroadcastOp::create(builder, loc, vector, init, ArrayRef<int64_t>{1 - axis})
      ->getResult(0);
}

/// x op rows(v): the operand that is rows of weights and the other one.
template <typename Op>
static std::optional<std::pair<Value, Value>> matchRows(Value value) {
  auto op = value.getDefiningOp<Op>();
  if (!op)
    return std::nullopt;
  if (isRow(op.getRhs()))
    return std::pair<Value, Value>(op.getLhs(), op.getRhs());
  if (isRow(op.getLhs()))
    return std::pair<Value, Value>(op.getRhs(), op.getLhs());
  return std::nullopt;
}

namespace {
/// A pattern that counts its rewrites.
template <typename Op>
struct Fold : OpRewritePattern<Op> {
  Fold(MLIRContext *context, unsigned &numFolded)
      : OpRewritePattern<Op>(context), numFolded(numFolded) {}
  unsigned &numFolded;
};

/// One for x op rows(v).
template <typename Op>
struct FoldRows : Fold<Op> {
  using Fold<Op>::Fold;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const final {
    auto matched = matchRows<Op>(op.getResult());
    if (!matched)
      return rewriter.notifyMatchFailure(op, "neither operand is rows of weights");
    if (failed(fold(op, matched->first, matched->second, rewriter)))
      return failure();
    ++this->numFolded;
    return success();
  }
  virtual LogicalResult fold(Op op, Value other, Value rows, PatternRewriter &rewriter) const = 0;
};

//===----------------------------------------------------------------------===//
// Among scales and shifts
//===----------------------------------------------------------------------===//

/// (x op rows(a)) op rows(b) -> x op rows(a op b), for sums and for products
template <typename Op>
struct MergeSame final : FoldRows<Op> {
  using FoldRows<Op>::FoldRows;
  LogicalResult fold(Op op, Value other, Value rows, PatternRewriter &rewriter) const override {
    auto inner = matchRows<Op>(other);
    if (!inner || !hasOneReader(other))
      return rewriter.notifyMatchFailure(op, "the other operand is no like op of its own");
    Value a = rowOf(rewriter, inner->second), b = rowOf(rewriter, rows);
    Location loc = rewriter.getFusedLoc({op.getLoc(), other.getLoc()});
    Value both = rowsOf(rewriter, loc, Op::create(rewriter, loc, a, b), inner->first);
    rewriter.replaceOp(op, Op::create(rewriter, loc, inner->first, both));
    return success();
  }
};
} // namespace

/// The shift of its own somewhere in the sum `value`, or null.
static arith::AddFOp findShift(Value value) {
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    auto sum = next.getDefiningOp<arith::AddFOp>();
    if (!sum || !hasOneReader(next))
      continue;
    if (matchRows<arith::AddFOp>(next))
      return sum;
    llvm::append_range(worklist, sum->getOperands());
  }
  return {};
}

namespace {
/// ((x + rows(a)) + y) + rows(b) -> (x + y) + rows(a + b), however deep the sum is
struct MergeShiftOfSum final : FoldRows<arith::AddFOp> {
  using FoldRows::FoldRows;
  LogicalResult fold(arith::AddFOp op, Value other, Value rows,
                     PatternRewriter &rewriter) const override {
    arith::AddFOp inner = findShift(other);
    if (!inner)
      return rewriter.notifyMatchFailure(op, "what is shifted is no sum with a shift of its own");
    auto shift = matchRows<arith::AddFOp>(inner.getResult());
    Location loc = rewriter.getFusedLoc({op.getLoc(), inner.getLoc()});
    Value a = rowOf(rewriter, shift->second), b = rowOf(rewriter, rows);
    Value both = rowsOf(rewriter, loc, arith::AddFOp::create(rewriter, loc, a, b), other);
    rewriter.modifyOpInPlace(op, [&] { op->setOperands(ValueRange{other, both}); });
    rewriter.replaceOp(inner, shift->first);
    return success();
  }
};

/// (x + rows(a)) * rows(b) -> x * rows(b) + rows(a b)
struct ScaleBeforeShift final : FoldRows<arith::MulFOp> {
  using FoldRows::FoldRows;
  LogicalResult fold(arith::MulFOp op, Value sum, Value scale,
                     PatternRewriter &rewriter) const override {
    auto shift = matchRows<arith::AddFOp>(sum);
    if (!shift || !hasOneReader(sum))
      return rewriter.notifyMatchFailure(op, "what is scaled is no shift of its own");
    Location loc = op.getLoc();
    Value a = rowOf(rewriter, shift->second), b = rowOf(rewriter, scale);
    Value scaled = arith::MulFOp::create(rewriter, loc, shift->first, scale);
    Value product = arith::MulFOp::create(rewriter, loc, a, b);
    Value rows = rowsOf(rewriter, loc, product, scaled);
    rewriter.replaceOp(op, arith::AddFOp::create(rewriter, sum.getLoc(), scaled, rows));
    return success();
  }
};

/// x - rows(a) -> x + rows(-a)
struct SubtractWeights final : Fold<arith::SubFOp> {
  using Fold::Fold;
  LogicalResult matchAndRewrite(arith::SubFOp op, PatternRewriter &rewriter) const override {
    if (!isRow(op.getRhs()))
      return rewriter.notifyMatchFailure(op, "what is subtracted is no rows of weights");
    Value negative = arith::NegFOp::create(rewriter, op.getLoc(), rowOf(rewriter, op.getRhs()));
    rewriter.replaceOpWithNewOp<arith::AddFOp>(
        op, op.getLhs(), rowsOf(rewriter, op.getLoc(), negative, op.getLhs()));
    ++numFolded;
    return success();
  }
};

/// x / rows(a) -> x * rows(1 / a)
struct DivideByWeights final : Fold<arith::DivFOp> {
  using Fold::Fold;
  LogicalResult matchAndRewrite(arith::DivFOp op, PatternRewriter &rewriter) const override {
    if (!isRow(op.getRhs()) || splatValue(op.getRhs()))
      return rewriter.notifyMatchFailure(op, "the divisor is no rows of weights");
    Location loc = op.getLoc();
    Value a = rowOf(rewriter, op.getRhs());
    auto type = cast<RankedTensorType>(a.getType());
    Attribute one = rewriter.getFloatAttr(type.getElementType(), 1.0);
    Value ones = arith::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(type, one));
    Value inverse = arith::DivFOp::create(rewriter, loc, ones, a);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, op.getLhs(),
                                               rowsOf(rewriter, loc, inverse, op.getLhs()));
    ++numFolded;
    return success();
  }
};

/// x * 1 -> x
struct DropUnitScale final : Fold<arith::MulFOp> {
  using Fold::Fold;
  LogicalResult matchAndRewrite(arith::MulFOp op, PatternRewriter &rewriter) const override {
    for (auto [factor, other] :
         {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())}) {
      auto number = dyn_cast_or_null<FloatAttr>(splatValue(factor));
      if (!number || !number.getValue().isExactlyValue(1.0))
        continue;
      rewriter.replaceOp(op, other);
      ++numFolded;
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no factor is 1");
  }
};

//===----------------------------------------------------------------------===//
// Into matrix products
//===----------------------------------------------------------------------===//
} // namespace

/// The product with other rows or another weight.
static Value rebuild(OpBuilder &builder, const WeightProduct &product, Value rows, Value weight) {
  linalg::MatmulOp op = product.op;
  IRMapping mapping;
  mapping.map(product.rows, rows);
  mapping.map(product.weight, weight);
  return builder.clone(*op, mapping)->getResult(0);
}

/// The product's weight times the row behind `rows` along `axis`.
static Value scaledWeight(OpBuilder &builder, Location loc, const WeightProduct &product,
                          Value rows, int64_t axis) {
  Value wide = along(builder, loc, rowOf(builder, rows), product.weight, axis);
  return arith::MulFOp::create(builder, loc, product.weight, wide);
}

/// Why the scale `op` does not go into the weight of a product that it scales;
/// otherwise the parts.
static std::optional<Blocker> findScaledProduct(arith::MulFOp op, WeightProduct &product,
                                                Value &rows) {
  auto scale = matchRows<arith::MulFOp>(op.getResult());
  if (!scale)
    return Blocker(op, "neither factor is rows of weights");
  auto scaled = matchProduct(scale->first);
  if (!scaled || !hasOneReader(scale->first))
    return Blocker(op, "what is scaled is no product of its own");
  product = *scaled;
  rows = scale->second;
  return std::nullopt;
}

namespace {
/// (x W) * rows(s) -> x (W s)
struct ScaleBehindProduct final : Fold<arith::MulFOp> {
  using Fold::Fold;
  LogicalResult matchAndRewrite(arith::MulFOp op, PatternRewriter &rewriter) const override {
    WeightProduct product;
    Value rows;
    if (auto blocker = findScaledProduct(op, product, rows))
      return rewriter.notifyMatchFailure(blocker->at, blocker->text);
    Value weight = scaledWeight(rewriter, op.getLoc(), product, rows, product.outAxis);
    rewriter.replaceOp(op, rebuild(rewriter, product, product.rows, weight));
    ++numFolded;
    return success();
  }
};

/// (x * rows(s)) W -> x (s W)
struct ScaleBeforeProduct final : Fold<linalg::MatmulOp> {
  using Fold::Fold;
  LogicalResult matchAndRewrite(linalg::MatmulOp op, PatternRewriter &rewriter) const override {
    auto product = op.hasPureTensorSemantics() ? matchProduct(op.getResult(0)) : std::nullopt;
    if (!product)
      return rewriter.notifyMatchFailure(op, "no product with a weight, into zeros");
    auto scale = matchRows<arith::MulFOp>(product->rows);
    if (!scale || !hasOneReader(product->rows))
      return rewriter.notifyMatchFailure(op, "its rows are no scaled ones of its own");
    Value weight = scaledWeight(rewriter, product->rows.getLoc(), *product, scale->second,
                                1 - product->outAxis);
    rewriter.replaceOp(op, rebuild(rewriter, *product, scale->first, weight));
    ++numFolded;
    return success();
  }
};

/// Takes a scale in without being an op more: a product with a weight, rows of
/// weights, or a sum of such.
static bool absorbsScale(Value value) {
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (isRow(next))
      continue;
    if (!hasOneReader(next))
      return false;
    if (auto sum = next.getDefiningOp<arith::AddFOp>())
      llvm::append_range(worklist, sum->getOperands());
    else if (!matchProduct(next))
      return false;
  }
  return true;
}

/// (x W + y V) * rows(s) -> x W * rows(s) + y V * rows(s); registered behind
/// ScaleBeforeShift, so that no part is a shift
struct ScaleBehindSum final : FoldRows<arith::MulFOp> {
  using FoldRows::FoldRows;
  LogicalResult fold(arith::MulFOp op, Value other, Value scale,
                     PatternRewriter &rewriter) const override {
    auto sum = other.getDefiningOp<arith::AddFOp>();
    if (!sum || !absorbsScale(other))
      return rewriter.notifyMatchFailure(op, "what is scaled is no sum of products of its own");
    Location loc = op.getLoc();
    Value left = arith::MulFOp::create(rewriter, loc, sum.getLhs(), scale);
    Value right = arith::MulFOp::create(rewriter, loc, sum.getRhs(), scale);
    rewriter.replaceOp(op, arith::AddFOp::create(rewriter, sum.getLoc(), left, right));
    return success();
  }
};

struct FoldInference final : gnnc::impl::GnnFoldInferencePassBase<FoldInference> {
  void runOnOperation() override {
    // A size taken from a value in between would be a second reader of it.
    takeRowCountsFromArguments(getOperation());
    unsigned folded = 0;
    RewritePatternSet patterns(&getContext());
    patterns.add<MergeSame<arith::AddFOp>, MergeSame<arith::MulFOp>, MergeShiftOfSum,
                 ScaleBeforeShift, SubtractWeights, DivideByWeights, DropUnitScale,
                 ScaleBehindProduct, ScaleBeforeProduct, ScaleBehindSum>(&getContext(), folded);
    addFoldDots(patterns, folded);
    KeepLocations keep;
    if (failed(applyPatterns(getOperation(), std::move(patterns), "gnn-fold-inference",
                             GreedyRewriteConfig().setListener(&keep))))
      signalPassFailure();
    numFolded += folded;
    takeRowCountsFromArguments(getOperation()); // of what was written
    getOperation().walk([](arith::MulFOp op) {
      WeightProduct product;
      Value rows;
      auto blocker = findScaledProduct(op, product, rows);
      if (blocker && matchRows<arith::MulFOp>(op.getResult()))
        reportMissed(op, "gnn-fold-inference", *blocker);
    });
  }
};
} // namespace
