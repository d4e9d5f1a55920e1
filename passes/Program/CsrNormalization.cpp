//===- CsrNormalization.cpp - Put edges into csr order, once per graph ----===//
//
// In: a function whose message passing follows coo graphs.
// Out: the same over csr graphs. The order of edges is not visible in a program
// as long as every edge tensor has the same one, so only tensors made outside
// the message passing (arguments, weights of added loops) are permuted; what
// is computed from them row by row follows by itself.
//
//===----------------------------------------------------------------------===//
#include "passes/Program/CsrNormalization.h"

#include "dialects/Gnn/Gnn.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/Common/RowRegion.h"
#include "passes/Common/RowSpaces.h"
#include "passes/Program/GraphHandling.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

/// Edges of each node, by their number alone.
static bool isCount(Operation *op) {
  auto degree = dyn_cast<DegreeOp>(op);
  return degree && !degree.getWeights();
}

/// Ops that make a graph of the same edges, or look for loops among them; they read
/// the order they were given.
static bool buildsGraph(Operation *op) {
  return isa<AddSelfLoopsOp, RemoveSelfLoopsOp, AppendSelfLoopsOp, LoopWeightsOp, TransposeOp,
             GraphOp, ToCsrOp>(op);
}

/// The op that made `graph` of one index tensor, or null.
static IndexGraphOp makerOf(Value graph) { return graph.getDefiningOp<IndexGraphOp>(); }

/// `use` reads rows by the numbers of nodes, which here are numbers of edges.
static bool readsByNumber(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto gather = dyn_cast<GatherOp>(op)) {
    // What an index says of a row goes with the row.
    IndexGraphOp made = makerOf(gather.getGraph());
    return !made || made.getForm() == IndexForm::Segments || made.rowEnd() != gather.getEnd();
  }
  auto isIn = [&](ValueRange list) { return llvm::is_contained(list, use.get()); };
  if (auto aggregate = dyn_cast<AggregateOp>(op))
    return isIn(aggregate.getSrc()) || isIn(aggregate.getDst());
  auto map = dyn_cast<MapOp>(op);
  return map && (isIn(map.getSrc()) || isIn(map.getDst()));
}

/// `use` sees the rows of an edge tensor one at a time, or their number only.
static bool isOrderFree(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto made = dyn_cast<IndexGraphOp>(op))
    return made.getForm() != IndexForm::Segments;
  if (readsByNumber(use))
    return false;
  return followsEdges(op) || isa<tensor::DimOp>(op) || RowSpaces::isRowwise(use);
}

/// Collects the edge tensors of `graph` that to_csr has to permute, or emits an
/// error.
static LogicalResult findSources(func::FuncOp function, Value graph, const RowSpaces &spaces,
                                 SmallVector<Value> &sources) {
  int space = spaces.of(graph, RowSpaces::Edges);
  for (Value member : spaces.members(space)) {
    auto argument = dyn_cast<BlockArgument>(member);
    if (argument && function.getArgAttr(argument.getArgNumber(), kInputAttr))
      return function.emitError("argument #")
             << argument.getArgNumber()
             << " is an edge tensor and a gnn.input; its edge order is fixed when the graph is "
                "bound: mark it gnn.graph_data";
    if (!isEdgeSource(member) && !isComputedByRow(member))
      return member.getDefiningOp()->emitError(
          "makes an edge tensor that cannot be put into csr order; compute it row by row");
    if (isEdgeSource(member))
      sources.push_back(member);
    for (OpOperand &use : member.getUses()) {
      bool readsOld = buildsGraph(use.getOwner()) && isEdgeSource(member);
      if (!readsOld && !isOrderFree(use))
        return use.getOwner()->emitError("depends on the order of edges: operand #")
               << use.getOperandNumber() << " (" << member.getType()
               << ") is an edge tensor, and edges are sorted by destination";
    }
  }
  return success();
}

Value gnnc::createCsr(OpBuilder &builder, Value graph, ValueRange sources, IntegerType index) {
  auto type = cast<GnnGraphType>(graph.getType());
  IntegerType stored = type.getIndex().getWidth() < index.getWidth() ? type.getIndex() : index;
  SmallVector<Type> types{type.with(type.getEdges(), stored, Layout::Csr)};
  for (Value source : sources)
    types.push_back(source.getType());
  return ToCsrOp::create(builder, graph.getLoc(), types, graph, sources).getCsr();
}

/// Look-ups by an edge tensor of `graph` read it as it is sorted: what makes the graph
/// goes before them.
static LogicalResult makeBeforeLookUps(Value graph, ArrayRef<Value> sources) {
  Operation *maker = graph.getDefiningOp(), *first = nullptr;
  for (Value source : sources)
    for (Operation *user : source.getUsers())
      if (maker && isa<IndexGraphOp>(user) && user->getBlock() == maker->getBlock() &&
          user->isBeforeInBlock(maker) && (!first || user->isBeforeInBlock(first)))
        first = user;
  if (!first)
    return success();
  IRRewriter rewriter(maker->getContext());
  if (failed(moveOperationDependencies(rewriter, maker, first)))
    return first->emitError("depends on the order of edges of a graph that depends on it; count "
                            "the nodes of that graph by a tensor that is there before");
  rewriter.moveOpBefore(maker, first);
  return success();
}

LogicalResult gnnc::normalizeToCsr(func::FuncOp function, IntegerType index) {
  RowSpaces spaces(function);
  llvm::SetVector<Value> graphs, withEdgeTensors;
  DenseMap<int, Value> graphOfSpace;
  bool isSpoiled = false;
  function.walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<GnnGraphType>(operand.getType());
      if (!type || !followsEdges(op))
        continue;
      if (!type.isCsr())
        graphs.insert(operand);
      if (isCount(op)) // reads no edge tensor
        continue;
      withEdgeTensors.insert(operand);
      int space = spaces.of(operand, RowSpaces::Edges);
      // Rows that are looked up come in any order, and two csr graphs keep theirs.
      if (IndexGraphOp made = makerOf(operand); made && made.getForm() == IndexForm::Gather)
        continue;
      auto [it, isNew] = graphOfSpace.try_emplace(space, operand);
      bool isSorted = !type.isCsr() || !cast<GnnGraphType>(it->second.getType()).isCsr();
      if (space >= 0 && !isNew && it->second != operand && isSorted && !isSpoiled) {
        op->emitError("an edge tensor is used with two graphs (")
            << it->second.getType() << " and " << operand.getType()
            << "); sorting their edges would tear it apart";
        isSpoiled = true;
      }
    }
  });
  if (isSpoiled)
    return failure();

  for (Value graph : graphs) {
    // Edges that are only counted may have the edge tensors of their transpose.
    SmallVector<Value> sources;
    if (withEdgeTensors.contains(graph) && failed(findSources(function, graph, spaces, sources)))
      return failure();
    if (failed(makeBeforeLookUps(graph, sources)))
      return failure();
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfterValue(graph);
    auto csr = createCsr(builder, graph, sources, index).getDefiningOp<ToCsrOp>();
    auto isFollower = [&](OpOperand &use) { return followsEdges(use.getOwner()); };
    graph.replaceUsesWithIf(csr.getCsr(), isFollower);
    for (auto [source, permuted] : llvm::zip(sources, csr.getPermuted())) {
      auto seesNewOrder = [&](OpOperand &use) { return !buildsGraph(use.getOwner()); };
      source.replaceUsesWithIf(permuted, seesNewOrder);
    }
  }
  return success();
}
