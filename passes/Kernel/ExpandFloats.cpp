//===- ExpandFloats.cpp - 16-bit conversions without instructions for them ===//
//
// In: kernels for a processor, as scalars and vectors. Out: extf and truncf between
// f32 and what its level does not convert are integer arithmetic: bf16 always, f16
// below x86-64-v3. Otherwise each would be a call of a library that a kernel does
// not have.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Common/Rewrite.h"
#include "passes/Common/RowRegion.h"
#include "passes/Kernel/Passes.h"

namespace gnnc {
#define GEN_PASS_DEF_GNNEXPANDFLOATSPASS
#include "passes/Kernel/Passes.h.inc"
} // namespace gnnc

using namespace mlir;

namespace {

/// Integer arithmetic on a scalar, or on all elements of a vector.
class Words {
public:
  Words(OpBuilder &builder, Location loc, Type like) : builder(builder), loc(loc), like(like) {}

  Type of(Type element) const {
    auto shaped = dyn_cast<ShapedType>(like);
    return shaped ? Type(shaped.clone(element)) : element;
  }
  Value number(uint32_t value) const { return splat(builder.getI32IntegerAttr(int32_t(value))); }
  Value floating(double value) const { return splat(builder.getF32FloatAttr(float(value))); }
  Value andBits(Value a, uint32_t b) const { return make<arith::AndIOp>(a, number(b)); }
  Value shiftLeft(Value a, uint32_t n) const { return make<arith::ShLIOp>(a, number(n)); }
  Value shiftRight(Value a, uint32_t n) const { return make<arith::ShRUIOp>(a, number(n)); }
  Value add(Value a, Value b) const { return make<arith::AddIOp>(a, b); }
  Value orBits(Value a, Value b) const { return make<arith::OrIOp>(a, b); }
  Value isAtLeast(Value a, uint32_t b) const {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, a, number(b));
  }
  Value choose(Value condition, Value then, Value otherwise) const {
    return arith::SelectOp::create(builder, loc, condition, then, otherwise);
  }
  Value bits(Value a) const { return cast<arith::BitcastOp>(builder.getI32Type(), a); }
  Value single(Value a) const { return cast<arith::BitcastOp>(builder.getF32Type(), a); }
  template <class Op>
  Value cast(Type element, Value a) const {
    return Op::create(builder, loc, of(element), a);
  }
  template <class Op>
  Value make(Value a, Value b) const {
    return Op::create(builder, loc, a, b);
  }

private:
  Value splat(TypedAttr value) const {
    return gnnc::createSplat(builder, loc, of(value.getType()), value);
  }
  OpBuilder &builder;
  Location loc;
  Type like;
};

/// The exponent is moved by multiplying with 2^112, which takes denormal numbers
/// along; infinity and NaN get theirs by hand.
struct ExtendF16 final : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn().getType()).isF16() ||
        !getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not from f16 to f32");
    Words w(rewriter, op.getLoc(), op.getType());
    Value half = w.cast<arith::BitcastOp>(rewriter.getI16Type(), op.getIn());
    Value word = w.cast<arith::ExtUIOp>(rewriter.getI32Type(), half);
    Value sign = w.shiftLeft(w.andBits(word, 0x8000), 16);
    Value magnitude = w.andBits(word, 0x7fff);
    Value moved = w.single(w.shiftLeft(magnitude, 13));
    Value value = w.bits(w.make<arith::MulFOp>(moved, w.floating(0x1p112)));
    Value special = w.orBits(value, w.number(0x7f800000));
    value = w.choose(w.isAtLeast(magnitude, 0x7c00), special, value);
    rewriter.replaceOp(op, w.single(w.orBits(value, sign)));
    return success();
  }
};

/// To nearest, ties to even. Normal results round by an integer addition, denormal
/// ones by adding a float whose last bit is theirs.
struct TruncateF16 final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF16() ||
        !getElementTypeOrSelf(op.getIn().getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not from f32 to f16");
    Words w(rewriter, op.getLoc(), op.getType());
    Value word = w.bits(op.getIn());
    Value sign = w.shiftRight(w.andBits(word, 0x80000000), 16);
    Value magnitude = w.andBits(word, 0x7fffffff);
    Value special =
        w.choose(w.isAtLeast(magnitude, 0x7f800001), w.number(0x7e00), w.number(0x7c00));
    Value shifted = w.make<arith::AddFOp>(w.single(magnitude), w.floating(0.5));
    Value denormal = w.add(w.bits(shifted), w.number(-0x3f000000u));
    Value odd = w.andBits(w.shiftRight(magnitude, 13), 1);
    // 15 instead of 127 as the exponent's bias, and half of the last bit less one.
    Value rounded = w.add(w.add(magnitude, w.number(0xc8000fff)), odd);
    Value normal = w.shiftRight(rounded, 13);
    Value value = w.choose(w.isAtLeast(magnitude, 0x38800000), normal, denormal);
    value = w.choose(w.isAtLeast(magnitude, 0x47800000), special, value);
    Value half = w.cast<arith::TruncIOp>(rewriter.getI16Type(), w.orBits(value, sign));
    rewriter.replaceOp(op, w.cast<arith::BitcastOp>(rewriter.getF16Type(), half));
    return success();
  }
};

/// bf16 goes through memory as integers: moving vectors of it makes LLVM convert them
/// back and forth, by a library on processors without AVX-512 BF16.
Type asIntegers(Type type) {
  Type integer = IntegerType::get(type.getContext(), 16);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(integer)) : integer;
}

template <class Op>
struct LoadIntegers final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Type type = op.getRes().getType();
    if (!getElementTypeOrSelf(type).isBF16())
      return rewriter.notifyMatchFailure(op, "no bf16");
    rewriter.setInsertionPoint(op);
    IRMapping mapping;
    for (Value operand : op->getOperands())
      if (getElementTypeOrSelf(operand.getType()).isBF16())
        mapping.map(operand, arith::BitcastOp::create(rewriter, op.getLoc(),
                                                      asIntegers(operand.getType()), operand));
    Operation *load = rewriter.clone(*op, mapping);
    load->getResult(0).setType(asIntegers(type));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, type, load->getResult(0));
    return success();
  }
};

template <class Op>
struct StoreIntegers final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Value value = op.getValue();
    if (!getElementTypeOrSelf(value.getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "no bf16");
    Value integers =
        arith::BitcastOp::create(rewriter, op.getLoc(), asIntegers(value.getType()), value);
    rewriter.modifyOpInPlace(op, [&] { op.getValueMutable().assign(integers); });
    return success();
  }
};

/// F16C came with level v3.
bool hasF16Conversion(gnnc::gnn::TargetAttr target) {
  return target.getChip() == "x86-64-v3" || target.getChip() == "x86-64-v4";
}

/// Other arithmetic on what has no conversion would be calls as well.
LogicalResult refuseArithmetic(ModuleOp module, bool withF16) {
  auto has = [&](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isBF16() || (withF16 && element.isF16());
  };
  WalkResult walked = module.walk([&](Operation *op) {
    bool computes = isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect());
    if (!computes || op->hasTrait<OpTrait::ConstantLike>() ||
        isa<arith::BitcastOp, arith::SelectOp>(op))
      return WalkResult::advance();
    if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
      Type from = getElementTypeOrSelf(op->getOperand(0).getType());
      Type to = getElementTypeOrSelf(op->getResult(0).getType());
      if ((!has(from) || to.isF32()) && (!has(to) || from.isF32()))
        return WalkResult::advance();
      op->emitOpError("converts ")
          << from << " to " << to << ", for which there is no code; go by way of f32";
      return WalkResult::interrupt();
    }
    for (Type type : op->getOperandTypes())
      if (has(type)) {
        op->emitOpError("computes in ")
            << getElementTypeOrSelf(type)
            << ", for which the processor has no instructions; gnn-set-precision makes it f32";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

struct ExpandFloats final : gnnc::impl::GnnExpandFloatsPassBase<ExpandFloats> {
  void runOnOperation() override {
    auto target = getOperation()->getAttrOfType<gnnc::gnn::TargetAttr>(gnnc::gnn::kTargetAttr);
    if (!target || target.getKind() != gnnc::gnn::TargetKind::Cpu)
      return;
    if (failed(refuseArithmetic(getOperation(), !hasF16Conversion(target))))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    patterns.add<LoadIntegers<LLVM::LoadOp>, LoadIntegers<LLVM::MaskedLoadOp>,
                 StoreIntegers<LLVM::StoreOp>, StoreIntegers<LLVM::MaskedStoreOp>>(&getContext());
    if (!hasF16Conversion(target))
      patterns.add<ExtendF16, TruncateF16>(&getContext());
    if (failed(gnnc::applyPatterns(getOperation(), std::move(patterns), "gnn-expand-floats")))
      signalPassFailure();
  }
};

} // namespace
