//===- MoveRowScales.cpp - Row scalings go where they are free ------------===//
//
// In: fused aggregates, of which some multiply each source row by a number of
// its node, and scalings of a product's rows.
// Out: the same numbers multiplied in the epilogue of the aggregate that made the
// rows, once per node instead of once per edge.
//
// (h W) s = (h s) W for numbers s of the rows: a matrix product in between does
// not matter, while its library could not take the scaling along itself.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Common/Blocker.h"
#include "passes/Common/Rewrite.h"
#include "passes/Common/RowOps.h"
#include "passes/Program/GraphHandling.h"
#include "passes/Program/Passes.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNMOVEROWSCALESPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

/// Nothing but `user` reads `value`, or asks for more than its size.
static bool isReadByAlone(Value value, Operation *user) {
  return llvm::all_of(value.getUsers(),
                      [&](Operation *other) { return other == user || isa<tensor::DimOp>(other); });
}

/// Where rows that `reader` alone reads can be scaled for nothing: an aggregate,
/// seen through one matrix product. Null with the reason in `why`.
static AggregateOp findProducer(Value rows, Operation *reader, Value scale,
                                linalg::MatmulOp &product, StringRef &why) {
  if (!isReadByAlone(rows, reader)) {
    why = "the rows are read elsewhere, too";
    return {};
  }
  product = rows.getDefiningOp<linalg::MatmulOp>();
  if (product) {
    if (!isZeroSplat(product.getOutputs()[0]) || !RowSpaces::isRowwise(product->getOpOperand(0))) {
      why = "the product adds to something, or its rows are not those of its first operand";
      return {};
    }
    rows = product.getInputs()[0];
    if (!isReadByAlone(rows, product)) {
      why = "what the product reads is read elsewhere, too";
      return {};
    }
  }
  auto producer = rows.getDefiningOp<AggregateOp>();
  if (!producer || producer.getNumResults() != 1) {
    why = "no aggregate makes the rows, in whose epilogue the scaling would be free";
    return {};
  }
  Operation *def = scale.getDefiningOp();
  if (def && !(def->getBlock() == producer->getBlock() && def->isBeforeInBlock(producer))) {
    why = "the numbers are not known when the rows are made";
    return {};
  }
  return producer;
}

/// Multiplies the rows that `producer` makes.
static void scaleProducer(OpBuilder &builder, Location loc, AggregateOp producer, Value scale) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(producer);
  Value rows = producer.getOuts()[0];
  Value repeated = createRepeatedLike(builder, loc, scale, rows);
  auto scaled = arith::MulFOp::create(builder, loc, rows, repeated);
  rows.replaceUsesWithIf(scaled, [&](OpOperand &use) {
    return use.getOwner() != scaled && !isa<tensor::DimOp>(use.getOwner());
  });
}

namespace {
/// A multiplication in a message by a number of the source node.
struct SourceScale {
  arith::MulFOp product;
  Value rest;                   ///< the other factor
  unsigned row = 0, number = 0; ///< `src` operands
};
} // namespace

/// The number of the `src` operand that region value `value` repeats, if it does.
static std::optional<unsigned> repeatedSource(Value value, AggregateOp aggregate) {
  auto broadcast = value.getDefiningOp<vector::BroadcastOp>();
  auto argument = broadcast ? dyn_cast<BlockArgument>(broadcast.getSource()) : BlockArgument();
  if (!argument || argument.getArgNumber() >= aggregate.getSrc().size() ||
      isa<VectorType>(argument.getType()))
    return std::nullopt;
  return argument.getArgNumber();
}

/// The first such multiplication in a message that is a product of one source row
/// and other factors.
static std::optional<Blocker> findSourceScale(AggregateOp aggregate, SourceScale &found) {
  Block &message = aggregate.getMessage().front();
  Operation *yield = message.getTerminator();
  if (yield->getNumOperands() != 1)
    return Blocker(aggregate, "the message has several values");
  SmallVector<Value> worklist{yield->getOperand(0)};
  bool hasRow = false;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!value.hasOneUse())
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      bool isSource = argument.getArgNumber() < aggregate.getSrc().size();
      if (isSource && isa<VectorType>(argument.getType())) {
        if (hasRow)
          return Blocker(aggregate, "the message multiplies several source rows");
        hasRow = true;
        found.row = argument.getArgNumber();
      }
      continue;
    }
    auto product = value.getDefiningOp<arith::MulFOp>();
    if (!product)
      continue;
    for (auto [factor, other] : {std::pair(product.getLhs(), product.getRhs()),
                                 std::pair(product.getRhs(), product.getLhs())}) {
      if (auto number = repeatedSource(factor, aggregate); number && !found.product)
        found = {product, other, found.row, *number};
      worklist.push_back(factor);
    }
  }
  if (!hasRow || !found.product)
    return Blocker(aggregate, "the message is no product of a source row and a number of its node");
  return std::nullopt;
}

namespace {
/// aggregate(h W) { x s[u] } -> aggregate((h s) W) { x }
struct MoveSourceScale final : OpRewritePattern<AggregateOp> {
  MoveSourceScale(MLIRContext *context, unsigned &count)
      : OpRewritePattern(context), count(count) {}
  LogicalResult matchAndRewrite(AggregateOp aggregate, PatternRewriter &rewriter) const override {
    SourceScale found;
    if (auto blocker = findSourceScale(aggregate, found))
      return rewriter.notifyMatchFailure(blocker->at, blocker->text);
    if (aggregate.getScheduleAttr())
      return rewriter.notifyMatchFailure(aggregate, "the aggregate has its schedule already");
    Value scale = aggregate.getSrc()[found.number], rows = aggregate.getSrc()[found.row];
    // Read once as a source row, and nowhere else.
    if (llvm::count(aggregate->getOperands(), rows) != 1)
      return rewriter.notifyMatchFailure(aggregate, "the rows are read at the other end, too");
    linalg::MatmulOp product;
    StringRef why;
    AggregateOp producer = findProducer(rows, aggregate, scale, product, why);
    if (!producer)
      return rewriter.notifyMatchFailure(aggregate, why);
    scaleProducer(rewriter, found.product.getLoc(), producer, scale);
    rewriter.modifyOpInPlace(aggregate, [&] {
      found.product.getResult().replaceAllUsesWith(found.rest);
      rewriter.eraseOp(found.product);
    });
    ++count;
    return success();
  }
  unsigned &count;
};

/// (h W) * d -> (h * d) W, with h the rows of an aggregate
struct MoveProductScale final : OpRewritePattern<arith::MulFOp> {
  MoveProductScale(MLIRContext *context, unsigned &count)
      : OpRewritePattern(context), count(count) {}
  LogicalResult matchAndRewrite(arith::MulFOp scaled, PatternRewriter &rewriter) const override {
    for (auto [rows, factor] : {std::pair(scaled.getLhs(), scaled.getRhs()),
                                std::pair(scaled.getRhs(), scaled.getLhs())}) {
      Value numbers = repeatedNumbers(factor);
      if (!numbers || !rows.getDefiningOp<linalg::MatmulOp>())
        continue;
      linalg::MatmulOp product;
      StringRef why;
      AggregateOp producer = findProducer(rows, scaled, numbers, product, why);
      if (!producer)
        return rewriter.notifyMatchFailure(scaled, why);
      scaleProducer(rewriter, scaled.getLoc(), producer, numbers);
      rewriter.replaceOp(scaled, rows);
      ++count;
      return success();
    }
    return rewriter.notifyMatchFailure(scaled, "no rows of a matrix product are scaled");
  }
  unsigned &count;
};

struct MoveRowScales final : gnnc::impl::GnnMoveRowScalesPassBase<MoveRowScales> {
protected:
  void runOnOperation() override {
    unsigned moved = 0;
    RewritePatternSet patterns(&getContext());
    patterns.add<MoveSourceScale, MoveProductScale>(&getContext(), moved);
    if (failed(applyPatterns(getOperation(), std::move(patterns), "gnn-move-row-scales")))
      signalPassFailure();
    numMoved += moved;
  }
};
} // namespace
