//===- RaiseToGraph.cpp - Gathers and scatters by index -> graph ops ------===//
//
// In: index tensors, as programs have them that were not written over graphs.
// Out: a graph value and ops over it, which hoisting and fusion understand.
//
// 1. Index tensors whose rows are one space (RowSpaces: what is gathered by one is
//    scattered by the other) are a group; two of them are an edge list.
// 2. The end that is written to first is dst. Each end has one count of nodes: the
//    rows of what is gathered there, the extent of what is scattered there.
// 3. All ops of the group change over together, so edge tensors keep their meaning.
//
//===----------------------------------------------------------------------===//
#include "passes/Common/Blocker.h"
#include "passes/Common/RowSpaces.h"
#include "passes/Program/Passes.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNRAISETOGRAPHPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

namespace {
/// Ops whose indices are of one space, in the order of the function.
struct Group {
  SmallVector<Operation *> ops;
  llvm::SetVector<Value> indices;
  ScatterAtOp firstScatter;
};

/// How many nodes an end has. `where` identifies equal counts: a number, a space of
/// rows, or a value.
struct NodeCount {
  int64_t known = ShapedType::kDynamic;
  std::pair<int, const void *> where{-1, nullptr};
  Value value; ///< an index value, or null
  Value rows;  ///< a tensor with as many rows, or null
};

class Raiser {
public:
  explicit Raiser(func::FuncOp function) : function(function), spaces(function) {}
  unsigned run();

private:
  llvm::MapVector<int, Group> findGroups();
  NodeCount countOf(Operation *op) const;
  std::optional<Blocker> findCount(const Group &group, Value index, NodeCount &count) const;
  std::optional<Blocker> findFixedOrder(const Group &group);
  std::optional<Blocker> raise(Group &group);
  FailureOr<Value> countBefore(Operation *first, const NodeCount &count) const;
  BlockArgument edgeIndexOf(Value src, Value dst);

  func::FuncOp function;
  RowSpaces spaces;
};
} // namespace

static Value indexOf(Operation *op) {
  if (auto gather = dyn_cast<GatherAtOp>(op))
    return gather.getIndex();
  return cast<ScatterAtOp>(op).getIndex();
}

llvm::MapVector<int, Group> Raiser::findGroups() {
  llvm::MapVector<int, Group> groups;
  for (Operation &op : function.front()) {
    if (!isa<GatherAtOp, ScatterAtOp>(op))
      continue;
    Value index = indexOf(&op);
    Group &group = groups[spaces.of(index)];
    group.ops.push_back(&op);
    group.indices.insert(index);
    if (auto scatter = dyn_cast<ScatterAtOp>(op); scatter && !group.firstScatter)
      group.firstScatter = scatter;
  }
  return groups;
}

/// The count that `op` says of the end it indexes.
NodeCount Raiser::countOf(Operation *op) const {
  NodeCount count;
  if (auto gather = dyn_cast<GatherAtOp>(op)) {
    count.rows = gather.getNodes();
    count.known = cast<RankedTensorType>(count.rows.getType()).getDimSize(0);
    count.where = {spaces.of(count.rows), nullptr};
  } else {
    auto scatter = cast<ScatterAtOp>(op);
    count.known = cast<RankedTensorType>(scatter.getType()).getDimSize(0);
    count.value = scatter.getExtent();
    auto dim = count.value ? count.value.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
    if (dim && dim.getConstantIndex() == 0) {
      count.rows = dim.getSource();
      count.where = {spaces.of(count.rows), nullptr};
    }
  }
  if (!ShapedType::isDynamic(count.known))
    count.where = {-1, nullptr};
  else if (count.where.first < 0)
    count.where.second =
        count.value ? count.value.getAsOpaquePointer() : count.rows.getAsOpaquePointer();
  return count;
}

std::optional<Blocker> Raiser::findCount(const Group &group, Value index, NodeCount &count) const {
  bool isFirst = true;
  for (Operation *op : group.ops) {
    if (indexOf(op) != index)
      continue;
    NodeCount next = countOf(op);
    if (!isFirst && (next.known != count.known || next.where != count.where))
      return Blocker(op, "the node counts of one end of the edges are not known to be equal");
    // Prefer a count that is an argument's: it is there from the start.
    if (isFirst || (next.rows && isa<BlockArgument>(next.rows)))
      count = next;
    isFirst = false;
  }
  return std::nullopt;
}

/// A value of `count` that is there before `first`.
FailureOr<Value> Raiser::countBefore(Operation *first, const NodeCount &count) const {
  auto isThere = [&](Value value) {
    Operation *def = value.getDefiningOp();
    return !def || (def->getBlock() == first->getBlock() && def->isBeforeInBlock(first));
  };
  if (count.value && isThere(count.value))
    return count.value;
  Value rows = count.rows;
  if (rows && !isThere(rows) && count.where.first >= 0)
    rows = spaces.members(count.where.first).front();
  if (!rows || !isThere(rows))
    return failure();
  OpBuilder builder(first);
  return builder.createOrFold<tensor::DimOp>(first->getLoc(), rows, 0);
}

/// The row of a [2, E] tensor that `slice` is, and the tensor.
static std::pair<Value, int64_t> rowOfPair(Value slice) {
  auto extract = slice.getDefiningOp<tensor::ExtractSliceOp>();
  if (!extract || extract.getSourceType().getRank() != 2 ||
      extract.getSourceType().getDimSize(0) != 2 || extract.getType().getRank() != 1 ||
      !extract.hasUnitStride())
    return {};
  SmallVector<OpFoldResult> offsets = extract.getMixedOffsets(), sizes = extract.getMixedSizes();
  auto row = getConstantIntValue(offsets[0]);
  if (!row || getConstantIntValue(offsets[1]) != 0 || getConstantIntValue(sizes[0]) != 1)
    return {};
  // All of the row: its extent, or the tensor's own size.
  int64_t edges = extract.getSourceType().getDimSize(1);
  auto size = dyn_cast<Value>(sizes[1]);
  auto dim = size ? size.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
  bool isWhole = ShapedType::isDynamic(edges)
                     ? dim && dim.getSource() == extract.getSource() && dim.getConstantIndex() == 1
                     : getConstantIntValue(sizes[1]) == edges;
  return isWhole ? std::pair<Value, int64_t>(extract.getSource(), *row)
                 : std::pair<Value, int64_t>();
}

/// The argument `edge_index` of @forward whose two rows `src` and `dst` are.
BlockArgument Raiser::edgeIndexOf(Value src, Value dst) {
  auto [from, fromRow] = rowOfPair(src);
  auto [to, toRow] = rowOfPair(dst);
  auto argument = dyn_cast_or_null<BlockArgument>(from);
  if (!argument || from != to || fromRow != 0 || toRow != 1 || function.getName() != kForwardFunc)
    return {};
  auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kGraphDataAttr);
  return name && name.getValue() == "edge_index" ? argument : BlockArgument();
}

/// `op` by index -> the same over `graph`
static void replaceByGraphOp(Operation *op, Value graph, Value dst) {
  OpBuilder builder(op);
  End end = indexOf(op) == dst ? End::Dst : End::Src;
  Value result;
  if (auto gather = dyn_cast<GatherAtOp>(op))
    result =
        GatherOp::create(builder, op->getLoc(), gather.getType(), gather.getNodes(), graph, end);
  else if (auto scatter = dyn_cast<ScatterAtOp>(op))
    result = ScatterOp::create(builder, op->getLoc(), scatter.getType(), scatter.getKind(),
                               scatter.getEdges(), graph, end, scatter.getAcc());
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

/// Edges are sorted, and their rows with them: rows that something else counts, as
/// nodes of a graph or as what is written by another index, stay where they are.
std::optional<Blocker> Raiser::findFixedOrder(const Group &group) {
  Operation *first = group.ops.front();
  bool isGathered = llvm::any_of(group.ops, llvm::IsaPred<GatherAtOp>);
  for (Value member : spaces.members(spaces.of(indexOf(first)))) {
    auto argument = dyn_cast<BlockArgument>(member);
    // An input that goes along with messages is refused later, with what to do.
    if (argument && function.getArgAttr(argument.getArgNumber(), kInputAttr) && !isGathered)
      return Blocker(first, "the rows that go by these indices are an input's: no edges");
    Operation *def = member.getDefiningOp();
    if (isa_and_nonnull<ScatterOp, ScatterAtOp, SegmentReduceOp, DegreeOp, AggregateOp>(def))
      return Blocker(first, "the rows that go by these indices are made by '" +
                                def->getName().getStringRef() + "' in its order: no edges");
  }
  return std::nullopt;
}

std::optional<Blocker> Raiser::raise(Group &group) {
  Operation *first = group.ops.front();
  if (!group.firstScatter)
    return Blocker(first, "nothing is reduced by these indices: a look-up, not messages");
  if (group.indices.size() != 2)
    return Blocker(first,
                   "an edge list has two index tensors, found " + Twine(group.indices.size()));
  Value dst = group.firstScatter.getIndex();
  Value src = group.indices[group.indices[0] == dst];
  auto srcType = cast<RankedTensorType>(src.getType()),
       dstType = cast<RankedTensorType>(dst.getType());
  if (srcType.getElementType() != dstType.getElementType())
    return Blocker(first, "the two ends have different index types");
  NodeCount srcCount, dstCount;
  if (auto blocker = findCount(group, src, srcCount))
    return blocker;
  if (auto blocker = findCount(group, dst, dstCount))
    return blocker;
  int64_t edges = srcType.isDynamicDim(0) ? dstType.getDimSize(0) : srcType.getDimSize(0);
  auto type = GnnGraphType::get(dstCount.known, srcCount.known, edges,
                                cast<IntegerType>(srcType.getElementType()), Layout::Coo);
  OpBuilder builder(first);
  Value graph;
  if (BlockArgument edgeIndex = edgeIndexOf(src, dst)) {
    (void)function.insertArgument(0, type, {}, edgeIndex.getLoc());
    graph = function.getArgument(0);
  } else {
    SmallVector<Value> nodes;
    for (const NodeCount &count : {dstCount, srcCount}) {
      if (!ShapedType::isDynamic(count.known))
        continue;
      FailureOr<Value> value = countBefore(first, count);
      if (failed(value))
        return Blocker(first, "the number of nodes is computed after the first gather");
      nodes.push_back(*value);
    }
    graph = GraphOp::create(builder, first->getLoc(), type, src, dst, nodes);
  }
  for (Operation *op : group.ops)
    replaceByGraphOp(op, graph, dst);
  return std::nullopt;
}

/// Removes slices nobody reads and the argument they were of.
static void dropEdgeIndex(func::FuncOp function) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (isa<tensor::ExtractSliceOp, tensor::DimOp>(op) && isOpTriviallyDead(&op))
      op.erase();
  BitVector unread(function.getNumArguments());
  for (BlockArgument argument : function.getArguments()) {
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kGraphDataAttr);
    unread[argument.getArgNumber()] =
        argument.use_empty() && name && name.getValue() == "edge_index";
  }
  (void)function.eraseArguments(unread);
}

unsigned Raiser::run() {
  unsigned numRaised = 0;
  for (auto &[space, group] : findGroups()) {
    bool mayBeEdges = group.firstScatter && group.indices.size() > 1;
    std::optional<Blocker> fixed = mayBeEdges ? findFixedOrder(group) : std::nullopt;
    std::optional<Blocker> blocker = fixed ? fixed : raise(group);
    if (!blocker)
      ++numRaised;
    else if (mayBeEdges && !fixed)
      blocker->at->emitRemark("gnn-raise-to-graph: ") << blocker->text;
    else // a look-up or pooling is as it should be
      reportMissed(blocker->at, "gnn-raise-to-graph", *blocker);
  }
  if (numRaised)
    dropEdgeIndex(function);
  return numRaised;
}

namespace {
struct RaiseToGraph final : gnnc::impl::GnnRaiseToGraphPassBase<RaiseToGraph> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !function.getBody().hasOneBlock())
      return;
    // Sizes of edges are those of index tensors, which stay.
    takeRowCountsFromArguments(function);
    numRaised += Raiser(function).run();
  }
};
} // namespace
