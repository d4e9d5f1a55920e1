//===- RowFrame.cpp - The heads and features that a kernel's rows have ----===//
#include "passes/Kernel/RowFrame.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace gnnc;

/// Extents of a row type as heads and features: leading extents of 1 say nothing.
/// A vector<12xf32> has the one extent 12, a vector<1x3x4xf32> has 3 and 4.
static SmallVector<int64_t, 2> extentsOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return {};
  ArrayRef<int64_t> shape = vector.getShape();
  while (shape.size() > 2 && shape.front() == 1)
    shape = shape.drop_front();
  return SmallVector<int64_t, 2>(shape);
}

static int64_t elementsOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

bool gnnc::isPicked(Value row) {
  auto type = dyn_cast<VectorType>(row.getType());
  return isa<BlockArgument>(row) && type && type.getRank() == 1 && type.getDimSize(0) > 1 &&
         !row.use_empty() && llvm::all_of(row.getUsers(), [](Operation *user) {
           auto extract = dyn_cast<vector::ExtractOp>(user);
           return extract && extract.getDynamicPosition().empty() &&
                  !isa<VectorType>(extract.getType());
         });
}

BlockArgument gnnc::storedArgument(Value row) {
  while (auto wider = row.getDefiningOp<arith::ExtFOp>())
    row = wider.getIn();
  return dyn_cast<BlockArgument>(row);
}

static bool isOnlyMultiplied(Value row) {
  return !row.use_empty() && llvm::all_of(row.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    return isa<arith::ExtFOp>(user)
               ? isOnlyMultiplied(user->getResult(0))
               : isa<vector::ContractionOp>(user) && use.getOperandNumber() < 2;
  });
}

bool gnnc::isStored(Value row) {
  BlockArgument argument = storedArgument(row);
  return argument && isOnlyMultiplied(argument);
}

int64_t RowFrame::numElements(RowShape shape) const {
  bool hasHeads = shape == RowShape::Head || shape == RowShape::Full;
  bool hasFeatures = shape == RowShape::Feature || shape == RowShape::Full;
  return (hasHeads ? heads : 1) * (hasFeatures ? features : 1);
}

bool RowFrame::isAmbiguous(Type type) const {
  if (heads == 1 || heads != features || elementsOf(type) != heads)
    return false;
  SmallVector<int64_t, 2> extents = extentsOf(type);
  return extents.size() == 1 || extents.front() == 1;
}

RowShape RowFrame::shapeOf(Type type) const {
  int64_t elements = elementsOf(type);
  if (elements == 1)
    return RowShape::Scalar;
  if (heads == 1)
    return RowShape::Feature;
  if (elements == heads * features)
    return RowShape::Full;
  SmallVector<int64_t, 2> extents = extentsOf(type);
  bool column = extents.size() == 2 && extents.back() == 1;
  return elements == features && !column ? RowShape::Feature : RowShape::Head;
}

RowShape RowFrame::shapeOf(Value value) const {
  if (isPicked(value))
    return RowShape::Picked;
  if (isStored(value))
    return RowShape::Stored;
  auto found = known.find(value);
  return found != known.end() ? found->second : shapeOf(value.getType());
}

ReducedAxes RowFrame::reducedAxes(vector::MultiDimReductionOp op) const {
  VectorType source = op.getSourceVectorType();
  ReducedAxes axes;
  RowShape shape = shapeOf(op.getSource());
  for (int64_t dim : op.getReductionDims()) {
    if (source.getDimSize(dim) == 1)
      continue;
    bool last = dim == source.getRank() - 1;
    bool flat = elementsOf(source) == source.getDimSize(dim);
    switch (shape) {
    case RowShape::Scalar:
    case RowShape::Picked: // are not reduced
    case RowShape::Stored:
      break;
    case RowShape::Head:
      axes.heads = true;
      break;
    case RowShape::Feature:
      axes.features = true;
      break;
    case RowShape::Full:
      axes.heads |= flat || !last;
      axes.features |= flat || last;
      break;
    }
  }
  return axes;
}

namespace gnnc {

class FrameBuilder {
public:
  explicit FrameBuilder(Operation *op) : op(op) {}

  FailureOr<RowFrame> build() {
    if (failed(checkPicked()))
      return failure();
    for (Region &region : op->getRegions())
      if (!region.empty() && failed(collect(region.front())))
        return failure();
    for (Value value : values)
      if (failed(place(value)))
        return failure();
    if (frame.heads > 1 && frame.heads == frame.features) {
      splitConstants();
      if (failed(resolve()))
        return failure();
    }
    for (Region &region : op->getRegions())
      region.walk([&](vector::MultiDimReductionOp reduction) {
        ReducedAxes axes = frame.reducedAxes(reduction);
        frame.reduces.heads |= axes.heads;
        frame.reduces.features |= axes.features;
      });
    frame.sharesRows = sharesRows();
    return std::move(frame);
  }

private:
  InFlightDiagnostic error(Value value) {
    Operation *at = value.getDefiningOp() ? value.getDefiningOp() : op;
    return at->emitOpError();
  }

  /// Both regions of an aggregate see what they share in one shape.
  LogicalResult checkPicked() {
    auto aggregate = dyn_cast<gnn::AggregateOp>(op);
    if (!aggregate || !aggregate.hasEpilogue())
      return success();
    Block &message = aggregate.getMessage().front(), &epilogue = aggregate.getEpilogue().front();
    unsigned numDst = aggregate.getDst().size(), numParam = aggregate.getParam().size();
    unsigned from = aggregate.getSrc().size(), to = aggregate.getNumAccumulators();
    for (unsigned i = 0; i < numDst + numParam; ++i) {
      unsigned skip = i < numDst ? 0 : aggregate.getEdge().size();
      Value a = message.getArgument(from + skip + i), b = epilogue.getArgument(to + i);
      auto isWhole = [](Value row) { return !isPicked(row) && !isStored(row); };
      if (!a.use_empty() && !b.use_empty() &&
          (isWhole(a) != isWhole(b) || isPicked(a) != isPicked(b)))
        return op->emitOpError("takes single numbers of epilogue argument #")
               << to + i << " in one region and its row in the other";
    }
    return success();
  }

  /// All values that are computed with; the heads and features of those that say.
  LogicalResult collect(Block &block) {
    for (Value argument : block.getArguments())
      if (!argument.use_empty() && !isPicked(argument) && !isStored(argument))
        values.push_back(argument);
    for (Operation &inner : block)
      llvm::append_range(values,
                         llvm::make_filter_range(inner.getResults(), std::not_fn(isStored)));
    for (Value value : values) {
      SmallVector<int64_t, 2> extents = extentsOf(value.getType());
      if (extents.size() > 2)
        return error(value) << "computes " << value.getType()
                            << "; the rows of a kernel have heads and features, no third extent";
      if (extents.size() == 2 && extents[0] > 1 && extents[1] > 1) {
        if (frame.heads > 1 && (frame.heads != extents[0] || frame.features != extents[1]))
          return error(value) << "computes rows of " << extents[0] << " x " << extents[1]
                              << " in a kernel whose other rows are " << frame.heads << " x "
                              << frame.features << " (heads x features)";
        frame.heads = extents[0];
        frame.features = extents[1];
      }
    }
    if (frame.heads == 1)
      for (Value value : values)
        frame.features = std::max(frame.features, elementsOf(value.getType()));
    return success();
  }

  /// Features of the sources alone, messages of heads, and accumulators of all heads that
  /// fit a thread's registers.
  bool sharesRows() const {
    constexpr int64_t mostHeads = 32;
    auto aggregate = dyn_cast<gnn::AggregateOp>(op);
    if (!aggregate || frame.heads == 1 || frame.heads > mostHeads || frame.reduces.features)
      return false;
    Block &message = aggregate.getMessage().front();
    auto is = [&](Value value, RowShape shape) { return frame.shapeOf(value) == shape; };
    auto sources = message.getArguments().take_front(aggregate.getSrc().size());
    return llvm::any_of(message.getTerminator()->getOperands(),
                        [&](Value value) { return is(value, RowShape::Full); }) &&
           llvm::any_of(sources, [&](BlockArgument row) {
             return !row.use_empty() && is(row, RowShape::Feature);
           });
  }

  LogicalResult place(Value value) {
    int64_t elements = elementsOf(value.getType());
    if (elements == frame.numElements(frame.shapeOf(value.getType())))
      return success();
    InFlightDiagnostic diagnostic = error(value);
    diagnostic << "computes rows of " << elements << " values in a kernel whose other rows have ";
    if (frame.heads > 1)
      diagnostic << frame.heads << " heads of ";
    return diagnostic << frame.features << " features";
  }

  //===--- heads and features equally many --------------------------------===//

  /// One constant may stand for heads in one op and for features in the next, as cse
  /// leaves it: each reader gets its own.
  void splitConstants() {
    for (Region &region : op->getRegions())
      for (auto constant : llvm::make_early_inc_range(region.getOps<arith::ConstantOp>())) {
        if (!frame.isAmbiguous(constant.getType()))
          continue;
        OpBuilder builder(constant);
        for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(constant->getUses())))
          use.set(builder.clone(*constant)->getResult(0));
      }
  }

  void same(Value a, Value b) {
    if (frame.isAmbiguous(a.getType()) && frame.isAmbiguous(b.getType()))
      classes.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer());
    else if (frame.isAmbiguous(a.getType()))
      fixed.push_back({a, frame.shapeOf(b.getType())});
    else if (frame.isAmbiguous(b.getType()))
      fixed.push_back({b, frame.shapeOf(a.getType())});
  }

  void is(Value value, RowShape shape) {
    if (frame.isAmbiguous(value.getType()))
      fixed.push_back({value, shape});
  }

  void relate(Operation &inner) {
    if (auto cast = dyn_cast<vector::ShapeCastOp>(inner))
      return same(cast.getSource(), cast.getResult());
    if (auto extract = dyn_cast<vector::ExtractOp>(inner))
      return isPicked(extract.getSource()) ? void()
                                           : same(extract.getSource(), extract.getResult());
    if (auto broadcast = dyn_cast<vector::BroadcastOp>(inner)) {
      Value from = broadcast.getSource(), to = broadcast.getResult();
      if (elementsOf(from.getType()) == 1)
        return;
      // Trailing extents meet, so what is repeated over heads are features.
      return frame.isAmbiguous(to.getType()) ? same(from, to) : is(from, RowShape::Feature);
    }
    if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(inner)) {
      same(reduction.getAcc(), reduction.getResult());
      VectorType source = reduction.getSourceVectorType();
      if (frame.isAmbiguous(source)) {
        if (elementsOf(reduction.getType()) != 1)
          same(reduction.getSource(), reduction.getResult());
      } else if (reduction.getReductionDims().size() == 1 &&
                 elementsOf(reduction.getType()) == frame.heads) {
        bool last = reduction.getReductionDims().front() == source.getRank() - 1;
        is(reduction.getResult(), last ? RowShape::Head : RowShape::Feature);
      }
      return;
    }
    if (inner.getNumResults() == 1 && isStored(inner.getResult(0)))
      return;
    if (auto product = dyn_cast<vector::ContractionOp>(inner))
      return same(product.getAcc(), product.getResult());
    if (isa<gnn::YieldOp>(inner))
      return;
    Value first;
    for (Value value : llvm::concat<Value>(SmallVector<Value>(inner.getOperands()),
                                           SmallVector<Value>(inner.getResults()))) {
      if (!frame.isAmbiguous(value.getType()))
        continue;
      if (first)
        same(first, value);
      first = value;
    }
  }

  /// A score of softmax is one per head; accumulators are what they accumulate.
  void relateAccumulators(gnn::AggregateOp aggregate) {
    ValueRange yielded = aggregate.getMessage().front().getTerminator()->getOperands();
    SmallVector<Value> accumulated;
    for (unsigned i = 0, e = aggregate.getReduce().size(); i < e; ++i) {
      gnn::ReduceKind kind = aggregate.getReduceKind(i);
      if (kind == gnn::ReduceKind::Softmax) {
        Value score = yielded[0], row = yielded[1];
        if (frame.isAmbiguous(row.getType()))
          same(score, row);
        else
          is(score, RowShape::Head);
        accumulated.append({row, score, score});
      } else {
        accumulated.push_back(yielded.front());
      }
      yielded = yielded.drop_front(numMessageValues(kind));
    }
    if (!aggregate.hasEpilogue())
      return;
    Block &message = aggregate.getMessage().front(), &epilogue = aggregate.getEpilogue().front();
    for (auto [value, argument] : llvm::zip(accumulated, epilogue.getArguments()))
      same(value, argument);
    // Rows of destinations and parameters are read by both regions.
    unsigned numDst = aggregate.getDst().size(), numParam = aggregate.getParam().size();
    unsigned next = accumulated.size(), from = aggregate.getSrc().size();
    for (unsigned i = 0; i < numDst; ++i)
      same(message.getArgument(from + i), epilogue.getArgument(next + i));
    from += numDst + aggregate.getEdge().size();
    for (unsigned i = 0; i < numParam; ++i)
      same(message.getArgument(from + i), epilogue.getArgument(next + numDst + i));
  }

  LogicalResult resolve() {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          relate(inner);
    if (auto aggregate = dyn_cast<gnn::AggregateOp>(op))
      relateAccumulators(aggregate);
    DenseMap<void *, RowShape> shapes;
    auto leader = [&](Value value) {
      void *key = value.getAsOpaquePointer();
      auto found = classes.findLeader(key);
      return found == classes.member_end() ? key : *found;
    };
    for (auto [value, shape] : fixed) {
      auto [at, isNew] = shapes.try_emplace(leader(value), shape);
      if (!isNew && at->second != shape)
        return error(value) << "computes " << frame.heads
                            << " values that stand once for the heads and once for the features of "
                               "a row; reshape one of them to "
                            << frame.heads << " x 1";
    }
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        for (Value argument : block.getArguments())
          remember(argument, shapes, leader);
        for (Operation &inner : block)
          for (Value result : inner.getResults())
            remember(result, shapes, leader);
      }
    return success();
  }

  void remember(Value value, const DenseMap<void *, RowShape> &shapes,
                function_ref<void *(Value)> leader) {
    if (!frame.isAmbiguous(value.getType()))
      return;
    auto found = shapes.find(leader(value));
    frame.known[value] = found == shapes.end() ? RowShape::Feature : found->second;
  }

  Operation *op;
  RowFrame frame;
  SmallVector<Value> values;
  llvm::EquivalenceClasses<void *> classes;
  SmallVector<std::pair<Value, RowShape>> fixed;
};

} // namespace gnnc

FailureOr<RowFrame> RowFrame::get(Operation *op) { return FrameBuilder(op).build(); }
