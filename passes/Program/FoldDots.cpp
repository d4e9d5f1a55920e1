//===- FoldDots.cpp - Dot products behind a product go into its weight ----===//
//
// In: rows (x W), apart in heads, of which nothing is read but the dot product of each
// head with a vector of weights: what GAT makes of its edges' features.
// Out: x V, with V[h, k] = sum over c of W[h c, k] a[h, c], which @prepare computes once.
// One number per row and head is left, where there was a row of all features.
//
//===----------------------------------------------------------------------===//
#include "passes/Program/FoldDots.h"

#include "dialects/Gnn/Gnn.h"
#include "passes/Common/Blocker.h"
#include "passes/Common/RowOps.h"
#include "passes/Program/WeightProduct.h"

using namespace mlir;
using namespace gnnc;

namespace {
/// sum over c of (x W)[n, h, c] a[h, c]
struct Dots {
  arith::MulFOp scaled;
  WeightProduct product;
  Value vectors; ///< a, one row per head
};
} // namespace

/// The weights that a tensor of rows x heads x features repeats for each row, or null.
static Value headVectors(Value repeated) {
  auto broadcast = repeated.getDefiningOp<linalg::BroadcastOp>();
  bool isThere = broadcast && broadcast.getDimensions() == ArrayRef<int64_t>{0} &&
                 isWeight(broadcast.getInput());
  return isThere ? broadcast.getInput() : Value();
}

static std::optional<Blocker> findDots(linalg::ReduceOp reduce, Dots &found) {
  if (!isRowReduction(reduce) || combinerOf(reduce) != vector::CombiningKind::ADD ||
      !isZeroSplat(reduce.getInits()[0]) || reduce.getDimensions() != ArrayRef<int64_t>{2})
    return Blocker(reduce, "no sum over the features of a head");
  Value input = reduce.getInputs()[0];
  found.scaled = input.getDefiningOp<arith::MulFOp>();
  if (!found.scaled || !hasOneReader(input))
    return Blocker(reduce, "what is summed is no product of its own");
  for (auto [heads, repeated] : {std::pair(found.scaled.getLhs(), found.scaled.getRhs()),
                                 std::pair(found.scaled.getRhs(), found.scaled.getLhs())}) {
    found.vectors = headVectors(repeated);
    auto expand = heads.getDefiningOp<tensor::ExpandShapeOp>();
    if (!found.vectors || !expand || !isRowReshape(expand) || expand.getSrcType().getRank() != 2 ||
        !hasOneReader(heads))
      continue;
    auto product = matchProduct(expand.getSrc());
    if (!product || !hasOneReader(expand.getSrc()))
      continue;
    found.product = *product;
    return std::nullopt;
  }
  return Blocker(reduce, "no dot products of a matrix product's rows, of which nothing else is "
                         "read, with weights");
}

/// The weight with its outputs apart in heads, times the heads' vectors, summed.
static Value foldedWeight(OpBuilder &builder, Location loc, const Dots &dots) {
  Value weight = dots.product.weight;
  auto type = cast<RankedTensorType>(weight.getType());
  auto vectors = cast<RankedTensorType>(dots.vectors.getType());
  bool outFirst = dots.product.outAxis == 0;
  int64_t heads = vectors.getDimSize(0), width = vectors.getDimSize(1);
  int64_t in = type.getDimSize(outFirst ? 1 : 0);
  using Shape = SmallVector<int64_t>;
  using Groups = SmallVector<ReassociationIndices>;
  RankedTensorType apart = type.clone(outFirst ? Shape{heads, width, in} : Shape{in, heads, width});
  RankedTensorType folded = type.clone(outFirst ? Shape{heads, in} : Shape{in, heads});
  Value expanded = tensor::ExpandShapeOp::create(
      builder, loc, apart, weight, outFirst ? Groups{{0, 1}, {2}} : Groups{{0}, {1, 2}});
  Value empty = tensor::EmptyOp::create(builder, loc, apart.getShape(), type.getElementType());
  Value repeated = linalg::BroadcastOp::create(builder, loc, dots.vectors, empty,
                                               ArrayRef<int64_t>{outFirst ? 2 : 0})
                       ->getResult(0);
  Value scaled = arith::MulFOp::create(builder, loc, expanded, repeated);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  Value start = tensor::EmptyOp::create(builder, loc, folded.getShape(), type.getElementType());
  Value zeros = linalg::FillOp::create(builder, loc, zero, start).getResult(0);
  return linalg::ReduceOp::create(builder, loc, ValueRange{scaled}, ValueRange{zeros},
                                  ArrayRef<int64_t>{outFirst ? 1 : 2},
                                  [](OpBuilder &inner, Location at, ValueRange numbers) {
                                    Value sum =
                                        arith::AddFOp::create(inner, at, numbers[0], numbers[1]);
                                    linalg::YieldOp::create(inner, at, sum);
                                  })
      .getResult(0);
}

namespace {
/// sum((x W) * rows(a)) -> x V
struct FoldDots final : OpRewritePattern<linalg::ReduceOp> {
  FoldDots(MLIRContext *context, unsigned &numFolded)
      : OpRewritePattern(context), numFolded(numFolded) {}
  LogicalResult matchAndRewrite(linalg::ReduceOp reduce, PatternRewriter &rewriter) const override {
    Dots dots;
    if (auto blocker = findDots(reduce, dots))
      return rewriter.notifyMatchFailure(blocker->at, blocker->text);
    linalg::MatmulOp product = dots.product.op;
    Location loc = rewriter.getFusedLoc({reduce.getLoc(), dots.scaled.getLoc(), product.getLoc()});
    Value weight = foldedWeight(rewriter, loc, dots);
    // The zeros that the sum began with are what the product adds to.
    auto folded = linalg::MatmulOp::create(rewriter, loc, ValueRange{dots.product.rows, weight},
                                           ValueRange{reduce.getInits()[0]});
    folded.setIndexingMapsAttr(product.getIndexingMaps());
    rewriter.replaceOp(reduce, folded);
    ++numFolded;
    return success();
  }
  unsigned &numFolded;
};
} // namespace

void gnnc::addFoldDots(RewritePatternSet &patterns, unsigned &numFolded) {
  patterns.add<FoldDots>(patterns.getContext(), numFolded);
}
