//===- TurnToDestinations.cpp - Reductions at sources -> at destinations --===//
//
// In: a function whose reductions over coo graphs stand at either end.
// Out: all of them stand at destinations: what reduced at sources follows the
// transposed graph.
//
// 1. A graph that is reduced at sources only: all its ops change over. A count of
//    edges changes over by itself.
// 2. A graph that is reduced at both ends: edges can have one order only, so what
//    the reductions at sources read is computed a second time, over the transpose
//    in csr order. That is one more traversal and no tensor of edges x features. A
//    softmax at one end that is read by a reduction at the other is spelt out
//    first: what remains between edges is row by row.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/Common/RowSpaces.h"
#include "passes/Program/CsrNormalization.h"
#include "passes/Program/GraphHandling.h"
#include "passes/Program/SoftmaxExpansion.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

/// Whether `op` reduces edge tensors at an end, and at which.
static std::optional<End> reducesAt(Operation *op) {
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return scatter.getEnd();
  if (auto softmax = dyn_cast<SegmentSoftmaxOp>(op))
    return softmax.getEnd();
  if (auto degree = dyn_cast<DegreeOp>(op); degree && degree.getWeights())
    return degree.getEnd();
  return isa<AggregateOp>(op) ? std::optional(End::Dst) : std::nullopt;
}

/// op over g at src -> op over the transpose at dst
static void turn(Operation *op, Value transposed) {
  auto flip = [&](auto concrete) {
    concrete.setEnd(concrete.getEnd() == End::Src ? End::Dst : End::Src);
  };
  llvm::TypeSwitch<Operation *>(op).Case<GatherOp, ScatterOp, DegreeOp, SegmentSoftmaxOp>(flip);
  for (OpOperand &operand : op->getOpOperands())
    if (isa<GnnGraphType>(operand.get().getType()))
      operand.set(transposed);
}

static Value createTransposed(OpBuilder &builder, Value graph) {
  auto type = cast<GnnGraphType>(graph.getType());
  return TransposeOp::create(builder, graph.getLoc(),
                             GnnGraphType::get(type.getSrc(), type.getDst(), type.getEdges(),
                                               type.getIndex(), Layout::Coo),
                             graph);
}

/// The graph of a gather that looks up one row for each edge of another graph.
static IndexGraphOp lookUpOf(Operation *op) {
  auto gather = dyn_cast<GatherOp>(op);
  auto made = gather ? gather.getGraph().getDefiningOp<IndexGraphOp>() : IndexGraphOp();
  return made && made.getForm() == IndexForm::Gather ? made : IndexGraphOp();
}

namespace {

/// A graph that is reduced at both ends.
class TwoEnds {
public:
  TwoEnds(func::FuncOp function, Value graph, ArrayRef<Operation *> ops, IntegerType index)
      : function(function), graph(graph), ops(ops), index(index) {}
  void run();

private:
  bool isEdgeTensor(Value value) const {
    return isa<RankedTensorType>(value.getType()) && spaces->of(value) == space && space >= 0;
  }
  /// Values of edges that `value` is computed from, itself included.
  llvm::SetVector<Value> behind(Value value) const;
  void analyze();
  bool expandMixedSoftmax();
  Value copy(Value value);

  func::FuncOp function;
  Value graph;
  SmallVector<Operation *> ops; ///< that follow `graph`
  IntegerType index;
  std::optional<RowSpaces> spaces;
  int space = -1;
  Value csr; ///< the transpose
  IRMapping copies;
};

} // namespace

void TwoEnds::analyze() {
  spaces.emplace(function);
  space = spaces->of(graph, RowSpaces::Edges);
}

llvm::SetVector<Value> TwoEnds::behind(Value value) const {
  llvm::SetVector<Value> found;
  if (isEdgeTensor(value))
    found.insert(value);
  for (unsigned i = 0; i < found.size(); ++i)
    if (Operation *op = found[i].getDefiningOp(); op && !isEdgeSource(found[i])) {
      for (Value operand : op->getOperands())
        if (isEdgeTensor(operand) && !isa<tensor::DimOp>(op))
          found.insert(operand);
      if (IndexGraphOp lookUp = lookUpOf(op))
        found.insert(lookUp.getIndex());
    }
  return found;
}

/// Spells out a softmax whose weights are reduced at the other end.
bool TwoEnds::expandMixedSoftmax() {
  for (Operation *op : ops) {
    std::optional<End> end = reducesAt(op);
    if (!end)
      continue;
    for (Value operand : op->getOperands())
      for (Value value : behind(operand)) {
        auto softmax = value.getDefiningOp<SegmentSoftmaxOp>();
        if (!softmax || *softmax.getEnd() == *end)
          continue;
        OpBuilder builder(softmax);
        Operation *before = softmax->getPrevNode();
        softmax.getResult().replaceAllUsesWith(createExpandedSoftmax(builder, softmax));
        llvm::erase(ops, softmax.getOperation());
        for (Operation *made = before ? before->getNextNode() : &softmax->getBlock()->front();
             made != softmax; made = made->getNextNode())
          if (followsEdges(made))
            ops.push_back(made);
        softmax.erase();
        return true;
      }
  }
  return false;
}

/// The edge tensor over the transpose: the same rows in the other order.
Value TwoEnds::copy(Value value) {
  if (!isEdgeTensor(value))
    return value;
  if (Value known = copies.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  // Made over another graph, in whose order it stays; gnn.to_csr refuses it.
  if (followsEdges(op) && !lookUpOf(op) && !llvm::is_contained(op->getOperands(), graph))
    return value;
  for (Value operand : op->getOperands())
    if (isEdgeTensor(operand))
      (void)copy(operand);
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  Operation *clone = builder.clone(*op, copies);
  if (IndexGraphOp lookUp = lookUpOf(op)) {
    (void)copy(lookUp.getIndex());
    builder.setInsertionPoint(clone);
    cast<GatherOp>(clone).getGraphMutable().assign(
        cast<IndexGraphOp>(builder.clone(*lookUp, copies)).getGraph());
  } else if (followsEdges(clone)) {
    turn(clone, csr);
  }
  return copies.lookup(value);
}

void TwoEnds::run() {
  analyze();
  while (expandMixedSoftmax())
    analyze();
  SmallVector<Operation *> turned;
  llvm::SetVector<Value> sources;
  for (Operation *op : ops) {
    auto degree = dyn_cast<DegreeOp>(op);
    bool isCountAtSrc = degree && !degree.getWeights() && degree.getEnd() == End::Src;
    if (reducesAt(op) != End::Src && !isCountAtSrc)
      continue;
    // A softmax is copied with the reduction that reads it.
    if (!isa<SegmentSoftmaxOp>(op))
      turned.push_back(op);
    for (Value operand : op->getOperands())
      for (Value value : behind(operand))
        if (isEdgeSource(value))
          sources.insert(value);
  }
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfterValue(graph);
  csr = createCsr(builder, createTransposed(builder, graph), sources.getArrayRef(), index);
  auto made = csr.getDefiningOp<ToCsrOp>();
  copies.map(sources.getArrayRef(), made.getPermuted());
  for (Operation *op : turned) {
    for (OpOperand &operand : op->getOpOperands())
      if (isEdgeTensor(operand.get()))
        operand.set(copy(operand.get()));
    turn(op, csr);
  }
}

/// Row regions name their ends; they are made after hoisting.
static bool isRegionOp(Operation *op) { return isa<AggregateOp, MapOp>(op); }

/// What follows a graph and its transpose follows the graph alone, at the other end:
/// edge tensors of both have one order.
static void foldTransposes(func::FuncOp function) {
  auto follows = [](Value graph) { return llvm::any_of(graph.getUsers(), followsEdges); };
  function.walk([&](TransposeOp transpose) {
    Value graph = transpose.getGraph(), transposed = transpose.getTransposed();
    if (cast<GnnGraphType>(graph.getType()).isCsr() || !follows(graph) ||
        llvm::any_of(transposed.getUsers(), isRegionOp))
      return;
    for (Operation *user : llvm::to_vector(transposed.getUsers()))
      if (followsEdges(user))
        turn(user, graph);
  });
}

void gnnc::turnToDestinations(func::FuncOp function, IntegerType index) {
  foldTransposes(function);
  llvm::MapVector<Value, SmallVector<Operation *>> followers;
  function.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (auto type = dyn_cast<GnnGraphType>(operand.getType());
          type && !type.isCsr() && followsEdges(op))
        followers[operand].push_back(op);
  });
  for (auto &[graph, ops] : followers) {
    auto reduces = [](End end) { return [end](Operation *op) { return reducesAt(op) == end; }; };
    bool atSrc = llvm::any_of(ops, reduces(End::Src)), atDst = llvm::any_of(ops, reduces(End::Dst));
    bool hasRegions = llvm::any_of(ops, isRegionOp);
    if (atSrc && atDst && !hasRegions) {
      TwoEnds(function, graph, ops, index).run();
      continue;
    }
    bool onlyAtSrc = atSrc && !atDst && !hasRegions;
    SmallVector<Operation *> turned;
    for (Operation *op : ops) {
      auto degree = dyn_cast<DegreeOp>(op);
      bool isCount = degree && !degree.getWeights();
      if (isCount ? degree.getEnd() == End::Src : onlyAtSrc)
        turned.push_back(op);
    }
    if (turned.empty())
      continue;
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfterValue(graph);
    Value transposed = createTransposed(builder, graph);
    for (Operation *op : turned)
      turn(op, transposed);
  }
  // What only reductions at sources read is read by nobody now.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}
