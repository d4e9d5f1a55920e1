//===- Normalize.cpp - Norm coefficients that a graph argument asks for ---===//
//
// In: a program whose graph argument says `gnn.normalize = kind`, or any program
// and a kind. Out: each message of that graph is multiplied by
//   symmetric  deg(src)^-1/2 deg(dst)^-1/2
//   row        1 / deg(dst)
// with deg the sum of the edge weights (their number, where there are none) that
// arrive at a node, and 0 for what is infinite. Messages have the weights as
// factors already, so they are not multiplied again.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Program/GraphHandling.h"
#include "passes/Program/Passes.h"

#include <limits>

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNNORMALIZEPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

namespace {
/// One graph that messages follow, and what is multiplied.
struct Propagation {
  Value graph, weights;
  SmallVector<ScatterOp> scatters;
};

struct Normalize final : gnnc::impl::GnnNormalizePassBase<Normalize> {
  using GnnNormalizePassBase::GnnNormalizePassBase;

protected:
  void runOnOperation() override;

private:
  LogicalResult normalize(BlockArgument argument, StringRef wanted, bool isMarked);
};
} // namespace

/// `graph` and what is made of it by adding or removing loops.
static SmallVector<Value> graphsFrom(Value graph) {
  SmallVector<Value> graphs{graph};
  for (unsigned i = 0; i < graphs.size(); ++i)
    for (Operation *user : graphs[i].getUsers())
      if (isa<AddSelfLoopsOp, RemoveSelfLoopsOp, AppendSelfLoopsOp>(user) &&
          !llvm::is_contained(graphs, user->getResult(0)))
        graphs.push_back(user->getResult(0));
  return graphs;
}

/// Why messages along `graph` cannot be normalised.
static std::optional<Blocker> findPropagation(func::FuncOp function, Value graph, StringRef kind,
                                              const RowSpaces &spaces, Propagation &found) {
  found.graph = graph;
  auto type = cast<GnnGraphType>(graph.getType());
  for (Operation *user : graph.getUsers()) {
    if (isa<SegmentSoftmaxOp>(user))
      return Blocker(user, "the softmax of an attention has normalised its weights already");
    if (auto degree = dyn_cast<DegreeOp>(user))
      return Blocker(degree, "the program computes degrees of this graph itself");
    auto scatter = dyn_cast<ScatterOp>(user);
    if (scatter && scatter.getEnd() == End::Src)
      return Blocker(scatter, "the norm is that of messages to destinations, this reduces at src");
    if (scatter)
      found.scatters.push_back(scatter);
  }
  llvm::sort(found.scatters, [](ScatterOp a, ScatterOp b) { return a->isBeforeInBlock(b); });
  if (kind == "symmetric" && !found.scatters.empty() && !ShapedType::isDynamic(type.getDst()) &&
      !ShapedType::isDynamic(type.getSrc()) && type.getDst() != type.getSrc())
    return Blocker(found.scatters.front(),
                   "the symmetric norm needs a graph with the same nodes at both ends; use row");
  return findEdgeWeights(function, graph, spaces, found.weights);
}

/// deg^-1/2 or deg^-1 of each node, 0 where that is infinite.
static Value createPower(OpBuilder &builder, Location loc, const Propagation &messages,
                         StringRef kind) {
  Value degree = DegreeOp::create(builder, loc, messages.graph, messages.weights, End::Dst);
  // A count is f32, which is too few digits for its powers in a program of f64.
  if (!messages.weights && llvm::any_of(messages.scatters, [](ScatterOp scatter) {
        return getElementTypeOrSelf(scatter.getEdges()).isF64();
      })) {
    auto type = cast<RankedTensorType>(degree.getType());
    degree = arith::ExtFOp::create(builder, loc, type.clone(builder.getF64Type()), degree);
  }
  Value power;
  if (kind == "symmetric")
    power = math::RsqrtOp::create(builder, loc, degree);
  else
    power = arith::DivFOp::create(builder, loc, createFilledLike(builder, loc, degree, 1), degree);
  Value infinite = createFilledLike(builder, loc, power, std::numeric_limits<double>::infinity());
  Value isInfinite =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, power, infinite);
  Value zero = createFilledLike(builder, loc, power, 0);
  return arith::SelectOp::create(builder, loc, isInfinite, zero, power);
}

/// One number per edge.
static Value createNorm(OpBuilder &builder, Location loc, const Propagation &messages,
                        StringRef kind) {
  Value power = createPower(builder, loc, messages, kind);
  Value norm = GatherOp::create(builder, loc, power, messages.graph, End::Dst);
  if (kind == "row")
    return norm;
  Value atSource = GatherOp::create(builder, loc, power, messages.graph, End::Src);
  return arith::MulFOp::create(builder, loc, atSource, norm);
}

LogicalResult Normalize::normalize(BlockArgument argument, StringRef wanted, bool isMarked) {
  func::FuncOp function = getOperation();
  RowSpaces spaces(function);
  for (Value graph : graphsFrom(argument)) {
    Propagation messages;
    if (auto blocker = findPropagation(function, graph, wanted, spaces, messages)) {
      // A model that says what it wants cannot go on without it; others stay.
      if (isMarked)
        return blocker->at->emitError("gnn-normalize: ") << blocker->text;
      blocker->at->emitRemark("gnn-normalize: left as it is: ") << blocker->text;
      continue;
    }
    if (messages.scatters.empty())
      continue;
    OpBuilder builder(function.getContext());
    Value norm;
    for (ScatterOp scatter : messages.scatters) {
      Location loc = scatter.getLoc();
      if (!norm || scope == "layer") {
        builder.setInsertionPointAfterValue(graph);
        norm = createNorm(builder, loc, messages, wanted);
      }
      builder.setInsertionPoint(scatter);
      Value message = scatter.getEdges();
      Value factor = createRepeatedLike(builder, loc, norm, message);
      scatter.getEdgesMutable().assign(arith::MulFOp::create(builder, loc, message, factor));
      ++numNormalized;
    }
  }
  return success();
}

void Normalize::runOnOperation() {
  func::FuncOp function = getOperation();
  if (failed(checkChoice(function, "gnn-normalize: option kind", kind,
                         {"marked", "symmetric", "row", "none"})) ||
      failed(checkChoice(function, "gnn-normalize: option scope", scope, {"graph", "layer"})))
    return signalPassFailure();
  if (function.isExternal() || function->hasAttr(kKernelAttr))
    return;
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (!isa<GnnGraphType>(argument.getType()))
      continue;
    if (function.getArgAttr(number, kSelfLoopsAttr)) {
      function.emitError("gnn-normalize: argument #")
          << number << " wants self loops, which count in the norm; run gnn-add-self-loops first";
      return signalPassFailure();
    }
    auto mark = function.getArgAttrOfType<StringAttr>(number, kNormalizeAttr);
    function.removeArgAttr(number, kNormalizeAttr);
    StringRef wanted = kind != "marked" ? StringRef(kind) : mark ? mark.getValue() : "none";
    if (wanted != "none" && failed(normalize(argument, wanted, /*isMarked=*/!!mark)))
      return signalPassFailure();
  }
}
