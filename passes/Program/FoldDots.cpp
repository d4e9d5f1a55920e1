//===- FoldDots.cpp - Dot products behind a product go into its weight ----===//
//
// In: the dot product of each head of rows (x W) with a vector of weights, such as GAT's
// scores. Out: x V. One number per row and head is left, where there was a row of all
// features.
//
//===----------------------------------------------------------------------===//
#include "passes/Program/FoldDots.h"

#include "passes/Common/HeadProduct.h"
#include "passes/Common/RowOps.h"

using namespace mlir;
using namespace gnnc;

/// The weights that a tensor of rows x heads x features repeats for each row, or null.
static Value headVectors(Value repeated) {
  auto broadcast = repeated.getDefiningOp<linalg::BroadcastOp>();
  bool isThere = broadcast && broadcast.getDimensions() == ArrayRef<int64_t>{0} &&
                 isWeight(broadcast.getInput());
  return isThere ? broadcast.getInput() : Value();
}

std::optional<Blocker> gnnc::findDots(linalg::ReduceOp reduce, Dots &found) {
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
    found.apart = heads.getDefiningOp<tensor::ExpandShapeOp>();
    if (!found.vectors || !found.apart || !isRowReshape(found.apart) ||
        found.apart.getSrcType().getRank() != 2)
      continue;
    auto product = matchProduct(found.apart.getSrc());
    if (!product)
      continue;
    found.product = *product;
    return std::nullopt;
  }
  return Blocker(reduce, "no dot products of a matrix product's rows with weights");
}

/// V[h, k]: one row of heads, the vectors, times the matrices of all heads.
static Value foldedWeight(OpBuilder &builder, Location loc, const Dots &dots) {
  using Groups = SmallVector<ReassociationIndices>;
  auto vectors = cast<RankedTensorType>(dots.vectors.getType());
  auto weight = cast<RankedTensorType>(dots.product.weight.getType());
  int64_t heads = vectors.getDimSize(0), depth = weight.getDimSize(1 - dots.product.outAxis);
  bool beside = dots.product.outAxis == 1;
  Value row =
      tensor::ExpandShapeOp::create(builder, loc, vectors.clone({1, heads, vectors.getDimSize(1)}),
                                    dots.vectors, Groups{{0, 1}, {2}});
  Value joined = HeadProduct::create(builder, loc, row, dots.product.weight, beside,
                                     /*transposed=*/beside);
  Value apart = tensor::ExpandShapeOp::create(builder, loc, weight.clone({1, heads, depth}), joined,
                                              Groups{{0}, {1, 2}});
  return tensor::CollapseShapeOp::create(builder, loc, apart, Groups{{0, 1}, {2}});
}

void gnnc::foldDots(PatternRewriter &rewriter, linalg::ReduceOp reduce, Dots dots) {
  Location loc =
      rewriter.getFusedLoc({reduce.getLoc(), dots.scaled.getLoc(), dots.product.op.getLoc()});
  Value weight = foldedWeight(rewriter, loc, dots);
  MLIRContext *context = rewriter.getContext();
  AffineExpr n, h, k;
  bindDims(context, n, h, k);
  auto map = [&](AffineExpr a, AffineExpr b) { return AffineMap::get(3, 0, {a, b}, context); };
  // The zeros that the sum began with are what the product adds to.
  auto folded = linalg::MatmulOp::create(rewriter, loc, ValueRange{dots.product.rows, weight},
                                         ValueRange{reduce.getInits()[0]});
  folded.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr({map(n, k), map(h, k), map(n, h)}));
  rewriter.replaceOp(reduce, folded);
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
    if (!hasOneReader(dots.apart) || !hasOneReader(dots.product.op.getResult(0)))
      return rewriter.notifyMatchFailure(reduce, "more is read of the rows than dot products");
    foldDots(rewriter, reduce, dots);
    ++numFolded;
    return success();
  }
  unsigned &numFolded;
};
} // namespace

void gnnc::addFoldDots(RewritePatternSet &patterns, unsigned &numFolded) {
  patterns.add<FoldDots>(patterns.getContext(), numFolded);
}
