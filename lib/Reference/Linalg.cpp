//===- Linalg.cpp - linalg ops by their loops and bodies ------------------===//
//
// Every structured op has indexing maps and a body, so one walk over its
// iteration space evaluates them all. Fills, copies and matrix products, the bulk
// of a program, have a direct form of the same meaning.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Evaluator.h"
#include "lib/Reference/Strides.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace gnnc::reference;

static LogicalResult fill(Operation *op, Frame &frame) {
  auto fillOp = cast<linalg::FillOp>(op);
  const Tensor &value = frame.tensor(fillOp.getInputs().front());
  ArrayRef<int64_t> shape = frame.shape(fillOp.getOutputs().front());
  std::vector<int64_t> repeat(shape.size(), 0);
  frame.set(op->getResult(0), copyStrided(value, shape, repeat));
  return success();
}

/// Extents must agree where both are known; reports the axis of the result.
static LogicalResult checkExtent(Operation *op, size_t axis, int64_t found, int64_t wanted) {
  if (found == wanted)
    return success();
  return op->emitOpError() << "axis " << axis << " of the result has " << wanted
                           << " elements, the operand gives " << found;
}

static LogicalResult broadcast(Operation *op, Frame &frame) {
  auto broadcastOp = cast<linalg::BroadcastOp>(op);
  const Tensor &in = frame.tensor(broadcastOp.getInput());
  ArrayRef<int64_t> shape = frame.shape(broadcastOp.getInit());
  std::vector<int64_t> inStrides = stridesOf(in.shape), strides(shape.size(), 0);
  for (size_t axis = 0, from = 0; axis < shape.size(); ++axis) {
    if (llvm::is_contained(broadcastOp.getDimensions(), static_cast<int64_t>(axis)))
      continue;
    if (failed(checkExtent(op, axis, in.shape[from], shape[axis])))
      return failure();
    strides[axis] = inStrides[from++];
  }
  frame.set(op->getResult(0), copyStrided(in, shape, strides));
  return success();
}

static LogicalResult transpose(Operation *op, Frame &frame) {
  auto transposeOp = cast<linalg::TransposeOp>(op);
  const Tensor &in = frame.tensor(transposeOp.getInput());
  ArrayRef<int64_t> shape = frame.shape(transposeOp.getInit());
  std::vector<int64_t> inStrides = stridesOf(in.shape), strides;
  for (auto [axis, from] : llvm::enumerate(transposeOp.getPermutation())) {
    if (failed(checkExtent(op, axis, in.shape[from], shape[axis])))
      return failure();
    strides.push_back(inStrides[from]);
  }
  frame.set(op->getResult(0), copyStrided(in, shape, strides));
  return success();
}

/// Extents of the iteration space, and a diagnostic where operands disagree.
static FailureOr<SmallVector<int64_t>> loopExtents(linalg::LinalgOp op, Frame &frame) {
  SmallVector<int64_t> all;
  for (OpOperand &operand : op->getOpOperands())
    llvm::append_range(all, frame.shape(operand.get()));
  AffineMap shapesToLoops = op.getShapesToLoopsMap();
  if (!shapesToLoops)
    return op->emitOpError("has loops whose extents no operand gives");
  SmallVector<int64_t> extents = shapesToLoops.compose(all);
  for (OpOperand &operand : op->getOpOperands()) {
    ArrayRef<int64_t> shape = frame.shape(operand.get());
    for (auto [axis, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (loop && extents[loop.getPosition()] != shape[axis])
        return op->emitOpError() << "operand #" << operand.getOperandNumber() << " has "
                                 << shape[axis] << " along axis " << axis << ", another has "
                                 << extents[loop.getPosition()];
    }
  }
  return extents;
}

/// For each loop, by how many elements `operand` moves; none if its map is more
/// than a choice of loops.
static std::optional<SmallVector<int64_t>> loopStrides(AffineMap map, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(map.getNumDims(), 0);
  std::vector<int64_t> own = stridesOf(shape);
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop)
      return std::nullopt;
    strides[loop.getPosition()] += own[axis];
  }
  return strides;
}

/// c[m, n] += a[m, k] * b[k, n] over k, whichever of their axes is which.
static LogicalResult matmul(Operation *op, Frame &frame) {
  auto product = cast<linalg::LinalgOp>(op);
  auto extents = loopExtents(product, frame);
  if (failed(extents))
    return failure();
  const Tensor &a = frame.tensor(op->getOperand(0)), &b = frame.tensor(op->getOperand(1));
  Tensor c = frame.tensor(op->getOperand(2));
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  auto sa = loopStrides(maps[0], a.shape), sb = loopStrides(maps[1], b.shape),
       sc = loopStrides(maps[2], c.shape);
  if (c.isInteger || a.isInteger || !sa || !sb || !sc || extents->size() != 3 || (*sa)[1] != 0 ||
      (*sb)[0] != 0 || (*sc)[2] != 0)
    return op->emitOpError("is no plain product of two float matrices");
  int64_t rows = (*extents)[0], columns = (*extents)[1], depth = (*extents)[2];
  // The additions of one element stay in the order of k; elements side by side
  // are independent, so with n innermost the loop is a vector loop.
  Tensor right = copyStrided(b, {depth, columns}, {(*sb)[2], (*sb)[1]});
  std::vector<double> sums(columns);
  for (int64_t m = 0; m < rows; ++m) {
    double *out = c.floats.data() + m * (*sc)[0];
    for (int64_t n = 0; n < columns; ++n)
      sums[n] = out[n * (*sc)[1]];
    for (int64_t k = 0; k < depth; ++k) {
      double left = a.floats[m * (*sa)[0] + k * (*sa)[2]];
      const double *row = right.floats.data() + k * columns;
      for (int64_t n = 0; n < columns; ++n)
        sums[n] += left * row[n];
    }
    for (int64_t n = 0; n < columns; ++n)
      out[n * (*sc)[1]] = sums[n];
  }
  frame.set(op->getResult(0), std::move(c));
  return success();
}

static ValuePtr element(const Tensor &tensor, int64_t number) {
  return makeValue(tensor.isInteger ? indexScalar(tensor.integers[number])
                                    : scalar(tensor.floats[number]));
}

static int64_t numberOf(AffineMap map, ArrayRef<int64_t> point, ArrayRef<int64_t> shape) {
  int64_t number = 0;
  for (auto [index, extent] : llvm::zip_equal(map.compose(point), shape))
    number = number * extent + index;
  return number;
}

/// The body once per point of the iteration space, last loop fastest.
static LogicalResult structured(Operation *op, Frame &frame) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  if (!linalgOp.hasPureTensorSemantics())
    return op->emitOpError("works on memory; the reference evaluator knows tensors");
  auto extents = loopExtents(linalgOp, frame);
  if (failed(extents))
    return failure();
  Block &body = *linalgOp.getBlock();
  SmallVector<Tensor> outs;
  for (mlir::Value init : linalgOp.getDpsInits())
    outs.push_back(frame.tensor(init));
  size_t ins = linalgOp.getNumDpsInputs();
  SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  Frame inner(frame.table(), &frame);
  inner.callDepth = frame.callDepth;
  LogicalResult result = success();
  forEachPoint(*extents, [&](ArrayRef<int64_t> point) {
    if (failed(result))
      return;
    inner.point = point;
    for (auto [i, argument] : llvm::enumerate(body.getArguments())) {
      const Tensor &held = i < ins ? frame.tensor(op->getOperand(i)) : outs[i - ins];
      inner.set(argument, element(held, numberOf(maps[i], point, held.shape)));
    }
    SmallVector<ValuePtr> yielded;
    result = runBlock(body, inner, yielded);
    if (failed(result))
      return;
    for (auto [i, value] : llvm::enumerate(yielded)) {
      int64_t number = numberOf(maps[ins + i], point, outs[i].shape);
      if (outs[i].isInteger)
        outs[i].integers[number] = value->tensor.integers.front();
      else
        outs[i].floats[number] = value->tensor.floats.front();
    }
  });
  for (auto [out, held] : llvm::zip_equal(op->getResults(), outs))
    frame.set(out, std::move(held));
  return result;
}

static LogicalResult loopIndex(Operation *op, Frame &frame) {
  frame.set(op->getResult(0), indexScalar(frame.point[cast<linalg::IndexOp>(op).getDim()]));
  return success();
}

void gnnc::reference::addLinalgHandlers(HandlerTable &table) {
  table["linalg.fill"] = fill;
  table["linalg.broadcast"] = broadcast;
  table["linalg.transpose"] = transpose;
  table["linalg.matmul"] = matmul;
  table["linalg.index"] = loopIndex;
  for (StringRef name : {"generic", "reduce", "map",    "copy",   "elementwise",  "add",     "sub",
                         "mul",     "div",    "max",    "min",    "exp",          "log",     "abs",
                         "negf",    "sqrt",   "rsqrt",  "square", "reciprocal",   "tanh",    "erf",
                         "select",  "matvec", "vecmat", "dot",    "batch_matmul", "contract"})
    table[("linalg." + name).str()] = structured;
}
