//===- ExpandMath.cpp - Math functions as arithmetic ----------------------===//
//
// In:  lowered kernels with math ops on f32 scalars and vectors.
// Out: polynomial approximations in their place (upstream's), and intrinsics of
//      LLVM for what is an instruction, so that neither target needs a library.
//
// Only approximations that are right for every argument are taken: upstream's sin
// and cos lose all digits far from 0, its sinh near 0; its atan2 is NaN at 0, its
// cbrt at inf. What is left has no code and is an error here, at its place.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Kernel/Passes.h"

#include "llvm/ADT/StringSet.h"

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

/// log10(x) -> log(x) * log10(e)
struct ExpandLog10 final : OpRewritePattern<math::Log10Op> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::Log10Op op, PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return rewriter.notifyMatchFailure(op, "only f32 logarithms are approximated");
    TypedAttr factor = rewriter.getF32FloatAttr(0.434294481903f);
    if (auto shaped = dyn_cast<ShapedType>(type))
      factor = DenseElementsAttr::get(shaped, ArrayRef<Attribute>(factor));
    Value scale = arith::ConstantOp::create(rewriter, op.getLoc(), factor);
    Value log = math::LogOp::create(rewriter, op.getLoc(), op.getOperand());
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, log, scale);
    return success();
  }
};

bool isApproximatedEverywhere(StringRef name) {
  static const llvm::StringSet<> names = {"math.exp",  "math.expm1", "math.log",
                                          "math.log2", "math.log1p", "math.tanh",
                                          "math.erf",  "math.erfc",  "math.atan"};
  return names.contains(name);
}

/// A call of a C library's function is all that could be made of it.
LogicalResult refuseLibraryCalls(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    if (!isa<arith::RemFOp>(op) && !isa_and_present<math::MathDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitOpError("has no kernel code for ")
        << getElementTypeOrSelf(op->getResult(0).getType())
        << "; docs/passes/kernel.md lists the functions of each type (gnn-expand-math)";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

struct GnnExpandMathPass : gnnc::impl::GnnExpandMathPassBase<GnnExpandMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandRsqrt, ExpandLog10>(&getContext());
    math::populateExpansionPatterns(patterns, {"exp2", "cosh", "round"});
    populateMathF32ExpansionPatterns(patterns, [](StringRef) { return true; });
    populateMathPolynomialApproximationPatterns(patterns, isApproximatedEverywhere);
    // Two steps: the approximations themselves use some of these ops.
    RewritePatternSet intrinsics(&getContext());
    intrinsics.add<UseIntrinsic<math::SqrtOp>>(&getContext(), "llvm.sqrt");
    intrinsics.add<UseIntrinsic<math::AbsFOp>>(&getContext(), "llvm.fabs");
    intrinsics.add<UseIntrinsic<math::FmaOp>>(&getContext(), "llvm.fma");
    intrinsics.add<UseIntrinsic<math::FloorOp>>(&getContext(), "llvm.floor");
    intrinsics.add<UseIntrinsic<math::CeilOp>>(&getContext(), "llvm.ceil");
    intrinsics.add<UseIntrinsic<math::CopySignOp>>(&getContext(), "llvm.copysign");
    intrinsics.add<UseIntrinsic<math::RoundEvenOp>>(&getContext(), "llvm.roundeven");
    intrinsics.add<UseIntrinsic<math::TruncOp>>(&getContext(), "llvm.trunc");
    intrinsics.add<UseIntrinsic<arith::MaxNumFOp>>(&getContext(), "llvm.maxnum");
    intrinsics.add<UseIntrinsic<arith::MinNumFOp>>(&getContext(), "llvm.minnum");
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))) ||
        failed(applyPatternsGreedily(getOperation(), std::move(intrinsics)))) {
      getOperation()->emitError("gnn-expand-math did not converge");
      return signalPassFailure();
    }
    if (failed(refuseLibraryCalls(getOperation())))
      signalPassFailure();
  }
};

} // namespace
