//===- VirtualSelfLoops.cpp - Added self loops that are never stored ------===//
//
// In: @prepare and @forward behind fusion, where a csr graph comes from
// gnn.add_self_loops or gnn.append_self_loops and only aggregates follow it.
// Out: the graph without those loops; their terms are in the epilogues, where they
// read rows in order instead of at random, and no edge is written for them.
//
// 1. A graph qualifies when every reader is an aggregate or counts, and when the
//    rows that loops have in edge tensors are known (LoopRows): weights of added
//    loops by gnn.loop_weights, those of appended loops as the op has them.
// 2. All its readers change together: counts add 1 or the loop's weight, aggregates
//    get the term.
//
//===----------------------------------------------------------------------===//
#include "passes/Program/GraphHandling.h"
#include "passes/Program/LoopRows.h"
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
  explicit LoopedGraph(Operation *loops, PreparedProgram &program) : loops(loops), rows(program) {}

  Operation *loops; ///< gnn.add_self_loops or gnn.append_self_loops
  ToCsrOp csr;
  SmallVector<DegreeOp> counts;
  SmallVector<AggregateOp> aggregates; ///< of both functions
  LoopRows rows;                       ///< of tensors in csr order
};
} // namespace

/// Sorts the readers of `graph` into `found`, or names the one that needs loops.
static std::optional<Blocker> addReaders(Value graph, PreparedProgram &program,
                                         LoopedGraph &found) {
  for (OpOperand &use : graph.getUses()) {
    Operation *reader = use.getOwner();
    std::optional<Blocker> blocker;
    if (auto aggregate = dyn_cast<AggregateOp>(reader)) {
      blocker = findLoopTermBlocker(aggregate);
      found.aggregates.push_back(aggregate);
    } else if (auto degree = dyn_cast<DegreeOp>(reader)) {
      found.counts.push_back(degree);
    } else if (auto gather = dyn_cast<GatherOp>(reader);
               gather && reader->getParentOp() == program.prepare) {
      blocker = found.rows.follow(gather.getResult());
    } else if (reader == program.results()) {
      if (BlockArgument argument = program.argument(use.getOperandNumber()))
        blocker = addReaders(argument, program, found);
    } else {
      blocker = Blocker(reader, "'" + reader->getName().getStringRef() +
                                    "' follows the edges, loops included");
    }
    if (blocker)
      return blocker;
  }
  return std::nullopt;
}

/// The edge tensors behind the op that makes the loops.
static ValueRange tensorsWithLoops(Operation *loops) { return loops->getResults().drop_front(); }

/// Edge tensors that are read with the rows of their loops.
static std::optional<Blocker> followTensors(LoopedGraph &found) {
  ValueRange withLoops = tensorsWithLoops(found.loops);
  for (Value tensor : withLoops)
    for (Operation *user : tensor.getUsers())
      if (user != found.csr && !isa<tensor::DimOp>(user))
        return Blocker(user, "'" + user->getName().getStringRef() +
                                 "' reads a row for each edge, loops included");
  for (auto [tensor, permuted] : llvm::zip(found.csr.getEdges(), found.csr.getPermuted())) {
    if (!llvm::is_contained(withLoops, tensor))
      return Blocker(found.csr,
                     "a tensor in csr order has rows for loops that nothing gives alone");
    if (auto blocker = found.rows.follow(permuted))
      return blocker;
  }
  return std::nullopt;
}

/// Why the loops stay edges; on success `found` is all that changes.
static std::optional<Blocker> findLoopedGraph(PreparedProgram &program, LoopedGraph &found) {
  for (Operation *user : found.loops->getResult(0).getUsers()) {
    auto csr = dyn_cast<ToCsrOp>(user);
    if (!csr || found.csr)
      return Blocker(user, "the graph with loops is read other than by one gnn.to_csr");
    found.csr = csr;
  }
  if (!found.csr)
    return Blocker(found.loops, "nothing follows the graph with loops");
  if (auto append = dyn_cast<AppendSelfLoopsOp>(found.loops);
      append && append.getGraph().getType() != append.getLooped().getType())
    return Blocker(append, "the type fixes how many edges there are without loops");
  if (auto blocker = followTensors(found))
    return blocker;
  if (auto blocker = addReaders(found.csr.getCsr(), program, found))
    return blocker;
  if (auto blocker = found.rows.findStranger())
    return blocker;
  for (AggregateOp aggregate : found.aggregates)
    for (Value edges : aggregate.getEdge())
      if (!found.rows.contains(edges))
        return Blocker(aggregate,
                       "the message reads a row for each edge that nothing gives for loops");
  for (DegreeOp degree : found.counts)
    if (degree.getWeights() && !found.rows.contains(degree.getWeights()))
      return Blocker(degree, "the sum reads a weight for each edge that nothing gives for loops");
  if (found.aggregates.empty())
    return Blocker(found.loops, "no aggregate could add what the loops send");
  return std::nullopt;
}

/// Numbers of edges, loops included, behind a graph without them.
static Value countWithLoop(OpBuilder &builder, Location loc, Value graph, Type type) {
  Value count = DegreeOp::create(builder, loc, type, graph, Value(), End::Dst);
  return arith::AddFOp::create(builder, loc, count, createFilledLike(builder, loc, count, 1));
}

/// The graph without the loops in place of the one with them, likewise edge tensors;
/// the loops' rows of these are stated.
static void takeLoopsAway(LoopedGraph &found) {
  OpBuilder builder(found.loops);
  Location loc = found.loops->getLoc();
  SmallVector<Value> rows, without;
  if (auto add = dyn_cast<AddSelfLoopsOp>(found.loops)) {
    Value weights = add.getWeights();
    SmallVector<Type> kept;
    if (weights) {
      kept.push_back(add.getLoopWeights().getType());
      auto type =
          RankedTensorType::get({add.getGraph().getType().getDst()}, getElementTypeOrSelf(weights));
      rows.push_back(
          LoopWeightsOp::create(builder, loc, type, add.getGraph(), weights, add.getFillAttr()));
    }
    auto loopless =
        RemoveSelfLoopsOp::create(builder, loc, add.getLooped().getType(), kept, add.getGraph(),
                                  weights ? ValueRange(weights) : ValueRange());
    without = llvm::to_vector_of<Value>(loopless->getResults());
  } else {
    auto append = cast<AppendSelfLoopsOp>(found.loops);
    rows = append.getLoops();
    without.push_back(append.getGraph());
    llvm::append_range(without, append.getEdges());
  }
  for (auto [tensor, permuted] : llvm::zip(found.csr.getEdges(), found.csr.getPermuted())) {
    ValueRange withLoops = tensorsWithLoops(found.loops);
    found.rows.set(permuted, rows[llvm::find(withLoops, tensor) - withLoops.begin()]);
  }
  found.loops->replaceAllUsesWith(without);
  found.loops->erase();
}

static void makeVirtual(LoopedGraph &found, PreparedProgram &program) {
  Location loc = found.loops->getLoc();
  takeLoopsAway(found);
  OpBuilder builder(found.csr);
  for (DegreeOp count : found.counts) {
    Value more = count.getWeights() ? found.rows.get(count.getWeights()) : Value();
    builder.setInsertionPointAfter(count);
    if (!more)
      more = createFilledLike(builder, loc, count.getResult(), 1);
    auto sum = arith::AddFOp::create(builder, loc, count.getResult(), more);
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
    SmallVector<Value> rows;
    for (Value edges : aggregate.getEdge())
      rows.push_back(found.rows.get(edges));
    addLoopTerm(aggregate, rows, inForward ? forwardCounts : preparedCounts);
  }
}

namespace {
struct VirtualSelfLoops final : gnnc::impl::GnnVirtualSelfLoopsPassBase<VirtualSelfLoops> {
protected:
  void runOnOperation() override {
    auto program = PreparedProgram::of(getOperation());
    if (!program)
      return;
    SmallVector<Operation *> all;
    for (Operation &op : program->prepare.front())
      if (isa<AddSelfLoopsOp, AppendSelfLoopsOp>(op))
        all.push_back(&op);
    for (Operation *loops : all) {
      LoopedGraph found(loops, *program);
      if (auto blocker = findLoopedGraph(*program, found)) {
        blocker->at->emitRemark("gnn-virtual-self-loops: loops stay edges: ") << blocker->text;
        reportMissed(blocker->at, "gnn-virtual-self-loops", *blocker);
        continue;
      }
      numAggregates += found.aggregates.size();
      ++numGraphs;
      makeVirtual(found, *program);
    }
  }
};
} // namespace
