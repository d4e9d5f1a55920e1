//===- Vectors.cpp - vector ops of message and epilogue regions -----------===//
#include "lib/Reference/Evaluator.h"
#include "lib/Reference/Strides.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace gnnc::reference;

static LogicalResult broadcast(Operation *op, Frame &frame) {
  auto type = cast<VectorType>(op->getResult(0).getType());
  const Tensor &in = frame.tensor(op->getOperand(0));
  ArrayRef<int64_t> shape = type.getShape();
  std::vector<int64_t> inStrides = stridesOf(in.shape), strides(shape.size(), 0);
  size_t lead = shape.size() - in.shape.size();
  for (size_t i = 0; i < in.shape.size(); ++i)
    if (in.shape[i] != 1)
      strides[lead + i] = inStrides[i];
  frame.set(op->getResult(0), copyStrided(in, shape, strides));
  return success();
}

/// Leading positions as one element offset and the extents behind them.
static FailureOr<int64_t> offsetAt(Operation *op, ArrayRef<OpFoldResult> position,
                                   ArrayRef<int64_t> shape, Frame &frame) {
  std::vector<int64_t> strides = stridesOf(shape);
  int64_t offset = 0;
  for (auto [axis, entry] : llvm::enumerate(position)) {
    int64_t i = isa<Attribute>(entry) ? cast<IntegerAttr>(cast<Attribute>(entry)).getInt()
                                      : frame.index(cast<mlir::Value>(entry));
    if (i < 0 || i >= shape[axis])
      return op->emitOpError() << "position " << i << " is not in [0, " << shape[axis]
                               << ") of axis " << axis;
    offset += i * strides[axis];
  }
  return offset;
}

static LogicalResult extract(Operation *op, Frame &frame) {
  auto extractOp = cast<vector::ExtractOp>(op);
  const Tensor &in = frame.tensor(extractOp.getSource());
  SmallVector<OpFoldResult> position = extractOp.getMixedPosition();
  auto offset = offsetAt(op, position, in.shape, frame);
  if (failed(offset))
    return failure();
  ArrayRef<int64_t> rest = ArrayRef(in.shape).drop_front(position.size());
  frame.set(op->getResult(0), copyStrided(in, rest, stridesOf(rest), *offset));
  return success();
}

static LogicalResult insert(Operation *op, Frame &frame) {
  auto insertOp = cast<vector::InsertOp>(op);
  Tensor out = frame.tensor(insertOp.getDest());
  const Tensor &value = frame.tensor(insertOp.getValueToStore());
  auto offset = offsetAt(op, insertOp.getMixedPosition(), out.shape, frame);
  if (failed(offset))
    return failure();
  llvm::copy(value.floats, out.floats.begin() + (out.isInteger ? 0 : *offset));
  llvm::copy(value.integers, out.integers.begin() + (out.isInteger ? *offset : 0));
  frame.set(op->getResult(0), std::move(out));
  return success();
}

static LogicalResult transpose(Operation *op, Frame &frame) {
  auto transposeOp = cast<vector::TransposeOp>(op);
  const Tensor &in = frame.tensor(op->getOperand(0));
  std::vector<int64_t> inStrides = stridesOf(in.shape), shape, strides;
  for (int64_t axis : transposeOp.getPermutation()) {
    shape.push_back(in.shape[axis]);
    strides.push_back(inStrides[axis]);
  }
  frame.set(op->getResult(0), copyStrided(in, shape, strides));
  return success();
}

static LogicalResult extractStridedSlice(Operation *op, Frame &frame) {
  auto slice = cast<vector::ExtractStridedSliceOp>(op);
  const Tensor &in = frame.tensor(op->getOperand(0));
  std::vector<int64_t> strides = stridesOf(in.shape);
  int64_t start = 0;
  for (auto [axis, pair] :
       llvm::enumerate(llvm::zip_equal(slice.getOffsets().getAsValueRange<IntegerAttr>(),
                                       slice.getStrides().getAsValueRange<IntegerAttr>()))) {
    auto [offset, step] = pair;
    start += offset.getSExtValue() * strides[axis];
    strides[axis] *= step.getSExtValue();
  }
  frame.set(op->getResult(0), copyStrided(in, slice.getType().getShape(), strides, start));
  return success();
}

static FailureOr<double> combine(Operation *op, vector::CombiningKind kind, double a, double b) {
  using Kind = vector::CombiningKind;
  bool nan = std::isnan(a) || std::isnan(b);
  switch (kind) {
  case Kind::ADD:
    return a + b;
  case Kind::MUL:
    return a * b;
  case Kind::MAXIMUMF:
    return nan ? std::nan("") : std::fmax(a, b);
  case Kind::MINIMUMF:
    return nan ? std::nan("") : std::fmin(a, b);
  case Kind::MAXNUMF:
    return std::fmax(a, b);
  case Kind::MINNUMF:
    return std::fmin(a, b);
  default:
    return op->emitOpError() << "reduces by '" << vector::stringifyCombiningKind(kind)
                             << "', the reference evaluator knows the kinds of floats";
  }
}

static LogicalResult reduction(Operation *op, Frame &frame) {
  auto reduce = cast<vector::ReductionOp>(op);
  const Tensor &in = frame.tensor(reduce.getVector());
  if (in.isInteger || in.floats.empty())
    return op->emitOpError() << "reduces " << describe(*frame.get(reduce.getVector()))
                             << ", the reference evaluator reduces one or more floats";
  ArrayRef<double> rest(in.floats);
  double sum = rest.front();
  if (reduce.getAcc())
    sum = frame.tensor(reduce.getAcc()).floats.front();
  else
    rest = rest.drop_front();
  for (double value : rest) {
    FailureOr<double> next = combine(op, reduce.getKind(), sum, value);
    if (failed(next))
      return failure();
    sum = *next;
  }
  frame.set(op->getResult(0), scalar(sum));
  return success();
}

static LogicalResult multiReduction(Operation *op, Frame &frame) {
  auto reduce = cast<vector::MultiDimReductionOp>(op);
  const Tensor &in = frame.tensor(reduce.getSource());
  Tensor out = frame.tensor(reduce.getAcc());
  if (in.isInteger)
    return op->emitOpError("reduces integers; the reference evaluator reduces floats");
  SmallVector<bool> reduced = reduce.getReductionMask();
  std::vector<int64_t> outStrides = stridesOf(out.shape);
  int64_t from = 0;
  LogicalResult result = success();
  forEachPoint(in.shape, [&](ArrayRef<int64_t> point) {
    int64_t to = 0;
    for (size_t axis = 0, kept = 0; axis < point.size(); ++axis)
      if (!reduced[axis])
        to += point[axis] * outStrides[kept++];
    if (failed(result))
      return;
    FailureOr<double> next = combine(op, reduce.getKind(), out.floats[to], in.floats[from++]);
    if (failed(next))
      result = failure();
    else
      out.floats[to] = *next;
  });
  frame.set(op->getResult(0), std::move(out));
  return result;
}

/// acc + a * b over the axes that the result has not, by maps that choose axes.
static LogicalResult contract(Operation *op, Frame &frame) {
  auto product = cast<vector::ContractionOp>(op);
  const Tensor &a = frame.tensor(product.getLhs()), &b = frame.tensor(product.getRhs());
  Tensor out = frame.tensor(product.getAcc());
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  if (product.getKind() != vector::CombiningKind::ADD || a.isInteger || b.isInteger)
    return op->emitOpError("is no sum of products of floats");
  SmallVector<int64_t> bounds;
  product.getIterationBounds(bounds);
  auto at = [](AffineMap map, ArrayRef<int64_t> point, ArrayRef<int64_t> shape) {
    int64_t number = 0;
    for (auto [index, extent] : llvm::zip_equal(map.compose(point), shape))
      number = number * extent + index;
    return number;
  };
  forEachPoint(bounds, [&](ArrayRef<int64_t> point) {
    out.floats[at(maps[2], point, out.shape)] +=
        a.floats[at(maps[0], point, a.shape)] * b.floats[at(maps[1], point, b.shape)];
  });
  frame.set(op->getResult(0), std::move(out));
  return success();
}

void gnnc::reference::addVectorHandlers(HandlerTable &table) {
  table["vector.broadcast"] = broadcast;
  table["vector.extract"] = extract;
  table["vector.insert"] = insert;
  table["vector.transpose"] = transpose;
  table["vector.extract_strided_slice"] = extractStridedSlice;
  table["vector.reduction"] = reduction;
  table["vector.multi_reduction"] = multiReduction;
  table["vector.contract"] = contract;
}
