//===- GnnRegionFolds.cpp - Canonicalisations of gnn.aggregate and gnn.map ===//
//
// Fusion leaves operands that no region reads and operands that occur twice;
// each costs a load per edge and an argument of the kernel. Removed in place:
// the results and the values are the same.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace {
/// Operands of one name and, for each region, the number of the argument that
/// stands for the first of them.
struct Group {
  /// Looked up anew after each change: a range remembers the sizes of the others.
  std::function<MutableOperandRange()> range;
  SmallVector<std::pair<Region *, unsigned>, 2> arguments;
  unsigned keepAtLeast = 0;
};
} // namespace

/// f(x, x) -> f(x): uses of a later argument become uses of the first one.
static bool mergeRepeated(Group &group, PatternRewriter &rewriter) {
  bool changed = false;
  MutableOperandRange operands = group.range();
  for (unsigned i = 0, e = operands.size(); i < e; ++i) {
    for (unsigned j = 0; j < i; ++j) {
      if (operands[i].get() != operands[j].get())
        continue;
      for (auto [region, first] : group.arguments) {
        BlockArgument later = region->getArgument(first + i);
        changed |= !later.use_empty();
        rewriter.replaceAllUsesWith(later, region->getArgument(first + j));
      }
      break;
    }
  }
  return changed;
}

/// f(x, y) with y unread -> f(x)
static bool dropUnread(Operation *op, Group &group, PatternRewriter &rewriter) {
  SmallVector<unsigned> unread;
  MutableOperandRange operands = group.range();
  for (unsigned i = operands.size(); i-- > 0;) {
    bool unused = llvm::all_of(group.arguments, [&](auto place) {
      return place.first->getArgument(place.second + i).use_empty();
    });
    if (unused && operands.size() - unread.size() > group.keepAtLeast)
      unread.push_back(i);
  }
  if (unread.empty())
    return false;
  rewriter.modifyOpInPlace(op, [&] {
    for (unsigned i : unread) {
      operands.erase(i);
      for (auto [region, first] : group.arguments)
        region->eraseArgument(first + i);
    }
  });
  return true;
}

namespace {
/// aggregate(x, x, unread) -> aggregate(x)
struct TrimAggregate final : OpRewritePattern<AggregateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AggregateOp op, PatternRewriter &rewriter) const override {
    unsigned src = op.getSrc().size(), dst = op.getDst().size(), edge = op.getEdge().size();
    unsigned sums = op.getNumAccumulators();
    Region *message = &op.getMessage(), *epilogue = &op.getEpilogue();
    // From the last group to the first: numbers of the others stay valid.
    Group groups[] = {{[&] { return op.getParamMutable(); }, {{message, src + dst + edge}}},
                      {[&] { return op.getEdgeMutable(); }, {{message, src + dst}}},
                      {[&] { return op.getDstMutable(); }, {{message, src}}},
                      {[&] { return op.getSrcMutable(); }, {{message, 0}}}};
    if (op.hasEpilogue()) {
      groups[0].arguments.push_back({epilogue, sums + dst});
      groups[2].arguments.push_back({epilogue, sums});
    }
    bool changed = false;
    for (Group &group : groups) {
      changed |= mergeRepeated(group, rewriter);
      changed |= dropUnread(op, group, rewriter);
    }
    return changed ? success() : rewriter.notifyMatchFailure(op, "every operand is read once");
  }
};

/// map(x, x, unread) -> map(x)
struct TrimMap final : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MapOp op, PatternRewriter &rewriter) const override {
    unsigned src = op.getSrc().size(), dst = op.getDst().size(), rows = op.getRows().size();
    Region *body = &op.getBody();
    Group groups[] = {
        {[&] { return op.getParamMutable(); }, {{body, src + dst + rows}}},
        // Without a graph the rows say how many results there are.
        {[&] { return op.getRowsMutable(); }, {{body, src + dst}}, op.getGraph() ? 0u : 1u},
        {[&] { return op.getDstMutable(); }, {{body, src}}},
        {[&] { return op.getSrcMutable(); }, {{body, 0}}}};
    bool changed = false;
    for (Group &group : groups) {
      changed |= mergeRepeated(group, rewriter);
      changed |= dropUnread(op, group, rewriter);
    }
    return changed ? success() : rewriter.notifyMatchFailure(op, "every operand is read once");
  }
};
} // namespace

void AggregateOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<TrimAggregate>(context);
}

void MapOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<TrimMap>(context);
}
