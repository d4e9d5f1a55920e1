//===- Tensors.cpp - tensor ops: shapes, slices, single elements ----------===//
#include "lib/Reference/Evaluator.h"
#include "lib/Reference/Strides.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace gnnc::reference;

/// The extents of `type`, those that are ? taken from `dynamic` in order.
static FailureOr<std::vector<int64_t>> extentsOf(Operation *op, ShapedType type, ValueRange dynamic,
                                                 Frame &frame) {
  std::vector<int64_t> extents = type.getShape().vec();
  unsigned next = 0;
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    if (ShapedType::isDynamic(extent))
      extent = frame.index(dynamic[next++]);
    if (extent < 0)
      return op->emitOpError() << "extent " << axis << " of " << type << " is " << extent;
  }
  return extents;
}

static LogicalResult empty(Operation *op, Frame &frame) {
  auto emptyOp = cast<tensor::EmptyOp>(op);
  auto extents = extentsOf(op, emptyOp.getType(), emptyOp.getDynamicSizes(), frame);
  if (failed(extents))
    return failure();
  Tensor out;
  out.shape = *extents;
  out.isInteger = holdsIntegers(emptyOp.getType());
  out.unwritten = true;
  frame.set(op->getResult(0), std::move(out));
  return success();
}

static LogicalResult dim(Operation *op, Frame &frame) {
  auto dimOp = cast<tensor::DimOp>(op);
  int64_t axis = frame.index(dimOp.getIndex());
  ArrayRef<int64_t> shape = frame.shape(dimOp.getSource());
  if (axis < 0 || axis >= static_cast<int64_t>(shape.size()))
    return op->emitOpError() << "axis " << axis << " of a tensor of rank " << shape.size();
  frame.set(op->getResult(0), indexScalar(shape[axis]));
  return success();
}

static LogicalResult sameValue(Operation *op, Frame &frame) {
  frame.set(op->getResult(0), frame.get(op->getOperand(0)));
  return success();
}

/// The same elements under other extents; at most one extent of `type` is ?.
static LogicalResult reshape(Operation *op, Frame &frame) {
  Tensor out = frame.tensor(op->getOperand(0));
  std::vector<int64_t> extents = cast<ShapedType>(op->getResult(0).getType()).getShape().vec();
  int64_t known = 1, *unknown = nullptr;
  for (int64_t &extent : extents) {
    if (!ShapedType::isDynamic(extent)) {
      known *= extent;
      continue;
    }
    if (unknown)
      return op->emitOpError("has more than one result extent that is ?");
    unknown = &extent;
  }
  if (unknown)
    *unknown = known ? out.elements() / known : 0;
  if (elementsOf(extents) != out.elements())
    return op->emitOpError() << "turns " << out.elements() << " elements into "
                             << elementsOf(extents);
  out.shape = std::move(extents);
  frame.set(op->getResult(0), std::move(out));
  return success();
}

/// Row-major number of the element at `indices`, or a diagnostic.
static FailureOr<int64_t> elementAt(Operation *op, ArrayRef<int64_t> shape, ValueRange indices,
                                    Frame &frame) {
  int64_t number = 0;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    int64_t i = frame.index(index);
    if (i < 0 || i >= shape[axis])
      return op->emitOpError() << "index " << i << " is not in [0, " << shape[axis] << ") of axis "
                               << axis;
    number = number * shape[axis] + i;
  }
  return number;
}

static LogicalResult extract(Operation *op, Frame &frame) {
  auto extractOp = cast<tensor::ExtractOp>(op);
  const Tensor &in = frame.tensor(extractOp.getTensor());
  auto number = elementAt(op, in.shape, extractOp.getIndices(), frame);
  if (failed(number))
    return failure();
  frame.set(op->getResult(0),
            in.isInteger ? indexScalar(in.integers[*number]) : scalar(in.floats[*number]));
  return success();
}

static LogicalResult fromElements(Operation *op, Frame &frame) {
  auto type = cast<ShapedType>(op->getResult(0).getType());
  Tensor out = Tensor::zeros(type.getShape().vec(), holdsIntegers(type));
  for (auto [i, element] : llvm::enumerate(op->getOperands())) {
    const Tensor &value = frame.tensor(element);
    if (out.isInteger)
      out.integers[i] = value.integers.front();
    else
      out.floats[i] = value.floats.front();
  }
  frame.set(op->getResult(0), std::move(out));
  return success();
}

static LogicalResult splat(Operation *op, Frame &frame) {
  auto splatOp = cast<tensor::SplatOp>(op);
  auto extents = extentsOf(op, splatOp.getType(), splatOp.getDynamicSizes(), frame);
  if (failed(extents))
    return failure();
  const Tensor &value = frame.tensor(splatOp.getInput());
  Tensor out = Tensor::zeros(*extents, value.isInteger);
  if (out.isInteger)
    llvm::fill(out.integers, value.integers.front());
  else
    llvm::fill(out.floats, value.floats.front());
  frame.set(op->getResult(0), std::move(out));
  return success();
}

static std::vector<int64_t> numbers(ArrayRef<OpFoldResult> mixed, Frame &frame) {
  std::vector<int64_t> out;
  for (OpFoldResult entry : mixed)
    out.push_back(isa<Attribute>(entry) ? cast<IntegerAttr>(cast<Attribute>(entry)).getInt()
                                        : frame.index(cast<mlir::Value>(entry)));
  return out;
}

static LogicalResult extractSlice(Operation *op, Frame &frame) {
  auto slice = cast<tensor::ExtractSliceOp>(op);
  const Tensor &in = frame.tensor(slice.getSource());
  std::vector<int64_t> offsets = numbers(slice.getMixedOffsets(), frame),
                       sizes = numbers(slice.getMixedSizes(), frame),
                       steps = numbers(slice.getMixedStrides(), frame);
  for (auto [axis, extent] : llvm::enumerate(in.shape)) {
    int64_t last = offsets[axis] + (sizes[axis] - 1) * steps[axis];
    if (offsets[axis] < 0 || sizes[axis] < 0 || (sizes[axis] && (last < 0 || last >= extent)))
      return op->emitOpError() << "takes " << sizes[axis] << " from " << offsets[axis]
                               << " on of axis " << axis << ", which has " << extent;
  }
  std::vector<int64_t> strides = stridesOf(in.shape);
  int64_t start = 0;
  for (auto [offset, stride, step] : llvm::zip_equal(offsets, strides, steps)) {
    start += offset * stride;
    stride *= step;
  }
  Tensor out = copyStrided(in, sizes, strides, start);
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  out.shape.clear();
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (!dropped[axis])
      out.shape.push_back(size);
  frame.set(op->getResult(0), std::move(out));
  return success();
}

static LogicalResult concat(Operation *op, Frame &frame) {
  auto axis = static_cast<size_t>(cast<tensor::ConcatOp>(op).getDim());
  std::vector<int64_t> shape = frame.shape(op->getOperand(0)).vec();
  shape[axis] = 0;
  for (mlir::Value operand : op->getOperands())
    for (auto [at, extent] : llvm::enumerate(frame.shape(operand))) {
      if (at == axis)
        shape[axis] += extent;
      else if (extent != shape[at])
        return op->emitOpError() << "joins tensors of " << shape[at] << " and " << extent
                                 << " along axis " << at;
    }
  Tensor out = Tensor::zeros(shape, holdsIntegers(cast<ShapedType>(op->getResult(0).getType())));
  const int64_t pieces = elementsOf(ArrayRef<int64_t>(shape).take_front(axis)),
                width = elementsOf(ArrayRef<int64_t>(shape).drop_front(axis));
  int64_t to = 0;
  for (mlir::Value operand : op->getOperands()) {
    const Tensor &in = frame.tensor(operand);
    const int64_t part = elementsOf(ArrayRef<int64_t>(in.shape).drop_front(axis));
    for (int64_t i = 0; i < pieces * part; ++i) {
      int64_t at = i / part * width + to + i % part;
      if (out.isInteger)
        out.integers[at] = in.unwritten ? 0 : in.integers[i];
      else
        out.floats[at] = in.unwritten ? std::numeric_limits<double>::quiet_NaN() : in.floats[i];
    }
    to += part;
  }
  frame.set(op->getResult(0), std::move(out));
  return success();
}

void gnnc::reference::addTensorHandlers(HandlerTable &table) {
  table["tensor.empty"] = empty;
  table["tensor.dim"] = dim;
  table["tensor.cast"] = sameValue;
  table["tensor.expand_shape"] = table["tensor.collapse_shape"] = reshape;
  table["tensor.extract"] = extract;
  table["tensor.from_elements"] = fromElements;
  table["tensor.splat"] = splat;
  table["tensor.extract_slice"] = extractSlice;
  table["tensor.concat"] = concat;
  table["vector.shape_cast"] = reshape;
  table["vector.from_elements"] = fromElements;
}
