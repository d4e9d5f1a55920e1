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

/// Why rows that `reader` reads cannot be scaled for nothing where they are made, which is
/// in `producer`, seen through one matrix product.
static std::optional<Blocker> findProducer(Value rows, Operation *reader, Value scale,
                                           AggregateOp &producer) {
  if (!isReadByAlone(rows, reader))
    return Blocker(reader, "the rows are read elsewhere, too");
  if (auto product = rows.getDefiningOp<linalg::MatmulOp>()) {
    if (!isZeroSplat(product.getOutputs()[0]) || !RowSpaces::isRowwise(product->getOpOperand(0)))
      return Blocker(reader, "the product adds to something, or its rows are not those of its "
                             "first operand");
    rows = product.getInputs()[0];
    if (!isReadByAlone(rows, product))
      return Blocker(reader, "what the product reads is read elsewhere, too");
  }
  producer = rows.getDefiningOp<AggregateOp>();
  if (!producer || producer.getNumResults() != 1)
    return Blocker(reader, "no aggregate makes the rows, in whose epilogue the scaling would be "
                           "free");
  Operation *def = scale.getDefiningOp();
  if (def && !(def->getBlock() == producer->getBlock() && def->isBeforeInBlock(producer)))
    return Blocker(reader, "the numbers are not known when the rows are made");
  return std::nullopt;
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

/// Why the scaling of a source row stays in the message of `aggregate`; `found` has it if
/// there is one.
static std::optional<Blocker> findSourceMove(AggregateOp aggregate, SourceScale &found,
                                             AggregateOp &producer) {
  if (auto blocker = findSourceScale(aggregate, found))
    return blocker;
  if (aggregate.getScheduleAttr())
    return Blocker(aggregate, "the aggregate has its schedule already");
  Value scale = aggregate.getSrc()[found.number], rows = aggregate.getSrc()[found.row];
  // Read once as a source row, and nowhere else.
  if (llvm::count(aggregate->getOperands(), rows) != 1)
    return Blocker(aggregate, "the rows are read at the other end, too");
  return findProducer(rows, aggregate, scale, producer);
}

namespace {
/// Rows of a matrix product, times a number each.
struct ProductScale {
  linalg::MatmulOp product;
  Value numbers;
};
} // namespace

/// Why the scaling `scaled` stays behind its product; `found` has that if there is one.
static std::optional<Blocker> findProductMove(arith::MulFOp scaled, ProductScale &found,
                                              AggregateOp &producer) {
  for (auto [rows, factor] :
       {std::pair(scaled.getLhs(), scaled.getRhs()), std::pair(scaled.getRhs(), scaled.getLhs())}) {
    found = {rows.getDefiningOp<linalg::MatmulOp>(), repeatedNumbers(factor)};
    if (found.product && found.numbers)
      return findProducer(rows, scaled, found.numbers, producer);
  }
  found = {};
  return Blocker(scaled, "no rows of a matrix product are scaled");
}

namespace {
/// aggregate(h W) { x s[u] } -> aggregate((h s) W) { x }
struct MoveSourceScale final : OpRewritePattern<AggregateOp> {
  MoveSourceScale(MLIRContext *context, unsigned &count)
      : OpRewritePattern(context), count(count) {}
  LogicalResult matchAndRewrite(AggregateOp aggregate, PatternRewriter &rewriter) const override {
    SourceScale found;
    AggregateOp producer;
    if (auto blocker = findSourceMove(aggregate, found, producer))
      return rewriter.notifyMatchFailure(blocker->at, blocker->text);
    scaleProducer(rewriter, found.product.getLoc(), producer, aggregate.getSrc()[found.number]);
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
    ProductScale found;
    AggregateOp producer;
    if (auto blocker = findProductMove(scaled, found, producer))
      return rewriter.notifyMatchFailure(blocker->at, blocker->text);
    scaleProducer(rewriter, scaled.getLoc(), producer, found.numbers);
    rewriter.replaceOp(scaled, found.product);
    ++count;
    return success();
  }
  unsigned &count;
};

/// Says of every scaling that is left why it is.
void reportLeft(func::FuncOp function) {
  AggregateOp producer;
  function.walk([&](AggregateOp aggregate) {
    SourceScale found;
    auto blocker = findSourceMove(aggregate, found, producer);
    if (blocker && found.product)
      reportMissed(aggregate, "gnn-move-row-scales", *blocker);
  });
  function.walk([&](arith::MulFOp scaled) {
    ProductScale found;
    auto blocker = findProductMove(scaled, found, producer);
    if (blocker && found.product)
      reportMissed(scaled, "gnn-move-row-scales", *blocker);
  });
}

struct MoveRowScales final : gnnc::impl::GnnMoveRowScalesPassBase<MoveRowScales> {
protected:
  void runOnOperation() override {
    unsigned moved = 0;
    RewritePatternSet patterns(&getContext());
    patterns.add<MoveSourceScale, MoveProductScale>(&getContext(), moved);
    if (failed(applyPatterns(getOperation(), std::move(patterns), "gnn-move-row-scales")))
      signalPassFailure();
    numMoved += moved;
    reportLeft(getOperation());
  }
};
} // namespace
