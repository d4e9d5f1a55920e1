//===- Reduction.cpp - The reductions of gnn.scatter and gnn.aggregate ----===//
#include "passes/Kernel/Reduction.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gnnc;
using gnn::ReduceKind;
using Role = Accumulator::Role;

SmallVector<Accumulator> gnnc::accumulatorsOf(gnn::AggregateOp op, const RowFrame &frame) {
  SmallVector<Accumulator> accumulators;
  ValueRange values = op.getMessage().front().getTerminator()->getOperands();
  auto element = cast<FloatType>(op.getAcc());
  for (unsigned i = 0, e = op.getReduce().size(); i < e; ++i) {
    ReduceKind kind = op.getReduceKind(i);
    if (kind == ReduceKind::Softmax) {
      RowShape score = frame.shapeOf(values[0]), row = frame.shapeOf(values[1]);
      accumulators.push_back({kind, Role::SoftmaxSum, row, element});
      accumulators.push_back({kind, Role::SoftmaxDenominator, score, element});
      accumulators.push_back({kind, Role::SoftmaxMaximum, score, element});
    } else {
      accumulators.push_back({kind, Role::Plain, frame.shapeOf(values.front()), element});
    }
    values = values.drop_front(numMessageValues(kind));
  }
  return accumulators;
}

/// Below every score, and finite, so that the difference to a score is a number.
static APFloat lowestScore(FloatType element) {
  return APFloat::getLargest(element.getFloatSemantics(), /*Negative=*/true);
}

Row gnnc::reductionStart(RowEmitter &rows, OpBuilder &builder, Location loc,
                         const Accumulator &accumulator) {
  FloatType element = accumulator.element;
  APFloat value = APFloat::getZero(element.getFloatSemantics());
  switch (accumulator.kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    break;
  case ReduceKind::Max:
    value = APFloat::getInf(element.getFloatSemantics(), /*Negative=*/true);
    break;
  case ReduceKind::Min:
    value = APFloat::getInf(element.getFloatSemantics());
    break;
  case ReduceKind::Mul:
    value = APFloat::getOne(element.getFloatSemantics());
    break;
  case ReduceKind::Softmax:
    if (accumulator.role == Role::SoftmaxMaximum)
      value = lowestScore(element);
    break;
  }
  return rows.splat(loc, accumulator.shape, builder.getFloatAttr(element, value));
}

static Row multiply(RowEmitter &rows, OpBuilder &builder, Location loc, const Row &a,
                    const Row &b) {
  return rows.combine(a, b, [&](Value x, Value y) -> Value {
    return arith::MulFOp::create(builder, loc, x, y, arith::FastMathFlags::contract);
  });
}

static Row add(RowEmitter &rows, OpBuilder &builder, Location loc, const Row &a, const Row &b) {
  return rows.combine(a, b, [&](Value x, Value y) -> Value {
    return arith::AddFOp::create(builder, loc, x, y, arith::FastMathFlags::contract);
  });
}

/// NaN wins, as in torch.
static Row maximum(RowEmitter &rows, OpBuilder &builder, Location loc, const Row &a, const Row &b) {
  return rows.combine(a, b, [&](Value x, Value y) -> Value {
    return arith::MaximumFOp::create(builder, loc, x, y);
  });
}

static Row combinePlain(RowEmitter &rows, OpBuilder &builder, Location loc, ReduceKind kind,
                        const Row &a, const Row &b) {
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    return add(rows, builder, loc, a, b);
  case ReduceKind::Max:
    return maximum(rows, builder, loc, a, b);
  case ReduceKind::Min:
    return rows.combine(a, b, [&](Value x, Value y) -> Value {
      return arith::MinimumFOp::create(builder, loc, x, y);
    });
  case ReduceKind::Mul:
    return multiply(rows, builder, loc, a, b);
  case ReduceKind::Softmax:
    break;
  }
  llvm_unreachable("softmax has three accumulators");
}

/// `left`, three accumulators, and the same of another set of edges: those of the union.
/// A single edge is a set whose sum is its message, whose denominator is 1 (null) and
/// whose maximum is its score.
static void mergeSoftmax(RowEmitter &rows, OpBuilder &builder, Location loc,
                         ArrayRef<Accumulator> accumulators, ArrayRef<Row> left, const Row &sum,
                         const Row *denominator, const Row &top, SmallVectorImpl<Row> &results) {
  RowShape row = accumulators[0].shape, score = accumulators[1].shape;
  Row highest = maximum(rows, builder, loc, left[2], top);
  Row keep = rows.expDifference(loc, left[2], highest);
  Row take = rows.expDifference(loc, top, highest);
  Row added = multiply(rows, builder, loc, sum, rows.spread(loc, take, score, row));
  Row kept = multiply(rows, builder, loc, left[0], rows.spread(loc, keep, score, row));
  Row weight = denominator ? multiply(rows, builder, loc, *denominator, take) : take;
  results.push_back(add(rows, builder, loc, kept, added));
  results.push_back(add(rows, builder, loc, multiply(rows, builder, loc, left[1], keep), weight));
  results.push_back(highest);
}

/// i1: some score is above the maximum so far, or is NaN.
static Value anyAbove(OpBuilder &builder, Location loc, const Row &score, const Row &top) {
  Value any;
  for (auto [s, m] : llvm::zip_equal(score, top)) {
    Value above = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UGT, s, m);
    if (isa<VectorType>(above.getType()))
      above = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR, above);
    any = any ? arith::OrIOp::create(builder, loc, any, above).getResult() : above;
  }
  return any;
}

/// One more edge, where a branch spares most edges the scaling: the largest score of a
/// row is found early, and grows about log(edges) times.
static void addEdgeByBranch(RowEmitter &rows, OpBuilder &builder, Location loc,
                            ArrayRef<Accumulator> accumulators, ArrayRef<Row> state,
                            const Row &score, const Row &message, SmallVectorImpl<Row> &results) {
  SmallVector<Value> old;
  for (const Row &row : state)
    llvm::append_range(old, row);
  auto branch = scf::IfOp::create(builder, loc, ValueRange(old).getTypes(),
                                  anyAbove(builder, loc, score, state[2]),
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&branch.getThenRegion().front());
    Row highest = maximum(rows, builder, loc, state[2], score);
    Row keep = rows.expDifference(loc, state[2], highest);
    Row spread = rows.spread(loc, keep, accumulators[1].shape, accumulators[0].shape);
    SmallVector<Value> scaled(multiply(rows, builder, loc, state[0], spread));
    llvm::append_range(scaled, multiply(rows, builder, loc, state[1], keep));
    llvm::append_range(scaled, highest);
    scf::YieldOp::create(builder, loc, scaled);
    builder.setInsertionPointToStart(&branch.getElseRegion().front());
    scf::YieldOp::create(builder, loc, old);
  }
  SmallVector<Row> now;
  auto next = branch.getResults().begin();
  for (const Row &row : state) {
    now.emplace_back(next, next + row.size());
    next += row.size();
  }
  Row take = rows.expDifference(loc, score, now[2]);
  Row added = multiply(rows, builder, loc, message,
                       rows.spread(loc, take, accumulators[1].shape, accumulators[0].shape));
  results.push_back(add(rows, builder, loc, now[0], added));
  results.push_back(add(rows, builder, loc, now[1], take));
  results.push_back(now[2]);
}

SmallVector<Row> gnnc::reductionStep(RowEmitter &rows, OpBuilder &builder, Location loc,
                                     ArrayRef<Accumulator> accumulators, ArrayRef<Row> state,
                                     ArrayRef<Row> messages) {
  SmallVector<Row> results;
  for (unsigned i = 0; i < accumulators.size();) {
    if (accumulators[i].role == Role::Plain) {
      results.push_back(
          combinePlain(rows, builder, loc, accumulators[i].kind, state[i], messages.front()));
      messages = messages.drop_front();
      ++i;
      continue;
    }
    if (rows.prefersBranches())
      addEdgeByBranch(rows, builder, loc, accumulators.slice(i, 3), state.slice(i, 3), messages[0],
                      messages[1], results);
    else
      mergeSoftmax(rows, builder, loc, accumulators.slice(i, 3), state.slice(i, 3), messages[1],
                   nullptr, messages[0], results);
    messages = messages.drop_front(2);
    i += 3;
  }
  return results;
}

SmallVector<Row> gnnc::reductionMerge(RowEmitter &rows, OpBuilder &builder, Location loc,
                                      ArrayRef<Accumulator> accumulators, ArrayRef<Row> a,
                                      ArrayRef<Row> b) {
  SmallVector<Row> results;
  for (unsigned i = 0; i < accumulators.size();) {
    if (accumulators[i].role == Role::Plain) {
      results.push_back(combinePlain(rows, builder, loc, accumulators[i].kind, a[i], b[i]));
      ++i;
      continue;
    }
    mergeSoftmax(rows, builder, loc, accumulators.slice(i, 3), a.slice(i, 3), b[i], &b[i + 1],
                 b[i + 2], results);
    i += 3;
  }
  return results;
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

/// `value` where `condition` (a scalar or as wide as `value`) holds, else `other`.
static Row select(RowEmitter &rows, OpBuilder &builder, Location loc, const Row &condition,
                  const Row &value, const Row &other) {
  Row result;
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(value, other)))
    result.push_back(arith::SelectOp::create(
        builder, loc, condition.size() == 1 ? condition.front() : condition[i], std::get<0>(pair),
        std::get<1>(pair)));
  return result;
}

static Row endPlain(RowEmitter &rows, OpBuilder &builder, Location loc, const Accumulator &of,
                    const Row &row, Value count, const Row &isEmpty) {
  FloatType element = of.element;
  switch (of.kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mul:
    return row;
  case ReduceKind::Mean: {
    Value one = arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 1);
    Value atLeastOne = arith::MaxSIOp::create(builder, loc, count, one);
    Row divisor = {arith::SIToFPOp::create(builder, loc, element, atLeastOne)};
    return rows.combine(
        row, rows.spread(loc, divisor, RowShape::Scalar, of.shape),
        [&](Value a, Value b) -> Value { return arith::DivFOp::create(builder, loc, a, b); });
  }
  case ReduceKind::Max:
  case ReduceKind::Min:
    return select(rows, builder, loc, isEmpty,
                  rows.splat(loc, of.shape, builder.getFloatAttr(element, 0.0)), row);
  case ReduceKind::Softmax:
    break;
  }
  llvm_unreachable("softmax has three accumulators");
}

/// The maximum of no edges is -inf; if all scores are -inf there is no softmax.
static void endSoftmax(RowEmitter &rows, OpBuilder &builder, Location loc,
                       ArrayRef<Accumulator> accumulators, ArrayRef<Row> state, const Row &isEmpty,
                       SmallVectorImpl<Row> &results) {
  FloatType element = accumulators[0].element;
  RowShape row = accumulators[0].shape, score = accumulators[1].shape;
  const llvm::fltSemantics &semantics = element.getFloatSemantics();
  Row zero = rows.splat(loc, score, builder.getFloatAttr(element, 0.0));
  Row notANumber =
      rows.splat(loc, score, builder.getFloatAttr(element, APFloat::getNaN(semantics)));
  Row minusInf =
      rows.splat(loc, score, builder.getFloatAttr(element, APFloat::getInf(semantics, true)));
  // Without any weight: 0 or, where there are edges, NaN; else 0 is added.
  Row noWeight = rows.combine(state[1], zero, [&](Value a, Value b) -> Value {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, a, b);
  });
  Row ofEdges = select(rows, builder, loc, isEmpty, zero, notANumber);
  Row spoil = select(rows, builder, loc, noWeight, ofEdges, zero);
  results.push_back(add(rows, builder, loc, state[0], rows.spread(loc, spoil, score, row)));
  results.push_back(add(rows, builder, loc, state[1], spoil));
  results.push_back(select(rows, builder, loc, noWeight, minusInf, state[2]));
}

SmallVector<Row> gnnc::reductionEnd(RowEmitter &rows, OpBuilder &builder, Location loc,
                                    ArrayRef<Accumulator> accumulators, ArrayRef<Row> state,
                                    Value count) {
  Value zero = arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 0);
  Row isEmpty = {arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, count, zero)};
  SmallVector<Row> results;
  for (unsigned i = 0; i < accumulators.size();) {
    if (accumulators[i].role == Role::Plain) {
      results.push_back(endPlain(rows, builder, loc, accumulators[i], state[i], count, isEmpty));
      ++i;
      continue;
    }
    endSoftmax(rows, builder, loc, accumulators.slice(i, 3), state.slice(i, 3), isEmpty, results);
    i += 3;
  }
  return results;
}
