//===- ShareTraversal.cpp - Aggregates that read the same rows ------------===//
//
// Two aggregates a, b (in this order) can be one when neither needs the other's
// result before both are computed: at a when all that b reads is there already,
// or at b when nothing before b reads what a computes.
//
//===----------------------------------------------------------------------===//
#include "passes/Program/ShareTraversal.h"

#include "passes/Common/Blocker.h"
#include "passes/Common/RowRegion.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

/// Where both can be computed: the one of the two ops, or null.
static AggregateOp findPlace(AggregateOp a, AggregateOp b) {
  auto isThereAt = [&](Value value) {
    Operation *def = value.getDefiningOp();
    return !def || def->getBlock() != a->getBlock() || def->isBeforeInBlock(a);
  };
  if (llvm::all_of(b->getOperands(), isThereAt))
    return a;
  auto isBehindB = [&](Operation *user) {
    Operation *ancestor = a->getBlock()->findAncestorOpInBlock(*user);
    return ancestor && b->isBeforeInBlock(ancestor);
  };
  return llvm::all_of(a->getUsers(), isBehindB) ? b : AggregateOp();
}

/// Features of the widest row that is accumulated.
static int64_t widthOf(AggregateOp op) {
  int64_t width = 1;
  for (Type type : op.getAccumulatorTypes())
    if (auto vector = dyn_cast<VectorType>(type))
      width = std::max(width, vector.getNumElements());
  return width;
}

/// Why `b` does not join `a`; on success `place` is the one to be replaced by both.
static std::optional<Blocker> findSharing(AggregateOp a, AggregateOp b, unsigned maxResults,
                                          AggregateOp &place) {
  if (a.getGraph() != b.getGraph() || a.getAcc() != b.getAcc())
    return Blocker(b, "the aggregates differ in graph or accumulation type");
  if (a.getScheduleAttr() || b.getScheduleAttr())
    return Blocker(b, "an aggregate has its schedule already");
  if (llvm::none_of(b.getSrc(), [&](Value v) { return llvm::is_contained(a.getSrc(), v); }))
    return Blocker(b, "the aggregates read no source tensor in common");
  if (widthOf(a) != widthOf(b) || !RowWidths::of(a).fits(b))
    return Blocker(b, "the aggregates' rows differ in width, so lanes of one would idle");
  if (a.getNumResults() + b.getNumResults() > maxResults)
    return Blocker(b, "together the aggregates would have more results than max-results");
  place = findPlace(a, b);
  if (!place)
    return Blocker(b, "one aggregate depends on the other");
  return std::nullopt;
}

/// Adds what `op` computes to both regions; `values` gets the rows of its results.
static void addRows(AggregateOp op, RowRegion &message, SmallVectorImpl<Value> &messages) {
  SmallVector<Value> rows;
  auto add = [&](RowRole role, ValueRange tensors) {
    for (Value tensor : tensors)
      rows.push_back(message.operand(role, tensor));
  };
  add(RowRole::Src, op.getSrc());
  add(RowRole::Dst, op.getDst());
  add(RowRole::Row, op.getEdge());
  add(RowRole::Param, op.getParam());
  llvm::append_range(messages, message.inlineBlock(op.getMessage().front(), rows));
}

/// The rows of `op`'s results from its accumulators.
static SmallVector<Value> finish(AggregateOp op, RowRegion &epilogue,
                                 ArrayRef<Value> accumulators) {
  SmallVector<Value> rows(accumulators);
  if (!op.hasEpilogue())
    return rows;
  for (Value tensor : op.getDst())
    rows.push_back(epilogue.operand(RowRole::Dst, tensor));
  for (Value tensor : op.getParam())
    rows.push_back(epilogue.operand(RowRole::Param, tensor));
  return epilogue.inlineBlock(op.getEpilogue().front(), rows);
}

static void join(AggregateOp a, AggregateOp b, AggregateOp place) {
  MLIRContext *context = a.getContext();
  OpBuilder builder(place);
  Location loc = builder.getFusedLoc({a.getLoc(), b.getLoc()});
  OpSet none;
  RowRegion message(context, {}, none), epilogue(context, {}, none, RowRole::Dst);
  SmallVector<Value> messages;
  addRows(a, message, messages);
  addRows(b, message, messages);
  message.yield(loc, messages);

  SmallVector<Value> first, second;
  for (Type type : a.getAccumulatorTypes())
    first.push_back(epilogue.addLeading(type, loc));
  for (Type type : b.getAccumulatorTypes())
    second.push_back(epilogue.addLeading(type, loc));
  for (RowRole role : {RowRole::Dst, RowRole::Param})
    for (Value tensor : message.operands(role))
      epilogue.operand(role, tensor);
  SmallVector<Value> results = finish(a, epilogue, first);
  llvm::append_range(results, finish(b, epilogue, second));
  epilogue.yield(loc, results);

  SmallVector<Attribute> kinds(a.getReduce().getValue());
  llvm::append_range(kinds, b.getReduce());
  SmallVector<Type> types(a->getResultTypes());
  llvm::append_range(types, b->getResultTypes());
  auto both = AggregateOp::create(builder, loc, types, a.getGraph(), message.operands(RowRole::Src),
                                  message.operands(RowRole::Dst), message.operands(RowRole::Row),
                                  message.operands(RowRole::Param), builder.getArrayAttr(kinds),
                                  a.getAccAttr(), Attribute());
  both.getMessage().takeBody(message.region());
  if (a.hasEpilogue() || b.hasEpilogue())
    both.getEpilogue().takeBody(epilogue.region());
  a.replaceAllUsesWith(both->getResults().take_front(a.getNumResults()));
  b.replaceAllUsesWith(both->getResults().drop_front(a.getNumResults()));
  a.erase();
  b.erase();
}

/// Joins one pair of `block`, if there is one.
static bool joinOnePair(Block &block, unsigned maxResults) {
  SmallVector<AggregateOp> aggregates(block.getOps<AggregateOp>());
  for (auto [i, a] : llvm::enumerate(aggregates))
    for (AggregateOp b : ArrayRef(aggregates).drop_front(i + 1)) {
      AggregateOp place;
      if (auto blocker = findSharing(a, b, maxResults, place)) {
        reportAnalysed(b.getLoc(), "gnn-fuse-aggregate", blocker->text);
        continue;
      }
      join(a, b, place);
      return true;
    }
  return false;
}

unsigned gnnc::shareTraversals(func::FuncOp function, unsigned maxResults) {
  unsigned numJoined = 0;
  for (Block &block : function.getBody())
    while (joinOnePair(block, maxResults))
      ++numJoined;
  return numJoined;
}
