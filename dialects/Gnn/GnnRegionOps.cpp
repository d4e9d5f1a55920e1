//===- GnnRegionOps.cpp - Verifiers of gnn.aggregate and gnn.map ----------===//
//
// Operands are checked before the regions' contents (verify), arguments and
// yields after (verifyRegions). Labels are those of GnnOps.td.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/GnnVerify.h"

using namespace mlir;
using namespace gnnc::gnn;

/// A type that a region must have at some place, and the words for that place.
struct Expected {
  Type type;
  std::string what; ///< "operand 'src' #0"
  Type from;        ///< the tensor it is a row of
};

static void expectRows(SmallVectorImpl<Expected> &list, StringRef name, TypeRange tensors) {
  for (auto [i, tensor] : llvm::enumerate(tensors))
    list.push_back({rowType(cast<RankedTensorType>(tensor)),
                    ("a row of operand '" + name + "' #" + Twine(i)).str(), tensor});
}

static void expectWhole(SmallVectorImpl<Expected> &list, TypeRange tensors) {
  for (auto [i, tensor] : llvm::enumerate(tensors))
    list.push_back({wholeType(cast<RankedTensorType>(tensor)),
                    ("the whole of operand 'param' #" + Twine(i)).str(), tensor});
}

static void expectResults(SmallVectorImpl<Expected> &list, TypeRange tensors) {
  for (auto [i, tensor] : llvm::enumerate(tensors))
    list.push_back(
        {rowType(cast<RankedTensorType>(tensor)), ("a row of result #" + Twine(i)).str(), tensor});
}

/// A `param` operand becomes a vector: all its extents are static.
static LogicalResult verifyParams(Operation *op, TypeRange params, StringRef label) {
  for (auto [i, type] : llvm::enumerate(params))
    if (!cast<RankedTensorType>(type).hasStaticShape())
      return op->emitOpError() << "operand 'param' #" << i << " (" << text(type)
                               << ") has an extent that is ?; it appears whole in the region ("
                               << label << ')';
  return success();
}

/// Features of row tensors are static: the region sees them as vectors.
static LogicalResult verifyFeatures(Operation *op, const Twine &what, TypeRange types,
                                    StringRef label) {
  for (auto [i, type] : llvm::enumerate(types))
    if (ShapedType::isDynamicShape(cast<RankedTensorType>(type).getShape().drop_front()))
      return op->emitOpError() << what << " #" << i << " (" << text(type)
                               << ") has a feature extent that is ? (" << label << ')';
  return success();
}

static LogicalResult verifyTypes(Operation *op, StringRef what, TypeRange found,
                                 ArrayRef<Expected> expected, StringRef label) {
  if (found.size() != expected.size())
    return op->emitOpError() << what << "s: " << found.size() << " found, " << expected.size()
                             << " needed (" << label << ')';
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(found, expected))) {
    const auto &[type, want] = pair;
    if (type == want.type)
      continue;
    InFlightDiagnostic error = op->emitOpError();
    error << what << " #" << i << " has type " << text(type) << ", " << want.what;
    if (want.from)
      error << " (" << text(want.from) << ')';
    return error << " has type " << text(want.type) << " (" << label << ')';
  }
  return success();
}

/// The yield that ends `region`, or a diagnostic.
static FailureOr<YieldOp> yieldOf(Operation *op, Region &region, StringRef name, StringRef label) {
  Operation *last = region.front().getTerminator();
  if (auto yield = dyn_cast<YieldOp>(last))
    return yield;
  return op->emitOpError() << name << " ends in '" << last->getName() << "', not in 'gnn.yield' ("
                           << label << ')';
}

//===----------------------------------------------------------------------===//
// gnn.aggregate
//===----------------------------------------------------------------------===//

unsigned AggregateOp::getNumAccumulators() {
  unsigned count = 0;
  for (unsigned i = 0, e = getReduce().size(); i < e; ++i)
    count += numAccumulators(getReduceKind(i));
  return count;
}

SmallVector<Type> AggregateOp::getAccumulatorTypes() {
  SmallVector<Type> types;
  TypeRange values = getMessage().front().getTerminator()->getOperandTypes();
  for (unsigned i = 0, e = getReduce().size(); i < e; ++i) {
    ReduceKind kind = getReduceKind(i);
    if (kind == ReduceKind::Softmax)
      types.append({values[1], values[0], values[0]});
    else
      types.push_back(values.front());
    values = values.drop_front(numMessageValues(kind));
  }
  return types;
}

static ArrayRef<int64_t> shapeOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getShape() : ArrayRef<int64_t>();
}

/// C6 and C11: what the message yields fits the reductions.
static LogicalResult verifyMessages(AggregateOp op, TypeRange messages) {
  unsigned needed = 0;
  for (unsigned i = 0, e = op.getReduce().size(); i < e; ++i)
    needed += numMessageValues(op.getReduceKind(i));
  if (messages.size() != needed)
    return op.emitOpError() << "message yields " << messages.size() << " values, 'reduce' takes "
                            << needed << " (C6)";
  for (auto [i, type] : llvm::enumerate(messages)) {
    auto vector = dyn_cast<VectorType>(type);
    if (type != op.getAcc() && !(vector && vector.getElementType() == op.getAcc()))
      return op.emitOpError() << "message value #" << i << " has type " << text(type)
                              << ", 'acc' needs a scalar or vector of " << text(op.getAcc())
                              << " (C6)";
  }
  unsigned next = 0;
  for (unsigned i = 0, e = op.getReduce().size(); i < e; ++i) {
    ReduceKind kind = op.getReduceKind(i);
    if (kind == ReduceKind::Softmax) {
      ArrayRef<int64_t> score = shapeOf(messages[next]), row = shapeOf(messages[next + 1]);
      if (score.size() > 1)
        return op.emitOpError() << "score of softmax #" << i << " has type " << text(messages[next])
                                << ", it is a scalar or a vector of rank 1 (C11)";
      if (row.take_front(score.size()) != score)
        return op.emitOpError() << "message of softmax #" << i << " has type "
                                << text(messages[next + 1])
                                << ", its shape begins with that of the score, "
                                << text(messages[next]) << " (C11)";
    }
    next += numMessageValues(kind);
  }
  return success();
}

LogicalResult AggregateOp::verify() {
  GnnGraphType graph = getGraph().getType();
  if (failed(verifyRows(*this, "operand 'src'", getSrc().getTypes(), graph, RowOf::Src, "C1")) ||
      failed(verifyRows(*this, "operand 'dst'", getDst().getTypes(), graph, RowOf::Dst, "C2")) ||
      failed(verifyRows(*this, "operand 'edge'", getEdge().getTypes(), graph, RowOf::Edge, "C3")) ||
      failed(verifyRows(*this, "result", getOuts().getTypes(), graph, RowOf::Dst, "C4")) ||
      failed(verifyFeatures(*this, "operand 'src'", getSrc().getTypes(), "C5")) ||
      failed(verifyFeatures(*this, "operand 'dst'", getDst().getTypes(), "C5")) ||
      failed(verifyFeatures(*this, "operand 'edge'", getEdge().getTypes(), "C5")) ||
      failed(verifyParams(*this, getParam().getTypes(), "C5")) ||
      failed(verifyFeatures(*this, "result", getOuts().getTypes(), "C8")))
    return failure();
  if (getReduce().empty())
    return emitOpError() << "'reduce' lists no reduction; without one this is a gnn.map (C6)";
  if (failed(verifyAccumulator(*this, getAcc(), "C9")))
    return failure();
  return verifySchedule(*this, getScheduleAttr(), "C10");
}

LogicalResult AggregateOp::verifyRegions() {
  SmallVector<Expected> arguments;
  expectRows(arguments, "src", getSrc().getTypes());
  expectRows(arguments, "dst", getDst().getTypes());
  expectRows(arguments, "edge", getEdge().getTypes());
  expectWhole(arguments, getParam().getTypes());
  if (failed(
          verifyTypes(*this, "message argument", getMessage().getArgumentTypes(), arguments, "C5")))
    return failure();

  FailureOr<YieldOp> message = yieldOf(*this, getMessage(), "message", "C6");
  if (failed(message))
    return failure();
  TypeRange messages = message->getValues().getTypes();
  if (failed(verifyMessages(*this, messages)))
    return failure();

  SmallVector<Expected> results;
  SmallVector<Type> accumulators = getAccumulatorTypes();
  expectResults(results, getOuts().getTypes());
  if (!hasEpilogue())
    return verifyTypes(*this,
                       accumulators.size() == messages.size() ? "message value" : "accumulator",
                       accumulators, results, "C8");

  SmallVector<Expected> inputs;
  for (auto [i, type] : llvm::enumerate(accumulators))
    inputs.push_back({type, ("accumulator #" + Twine(i)).str(), {}});
  expectRows(inputs, "dst", getDst().getTypes());
  expectWhole(inputs, getParam().getTypes());
  if (failed(
          verifyTypes(*this, "epilogue argument", getEpilogue().getArgumentTypes(), inputs, "C7")))
    return failure();
  FailureOr<YieldOp> epilogue = yieldOf(*this, getEpilogue(), "epilogue", "C8");
  if (failed(epilogue))
    return failure();
  return verifyTypes(*this, "epilogue value", epilogue->getValues().getTypes(), results, "C8");
}

//===----------------------------------------------------------------------===//
// gnn.map
//===----------------------------------------------------------------------===//

LogicalResult MapOp::verify() {
  if (getGraph()) {
    GnnGraphType graph = getGraph().getType();
    if (failed(verifyRows(*this, "operand 'src'", getSrc().getTypes(), graph, RowOf::Src, "C1")) ||
        failed(verifyRows(*this, "operand 'dst'", getDst().getTypes(), graph, RowOf::Dst, "C1")) ||
        failed(
            verifyRows(*this, "operand 'rows'", getRows().getTypes(), graph, RowOf::Edge, "C2")) ||
        failed(verifyRows(*this, "result", getOuts().getTypes(), graph, RowOf::Edge, "C2")))
      return failure();
  } else {
    if (!getSrc().empty() || !getDst().empty())
      return emitOpError() << "operand '" << (getSrc().empty() ? "dst" : "src")
                           << "' needs a graph; without one all rows are operand 'rows' (C1)";
    if (getRows().empty())
      return emitOpError() << "without a graph there is at least one operand 'rows', found 0 (C2)";
  }
  int64_t rows = ShapedType::kDynamic;
  Type first;
  SmallVector<Type> all(getRows().getTypes());
  llvm::append_range(all, getOuts().getTypes());
  for (auto [i, type] : llvm::enumerate(all)) {
    int64_t count = cast<RankedTensorType>(type).getDimSize(0);
    bool isResult = i >= getRows().size();
    if (!compatible(count, rows))
      return emitOpError() << (isResult ? "result #" : "operand 'rows' #")
                           << (isResult ? i - getRows().size() : i) << " (" << text(type)
                           << ") has " << count << " rows, another (" << text(first) << ") has "
                           << rows << " (C2)";
    if (!ShapedType::isDynamic(count)) {
      rows = count;
      first = type;
    }
  }
  if (failed(verifyFeatures(*this, "operand 'src'", getSrc().getTypes(), "C3")) ||
      failed(verifyFeatures(*this, "operand 'dst'", getDst().getTypes(), "C3")) ||
      failed(verifyFeatures(*this, "operand 'rows'", getRows().getTypes(), "C3")) ||
      failed(verifyParams(*this, getParam().getTypes(), "C3")) ||
      failed(verifyFeatures(*this, "result", getOuts().getTypes(), "C4")))
    return failure();
  return verifySchedule(*this, getScheduleAttr(), "C5");
}

LogicalResult MapOp::verifyRegions() {
  SmallVector<Expected> arguments, results;
  expectRows(arguments, "src", getSrc().getTypes());
  expectRows(arguments, "dst", getDst().getTypes());
  expectRows(arguments, "rows", getRows().getTypes());
  expectWhole(arguments, getParam().getTypes());
  if (failed(verifyTypes(*this, "body argument", getBody().getArgumentTypes(), arguments, "C3")))
    return failure();
  FailureOr<YieldOp> yield = yieldOf(*this, getBody(), "body", "C4");
  if (failed(yield))
    return failure();
  expectResults(results, getOuts().getTypes());
  return verifyTypes(*this, "body value", yield->getValues().getTypes(), results, "C4");
}
