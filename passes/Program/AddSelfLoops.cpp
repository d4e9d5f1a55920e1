//===- AddSelfLoops.cpp - Self loops that a graph argument asks for -------===//
//
// In: a program whose graph argument says `gnn.self_loops = fill`, or any program
// and the request to add them. Out: messages follow gnn.add_self_loops of it.
//
// 1. Weights of edges are the one edge tensor that gets rows: what is computed
//    from them or gathered has a row per loop by itself.
// 2. A layer is what one reduction needs: ops that share a computed edge tensor.
//    With scope `layer` each has loops of its own, as when every layer of a
//    front end adds them; with `graph` there is one op for all.
//
//===----------------------------------------------------------------------===//
#include "passes/Program/GraphHandling.h"
#include "passes/Program/Passes.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNADDSELFLOOPSPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

static std::string describe(Value value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto argument = dyn_cast<BlockArgument>(value))
    stream << "argument #" << argument.getArgNumber() << " (" << value.getType() << ")";
  else
    stream << "a value of '" << value.getDefiningOp()->getName() << "' (" << value.getType() << ")";
  return text;
}

/// Why `graph` cannot get loops; otherwise `weights` has its edge weights, if any.
static std::optional<Blocker> findBlocker(func::FuncOp function, BlockArgument graph,
                                          const RowSpaces &spaces, Value &weights) {
  auto type = cast<GnnGraphType>(graph.getType());
  if (!ShapedType::isDynamic(type.getDst()) && !ShapedType::isDynamic(type.getSrc()) &&
      type.getDst() != type.getSrc())
    return Blocker(function, describe(graph) + " has different counts of destinations and sources; "
                                               "a node of one is no node of the other");
  if (!ShapedType::isDynamic(type.getEdges()))
    return Blocker(function, describe(graph) +
                                 " fixes the number of edges, which loops change; write ? for it");
  for (Value member : spaces.members(spaces.of(graph, RowSpaces::Edges))) {
    bool isWeight = cast<RankedTensorType>(member.getType()).getRank() == 1;
    if (isEdgeSource(member) ? !isWeight : !isComputedByRow(member))
      return Blocker(function, describe(member) + " has rows for the edges but none for new loops; "
                                                  "write gnn.add_self_loops in the program");
  }
  return findEdgeWeights(function, graph, spaces, weights);
}

namespace {
/// Groups of ops in the order of the function.
using Layers = SmallVector<SmallVector<Operation *>>;

struct AddSelfLoops final : gnnc::impl::GnnAddSelfLoopsPassBase<AddSelfLoops> {
  using GnnAddSelfLoopsPassBase::GnnAddSelfLoopsPassBase;

protected:
  void runOnOperation() override;

private:
  std::optional<double> fillOf(BlockArgument graph);
  Layers findLayers(BlockArgument graph, const RowSpaces &spaces, bool perLayer);
  void addLoops(BlockArgument graph, Value weights, double fill, const Layers &layers);
};
} // namespace

/// The weight of missing loops; none when `graph` gets no loops.
std::optional<double> AddSelfLoops::fillOf(BlockArgument graph) {
  func::FuncOp function = getOperation();
  auto mark = function.getArgAttrOfType<FloatAttr>(graph.getArgNumber(), kSelfLoopsAttr);
  function.removeArgAttr(graph.getArgNumber(), kSelfLoopsAttr);
  if (loops == "none" || !llvm::any_of(graph.getUsers(), followsEdges))
    return std::nullopt;
  if (mark)
    return mark.getValueAsDouble();
  return loops == "all" ? std::optional<double>(fill) : std::nullopt;
}

Layers AddSelfLoops::findLayers(BlockArgument graph, const RowSpaces &spaces, bool perLayer) {
  int edges = spaces.of(graph, RowSpaces::Edges);
  auto isEdgeTensor = [&](Value v) {
    return isa<RankedTensorType>(v.getType()) && edges >= 0 && spaces.of(v) == edges;
  };
  llvm::EquivalenceClasses<Operation *> classes;
  SmallVector<Operation *> ops;
  for (Operation &op : getOperation().front()) {
    if (!llvm::is_contained(op.getOperands(), graph) &&
        !llvm::any_of(op.getOperands(), isEdgeTensor))
      continue;
    ops.push_back(&op);
    classes.insert(&op);
    for (Value operand : op.getOperands())
      if (Operation *def = operand.getDefiningOp(); def && isEdgeTensor(operand))
        classes.unionSets(&op, def);
    if (!perLayer)
      classes.unionSets(ops.front(), &op);
  }
  llvm::MapVector<Operation *, SmallVector<Operation *>> layers;
  for (Operation *op : ops)
    layers[classes.getLeaderValue(op)].push_back(op);
  return Layers(llvm::make_second_range(layers.takeVector()));
}

void AddSelfLoops::addLoops(BlockArgument graph, Value weights, double fill, const Layers &layers) {
  auto type = cast<GnnGraphType>(graph.getType());
  OpBuilder builder(&getContext());
  builder.setInsertionPointToStart(graph.getOwner());
  Type looped = type.with(ShapedType::kDynamic, type.getIndex(), Layout::Coo);
  for (ArrayRef<Operation *> layer : layers) {
    // Row counts are those of all layers; alone they need no graph.
    if (llvm::all_of(layer, [](Operation *op) { return isa<tensor::DimOp>(op); }) &&
        layers.size() > 1)
      continue;
    auto op = AddSelfLoopsOp::create(builder, graph.getLoc(), looped,
                                     weights ? weights.getType() : Type(), graph, weights,
                                     builder.getF64FloatAttr(fill));
    for (Operation *member : layer) {
      member->replaceUsesOfWith(graph, op.getLooped());
      if (weights)
        member->replaceUsesOfWith(weights, op.getLoopWeights());
    }
    ++numAdded;
  }
  // Counts of rows on their own take those of the first.
  if (weights)
    if (auto first = dyn_cast<AddSelfLoopsOp>(graph.getOwner()->front()))
      weights.replaceUsesWithIf(first.getLoopWeights(),
                                [](OpOperand &use) { return isa<tensor::DimOp>(use.getOwner()); });
}

void AddSelfLoops::runOnOperation() {
  func::FuncOp function = getOperation();
  if (failed(checkChoice(function, "gnn-add-self-loops: option loops", loops,
                         {"marked", "all", "none"})) ||
      failed(checkChoice(function, "gnn-add-self-loops: option scope", scope, {"graph", "layer"})))
    return signalPassFailure();
  if (function.isExternal() || function->hasAttr(kKernelAttr))
    return;
  for (BlockArgument graph : function.getArguments()) {
    if (!isa<GnnGraphType>(graph.getType()))
      continue;
    std::optional<double> fill = fillOf(graph);
    if (!fill)
      continue;
    RowSpaces spaces(function);
    Value weights;
    if (auto blocker = findBlocker(function, graph, spaces, weights)) {
      blocker->at->emitError("gnn-add-self-loops: ") << blocker->text;
      return signalPassFailure();
    }
    addLoops(graph, weights, *fill, findLayers(graph, spaces, scope == "layer"));
  }
}
