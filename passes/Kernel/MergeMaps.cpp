//===- MergeMaps.cpp - One map for what reads the same rows ---------------===//
//
// In:  a program whose row-wise work is gnn.map.
// Out: maps over nodes that read one tensor in common are one map, so that it is
//      read once. The two attention logits of GAT are both reductions of the rows
//      that it aggregates: the largest tensors of the model.
//
// 1. A map and later ones are merged at the place of the first, if what the later
//    ones read exists there. None can then depend on another.
// 2. Their rows must lie in one frame of heads x features: a kernel hands out one
//    frame to its threads.
// 3. Maps over edges are left alone: the fusion into aggregates had its turn.
//
//===----------------------------------------------------------------------===//
#include "passes/Kernel/MergeMaps.h"

#include "mlir/IR/Diagnostics.h"
#include "passes/Common/RowRegion.h"
#include "passes/Kernel/RowFrame.h"

using namespace mlir;
using namespace gnnc;

/// The frame of `map`; failure, without a word, where its rows fit none: that is
/// said when the kernel is outlined.
static FailureOr<RowFrame> frameOf(gnn::MapOp map) {
  ScopedDiagnosticHandler quiet(map.getContext(), [](Diagnostic &) { return success(); });
  return RowFrame::get(map);
}

static bool areAlike(const RowFrame &a, const RowFrame &b) {
  return a.heads == b.heads && a.features == b.features && a.reduces.heads == b.reduces.heads &&
         a.reduces.features == b.reduces.features;
}

static bool canMerge(gnn::MapOp map) { return !map.getGraph() && !map.getScheduleAttr(); }

/// All that `map` reads exists before `place`.
static bool canMoveTo(gnn::MapOp map, Operation *place) {
  return llvm::all_of(map->getOperands(), [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    return !op || op->getBlock() != place->getBlock() || op->isBeforeInBlock(place);
  });
}

/// The maps that go with `first`, itself leading, in the order of the block.
static SmallVector<gnn::MapOp> findGroup(gnn::MapOp first, unsigned maxResults) {
  std::set<Operation *, bool (*)(Operation *, Operation *)> others(
      [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Value rows : first.getRows())
    for (OpOperand &use : rows.getUses())
      if (auto map = dyn_cast<gnn::MapOp>(use.getOwner());
          map && map->getBlock() == first->getBlock() && first->isBeforeInBlock(map) &&
          canMerge(map) && llvm::is_contained(map.getRows(), rows) && canMoveTo(map, first))
        others.insert(map);
  SmallVector<gnn::MapOp> group{first};
  if (others.empty())
    return group;
  FailureOr<RowFrame> frame = frameOf(first);
  if (failed(frame))
    return group;
  unsigned results = first.getNumResults();
  for (Operation *op : others) {
    auto map = cast<gnn::MapOp>(op);
    FailureOr<RowFrame> other = frameOf(map);
    if (failed(other) || !areAlike(*frame, *other) || results + map.getNumResults() > maxResults)
      continue;
    results += map.getNumResults();
    group.push_back(map);
  }
  return group;
}

/// One map that computes what those of `group` do, before the first of them.
static gnn::MapOp createMerged(ArrayRef<gnn::MapOp> group) {
  OpBuilder builder(group.front());
  OpSet nothing;
  RowRegion body(builder.getContext(), /*graph=*/{}, nothing);
  SmallVector<Value> yielded;
  SmallVector<Type> types;
  SmallVector<Location> locations;
  for (gnn::MapOp map : group) {
    SmallVector<Value> arguments;
    for (Value rows : map.getRows())
      arguments.push_back(body.operand(RowRole::Row, rows));
    for (Value param : map.getParam())
      arguments.push_back(body.operand(RowRole::Param, param));
    llvm::append_range(yielded, body.inlineBlock(map.getBody().front(), arguments));
    llvm::append_range(types, map.getResultTypes());
    locations.push_back(map.getLoc());
  }
  Location loc = builder.getFusedLoc(locations);
  body.yield(loc, yielded);
  auto merged =
      gnn::MapOp::create(builder, loc, types, /*graph=*/Value(), ValueRange(), ValueRange(),
                         body.operands(RowRole::Row), body.operands(RowRole::Param), Attribute());
  merged.getBody().takeBody(body.region());
  return merged;
}

unsigned gnnc::mergeMaps(Block &block, unsigned maxResults) {
  unsigned numMerged = 0;
  for (Operation *op = block.empty() ? nullptr : &block.front(); op;) {
    auto first = dyn_cast<gnn::MapOp>(op);
    op = op->getNextNode();
    if (!first || !canMerge(first))
      continue;
    SmallVector<gnn::MapOp> group = findGroup(first, maxResults);
    if (group.size() == 1)
      continue;
    gnn::MapOp merged = createMerged(group);
    // Rows that one map reads as heads and another as features: nothing is lost.
    if (failed(frameOf(merged))) {
      merged.erase();
      continue;
    }
    unsigned next = 0;
    for (gnn::MapOp map : group) {
      for (Value result : map.getResults())
        result.replaceAllUsesWith(merged.getResult(next++));
      if (map == op)
        op = op->getNextNode();
      map.erase();
    }
    numMerged += group.size() - 1;
  }
  return numMerged;
}
