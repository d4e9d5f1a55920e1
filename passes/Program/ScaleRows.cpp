//===- ScaleRows.cpp - Factors of one end leave the edges -----------------===//
//
// In: sums of messages with a coefficient per edge that is a product of numbers
// of its ends, like GCN's norm deg(src)^-1/2 w deg(dst)^-1/2.
// Out: the same without a coefficient: what belongs to the source is a factor of
// its row, what belongs to the destination one of the sum.
//
// 1. A message is a product; its factors are rows (x[src]) and numbers repeated
//    along the features. Products of numbers are taken apart in turn: into
//    gathers of node scalars and what really differs from edge to edge.
// 2. sum_e f(e) d[dst(e)] = d sum_e f(e), except where no edge arrives: there
//    the sum is 0, whatever d is (1/0 in a norm). So d is set to 0 there, once
//    per graph; not needed when every node has a loop.
// 3. Only node scalars that no gnn.input reaches are moved: they are computed in
//    @prepare, so that the rewrite costs nothing in a run.
//
//===----------------------------------------------------------------------===//
#include "passes/Common/Blocker.h"
#include "passes/Common/Rewrite.h"
#include "passes/Common/RowOps.h"
#include "passes/Program/GraphHandling.h"
#include "passes/Program/Passes.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNSCALEROWSPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

namespace {
/// The factors of a message.
struct Factors {
  SmallVector<Value> rows;     ///< one row per edge
  SmallVector<Value> edge;     ///< one number per edge
  SmallVector<Value> src, dst; ///< one number per node at that end
  SmallVector<Location> parts; ///< of the ops that made one message of them
  /// Numbers of an end are hidden in a product, so there is something to gain.
  bool isEntangled = false;
  /// Numbers of an end that stay at the edges, since an input reaches them.
  bool dependsOnInput = false;
};

/// Which values of a function depend on the graph and the weights alone.
class Invariants {
public:
  bool contains(Value value) {
    auto [it, isNew] = known.try_emplace(value, false);
    if (isNew) {
      bool result = compute(value);
      known[value] = result;
      return result;
    }
    return it->second;
  }

private:
  bool compute(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
      unsigned number = argument.getArgNumber();
      return function &&
             (isa<GnnGraphType>(value.getType()) || function.getArgAttr(number, kWeightAttr) ||
              function.getArgAttr(number, kGraphDataAttr));
    }
    // A size may come from an input; hoisting finds it elsewhere.
    Operation *op = value.getDefiningOp();
    return isa<tensor::DimOp>(op) ||
           llvm::all_of(op->getOperands(), [&](Value operand) { return contains(operand); });
  }
  DenseMap<Value, bool> known;
};
} // namespace

static bool isProduct(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  return product && isElementwise(product);
}

static void splitNumbers(Value numbers, Value graph, Invariants &invariants, Factors &factors) {
  if (isProduct(numbers)) {
    factors.parts.push_back(numbers.getLoc());
    for (Value factor : numbers.getDefiningOp()->getOperands())
      splitNumbers(factor, graph, invariants, factors);
    return;
  }
  auto gather = numbers.getDefiningOp<GatherOp>();
  if (gather)
    factors.parts.push_back(gather.getLoc());
  bool isInvariant = gather && invariants.contains(gather.getNodes());
  factors.dependsOnInput |= gather && !isInvariant;
  if (!isInvariant || gather.getGraph() != graph)
    factors.edge.push_back(numbers);
  else if (gather.getEnd() == End::Src)
    factors.src.push_back(gather.getNodes());
  else
    factors.dst.push_back(gather.getNodes());
}

static void splitMessage(Value message, Value graph, Invariants &invariants, Factors &factors) {
  if (isProduct(message) && hasOneReader(message)) {
    factors.parts.push_back(message.getLoc());
    for (Value factor : message.getDefiningOp()->getOperands())
      splitMessage(factor, graph, invariants, factors);
  } else if (Value numbers = repeatedNumbers(message)) {
    factors.parts.push_back(message.getLoc());
    size_t before = factors.src.size();
    splitNumbers(numbers, graph, invariants, factors);
    factors.isEntangled |= factors.src.size() > before && isProduct(numbers);
  } else {
    factors.rows.push_back(message);
  }
}

/// Why no factor of the message of `scatter` leaves the edges. `factors` is filled as far
/// as it was looked at.
static std::optional<Blocker> findFactors(ScatterOp scatter, Invariants &invariants,
                                          Factors &factors) {
  Value message = scatter.getEdges();
  if (cast<RankedTensorType>(message.getType()).getRank() == 1)
    return Blocker(scatter, "a row of one number is scaled at the edge as cheaply");
  splitMessage(message, scatter.getGraph(), invariants, factors);
  if (scatter.getKind() != ReduceKind::Sum && scatter.getKind() != ReduceKind::Mean)
    return Blocker(scatter, "reduction '" + stringifyReduceKind(scatter.getKind()) +
                                "' is not linear in factors of the destination");
  if (scatter.getEnd() == End::Src)
    return Blocker(scatter, "a scatter at src adds up at the other end");
  if (factors.rows.empty())
    return Blocker(scatter, "the message has no row besides its factors");
  if (!factors.dst.empty() || factors.isEntangled)
    return std::nullopt;
  if (factors.dependsOnInput)
    return Blocker(scatter, "a factor of one end depends on an input; scaling its rows would be a "
                            "pass over the nodes in each run");
  if (!factors.src.empty() && factors.edge.empty())
    return Blocker(scatter, "the factor of the source is one of its row already");
  return Blocker(scatter, "no other factor of the message belongs to one end of its edge alone");
}

static Value multiply(OpBuilder &builder, Location loc, ArrayRef<Value> factors) {
  Value product = factors.front();
  for (Value factor : factors.drop_front())
    product = arith::MulFOp::create(builder, loc, product, factor);
  return product;
}

/// `numbers` of the destinations of `graph`, 0 where no edge arrives.
static Value zeroWhereEmpty(OpBuilder &builder, Location loc, Value numbers, Value graph) {
  if (graph.getDefiningOp<AddSelfLoopsOp>())
    return numbers;
  Value count = DegreeOp::create(builder, loc, graph, Value(), End::Dst);
  Value isEmpty = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, count,
                                        createFilledLike(builder, loc, count, 0));
  Value zeros = createFilledLike(builder, loc, numbers, 0);
  return arith::SelectOp::create(builder, loc, isEmpty, zeros, numbers);
}

namespace {
/// scatter(x[u] * (s[u] w d[v])) -> scatter(x[u] w s[u]) * d[v]
struct ScaleRowsPattern final : OpRewritePattern<ScatterOp> {
  ScaleRowsPattern(MLIRContext *context, unsigned &count)
      : OpRewritePattern(context), count(count) {}
  LogicalResult matchAndRewrite(ScatterOp scatter, PatternRewriter &rewriter) const override {
    Factors factors;
    Invariants invariants;
    if (auto blocker = findFactors(scatter, invariants, factors))
      return rewriter.notifyMatchFailure(scatter, blocker->text);
    Location loc = rewriter.getFusedLoc(factors.parts);
    Value graph = scatter.getGraph();
    Value message = multiply(rewriter, loc, factors.rows);
    auto scale = [&](Value rows, Value numbers) -> Value {
      Value repeated = createRepeatedLike(rewriter, loc, numbers, rows);
      return arith::MulFOp::create(rewriter, loc, rows, repeated);
    };
    if (!factors.edge.empty())
      message = scale(message, multiply(rewriter, loc, factors.edge));
    if (!factors.src.empty()) {
      Value nodes = multiply(rewriter, loc, factors.src);
      message = scale(message, GatherOp::create(rewriter, loc, nodes, graph, End::Src));
    }
    Value sum = ScatterOp::create(rewriter, scatter.getLoc(), scatter.getType(), scatter.getKind(),
                                  message, graph, scatter.getEnd(), scatter.getAcc());
    if (!factors.dst.empty()) {
      Value nodes = multiply(rewriter, loc, factors.dst);
      sum = scale(sum, zeroWhereEmpty(rewriter, loc, nodes, graph));
    }
    rewriter.replaceOp(scatter, sum);
    ++count;
    return success();
  }
  unsigned &count;
};

/// Says of every scatter why numbers stay with its edges; a factor of the source's row is
/// where it belongs.
void reportLeft(func::FuncOp function) {
  function.walk([](ScatterOp scatter) {
    Factors factors;
    Invariants invariants;
    auto blocker = findFactors(scatter, invariants, factors);
    if (blocker && (!factors.edge.empty() || !factors.dst.empty()))
      reportMissed(scatter, "gnn-scale-rows", *blocker);
  });
}

struct ScaleRows final : gnnc::impl::GnnScaleRowsPassBase<ScaleRows> {
protected:
  void runOnOperation() override {
    unsigned scaled = 0;
    RewritePatternSet patterns(&getContext());
    patterns.add<ScaleRowsPattern>(&getContext(), scaled);
    if (failed(applyPatterns(getOperation(), std::move(patterns), "gnn-scale-rows")))
      signalPassFailure();
    numScaled += scaled;
    reportLeft(getOperation());
  }
};
} // namespace
