//===- ExpandMath.cpp - Math functions as arithmetic ----------------------===//
//
// In:  lowered kernels with math ops on f32 scalars and vectors.
// Out: the same with polynomial approximations in their place (upstream's), so
//      that neither target needs a math library.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Kernel/Passes.h"

namespace gnnc {
#define GEN_PASS_DEF_GNNEXPANDMATHPASS
#include "passes/Kernel/Passes.h.inc"
} // namespace gnnc

using namespace mlir;

namespace {

/// rsqrt(x) -> 1 / sqrt(x): both correctly rounded, unlike the approximations.
struct ExpandRsqrt final : OpRewritePattern<math::RsqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::RsqrtOp op, PatternRewriter &rewriter) const override {
    Type type = op.getType();
    auto element = cast<FloatType>(getElementTypeOrSelf(type));
    TypedAttr one = rewriter.getFloatAttr(element, 1.0);
    if (auto shaped = dyn_cast<ShapedType>(type))
      one = DenseElementsAttr::get(shaped, ArrayRef<Attribute>(one));
    Value numerator = arith::ConstantOp::create(rewriter, op.getLoc(), one);
    Value root = math::SqrtOp::create(rewriter, op.getLoc(), op.getOperand());
    rewriter.replaceOpWithNewOp<arith::DivFOp>(op, numerator, root);
    return success();
  }
};

struct GnnExpandMathPass : gnnc::impl::GnnExpandMathPassBase<GnnExpandMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandRsqrt>(&getContext());
    auto all = [](StringRef name) { return name != math::SqrtOp::getOperationName(); };
    populateMathF32ExpansionPatterns(patterns, all);
    populateMathPolynomialApproximationPatterns(patterns, all);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      getOperation()->emitError("gnn-expand-math did not converge");
      signalPassFailure();
    }
  }
};

} // namespace
