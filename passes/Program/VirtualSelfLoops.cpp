//===- VirtualSelfLoops.cpp - Added self loops that are never stored ------===//
//
// In: @prepare and @forward behind fusion, where a csr graph comes from
// gnn.add_self_loops and only aggregates follow it.
// Out: the graph without any loop; the loops' terms are in the epilogues, where
// they read rows in order instead of at random, and no edge is written for them.
//
// 1. A graph qualifies when its loops have no weights of their own, when nothing
//    has a row per edge of it, and when every reader is an aggregate or counts.
// 2. All its readers change together: counts add 1, aggregates get the term.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Program/GraphHandling.h"
#include "passes/Program/LoopTerm.h"
#include "passes/Program/Passes.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNVIRTUALSELFLOOPSPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

namespace {
/// Everything that changes with one graph.
struct LoopedGraph {
  AddSelfLoopsOp loops;
  ToCsrOp csr;
  SmallVector<DegreeOp> counts;
  SmallVector<AggregateOp> aggregates; ///< of both functions
};

/// The two halves of a program.
struct Program {
  func::FuncOp prepare, forward;
  Operation *results() { return prepare.front().getTerminator(); }
  /// The argument of @forward that is result `number` of @prepare, or null.
  BlockArgument argument(unsigned number) {
    for (BlockArgument argument : forward.getArguments()) {
      auto prepared = forward.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), kPreparedAttr);
      if (prepared && prepared.getInt() == int64_t(number))
        return argument;
    }
    return {};
  }
  BlockArgument addPrepared(Value value);
};
} // namespace

/// Makes `value` of @prepare a further argument of @forward.
BlockArgument Program::addPrepared(Value value) {
  unsigned number = results()->getNumOperands();
  results()->insertOperands(number, value);
  (void)prepare.insertResult(number, value.getType(), {});
  Builder builder(forward.getContext());
  auto attrs = builder.getDictionaryAttr(
      builder.getNamedAttr(kPreparedAttr, builder.getI64IntegerAttr(number)));
  (void)forward.insertArgument(forward.getNumArguments(), value.getType(), attrs, value.getLoc());
  return forward.getArguments().back();
}

/// Sorts the readers of `graph` into `found`, or names the one that needs loops.
static std::optional<Blocker> addReaders(Value graph, Program &program, LoopedGraph &found) {
  for (OpOperand &use : graph.getUses()) {
    Operation *reader = use.getOwner();
    if (auto aggregate = dyn_cast<AggregateOp>(reader)) {
      if (auto blocker = findLoopTermBlocker(aggregate))
        return blocker;
      found.aggregates.push_back(aggregate);
    } else if (auto degree = dyn_cast<DegreeOp>(reader); degree && !degree.getWeights()) {
      found.counts.push_back(degree);
    } else if (reader == program.results()) {
      if (BlockArgument argument = program.argument(use.getOperandNumber()))
        if (auto blocker = addReaders(argument, program, found))
          return blocker;
    } else {
      return Blocker(reader, "'" + reader->getName().getStringRef() +
                                 "' follows the edges, loops included");
    }
  }
  return std::nullopt;
}

/// Why the loops of `loops` stay edges; on success `found` is all that changes.
static std::optional<Blocker> findLoopedGraph(AddSelfLoopsOp loops, Program &program,
                                              LoopedGraph &found) {
  found.loops = loops;
  if (loops.getWeights())
    return Blocker(loops, "the loops have weights of their own, and no node tensor holds them");
  for (Operation *user : loops.getLooped().getUsers()) {
    auto csr = dyn_cast<ToCsrOp>(user);
    if (!csr || found.csr)
      return Blocker(user, "the graph with loops is read other than by one gnn.to_csr");
    found.csr = csr;
  }
  if (!found.csr)
    return Blocker(loops, "nothing follows the graph with loops");
  if (!found.csr.getEdges().empty())
    return Blocker(found.csr, "a tensor has a row for each edge, loops included");
  if (auto blocker = addReaders(found.csr.getCsr(), program, found))
    return blocker;
  if (found.aggregates.empty())
    return Blocker(loops, "no aggregate could add what the loops send");
  return std::nullopt;
}

/// Numbers of edges, loops included, behind a graph without them.
static Value countWithLoop(OpBuilder &builder, Location loc, Value graph, Type type) {
  Value count = DegreeOp::create(builder, loc, type, graph, Value(), End::Dst);
  return arith::AddFOp::create(builder, loc, count, createFilledLike(builder, loc, count, 1));
}

static void makeVirtual(LoopedGraph &found, Program &program) {
  Location loc = found.loops.getLoc();
  OpBuilder builder(found.loops);
  auto loopless = RemoveSelfLoopsOp::create(builder, loc, found.loops.getLooped().getType(),
                                            TypeRange(), found.loops.getGraph(), ValueRange());
  found.csr.getGraphMutable().assign(loopless.getLoopless());
  found.loops.erase();
  for (DegreeOp count : found.counts) {
    builder.setInsertionPointAfter(count);
    Value one = createFilledLike(builder, loc, count.getResult(), 1);
    auto sum = arith::AddFOp::create(builder, loc, count.getResult(), one);
    count.getResult().replaceUsesWithIf(sum, [&](OpOperand &use) {
      return use.getOwner() != sum && !isa<tensor::DimOp>(use.getOwner());
    });
  }
  Value preparedCounts, forwardCounts;
  if (llvm::any_of(found.aggregates, needsEdgeCount)) {
    builder.setInsertionPointAfter(found.csr);
    auto type =
        RankedTensorType::get({found.csr.getCsr().getType().getDst()}, builder.getF32Type());
    preparedCounts = countWithLoop(builder, loc, found.csr.getCsr(), type);
  }
  for (AggregateOp aggregate : found.aggregates) {
    bool inForward = aggregate->getParentOp() == program.forward;
    if (inForward && !forwardCounts && needsEdgeCount(aggregate))
      forwardCounts = program.addPrepared(preparedCounts);
    addLoopTerm(aggregate, inForward ? forwardCounts : preparedCounts);
  }
}

namespace {
struct VirtualSelfLoops final : gnnc::impl::GnnVirtualSelfLoopsPassBase<VirtualSelfLoops> {
protected:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Program program{module.lookupSymbol<func::FuncOp>(kPrepareFunc),
                    module.lookupSymbol<func::FuncOp>(kForwardFunc)};
    for (func::FuncOp function : {program.prepare, program.forward})
      if (!function || function.isExternal() || !llvm::hasSingleElement(function.getBody()))
        return;
    SmallVector<AddSelfLoopsOp> all(program.prepare.front().getOps<AddSelfLoopsOp>());
    for (AddSelfLoopsOp loops : all) {
      LoopedGraph found;
      if (auto blocker = findLoopedGraph(loops, program, found)) {
        blocker->at->emitRemark("gnn-virtual-self-loops: loops stay edges: ") << blocker->text;
        reportMissed(blocker->at, "gnn-virtual-self-loops", *blocker);
        continue;
      }
      numAggregates += found.aggregates.size();
      ++numGraphs;
      makeVirtual(found, program);
    }
  }
};
} // namespace
