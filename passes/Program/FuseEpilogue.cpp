//===- FuseEpilogue.cpp - aggregate, row ops -> aggregate with epilogue -----==//
//
// In: aggregates whose result is read by ops that compute row by row: elementwise
// ones, reductions over features (mean of heads), reshapes of features (heads
// side by side).
// Out: the same computation on each node's row, before it is stored.
//
// 1. Candidates are such ops reachable from the result through such ops, in the
//    order of the block.
// 2. A prefix of them can be fused when the only value that leaves it is that
//    of its last op: then no other user of the result or of a value between
//    remains. The longest such prefix is taken.
//    A row count taken from such a value is no use of it, if all it sizes goes
//    into the epilogue too.
// 3. What its ops read besides is defined before the last op, so the aggregate
//    moves to there.
//
//===----------------------------------------------------------------------===//
#include "passes/Common/Blocker.h"
#include "passes/Common/Rewrite.h"
#include "passes/Common/RowRegion.h"
#include "passes/Common/RowSpaces.h"
#include "passes/Program/Passes.h"

#include <set>

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNFUSEEPILOGUEPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

/// Computes, or only moves, the features of each row of operand 0 or another.
static bool isTailOp(Operation *op) {
  auto broadcast = dyn_cast<linalg::BroadcastOp>(op);
  return isRowComputation(op) || isRowReshape(op) ||
         (broadcast && isRowBroadcast(op) && !llvm::is_contained(broadcast.getDimensions(), 0));
}

/// Such ops behind `result`, in the order of the block.
static SmallVector<Operation *> findCandidates(Value result) {
  auto earlier = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
  std::set<Operation *, decltype(earlier)> worklist(earlier);
  SmallVector<Operation *> candidates;
  auto addUsers = [&](Value value) {
    for (Operation *user : value.getUsers())
      if (user->getBlock() == result.getParentBlock() && isTailOp(user))
        worklist.insert(user);
  };
  addUsers(result);
  while (!worklist.empty()) {
    candidates.push_back(*worklist.begin());
    worklist.erase(worklist.begin());
    addUsers(candidates.back()->getResult(0));
  }
  return candidates;
}

/// Ops that would still need a tensor of this size when `inside` is gone.
static Operation *findSizedOutside(tensor::DimOp dim, const OpSet &inside) {
  for (Operation *user : dim->getUsers()) {
    if (inside.contains(user))
      continue;
    if (!isa<tensor::EmptyOp>(user))
      return user;
    for (Operation *sized : user->getUsers())
      if (!inside.contains(sized))
        return sized;
  }
  return nullptr;
}

static unsigned countUses(Value value) {
  return llvm::count_if(value.getUsers(),
                        [](Operation *user) { return !isa<tensor::DimOp>(user); });
}

/// Why nothing can be put into the epilogue of `aggregate`; on success `last` is
/// the op whose value replaces the result and `inside` all ops that move.
static std::optional<Blocker> findTail(AggregateOp aggregate, Operation *&last, OpSet &inside) {
  if (aggregate.getNumResults() != 1)
    return Blocker(aggregate, "aggregates with several results have no common tail");
  Value result = aggregate.getOuts().front();
  SmallVector<Operation *> candidates = findCandidates(result);
  if (candidates.empty())
    return Blocker(aggregate, "no op that computes row by row reads the result");
  // Uses that are left outside of the prefix, and values that have any.
  DenseMap<Value, unsigned> usesLeft;
  unsigned numOpen = 1;
  usesLeft[result] = countUses(result);
  last = nullptr;
  RowWidths widths = RowWidths::of(aggregate);
  for (Operation *op : candidates) {
    // What follows has kernels of its own.
    if (!widths.fits(op->getResult(0).getType()))
      break;
    widths.add(op->getResult(0).getType());
    for (Value operand : op->getOperands())
      if (auto it = usesLeft.find(operand); it != usesLeft.end() && --it->second == 0)
        --numOpen;
    Value value = op->getResult(0);
    usesLeft[value] = countUses(value);
    if (usesLeft[value])
      ++numOpen;
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(value));
    if (numOpen == 1 && usesLeft[value] && isFloat)
      last = op;
  }
  if (!last)
    return Blocker(candidates.front(),
                   "the result or a value computed from it is read in more than one place");
  inside = collectRowOps(
      {last->getResult(0)}, [](OpOperand &) { return true; }, /*alsoTake=*/nullptr, widths);
  for (Operation *user : result.getUsers())
    if (auto dim = dyn_cast<tensor::DimOp>(user))
      if (Operation *outside = findSizedOutside(dim, inside))
        return Blocker(outside, "'" + outside->getName().getStringRef() +
                                    "' has its size from the result, so the result must exist");
  return std::nullopt;
}

/// The aggregate with the ops of `inside` behind its sum, yielding `value`.
static AggregateOp buildFused(OpBuilder &builder, AggregateOp aggregate, Value value,
                              const OpSet &inside) {
  MLIRContext *context = builder.getContext();
  Location loc = aggregate.getLoc();
  RowRegion message(context, {}, inside), epilogue(context, {}, inside, RowRole::Dst);
  auto addAll = [](RowRegion &region, RowRole role, ValueRange tensors, SmallVector<Value> &rows) {
    for (Value tensor : tensors)
      rows.push_back(region.operand(role, tensor));
  };
  SmallVector<Value> messageRows;
  addAll(message, RowRole::Src, aggregate.getSrc(), messageRows);
  addAll(message, RowRole::Dst, aggregate.getDst(), messageRows);
  addAll(message, RowRole::Row, aggregate.getEdge(), messageRows);
  addAll(message, RowRole::Param, aggregate.getParam(), messageRows);
  SmallVector<Value> yielded = message.inlineBlock(aggregate.getMessage().front(), messageRows);

  SmallVector<Value> epilogueRows;
  for (Type type : aggregate.getAccumulatorTypes())
    epilogueRows.push_back(epilogue.addLeading(type, loc));
  Value row = epilogueRows.front();
  addAll(epilogue, RowRole::Dst, aggregate.getDst(), epilogueRows);
  addAll(epilogue, RowRole::Param, aggregate.getParam(), epilogueRows);
  if (aggregate.hasEpilogue())
    row = epilogue.inlineBlock(aggregate.getEpilogue().front(), epilogueRows).front();
  epilogue.bind(aggregate.getOuts().front(), row);
  epilogue.yield(loc, epilogue.row(value));
  // Both regions see the same dst and param operands.
  for (RowRole role : {RowRole::Dst, RowRole::Param})
    for (Value tensor : epilogue.operands(role))
      message.operand(role, tensor);
  message.yield(loc, yielded);

  auto fused = AggregateOp::create(builder, epilogue.location(loc), TypeRange{value.getType()},
                                   aggregate.getGraph(), message.operands(RowRole::Src),
                                   message.operands(RowRole::Dst), message.operands(RowRole::Row),
                                   message.operands(RowRole::Param), aggregate.getReduce(),
                                   aggregate.getAccAttr(), Attribute());
  fused->setDiscardableAttrs(aggregate->getDiscardableAttrDictionary());
  fused.getMessage().takeBody(message.region());
  fused.getEpilogue().takeBody(epilogue.region());
  return fused;
}

namespace {
/// f(aggregate(...), y, bias) -> aggregate(...) dst(y) param(bias) epilogue { f }
struct FuseTail final : OpRewritePattern<AggregateOp> {
  FuseTail(MLIRContext *context, unsigned &numFused)
      : OpRewritePattern(context), numFused(numFused) {}
  LogicalResult matchAndRewrite(AggregateOp aggregate, PatternRewriter &rewriter) const override {
    Operation *last = nullptr;
    OpSet inside;
    if (auto blocker = findTail(aggregate, last, inside))
      return rewriter.notifyMatchFailure(aggregate, blocker->text);
    if (aggregate.getScheduleAttr())
      return rewriter.notifyMatchFailure(aggregate, "the aggregate has its schedule already");
    rewriter.setInsertionPoint(last);
    numFused += llvm::count_if(inside, isRowComputation);
    AggregateOp fused = buildFused(rewriter, aggregate, last->getResult(0), inside);
    rewriter.replaceOp(last, fused);
    return success();
  }
  unsigned &numFused;
};

struct FuseEpilogue final : gnnc::impl::GnnFuseEpiloguePassBase<FuseEpilogue> {
protected:
  void runOnOperation() override {
    takeRowCountsFromArguments(getOperation());
    unsigned fused = 0;
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseTail>(&getContext(), fused);
    if (failed(applyPatterns(getOperation(), std::move(patterns), "gnn-fuse-epilogue")))
      signalPassFailure();
    numFused += fused;
    getOperation().walk([](AggregateOp aggregate) {
      Operation *last = nullptr;
      OpSet inside;
      auto blocker = findTail(aggregate, last, inside);
      if (!blocker)
        return;
      reportMissed(aggregate, "gnn-fuse-epilogue", *blocker);
      if (blocker->at != aggregate) // the first op that stays outside
        reportMissed(blocker->at, "gnn-fuse-epilogue", *blocker);
    });
  }
};
} // namespace
