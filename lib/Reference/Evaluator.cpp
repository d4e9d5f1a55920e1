//===- Evaluator.cpp - Run blocks and functions ---------------------------===//
#include "lib/Reference/Evaluator.h"

#include <limits>

using namespace mlir;
using namespace gnnc::reference;

Tensor gnnc::reference::scalar(double value) { return Tensor::ofFloats({}, {value}); }
Tensor gnnc::reference::indexScalar(int64_t value) { return Tensor::ofIntegers({}, {value}); }
bool gnnc::reference::holdsIntegers(Type type) { return getElementTypeOrSelf(type).isIntOrIndex(); }

ValuePtr Frame::get(mlir::Value value) const {
  for (const Frame *frame = this; frame; frame = frame->parent)
    if (auto found = frame->values.find(value); found != frame->values.end())
      return found->second;
  llvm_unreachable("the verifier ensures that a value is defined before its use");
}

const Tensor &Frame::tensor(mlir::Value value) {
  ValuePtr held = get(value);
  if (!held->tensor.unwritten)
    return held->tensor;
  Tensor written = Tensor::zeros(held->tensor.shape, held->tensor.isInteger);
  llvm::fill(written.floats, std::numeric_limits<double>::quiet_NaN());
  set(value, std::move(written));
  return values[value]->tensor;
}

ArrayRef<int64_t> Frame::shape(mlir::Value value) const { return get(value)->tensor.shape; }
const Graph &Frame::graph(mlir::Value value) const { return get(value)->graph; }
int64_t Frame::index(mlir::Value value) { return tensor(value).integers.front(); }

/// For each op of `block`, the values that nothing after it reads.
static DenseMap<Operation *, SmallVector<mlir::Value>> lastUses(Block &block) {
  DenseMap<mlir::Value, Operation *> last;
  for (Operation &op : block)
    op.walk([&](Operation *inner) {
      for (mlir::Value operand : inner->getOperands())
        last[operand] = &op;
    });
  DenseMap<Operation *, SmallVector<mlir::Value>> freed;
  for (auto [value, op] : last)
    freed[op].push_back(value);
  return freed;
}

LogicalResult gnnc::reference::runBlock(Block &block, Frame &frame,
                                        SmallVectorImpl<ValuePtr> &results, bool freeValues) {
  DenseMap<Operation *, SmallVector<mlir::Value>> freed;
  if (freeValues)
    freed = lastUses(block);
  for (Operation &op : block.without_terminator()) {
    Handler handler = frame.table().lookup(op.getName().getStringRef());
    if (!handler)
      return op.emitOpError("is not known to the reference evaluator (docs/reference-evaluator.md "
                            "lists what is)");
    if (failed(handler(&op, frame)))
      return failure();
    for (OpResult result : op.getResults())
      if (ValuePtr held = frame.get(result); !fits(*held, result.getType()))
        return op.emitOpError() << "result #" << result.getResultNumber() << " has type "
                                << result.getType() << ", evaluated it is " << describe(*held);
    if (freeValues)
      for (mlir::Value value : freed.lookup(&op))
        frame.erase(value);
  }
  for (mlir::Value operand : block.getTerminator()->getOperands())
    results.push_back(frame.get(operand));
  return success();
}

static constexpr int kMaxCallDepth = 64;

static FailureOr<std::vector<ValuePtr>> runFunction(func::FuncOp function,
                                                    ArrayRef<ValuePtr> arguments,
                                                    const HandlerTable &table, int depth) {
  if (function.isExternal())
    return function.emitOpError("has no body to evaluate");
  if (!function.getBody().hasOneBlock())
    return function.emitOpError() << "has " << function.getBody().getBlocks().size()
                                  << " blocks, the reference evaluator runs one";
  if (arguments.size() != function.getNumArguments())
    return function.emitOpError() << "takes " << function.getNumArguments() << " arguments, "
                                  << arguments.size() << " were given";
  Frame frame(table);
  frame.callDepth = depth;
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    if (!fits(*arguments[i], argument.getType()))
      return function.emitOpError() << "argument #" << i << " has type " << argument.getType()
                                    << ", " << describe(*arguments[i]) << " was given";
    frame.set(argument, arguments[i]);
  }
  SmallVector<ValuePtr> results;
  if (failed(runBlock(function.front(), frame, results, /*freeValues=*/true)))
    return failure();
  return std::vector<ValuePtr>(results.begin(), results.end());
}

static LogicalResult evaluateCall(Operation *op, Frame &frame) {
  auto call = cast<func::CallOp>(op);
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr());
  if (!callee)
    return op->emitOpError() << "calls '" << call.getCallee() << "', which is no function";
  if (frame.callDepth >= kMaxCallDepth)
    return op->emitOpError() << "calls nest deeper than " << kMaxCallDepth
                             << "; is this recursion?";
  SmallVector<ValuePtr> arguments;
  for (mlir::Value operand : call.getOperands())
    arguments.push_back(frame.get(operand));
  auto results = runFunction(callee, arguments, frame.table(), frame.callDepth + 1);
  if (failed(results))
    return failure();
  for (auto [result, held] : llvm::zip_equal(call.getResults(), *results))
    frame.set(result, held);
  return success();
}

FailureOr<std::vector<ValuePtr>> gnnc::reference::evaluateFunction(func::FuncOp function,
                                                                   ArrayRef<ValuePtr> arguments) {
  HandlerTable table;
  addArithHandlers(table);
  addIntegerHandlers(table);
  addMathHandlers(table);
  addTensorHandlers(table);
  addVectorHandlers(table);
  addLinalgHandlers(table);
  addGraphHandlers(table);
  addRowHandlers(table);
  addSegmentHandlers(table);
  table["func.call"] = evaluateCall;
  return runFunction(function, arguments, table, 0);
}
