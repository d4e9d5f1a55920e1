//===- LoopTerm.cpp - An aggregate over its edges and one loop per node ---===//
//
// The epilogue begins with the message region once more, on rows of the node
// itself, and merges what it yields into the accumulators:
//   sum      a + m                        mul   a m
//   mean     (sum + m) / count            max   count = 1 ? m : max(a, m)
//   softmax  M = max(x, s), with x the maximum and s the loop's score:
//            sum exp(x - M) + exp(s - M) m, the same for the denominator, M
// A node without other edges has x = -inf, and exp(-inf) = 0.
//
//===----------------------------------------------------------------------===//
#include "passes/Program/LoopTerm.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Common/RowRegion.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

std::optional<Blocker> gnnc::findLoopTermBlocker(AggregateOp aggregate) {
  if (aggregate.getScheduleAttr())
    return Blocker(aggregate, "the aggregate has its schedule already");
  return std::nullopt;
}

bool gnnc::needsEdgeCount(AggregateOp aggregate) {
  return llvm::any_of(aggregate.getReduce().getAsRange<ReduceKindAttr>(), [](ReduceKindAttr kind) {
    return llvm::is_contained({ReduceKind::Mean, ReduceKind::Max, ReduceKind::Min},
                              kind.getValue());
  });
}

namespace {
/// Builds the new aggregate in front of the old one.
class LoopTerm {
public:
  LoopTerm(AggregateOp old, ValueRange edgeRows, Value counts)
      : old(old), edgeRows(edgeRows), counts(counts), builder(old), loc(old.getLoc()),
        dst(old.getDst()) {
    // A loop reads the row of its node as source and as destination.
    for (Value tensor : old.getSrc())
      position(tensor);
    for (Value tensor : edgeRows)
      position(tensor);
    if (counts)
      position(counts);
  }
  AggregateOp build();

private:
  /// Where `tensor` is among the dst operands; appended if it is not.
  unsigned position(Value tensor) {
    auto *it = llvm::find(dst, tensor);
    unsigned index = it - dst.begin();
    if (it == dst.end())
      dst.push_back(tensor);
    return index;
  }
  void buildMessage(AggregateOp fused);
  void buildEpilogue(AggregateOp fused);
  void merge(ReduceKind kind, MutableArrayRef<Value> accumulators, ArrayRef<Value> loop,
             Value count);
  /// One value per row or head, repeated to the type of `like`.
  Value spread(Value value, Value like);
  template <class Op>
  Value create(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }

  AggregateOp old;
  ValueRange edgeRows; ///< of the loop of each node
  Value counts;
  OpBuilder builder;
  Location loc;
  SmallVector<Value> dst;
};
} // namespace

AggregateOp LoopTerm::build() {
  SmallVector<Attribute> kinds(old.getReduce().getValue());
  for (Attribute &kind : kinds) // divided in the epilogue
    if (cast<ReduceKindAttr>(kind).getValue() == ReduceKind::Mean)
      kind = ReduceKindAttr::get(old.getContext(), ReduceKind::Sum);
  auto fused = AggregateOp::create(builder, loc, old.getResultTypes(), old.getGraph(), old.getSrc(),
                                   dst, old.getEdge(), old.getParam(), builder.getArrayAttr(kinds),
                                   old.getAccAttr(), Attribute());
  fused->setDiscardableAttrs(old->getDiscardableAttrDictionary());
  buildMessage(fused);
  buildEpilogue(fused);
  return fused;
}

void LoopTerm::buildMessage(AggregateOp fused) {
  fused.getMessage().takeBody(old.getMessage());
  unsigned position = old.getSrc().size() + old.getDst().size();
  for (Value added : ArrayRef(dst).drop_front(old.getDst().size()))
    fused.getMessage().insertArgument(position++, rowType(cast<RankedTensorType>(added.getType())),
                                      loc);
}

void LoopTerm::buildEpilogue(AggregateOp fused) {
  Block &block = fused.getEpilogue().emplaceBlock();
  builder.setInsertionPointToStart(&block);
  SmallVector<Value> accumulators, own, params;
  for (Type type : fused.getAccumulatorTypes())
    accumulators.push_back(block.addArgument(type, loc));
  for (Value tensor : dst)
    own.push_back(block.addArgument(rowType(cast<RankedTensorType>(tensor.getType())), loc));
  for (Value tensor : old.getParam())
    params.push_back(block.addArgument(wholeType(cast<RankedTensorType>(tensor.getType())), loc));

  // The message of the loop.
  IRMapping mapping;
  Block &message = fused.getMessage().front();
  SmallVector<Value> rows;
  for (Value tensor : old.getSrc())
    rows.push_back(own[position(tensor)]);
  llvm::append_range(rows, own);
  for (Value tensor : edgeRows)
    rows.push_back(own[position(tensor)]);
  llvm::append_range(rows, params);
  mapping.map(message.getArguments(), rows);
  for (Operation &op : message.without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> loop;
  for (Value value : message.getTerminator()->getOperands())
    loop.push_back(mapping.lookup(value));

  Value count = counts ? createWidened(builder, loc, own[position(counts)], old.getAcc()) : Value();
  MutableArrayRef<Value> nextAccumulators(accumulators);
  ArrayRef<Value> nextValues(loop);
  for (unsigned i = 0; i < old.getReduce().size(); ++i) {
    ReduceKind kind = old.getReduceKind(i);
    bool isSoftmax = kind == ReduceKind::Softmax;
    merge(kind, nextAccumulators.take_front(isSoftmax ? 3 : 1),
          nextValues.take_front(isSoftmax ? 2 : 1), count);
    nextAccumulators = nextAccumulators.drop_front(isSoftmax ? 3 : 1);
    nextValues = nextValues.drop_front(isSoftmax ? 2 : 1);
  }

  if (!old.hasEpilogue()) {
    YieldOp::create(builder, loc, accumulators);
    return;
  }
  IRMapping rest;
  SmallVector<Value> arguments(accumulators);
  arguments.append(own.begin(), own.begin() + old.getDst().size());
  llvm::append_range(arguments, params);
  rest.map(old.getEpilogue().front().getArguments(), arguments);
  for (Operation &op : old.getEpilogue().front())
    builder.clone(op, rest);
}

Value LoopTerm::spread(Value value, Value like) {
  auto type = dyn_cast<VectorType>(like.getType());
  SmallVector<int64_t> shape(type ? type.getRank() : 0, 1);
  if (auto heads = dyn_cast<VectorType>(value.getType()))
    llvm::copy(heads.getShape(), shape.begin());
  return createSpread(builder, loc, value, shape, like.getType());
}

void LoopTerm::merge(ReduceKind kind, MutableArrayRef<Value> accumulators, ArrayRef<Value> loop,
                     Value count) {
  Value &reduced = accumulators.front();
  Value message = loop.back();
  auto orLoopAlone = [&](Value both) -> Value {
    Value edges = spread(count, message);
    Value one = createSplat(builder, loc, edges.getType(), builder.getFloatAttr(old.getAcc(), 1));
    Value isAlone = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, edges, one);
    return arith::SelectOp::create(builder, loc, isAlone, message, both);
  };
  switch (kind) {
  case ReduceKind::Sum:
    reduced = create<arith::AddFOp>(reduced, message);
    return;
  case ReduceKind::Mul:
    reduced = create<arith::MulFOp>(reduced, message);
    return;
  case ReduceKind::Mean:
    reduced =
        create<arith::DivFOp>(create<arith::AddFOp>(reduced, message), spread(count, message));
    return;
  case ReduceKind::Max:
    reduced = orLoopAlone(create<arith::MaximumFOp>(reduced, message));
    return;
  case ReduceKind::Min:
    reduced = orLoopAlone(create<arith::MinimumFOp>(reduced, message));
    return;
  case ReduceKind::Softmax: {
    Value score = loop.front(), &denominator = accumulators[1], &maximum = accumulators[2];
    Value top = create<arith::MaximumFOp>(maximum, score);
    auto weigh = [&](Value exponent) -> Value {
      return math::ExpOp::create(builder, loc, create<arith::SubFOp>(exponent, top));
    };
    Value others = weigh(maximum), own = weigh(score);
    reduced = create<arith::AddFOp>(create<arith::MulFOp>(reduced, spread(others, message)),
                                    create<arith::MulFOp>(message, spread(own, message)));
    denominator = create<arith::AddFOp>(create<arith::MulFOp>(denominator, others), own);
    maximum = top;
    return;
  }
  }
}

void gnnc::addLoopTerm(AggregateOp aggregate, ValueRange rows, Value counts) {
  AggregateOp fused =
      LoopTerm(aggregate, rows, needsEdgeCount(aggregate) ? counts : Value()).build();
  aggregate->replaceAllUsesWith(fused);
  aggregate.erase();
}
