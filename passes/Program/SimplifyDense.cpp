//===- SimplifyDense.cpp - Dense ops in the forms that later passes know --===//
//
// In: linalg and tensor ops as imports and people write them: F.linear is a product
// with a transposed weight, a bias is what a product accumulates onto, torch.cat
// stands before a layer. Out: products of rows and a matrix that accumulate into
// zeros, and ops on rows (RowOps.h); nothing else of the program is touched.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Common/Rewrite.h"
#include "passes/Common/RowOps.h"
#include "passes/Program/Passes.h"

using namespace mlir;
using namespace gnnc;

namespace gnnc {
#define GEN_PASS_DEF_GNNSIMPLIFYDENSEPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

/// A tensor of zeros as large as `like`.
static Value createZeros(OpBuilder &builder, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, like);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
}

static bool isOfFloats(Value tensor) {
  return isa<FloatType>(getElementTypeOrSelf(tensor.getType()));
}

/// Two matrices on tensors; indexing maps can also repeat a row or a column.
static bool isProduct(linalg::MatmulOp op) {
  return op->getNumResults() == 1 && llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return map.getNumResults() == 2;
         });
}

namespace {
/// matmul(a, transpose(w)) -> matmul(a, w) with the loops of w exchanged
struct TakeTransposed final : OpRewritePattern<linalg::MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::MatmulOp op, PatternRewriter &rewriter) const override {
    auto transpose = op.getInputs()[1].getDefiningOp<linalg::TransposeOp>();
    if (!transpose || transpose.getPermutation() != ArrayRef<int64_t>{1, 0} || !isProduct(op))
      return rewriter.notifyMatchFailure(op, "its matrix is not transposed by an op of its own");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    ArrayRef<AffineExpr> loops = maps[1].getResults();
    maps[1] = AffineMap::get(3, 0, {loops[1], loops[0]}, op.getContext());
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputsMutable()[1].assign(transpose.getInput());
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
};

/// matmul(a, w) onto c -> matmul(a, w) onto zeros, + c
struct AddAfterwards final : OpRewritePattern<linalg::MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::MatmulOp op, PatternRewriter &rewriter) const override {
    Value onto = op.getOutputs()[0];
    if (isZeroSplat(onto) || !isOfFloats(onto))
      return rewriter.notifyMatchFailure(op, "it accumulates into zeros, or integers");
    if (op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "it works on memory");
    Value zeros = createZeros(rewriter, op.getLoc(), onto);
    rewriter.modifyOpInPlace(op, [&] { op.getOutputsMutable()[0].assign(zeros); });
    rewriter.setInsertionPointAfter(op);
    auto sum = arith::AddFOp::create(rewriter, op.getLoc(), op.getResult(0), onto);
    rewriter.replaceAllUsesExcept(op.getResult(0), sum.getResult(), sum);
    return success();
  }
};

/// matmul(concat(a, b), w) -> matmul(a, rows of w) + matmul(b, the other rows)
struct SplitConcatenated final : OpRewritePattern<linalg::MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::MatmulOp op, PatternRewriter &rewriter) const override {
    auto concat = op.getInputs()[0].getDefiningOp<tensor::ConcatOp>();
    if (!concat || concat.getDim() != 1)
      return rewriter.notifyMatchFailure(op, "its rows are no concatenation of features");
    if (!isProduct(op))
      return rewriter.notifyMatchFailure(op, "it repeats one row or column");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    Value matrix = op.getInputs()[1];
    auto type = cast<RankedTensorType>(matrix.getType());
    bool staticWidths = llvm::all_of(concat.getInputs(), [](Value part) {
      return !cast<RankedTensorType>(part.getType()).isDynamicDim(1);
    });
    if (!type.hasStaticShape() || !staticWidths || !isOfFloats(op.getResult(0)))
      return rewriter.notifyMatchFailure(op, "widths are dynamic, or elements no floats");
    if (maps[0].getDimPosition(0) != 0)
      return rewriter.notifyMatchFailure(op, "the product reads its rows transposed");
    // The extent of the matrix that the features run over.
    unsigned features = maps[1].getDimPosition(0) == 2 ? 0 : 1;
    Location loc = op.getLoc();
    Value zeros = createZeros(rewriter, loc, op.getOutputs()[0]);
    Value sum;
    int64_t at = 0;
    for (Value part : concat.getInputs()) {
      int64_t width = cast<RankedTensorType>(part.getType()).getDimSize(1);
      SmallVector<OpFoldResult> offsets(2, rewriter.getIndexAttr(0)), sizes,
          strides(2, rewriter.getIndexAttr(1));
      for (int64_t extent : type.getShape())
        sizes.push_back(rewriter.getIndexAttr(extent));
      offsets[features] = rewriter.getIndexAttr(at);
      sizes[features] = rewriter.getIndexAttr(width);
      at += width;
      Value piece = tensor::ExtractSliceOp::create(rewriter, loc, matrix, offsets, sizes, strides);
      auto product = linalg::MatmulOp::create(rewriter, loc, TypeRange{op.getResult(0).getType()},
                                              ValueRange{part, piece}, ValueRange{zeros});
      product.setIndexingMapsAttr(op.getIndexingMapsAttr());
      Value result = product.getResult(0);
      sum = sum ? arith::AddFOp::create(rewriter, loc, sum, result).getResult() : result;
    }
    if (!isZeroSplat(op.getOutputs()[0]))
      sum = arith::AddFOp::create(rewriter, loc, sum, op.getOutputs()[0]);
    rewriter.replaceOp(op, sum);
    return success();
  }
};

/// matvec(a, v) -> the sum over features of a * v
struct SpellMatvec final : OpRewritePattern<linalg::MatvecOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::MatvecOp op, PatternRewriter &rewriter) const override {
    Value rows = op.getInputs()[0], vector = op.getInputs()[1], onto = op.getOutputs()[0];
    if (op->getNumResults() != 1 || !isOfFloats(rows) ||
        getElementTypeOrSelf(rows.getType()) != getElementTypeOrSelf(onto.getType()) ||
        getElementTypeOrSelf(vector.getType()) != getElementTypeOrSelf(onto.getType()))
      return rewriter.notifyMatchFailure(op, "elements are no floats of one type");
    Location loc = op.getLoc();
    Type element = getElementTypeOrSelf(rows.getType());
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, rows), element);
    Value spread = linalg::BroadcastOp::create(rewriter, loc, vector, empty, ArrayRef<int64_t>{0})
                       ->getResult(0);
    Value products = arith::MulFOp::create(rewriter, loc, rows, spread);
    Value zeros = createZeros(rewriter, loc, onto);
    auto sum = linalg::ReduceOp::create(rewriter, loc, products, zeros, ArrayRef<int64_t>{1},
                                        [](OpBuilder &inner, Location at, ValueRange arguments) {
                                          Value added = arith::AddFOp::create(
                                              inner, at, arguments[0], arguments[1]);
                                          linalg::YieldOp::create(inner, at, added);
                                        });
    Value result = sum->getResult(0);
    if (!isZeroSplat(onto))
      result = arith::AddFOp::create(rewriter, loc, result, onto);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// copy(x) -> x
struct DropCopy final : OpRewritePattern<linalg::CopyOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::CopyOp op, PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op.getInputs()[0].getType() != op.getResult(0).getType())
      return rewriter.notifyMatchFailure(op, "it converts, or works on memory");
    rewriter.replaceOp(op, op.getInputs()[0]);
    return success();
  }
};

/// gather(mask) -> trunci(gather(extui(mask))): memory has no single bits
template <typename OpTy>
struct StoreMask final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    auto bytes = [&](Value mask) {
      return cast<RankedTensorType>(mask.getType()).clone(rewriter.getI8Type());
    };
    if (!getElementTypeOrSelf(op.getType()).isInteger(1))
      return rewriter.notifyMatchFailure(op, "its rows are not of single bits");
    Value stored =
        arith::ExtUIOp::create(rewriter, op.getLoc(), bytes(op.getNodes()), op.getNodes());
    auto gathered = cast<OpTy>(rewriter.clone(*op));
    gathered.getNodesMutable().assign(stored);
    gathered.getResult().setType(bytes(op.getResult()));
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, op.getType(), gathered.getResult());
    return success();
  }
};

/// linalg.add, exp, map, elementwise -> linalg.generic
struct SpellElementwise final : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp, linalg::FillOp, linalg::BroadcastOp, linalg::TransposeOp,
            linalg::CopyOp>(op.getOperation()) ||
        op.getNumLoops() != op.getNumParallelLoops() || op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "it is known by its name, or no op on elements");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

/// linalg.generic that multiplies rows by a matrix -> linalg.matmul
struct NameProduct final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    auto isReduction = [](utils::IteratorType type) {
      return type == utils::IteratorType::reduction;
    };
    SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
    if (loops.size() != 3 || llvm::count_if(loops, isReduction) != 1 || !isReduction(loops[2]) ||
        op->getNumResults() != 1 || !linalg::isaContractionOpInterface(op))
      return rewriter.notifyMatchFailure(op, "it is no product of matrices");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    auto named = linalg::MatmulOp::getDefaultIndexingMaps(op.getContext());
    ArrayRef<AffineExpr> matrix = named[1].getResults();
    AffineMap turned = AffineMap::get(3, 0, {matrix[1], matrix[0]}, op.getContext());
    if (maps[0] != named[0] || (maps[1] != named[1] && maps[1] != turned) || maps[2] != named[2])
      return rewriter.notifyMatchFailure(op, "its loops have another order");
    // A product and a sum, without conversions.
    Block *body = op.getBody();
    if (body->getOperations().size() != 3 || !isa<arith::MulFOp>(body->front()))
      return rewriter.notifyMatchFailure(op, "its elements are no floats of one type");
    auto product = linalg::MatmulOp::create(rewriter, op.getLoc(), op->getResultTypes(),
                                            op.getInputs(), op.getOutputs());
    product.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    rewriter.replaceOp(op, product);
    return success();
  }
};

struct SimplifyDense final : gnnc::impl::GnnSimplifyDensePassBase<SimplifyDense> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<TakeTransposed, AddAfterwards, SpellMatvec, DropCopy, SpellElementwise,
                 NameProduct, StoreMask<gnn::GatherOp>, StoreMask<gnn::GatherAtOp>>(&getContext());
    // Before a product onto something else is taken apart.
    patterns.add<SplitConcatenated>(&getContext(), /*benefit=*/2);
    if (failed(applyPatterns(getOperation(), std::move(patterns), "gnn-simplify-dense")))
      signalPassFailure();
  }
};
} // namespace
