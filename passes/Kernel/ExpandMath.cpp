//===- ExpandMath.cpp - Math functions as arithmetic ----------------------===//
//
// In:  lowered kernels with math ops on f32 scalars and vectors.
// Out: polynomial approximations in their place (upstream's), and intrinsics of
//      LLVM for what is an instruction, so that neither target needs a library.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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

/// Names the LLVM intrinsic itself: upstream's conversion for NVPTX turns these
/// ops, which are instructions of both targets, into calls of libdevice.
template <typename OpTy>
struct UseIntrinsic final : OpRewritePattern<OpTy> {
  UseIntrinsic(MLIRContext *context, StringRef intrinsic)
      : OpRewritePattern<OpTy>(context), intrinsic(intrinsic) {}
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    auto call = LLVM::CallIntrinsicOp::create(rewriter, op.getLoc(), op.getType(),
                                              rewriter.getStringAttr(intrinsic), op->getOperands());
    rewriter.replaceOp(op, call);
    return success();
  }
  StringRef intrinsic;
};

struct GnnExpandMathPass : gnnc::impl::GnnExpandMathPassBase<GnnExpandMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandRsqrt>(&getContext());
    auto all = [](StringRef) { return true; };
    populateMathF32ExpansionPatterns(patterns, all);
    populateMathPolynomialApproximationPatterns(patterns, all);
    // Two steps: the approximations themselves use some of these ops.
    RewritePatternSet intrinsics(&getContext());
    intrinsics.add<UseIntrinsic<math::SqrtOp>>(&getContext(), "llvm.sqrt");
    intrinsics.add<UseIntrinsic<math::AbsFOp>>(&getContext(), "llvm.fabs");
    intrinsics.add<UseIntrinsic<math::FmaOp>>(&getContext(), "llvm.fma");
    intrinsics.add<UseIntrinsic<math::FloorOp>>(&getContext(), "llvm.floor");
    intrinsics.add<UseIntrinsic<math::CeilOp>>(&getContext(), "llvm.ceil");
    intrinsics.add<UseIntrinsic<math::CopySignOp>>(&getContext(), "llvm.copysign");
    intrinsics.add<UseIntrinsic<math::RoundEvenOp>>(&getContext(), "llvm.roundeven");
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))) ||
        failed(applyPatternsGreedily(getOperation(), std::move(intrinsics)))) {
      getOperation()->emitError("gnn-expand-math did not converge");
      signalPassFailure();
    }
  }
};

} // namespace
