//===- SoftmaxMessage.cpp - Messages weighed by an edge softmax -----------===//
//
// 1. A message is a product; its factors are walked until one is the softmax,
//    repeated to the features of a row.
// 2. That one multiplication is left out: its other factor stands for its value.
//    All other factors stay where they are.
// 3. Scores weigh leading extents of a row (one for all, or one per head), which
//    is what the reduction offers.
//
//===----------------------------------------------------------------------===//
#include "passes/Program/SoftmaxMessage.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

/// True for a map (d0, ..., dk) or (d0, ..., dk, 0, ..., 0).
static bool selectsLeadingLoops(AffineMap map) {
  unsigned next = 0;
  bool ended = false;
  for (AffineExpr expr : map.getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (loop && (ended || loop.getPosition() != next++))
      return false;
    ended |= !loop;
  }
  return true;
}

/// `op` repeats the rows of its operand along new trailing extents.
static bool repeatsBehind(Operation *op) {
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op)) {
    int64_t rank = cast<RankedTensorType>(broadcast.getInput().getType()).getRank();
    return llvm::all_of(broadcast.getDimensions(), [&](int64_t axis) { return axis >= rank; });
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op); expand && isRowReshape(op)) {
    ArrayRef<int64_t> from = expand.getSrcType().getShape(), to = expand.getResultType().getShape();
    return to.take_front(from.size()) == from &&
           llvm::all_of(to.drop_front(from.size()), [](int64_t extent) { return extent == 1; });
  }
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || !isRowGeneric(op) || generic.getNumDpsInputs() != 1)
    return false;
  return generic.getBlock()->without_terminator().empty() &&
         generic.getBlock()->getTerminator()->getOperand(0) == generic.getBlock()->getArgument(0) &&
         selectsLeadingLoops(generic.getMatchingIndexingMap(generic.getDpsInputOperand(0)));
}

/// The operand whose rows are those of `op` in another form, or null.
static Value seeThrough(Operation *op) {
  bool passes = isRowCountCast(op) || isa<arith::ExtFOp, arith::TruncFOp>(op);
  return passes ? op->getOperand(0) : Value();
}

/// The softmax that `factor` is, at the features of a row.
static SegmentSoftmaxOp softmaxBehind(Value factor, Value graph) {
  while (Operation *op = factor.getDefiningOp()) {
    if (auto softmax = dyn_cast<SegmentSoftmaxOp>(op))
      return softmax.getGraph() == graph && softmax.getEnd() == End::Dst ? softmax
                                                                         : SegmentSoftmaxOp();
    Value next = repeatsBehind(op) ? op->getOperand(0) : seeThrough(op);
    if (!next)
      return {};
    factor = next;
  }
  return {};
}

namespace {
/// A factor of a product; `isWhole`: it has the shape of the product, and
/// `isLeading`: it is repeated along trailing extents at most.
struct Factor {
  Value value;
  bool isWhole, isLeading;
};
} // namespace

/// The two factors of an elementwise multiplication, or none.
static SmallVector<Factor, 2> factorsOf(Operation *op) {
  if (isa<arith::MulFOp>(op) && isElementwise(op))
    return {{op->getOperand(0), true, true}, {op->getOperand(1), true, true}};
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || !isRowGeneric(op) || generic.getNumDpsInputs() != 2)
    return {};
  Block &body = *generic.getBlock();
  auto product = dyn_cast<arith::MulFOp>(body.front());
  if (!product || !llvm::hasSingleElement(body.without_terminator()) ||
      body.getTerminator()->getOperand(0) != product.getResult() ||
      product.getLhs() == product.getRhs())
    return {};
  SmallVector<Factor, 2> factors;
  for (OpOperand *input : generic.getDpsInputOperands()) {
    AffineMap map = generic.getMatchingIndexingMap(input);
    if (generic.getMatchingBlockArgument(input).use_empty())
      return {};
    factors.push_back({input->get(), map.isIdentity(), selectsLeadingLoops(map)});
  }
  return factors;
}

std::optional<SoftmaxMessage> gnnc::findSoftmaxMessage(Value message, Value graph) {
  SmallVector<Value> worklist{message};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *op = value.getDefiningOp();
    // Two readers of a factor would mean the square of its softmax.
    if (!op || (value != message && !hasOneReader(value)))
      continue;
    if (Value inner = isRowReshape(op) ? op->getOperand(0) : seeThrough(op)) {
      worklist.push_back(inner);
      continue;
    }
    SmallVector<Factor, 2> factors = factorsOf(op);
    for (unsigned i = 0; i < factors.size(); ++i)
      if (factors[i].isLeading && factors[1 - i].isWhole)
        if (auto softmax = softmaxBehind(factors[i].value, graph))
          return SoftmaxMessage{softmax, op, factors[1 - i].value};
    for (const Factor &factor : factors)
      worklist.push_back(factor.value);
  }
  return std::nullopt;
}

std::optional<Blocker> gnnc::findSoftmaxBlocker(const SoftmaxMessage &found, Value message) {
  SegmentSoftmaxOp softmax = found.softmax;
  auto score = cast<RankedTensorType>(softmax.getScores().getType());
  auto row = cast<RankedTensorType>(message.getType());
  if (score.getRank() > 2)
    return Blocker(softmax, "a score is one number for a row or one per head, found more");
  if (row.getShape().drop_front().take_front(score.getRank() - 1) != score.getShape().drop_front())
    return Blocker(found.product, "the message is reshaped so that scores are no longer those of "
                                  "its leading extent");
  return std::nullopt;
}

/// sum / (denominator + 1e-16), repeated along the features of a head.
static Value divide(OpBuilder &builder, Location loc, Value sum, Value denominator) {
  Type type = denominator.getType();
  Value tiny =
      createSplat(builder, loc, type, builder.getFloatAttr(getElementTypeOrSelf(type), 1e-16));
  Value safe = arith::AddFOp::create(builder, loc, denominator, tiny);
  SmallVector<int64_t> shape;
  if (auto row = dyn_cast<VectorType>(sum.getType())) {
    shape.assign(row.getRank(), 1);
    if (auto heads = dyn_cast<VectorType>(type))
      llvm::copy(heads.getShape(), shape.begin());
  }
  Value divisor = createSpread(builder, loc, safe, shape, sum.getType());
  return arith::DivFOp::create(builder, loc, sum, divisor);
}

AggregateOp gnnc::createSoftmaxAggregate(OpBuilder &builder, Location loc, Value graph, Type acc,
                                         const SoftmaxMessage &found, Value message,
                                         RankedTensorType result, const OpSet &inside) {
  MLIRContext *context = builder.getContext();
  SegmentSoftmaxOp softmax = found.softmax;
  if (softmax.getAcc().getIntOrFloatBitWidth() > acc.getIntOrFloatBitWidth())
    acc = softmax.getAcc();
  RowRegion body(context, graph, inside);
  Value score = createWidened(body.builder(), loc, body.row(softmax.getScores()), acc);
  body.bind(found.product->getResult(0), body.row(found.row));
  Value row = createWidened(body.builder(), loc, body.row(message), acc);
  body.yield(loc, {score, row});

  auto aggregate = AggregateOp::create(
      builder, loc, TypeRange{result}, graph, body.operands(RowRole::Src),
      body.operands(RowRole::Dst), body.operands(RowRole::Row), body.operands(RowRole::Param),
      builder.getArrayAttr(ReduceKindAttr::get(context, ReduceKind::Softmax)), TypeAttr::get(acc),
      Attribute());
  RowRegion epilogue(context, {}, inside, RowRole::Dst);
  Value sum = epilogue.addLeading(row.getType(), loc);
  Value denominator = epilogue.addLeading(score.getType(), loc);
  epilogue.addLeading(score.getType(), loc); // the maximum
  for (RowRole role : {RowRole::Dst, RowRole::Param})
    for (Value tensor : body.operands(role))
      epilogue.operand(role, tensor);
  aggregate->setLoc(
      builder.getFusedLoc({body.location(loc), softmax.getLoc(), found.product->getLoc()}));
  Value out = divide(epilogue.builder(), loc, sum, denominator);
  if (out.getType() != rowType(result))
    out = arith::TruncFOp::create(epilogue.builder(), loc, rowType(result), out);
  epilogue.yield(loc, out);
  aggregate.getMessage().takeBody(body.region());
  aggregate.getEpilogue().takeBody(epilogue.region());
  return aggregate;
}
