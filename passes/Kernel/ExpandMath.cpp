//===- ExpandMath.cpp - Math functions as arithmetic ----------------------===//
//
// In:  lowered kernels with math ops on scalars and vectors.
// Out: polynomial approximations in their place (upstream's for f32; those of f64 are
//      in ExpandMathF64.cpp), and intrinsics of LLVM for what is an instruction, so
//      that neither target needs a library.
//
// Only approximations that are right for every argument are taken: upstream's sin
// and cos lose all digits far from 0, its sinh near 0; its atan2 is NaN at 0, its
// cbrt at inf. What is left has no code and is an error here, at its place.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Common/Rewrite.h"
#include "passes/Common/RowRegion.h"
#include "passes/Kernel/ExpandMathF64.h"
#include "passes/Kernel/Passes.h"

#include "llvm/ADT/StringSet.h"

namespace gnnc {
#define GEN_PASS_DEF_GNNEXPANDMATHPASS
#include "passes/Kernel/Passes.h.inc"
} // namespace gnnc

using namespace mlir;

namespace {

Value splat(RewriterBase &rewriter, Location loc, Type type, double value) {
  return gnnc::createSplat(rewriter, loc, type,
                           rewriter.getFloatAttr(getElementTypeOrSelf(type), value));
}

/// rsqrt(x) -> 1 / sqrt(x): both correctly rounded, unlike the approximations.
struct ExpandRsqrt final : OpRewritePattern<math::RsqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::RsqrtOp op, PatternRewriter &rewriter) const override {
    Type type = op.getType();
    Value numerator = splat(rewriter, op.getLoc(), type, 1.0);
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
      return rewriter.notifyMatchFailure(op, "not of f32");
    Value scale = splat(rewriter, op.getLoc(), type, 0.434294481903);
    Value log = math::LogOp::create(rewriter, op.getLoc(), op.getOperand());
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, log, scale);
    return success();
  }
};

/// x - tanh(x) of f32 -> x^3 P(x^2) below 1, since near 0 the difference is what the rounding
/// of tanh leaves of it. P is the best polynomial of its degree, within 2e-8 of the quotient.
void expandTanhShrink(Operation *root) {
  static constexpr double coefficients[] = {4.206954938640047e-04,  -2.5104593252183887e-03,
                                            8.218921897791422e-03,  -2.1660115374758985e-02,
                                            5.3934788850892486e-02, -1.3333128520786391e-01,
                                            3.333333125201679e-01};
  SmallVector<arith::SubFOp> differences;
  root->walk([&](arith::SubFOp op) {
    auto tanh = op.getRhs().getDefiningOp<math::TanhOp>();
    if (tanh && tanh.getOperand() == op.getLhs() && getElementTypeOrSelf(op.getType()).isF32())
      differences.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (arith::SubFOp far : differences) {
    rewriter.setInsertionPointAfter(far);
    Location loc = far.getLoc();
    Type type = far.getType();
    Value x = far.getLhs(), square = arith::MulFOp::create(rewriter, loc, x, x);
    Value sum = splat(rewriter, loc, type, coefficients[0]);
    for (double coefficient : llvm::drop_begin(coefficients))
      sum =
          math::FmaOp::create(rewriter, loc, sum, square, splat(rewriter, loc, type, coefficient));
    Value cube = arith::MulFOp::create(rewriter, loc, x, square);
    Value near = arith::MulFOp::create(rewriter, loc, cube, sum);
    Value isNear = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OLT,
                                         math::AbsFOp::create(rewriter, loc, x),
                                         splat(rewriter, loc, type, 1.0));
    auto chosen = arith::SelectOp::create(rewriter, loc, isNear, near, far);
    rewriter.replaceAllUsesExcept(far, chosen, chosen);
  }
}

/// x rounded towards zero by way of integers. From 2^23 (f32) or 2^52 (f64) on, and
/// for NaN, x is what it is; the conversion's result is then not looked at.
Value truncate(PatternRewriter &rewriter, Location loc, Value x) {
  Type type = x.getType();
  bool isF64 = getElementTypeOrSelf(type).isF64();
  Type integer = isF64 ? rewriter.getI64Type() : rewriter.getI32Type();
  if (auto shaped = dyn_cast<ShapedType>(type))
    integer = shaped.clone(integer);
  Value whole = arith::FPToSIOp::create(rewriter, loc, integer, x);
  Value back = arith::SIToFPOp::create(rewriter, loc, type, whole);
  Value small = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OLT,
                                      math::AbsFOp::create(rewriter, loc, x),
                                      splat(rewriter, loc, type, isF64 ? 0x1p52 : 0x1p23));
  Value rounded = arith::SelectOp::create(rewriter, loc, small, back, x);
  return math::CopySignOp::create(rewriter, loc, rounded, x); // -0.5 -> -0
}

/// floor, ceil, trunc, roundeven where they would be calls of a library.
template <typename OpTy>
struct RoundByIntegers final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Type type = op.getType(), element = getElementTypeOrSelf(type);
    if (!element.isF32() && !element.isF64())
      return rewriter.notifyMatchFailure(op, "f32 and f64 only");
    Location loc = op.getLoc();
    Value x = op.getOperand(), result;
    if constexpr (std::is_same_v<OpTy, math::RoundEvenOp>) {
      // Adding 2^23 leaves no bits for a fraction.
      Value large = splat(rewriter, loc, type, element.isF64() ? 0x1p52 : 0x1p23);
      Value shift = math::CopySignOp::create(rewriter, loc, large, x);
      Value near = arith::SubFOp::create(rewriter, loc,
                                         arith::AddFOp::create(rewriter, loc, x, shift), shift);
      Value small = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OLT,
                                          math::AbsFOp::create(rewriter, loc, x), large);
      result = arith::SelectOp::create(rewriter, loc, small, near, x);
    } else {
      result = truncate(rewriter, loc, x);
      if constexpr (!std::is_same_v<OpTy, math::TruncOp>) {
        bool isFloor = std::is_same_v<OpTy, math::FloorOp>;
        auto beyond = isFloor ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
        Value past = arith::CmpFOp::create(rewriter, loc, beyond, result, x);
        Value next = arith::AddFOp::create(rewriter, loc, result,
                                           splat(rewriter, loc, type, isFloor ? -1.0 : 1.0));
        result = arith::SelectOp::create(rewriter, loc, past, next, result);
      }
    }
    rewriter.replaceOpWithNewOp<math::CopySignOp>(op, result, x);
    return success();
  }
};

/// Without SSE 4.1 (level v2) there is no instruction that rounds.
bool canRound(Operation *root) {
  auto target = root->getAttrOfType<gnnc::gnn::TargetAttr>(gnnc::gnn::kTargetAttr);
  return !target || target.getKind() != gnnc::gnn::TargetKind::Cpu ||
         (target.getChip() != "generic" && target.getChip() != "x86-64");
}

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

/// The approximations compute on vectors; over tensors they would make ops of no type.
LogicalResult refuseTensors(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    bool isMath = isa<arith::RemFOp, arith::MaxNumFOp, arith::MinNumFOp>(op) ||
                  isa_and_present<math::MathDialect>(op->getDialect());
    if (!isMath || !llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
      return WalkResult::advance();
    op->emitOpError("gives ") << op->getResult(0).getType()
                              << ", and gnn-expand-math takes scalars and vectors; run "
                                 "gnn-form-kernels and gnn-lower-to-cpu or gnn-lower-to-gpu first";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

struct GnnExpandMathPass : gnnc::impl::GnnExpandMathPassBase<GnnExpandMathPass> {
  void runOnOperation() override {
    if (failed(refuseTensors(getOperation())))
      return signalPassFailure();
    expandTanhShrink(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandRsqrt, ExpandLog10>(&getContext());
    gnnc::populateF64MathPatterns(patterns);
    math::populateExpansionPatterns(patterns, {"exp2", "cosh", "round"});
    populateMathF32ExpansionPatterns(patterns, [](StringRef) { return true; });
    populateMathPolynomialApproximationPatterns(patterns, isApproximatedEverywhere);
    if (!canRound(getOperation()))
      patterns.add<RoundByIntegers<math::FloorOp>, RoundByIntegers<math::CeilOp>,
                   RoundByIntegers<math::TruncOp>, RoundByIntegers<math::RoundEvenOp>>(
          &getContext());
    // Two steps: the approximations themselves use some of these ops.
    RewritePatternSet intrinsics(&getContext());
    intrinsics.add<UseIntrinsic<math::SqrtOp>>(&getContext(), "llvm.sqrt");
    intrinsics.add<UseIntrinsic<math::AbsFOp>>(&getContext(), "llvm.fabs");
    // One instruction where there is one, else two: fma would be a library call there.
    intrinsics.add<UseIntrinsic<math::FmaOp>>(&getContext(), "llvm.fmuladd");
    if (canRound(getOperation())) {
      intrinsics.add<UseIntrinsic<math::FloorOp>>(&getContext(), "llvm.floor");
      intrinsics.add<UseIntrinsic<math::CeilOp>>(&getContext(), "llvm.ceil");
      intrinsics.add<UseIntrinsic<math::RoundEvenOp>>(&getContext(), "llvm.roundeven");
      intrinsics.add<UseIntrinsic<math::TruncOp>>(&getContext(), "llvm.trunc");
    }
    intrinsics.add<UseIntrinsic<math::CopySignOp>>(&getContext(), "llvm.copysign");
    intrinsics.add<UseIntrinsic<arith::MaxNumFOp>>(&getContext(), "llvm.maxnum");
    intrinsics.add<UseIntrinsic<arith::MinNumFOp>>(&getContext(), "llvm.minnum");
    if (failed(gnnc::applyPatterns(getOperation(), std::move(patterns), "gnn-expand-math")) ||
        failed(gnnc::applyPatterns(getOperation(), std::move(intrinsics), "gnn-expand-math")) ||
        failed(refuseLibraryCalls(getOperation())))
      signalPassFailure();
  }
};

} // namespace
