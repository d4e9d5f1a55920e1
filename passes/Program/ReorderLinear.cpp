//===- ReorderLinear.cpp - aggregate(x W) <-> aggregate(x) W --------------===//
//
// In: aggregates next to matrix products, or with a sum of the row itself between (GIN).
// Out: the order that moves fewer bytes along the edges.
//
// sum_e c_e (x[u] W) = (sum_e c_e x[u]) W holds when c_e is one number for all
// features of the row. A message region is linear in that sense when the value
// it yields is Linear:
//   Linear  the source row; Linear times or divided by Spread; sums, differences
//           and negations of Linear
//   Spread  a vector with one number in all places (broadcast scalar, splat)
//   Other   everything that does not depend on the source row
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/Matchers.h"
#include "passes/Common/Blocker.h"
#include "passes/Common/Rewrite.h"
#include "passes/Common/RowRegion.h"
#include "passes/Common/RowSpaces.h"
#include "passes/Program/GraphHandling.h"
#include "passes/Program/Passes.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNREORDERLINEARPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

namespace {
enum class Order { Auto, TransformFirst, AggregateFirst };
enum class Part { Other, Spread, Linear };
using Parts = DenseMap<Value, Part>;

/// An aggregate whose message is linear in one of its source rows.
struct LinearAggregate {
  AggregateOp op;
  unsigned srcIndex = 0; ///< which `src` operand that is
  Parts parts;           ///< of the values in the message
};
} // namespace

/// Part of the value of `op`; none when it depends on the row in another way.
static std::optional<Part> classify(Operation &op, const Parts &parts) {
  auto is = [&](Value value, Part part) { return parts.lookup(value) == part; };
  bool reads = llvm::any_of(op.getOperands(), [&](Value v) { return is(v, Part::Linear); });
  if (!reads) {
    if (op.getNumResults() != 1 || !isa<VectorType>(op.getResult(0).getType()))
      return Part::Other;
    auto broadcast = dyn_cast<vector::BroadcastOp>(op);
    bool isScalar = broadcast && !isa<VectorType>(broadcast.getSourceType());
    if (isScalar || matchPattern(&op, m_Constant<SplatElementsAttr>(nullptr)))
      return Part::Spread;
    return Part::Other;
  }
  bool isLinear =
      TypeSwitch<Operation *, bool>(&op)
          .Case([](arith::NegFOp) { return true; })
          .Case<arith::AddFOp, arith::SubFOp>([&](auto sum) {
            return is(sum.getLhs(), Part::Linear) && is(sum.getRhs(), Part::Linear);
          })
          .Case([&](arith::MulFOp product) {
            return is(product.getLhs(), Part::Spread) || is(product.getRhs(), Part::Spread);
          })
          .Case([&](arith::DivFOp quotient) { return is(quotient.getRhs(), Part::Spread); })
          .Default([](Operation *) { return false; });
  return isLinear ? std::optional(Part::Linear) : std::nullopt;
}

/// Why sums of `aggregate` are not linear in its source operand `src`.
static std::optional<Blocker> findLinear(AggregateOp aggregate, unsigned src,
                                         LinearAggregate &linear) {
  if (aggregate.getNumResults() != 1 || aggregate.getReduce().size() != 1)
    return Blocker(aggregate, "the aggregate has several results");
  ReduceKind kind = aggregate.getReduceKind(0);
  if (kind != ReduceKind::Sum && kind != ReduceKind::Mean)
    return Blocker(aggregate, "reduction '" + stringifyReduceKind(kind) + "' is not linear");
  if (aggregate.hasEpilogue())
    return Blocker(aggregate, "the aggregate has an epilogue");
  linear.op = aggregate;
  linear.srcIndex = src;
  Block &message = aggregate.getMessage().front();
  for (BlockArgument argument : message.getArguments())
    linear.parts[argument] = argument.getArgNumber() == src ? Part::Linear : Part::Other;
  for (Operation &op : message.without_terminator()) {
    auto part = classify(op, linear.parts);
    if (!part)
      return Blocker(&op, "'" + op.getName().getStringRef() +
                              "' in the message does not scale all features of the row alike");
    for (Value result : op.getResults())
      linear.parts[result] = *part;
  }
  if (linear.parts.lookup(message.getTerminator()->getOperand(0)) != Part::Linear)
    return Blocker(aggregate, "the message does not depend on the row of the product");
  return std::nullopt;
}

/// Why `matmul` is not x W with x holding the rows.
static std::optional<Blocker> checkProduct(linalg::MatmulOp matmul) {
  if (!isZeroSplat(matmul.getOutputs()[0]))
    return Blocker(matmul, "the product adds to a tensor that is not zero");
  if (!RowSpaces::isRowwise(matmul->getOpOperand(0)))
    return Blocker(matmul, "the rows are not those of the product's first operand");
  auto weight = dyn_cast<RankedTensorType>(matmul.getInputs()[1].getType());
  if (!weight || !weight.hasStaticShape())
    return Blocker(matmul, "the weight has no static shape");
  auto input = cast<RankedTensorType>(matmul.getInputs()[0].getType());
  if (input.getElementType() !=
      cast<RankedTensorType>(matmul->getResult(0).getType()).getElementType())
    return Blocker(matmul, "the product changes the element type");
  return std::nullopt;
}

/// Bytes, and work counted as bytes, of both orders around one aggregate.
namespace {
struct Costs {
  double transformFirst, aggregateFirst;
};
} // namespace
static Costs estimate(GnnGraphType graph, int64_t in, int64_t out, unsigned elementBits) {
  // fp32 products do about 10 flop for each byte a copy moves: 41 Tflop/s and
  // 4.3 TB/s on an H200.
  constexpr double kFlopsPerByte = 10;
  // Only the ratio matters; most graphs have more edges than nodes.
  constexpr double kUnknownDegree = 8;
  double dst = 1, src = 1, edges = kUnknownDegree;
  if (llvm::none_of(ArrayRef<int64_t>{graph.getDst(), graph.getSrc(), graph.getEdges()},
                    ShapedType::isDynamic)) {
    dst = graph.getDst();
    src = graph.getSrc();
    edges = graph.getEdges();
  }
  // Memory moves sectors of 32 bytes, so a row of 5 floats costs one of 8.
  constexpr unsigned kSectorBits = 256;
  double bytes = elementBits / 8.0;
  auto moved = [&](int64_t width) {
    return llvm::alignTo(width * elementBits, kSectorBits) / 8.0 * (edges + dst);
  };
  auto product = [&](double rows) {
    return rows * (bytes * (in + out) + 2.0 * in * out / kFlopsPerByte);
  };
  return {product(src) + moved(out), moved(in) + product(dst)};
}

/// The aggregate over `rows` in place of its linear operand: what it reads of
/// features has the width of `rows`.
static AggregateOp rebuild(OpBuilder &builder, const LinearAggregate &linear, Value rows) {
  AggregateOp old = linear.op;
  auto type = cast<RankedTensorType>(rows.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = old.getGraph().getType().getDst();
  SmallVector<Value> src(old.getSrc());
  src[linear.srcIndex] = rows;
  auto aggregate = AggregateOp::create(
      builder, old.getLoc(), TypeRange{type.clone(shape)}, old.getGraph(), src, old.getDst(),
      old.getEdge(), old.getParam(), old.getReduce(), old.getAccAttr(), old.getScheduleAttr());
  Block &from = old.getMessage().front();
  Block &to = aggregate.getMessage().emplaceBlock();
  auto wide = cast<VectorType>(rowType(type));
  IRMapping mapping;
  for (BlockArgument argument : from.getArguments()) {
    bool isRow = argument.getArgNumber() == linear.srcIndex;
    mapping.map(argument, to.addArgument(isRow ? wide : argument.getType(), argument.getLoc()));
  }
  OpBuilder inner(builder.getContext());
  inner.setInsertionPointToStart(&to);
  for (Operation &op : from) {
    Operation *clone = inner.clone(op, mapping);
    if (op.getNumResults() != 1 || linear.parts.lookup(op.getResult(0)) == Part::Other)
      continue;
    auto element = cast<VectorType>(op.getResult(0).getType()).getElementType();
    VectorType resized = wide.clone(element);
    if (auto constant = dyn_cast<arith::ConstantOp>(clone))
      constant.setValueAttr(DenseElementsAttr::get(
          resized, cast<SplatElementsAttr>(constant.getValue()).getSplatValue<Attribute>()));
    clone->getResult(0).setType(resized);
  }
  return aggregate;
}

/// `matmul` with other rows, over a zero of the right size.
static Value reproduce(OpBuilder &builder, linalg::MatmulOp matmul, Value rows) {
  Location loc = matmul.getLoc();
  auto old = cast<RankedTensorType>(matmul->getResult(0).getType());
  SmallVector<int64_t> shape(old.getShape());
  shape[0] = cast<RankedTensorType>(rows.getType()).getDimSize(0);
  auto type = old.clone(shape);
  SmallVector<Value> sizes;
  if (type.isDynamicDim(0))
    sizes.push_back(tensor::DimOp::create(builder, loc, rows, 0));
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  Value init = tensor::EmptyOp::create(builder, loc, type, sizes);
  Value zeros = linalg::FillOp::create(builder, loc, zero, init).getResult(0);
  IRMapping mapping;
  mapping.map(matmul.getInputs()[0], rows);
  mapping.map(matmul.getOutputs()[0], zeros);
  mapping.map(matmul.getInputs()[1], matmul.getInputs()[1]);
  Operation *clone = builder.clone(*matmul, mapping);
  clone->getResult(0).setType(type);
  return clone->getResult(0);
}

/// Feature counts of a matrix product: before and after.
static std::pair<int64_t, int64_t> widths(linalg::MatmulOp matmul) {
  return {cast<RankedTensorType>(matmul.getInputs()[0].getType()).getDimSize(1),
          cast<RankedTensorType>(matmul->getResult(0).getType()).getDimSize(1)};
}

static Costs costsOf(linalg::MatmulOp matmul, AggregateOp aggregate) {
  auto [in, out] = widths(matmul);
  auto element = cast<RankedTensorType>(matmul->getResult(0).getType()).getElementType();
  return estimate(aggregate.getGraph().getType(), in, out, element.getIntOrFloatBitWidth());
}

/// Why aggregate(x W) does not become aggregate(x) W; otherwise `linear` and
/// `matmul` are its parts.
static std::optional<Blocker> findAggregateFirst(AggregateOp aggregate, Order order,
                                                 LinearAggregate &linear,
                                                 linalg::MatmulOp &matmul) {
  for (auto [index, src] : llvm::enumerate(aggregate.getSrc())) {
    matmul = src.getDefiningOp<linalg::MatmulOp>();
    if (!matmul)
      continue;
    if (!src.hasOneUse())
      return Blocker(aggregate, "the product has other users");
    if (auto blocker = checkProduct(matmul))
      return blocker;
    if (auto blocker = findLinear(aggregate, index, linear))
      return blocker;
    Costs costs = costsOf(matmul, aggregate);
    if (order == Order::Auto && costs.aggregateFirst >= costs.transformFirst)
      return Blocker(aggregate, "transforming first moves no more");
    return std::nullopt;
  }
  return Blocker(aggregate, "no source operand is a matrix product");
}

namespace {
/// Rows times a number for each of them, or one for all.
struct RowScale {
  arith::MulFOp op; ///< or null
  Value numbers;
};

/// What stands between an aggregate of x and a product, and goes behind both:
/// aggregate d + x c.
struct Between {
  RowScale scale;    ///< d
  arith::AddFOp sum; ///< or null: no x c
  RowScale ownScale; ///< c
};
} // namespace

/// The rows that `rows` is a scaling of, if it is one that only `rows` reads.
static Value takeScale(Value rows, RowScale &scale) {
  auto scaled = rows.getDefiningOp<arith::MulFOp>();
  if (!scaled || !rows.hasOneUse())
    return rows;
  for (auto [factor, other] :
       {std::pair(scaled.getLhs(), scaled.getRhs()), std::pair(scaled.getRhs(), scaled.getLhs())}) {
    Value numbers = repeatedNumbers(factor);
    auto broadcast = factor.getDefiningOp<linalg::BroadcastOp>();
    if (!numbers && broadcast && broadcast.getInput().getType().getRank() == 0)
      numbers = broadcast.getInput();
    if (numbers) {
      scale = {scaled, numbers};
      return other;
    }
  }
  return rows;
}

/// Why (aggregate(x) d + x c) W does not become aggregate(x W) d + (x W) c;
/// otherwise `linear` is the aggregate and `between` has d and c, as far as they are there.
static std::optional<Blocker> findTransformFirst(linalg::MatmulOp matmul, Order order,
                                                 LinearAggregate &linear, Between &between) {
  Value rows = matmul.getInputs()[0], own;
  if (auto sum = rows.getDefiningOp<arith::AddFOp>(); sum && rows.hasOneUse())
    for (auto [side, other] :
         {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())}) {
      RowScale scale, ownScale;
      if (own || !takeScale(side, scale).getDefiningOp<AggregateOp>())
        continue;
      own = takeScale(other, ownScale);
      between = {scale, sum, ownScale};
      rows = side;
    }
  rows = takeScale(rows, between.scale);
  auto aggregate = rows.getDefiningOp<AggregateOp>();
  if (!aggregate)
    return Blocker(matmul, "the rows do not come from an aggregate");
  if (!rows.hasOneUse())
    return Blocker(matmul, "the aggregate has other users");
  if (auto blocker = checkProduct(matmul))
    return blocker;
  std::optional<Blocker> blocker(std::in_place, aggregate, "the aggregate reads no source row");
  for (unsigned i = 0; i < aggregate.getSrc().size() && blocker; ++i)
    if (cast<RankedTensorType>(aggregate.getSrc()[i].getType()).getRank() == 2)
      blocker = findLinear(aggregate, i, linear = LinearAggregate());
  if (blocker)
    return blocker;
  // Other rows would need a product of their own.
  if (own && (own != aggregate.getSrc()[linear.srcIndex] || own.getType() != rows.getType()))
    return Blocker(between.sum, "what is added to the aggregate is not the rows it reads");
  Costs costs = costsOf(matmul, aggregate);
  if (order == Order::Auto && costs.transformFirst >= costs.aggregateFirst)
    return Blocker(matmul, "aggregating first moves no more");
  return std::nullopt;
}

namespace {
/// aggregate(x W) -> aggregate(x) W
struct AggregateFirst final : OpRewritePattern<AggregateOp> {
  AggregateFirst(MLIRContext *context, Order order, unsigned &count)
      : OpRewritePattern(context), order(order), count(count) {}
  LogicalResult matchAndRewrite(AggregateOp aggregate, PatternRewriter &rewriter) const override {
    LinearAggregate linear;
    linalg::MatmulOp matmul;
    if (auto blocker = findAggregateFirst(aggregate, order, linear, matmul))
      return rewriter.notifyMatchFailure(blocker->at, blocker->text);
    auto narrow = rebuild(rewriter, linear, matmul.getInputs()[0]);
    rewriter.replaceOp(aggregate, reproduce(rewriter, matmul, narrow.getOuts()[0]));
    ++count;
    return success();
  }
  Order order;
  unsigned &count;
};

/// (aggregate(x) d + x c) W -> aggregate(x W) d + (x W) c, where d and c are numbers per
/// row or absent, or there is no x c: GIN has one, others have none.
struct TransformFirst final : OpRewritePattern<linalg::MatmulOp> {
  TransformFirst(MLIRContext *context, Order order, unsigned &count)
      : OpRewritePattern(context), order(order), count(count) {}
  LogicalResult matchAndRewrite(linalg::MatmulOp matmul, PatternRewriter &rewriter) const override {
    LinearAggregate linear;
    Between between;
    if (auto blocker = findTransformFirst(matmul, order, linear, between))
      return rewriter.notifyMatchFailure(blocker->at, blocker->text);
    auto scaled = [&](Value rows, RowScale scale) -> Value {
      if (!scale.op)
        return rows;
      Location loc = scale.op.getLoc();
      Value repeated = createRepeatedLike(rewriter, loc, scale.numbers, rows);
      return arith::MulFOp::create(rewriter, loc, rows, repeated);
    };
    Value product = reproduce(rewriter, matmul, linear.op.getSrc()[linear.srcIndex]);
    Value reordered = scaled(rebuild(rewriter, linear, product).getOuts()[0], between.scale);
    if (between.sum) {
      Value own = scaled(product, between.ownScale);
      reordered = arith::AddFOp::create(rewriter, between.sum.getLoc(), reordered, own);
    }
    rewriter.replaceOp(matmul, reordered);
    ++count;
    return success();
  }
  Order order;
  unsigned &count;
};

/// Says of every aggregate and product next to each other why they stay in this
/// order.
void reportLeft(func::FuncOp function, Order order) {
  function.walk([&](AggregateOp aggregate) {
    LinearAggregate linear;
    linalg::MatmulOp matmul;
    auto blocker = findAggregateFirst(aggregate, order, linear, matmul);
    if (blocker && matmul)
      reportMissed(aggregate, "gnn-reorder-linear", *blocker);
  });
  function.walk([&](linalg::MatmulOp matmul) {
    LinearAggregate linear;
    Between between;
    auto blocker = findTransformFirst(matmul, order, linear, between);
    bool isNext = between.scale.op || between.sum;
    if (blocker && (isNext || matmul.getInputs()[0].getDefiningOp<AggregateOp>()))
      reportMissed(matmul, "gnn-reorder-linear", *blocker);
  });
}

struct ReorderLinear final : gnnc::impl::GnnReorderLinearPassBase<ReorderLinear> {
  using GnnReorderLinearPassBase::GnnReorderLinearPassBase;

protected:
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    auto chosen = llvm::StringSwitch<std::optional<Order>>(order)
                      .Case("auto", Order::Auto)
                      .Case("transform-first", Order::TransformFirst)
                      .Case("aggregate-first", Order::AggregateFirst)
                      .Default(std::nullopt);
    if (!chosen) {
      function.emitError("gnn-reorder-linear: option order is auto, transform-first or "
                         "aggregate-first, found ")
          << order;
      return signalPassFailure();
    }
    takeRowCountsFromArguments(function);
    unsigned aggregateFirst = 0, transformFirst = 0;
    RewritePatternSet patterns(&getContext());
    if (*chosen != Order::TransformFirst)
      patterns.add<AggregateFirst>(&getContext(), *chosen, aggregateFirst);
    if (*chosen != Order::AggregateFirst)
      patterns.add<TransformFirst>(&getContext(), *chosen, transformFirst);
    if (failed(applyPatterns(function, std::move(patterns), "gnn-reorder-linear")))
      signalPassFailure();
    takeRowCountsFromArguments(function);
    numAggregateFirst += aggregateFirst;
    numTransformFirst += transformFirst;
    reportLeft(function, *chosen);
  }
};
} // namespace
