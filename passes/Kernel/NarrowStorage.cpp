//===- NarrowStorage.cpp - Tensors between kernels in 16 bits -------------===//
//
// In: calls of kernel functions on f32 tensors and the module attribute gnn.storage.
// Out: what is large or multiplied is f16 or bf16 in memory; kernels still compute
// in f32.
//
// 1. Values that are one buffer are one class: a result of @prepare and the argument
//    of @forward that it becomes, a weight in both functions.
// 2. A class is narrow or wide. Both ends of the program are as it states them. Of
//    the rest, operands and results of products are narrow, and tensors whose rows
//    have kLeastFeatures features: those decide about traffic, while a norm or an
//    attention score per node has few bytes and much to lose.
// 3. Kernels get the types: rows are widened where they enter a region and rounded
//    where they leave it. A product that needs another type than its operand has
//    gets a kernel that converts it.
// 4. Each class keeps the first rule that decided about it, which --explain shows.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Common/Blocker.h"
#include "passes/Common/RowRegion.h"
#include "passes/Kernel/KernelAbi.h"
#include "passes/Kernel/NarrowKernels.h"
#include "passes/Kernel/Passes.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace gnnc {
#define GEN_PASS_DEF_GNNNARROWSTORAGEPASS
#include "passes/Kernel/Passes.h.inc"
} // namespace gnnc

using namespace mlir;
using namespace gnnc;

/// A rule about the ends of a program.
static constexpr StringLiteral kStatedType = "the program states its type";

/// Rows of 32 bytes, one sector of a GPU's memory, in 16 bits.
static constexpr int64_t kLeastFeatures = 16;

static RankedTensorType f32Tensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isF32() ? type : RankedTensorType();
}

namespace {
class Narrowing {
public:
  Narrowing(ModuleOp module, FloatType storage)
      : module(module), storage(storage), builder(module.getContext()) {}
  LogicalResult run();
  unsigned numNarrowed = 0;

private:
  /// The rules that apply to a buffer, each with its sentence; empty: none does.
  struct Class {
    std::string fixedWide, fixedNarrow, wanted;
    bool isNarrow() const { return fixedWide.empty() && !(fixedNarrow + wanted).empty(); }
    StringRef why() const {
      for (const std::string *rule : {&fixedWide, &fixedNarrow, &wanted})
        if (!rule->empty())
          return *rule;
      return "no product reads or makes it, and it has one number or few features a row";
    }
  };
  /// The first rule of a kind is kept.
  static void set(std::string &rule, const Twine &why) {
    if (rule.empty())
      rule = why.str();
  }

  func::FuncOp kernelOf(func::CallOp call) {
    return module.lookupSymbol<func::FuncOp>(call.getCallee());
  }
  static bool isProduct(func::FuncOp kernel) {
    return kernel->getAttrOfType<StringAttr>(gnn::kKernelAttr) == "gemm";
  }
  void freeGraphOperands(func::FuncOp function);
  LogicalResult joinFunctions();
  void wish(Value value);
  void decide(func::FuncOp function);
  void decideAddends(func::CallOp call);
  void adaptProduct(func::CallOp call);
  void report(func::FuncOp function);
  Value converted(Value value, Type element);

  /// The key of a value's class.
  Value leader(Value value) {
    return Value::getFromOpaquePointer(joined.getOrInsertLeaderValue(value.getAsOpaquePointer()));
  }
  Class &classOf(Value value) { return classes[leader(value)]; }
  bool isNarrow(Value value) { return f32Tensor(value) && classOf(value).isNarrow(); }

  ModuleOp module;
  FloatType storage;
  OpBuilder builder;
  func::FuncOp prepare, forward;
  llvm::EquivalenceClasses<void *> joined;
  DenseMap<Value, Class> classes;
  /// Copies of tensors in the other type, for products.
  DenseMap<Value, Value> copies;
  unsigned numConversions = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Who is narrow
//===----------------------------------------------------------------------===//

/// Graph ops of the runtime take edge tensors as they are: one that is stored in 16
/// bits is widened before them.
void Narrowing::freeGraphOperands(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    bool isUsed = llvm::any_of(argument.getUses(), [](OpOperand &use) {
      return !isa<func::CallOp, func::ReturnOp>(use.getOwner());
    });
    if (!isUsed || !f32Tensor(argument) ||
        !function.getArgAttr(argument.getArgNumber(), gnn::kStoredAttr))
      continue;
    builder.setInsertionPointToStart(&function.front());
    Value wide = converted(argument, builder.getF32Type());
    argument.replaceUsesWithIf(
        wide, [&](OpOperand &use) { return !isa<func::CallOp, func::ReturnOp>(use.getOwner()); });
  }
}

LogicalResult Narrowing::joinFunctions() {
  auto isThere = [](func::FuncOp function) { return function && !function.isExternal(); };
  if (!isThere(prepare) || !isThere(forward))
    return success();
  auto join = [&](Value a, Value b) {
    joined.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer());
  };
  Operation *results = prepare.front().getTerminator();
  for (BlockArgument argument : forward.getArguments()) {
    unsigned i = argument.getArgNumber();
    if (auto number = forward.getArgAttrOfType<IntegerAttr>(i, gnn::kPreparedAttr)) {
      if (number.getInt() >= int64_t(results->getNumOperands()))
        return forward.emitError("argument #")
               << i << " is result " << number.getInt() << " of @prepare, which has "
               << results->getNumOperands() << " results";
      join(argument, results->getOperand(number.getInt()));
    }
    Attribute name = forward.getArgAttr(i, gnn::kWeightAttr);
    for (BlockArgument other : prepare.getArguments())
      if (name && prepare.getArgAttr(other.getArgNumber(), gnn::kWeightAttr) == name)
        join(argument, other);
  }
  return success();
}

void Narrowing::wish(Value value) {
  RankedTensorType type = f32Tensor(value);
  if (type && type.getRank() > 1 && rowFeatures(type) >= kLeastFeatures)
    set(classOf(value).wanted, "it has " + Twine(rowFeatures(type)) + " features a row, " +
                                   Twine(kLeastFeatures) + " or more");
}

void Narrowing::decide(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    if (!f32Tensor(argument))
      continue;
    if (function.getArgAttr(i, gnn::kStoredAttr))
      set(classOf(argument).fixedNarrow, kStatedType);
    else if (function.getArgAttr(i, gnn::kInputAttr) || function.getArgAttr(i, gnn::kGraphDataAttr))
      set(classOf(argument).fixedWide, kStatedType);
  }
  for (Operation &op : function.front()) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      func::FuncOp kernel = kernelOf(call);
      if (kernel && isProduct(kernel)) {
        for (Value value : {call.getOperand(0), call.getOperand(1)})
          set(classOf(value).wanted, "the product @" + call.getCallee() + " reads it");
        set(classOf(call.getResult(0)).wanted, "the product @" + call.getCallee() + " makes it");
      }
      for (Value result : call.getResults())
        wish(result);
    } else if (isa<func::ReturnOp>(op)) {
      for (OpOperand &operand : op.getOpOperands()) {
        if (!function.getResultAttr(operand.getOperandNumber(), gnn::kOutputAttr) ||
            !f32Tensor(operand.get()))
          continue;
        bool stored = bool(function.getResultAttr(operand.getOperandNumber(), gnn::kStoredAttr));
        Class &kind = classOf(operand.get());
        set(stored ? kind.fixedNarrow : kind.fixedWide, kStatedType);
      }
    } else {
      for (Value value :
           llvm::concat<Value>(llvm::to_vector(op.getOperands()), llvm::to_vector(op.getResults())))
        if (f32Tensor(value))
          set(classOf(value).fixedWide, "'" + op.getName().getStringRef() +
                                            "', an algorithm of the runtime, takes or makes f32");
    }
  }
  for (BlockArgument argument : function.getArguments()) // behind what ops say of them
    wish(argument);
}

/// A bias and a residual have the type of their product's result.
void Narrowing::decideAddends(func::CallOp call) {
  if (isNarrow(call.getResult(0)))
    for (Value addend : call.getOperands().drop_front(2))
      set(classOf(addend).wanted,
          "the product @" + call.getCallee() + " adds it to a result that is narrow");
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// A call of a kernel that gives the elements another type; both ends keep their
/// types in what follows.
Value Narrowing::converted(Value value, Type element) {
  auto from = cast<RankedTensorType>(value.getType());
  RankedTensorType to = from.clone(element);
  Location loc = value.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  auto where = builder.saveInsertionPoint();
  builder.setInsertionPointToEnd(module.getBody());
  auto kernel = func::FuncOp::create(builder, loc, "convert_" + std::to_string(numConversions++),
                                     builder.getFunctionType({from}, {to}));
  kernel.setPrivate();
  kernel->setAttr(gnn::kKernelAttr, builder.getStringAttr("map"));
  Block *entry = kernel.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  auto map = gnn::MapOp::create(builder, loc, TypeRange{to}, Value(), ValueRange(), ValueRange(),
                                ValueRange{entry->getArgument(0)}, ValueRange(), Attribute());
  func::ReturnOp::create(builder, loc, map.getResults());
  Block &body = map.getBody().emplaceBlock();
  Type row = from.getRank() == 1
                 ? from.getElementType()
                 : Type(VectorType::get(from.getShape().drop_front(), from.getElementType()));
  Value argument = body.addArgument(row, loc);
  builder.setInsertionPointToStart(&body);
  Value other = argument;
  // Between two f32 types it is the pass that makes one of them narrow.
  if (from != to)
    other = arith::TruncFOp::create(builder, loc, rowWith(row, element), argument);
  gnn::YieldOp::create(builder, loc, other);
  builder.restoreInsertionPoint(where);
  return func::CallOp::create(builder, loc, kernel, ValueRange{value}).getResult(0);
}

/// Operands of a product that are stored in another type than it takes.
void Narrowing::adaptProduct(func::CallOp call) {
  builder.setInsertionPoint(call);
  bool narrowResult = isNarrow(call.getResult(0));
  for (OpOperand &operand : call->getOpOperands()) {
    bool wanted = operand.getOperandNumber() < 2 || narrowResult;
    if (isNarrow(operand.get()) == wanted)
      continue;
    Value &copy = copies[operand.get()];
    if (!copy) { // calls are adapted in their order: the first one's copy is there for all
      copy = converted(operand.get(), builder.getF32Type());
      Class &kind = classOf(copy);
      set(wanted ? kind.fixedNarrow : kind.fixedWide,
          "a copy for the product @" + call.getCallee() + ", which takes this type");
    }
    operand.set(copy);
  }
}

/// Says how each tensor of f32 between kernels is stored now, before types change.
void Narrowing::report(func::FuncOp function) {
  auto tell = [&](Value value, const Twine &name) {
    if (!f32Tensor(value))
      return;
    const Class &kind = classOf(value);
    Type element = kind.isNarrow() ? Type(storage) : Type(builder.getF32Type());
    reportStored(value.getLoc(), "gnn-narrow-storage", name.str(), element, kind.isNarrow(),
                 kind.why());
  };
  for (BlockArgument argument : function.getArguments())
    for (auto [attr, what] : {std::pair(gnn::kInputAttr, "input"),
                              {gnn::kWeightAttr, "weight"},
                              {gnn::kGraphDataAttr, "graph data"}})
      if (auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), attr))
        tell(argument, Twine(what) + " '" + name.getValue() + "'");
  for (Operation &op : function.front())
    for (OpResult result : op.getResults())
      if (auto call = dyn_cast<func::CallOp>(op))
        tell(result, "result " + Twine(result.getResultNumber()) + " of @" + call.getCallee());
      else
        tell(result, "result " + Twine(result.getResultNumber()) + " of '" +
                         op.getName().getStringRef() + "'");
}

LogicalResult Narrowing::run() {
  prepare = module.lookupSymbol<func::FuncOp>(gnn::kPrepareFunc);
  forward = module.lookupSymbol<func::FuncOp>(gnn::kForwardFunc);
  SmallVector<func::FuncOp> functions;
  for (func::FuncOp function : {prepare, forward})
    if (function && !function.isExternal())
      functions.push_back(function);
  DenseSet<Operation *> kernels;
  for (func::FuncOp function : functions)
    for (auto call : function.getOps<func::CallOp>()) {
      func::FuncOp kernel = kernelOf(call);
      if (!kernel || kernel.isExternal() || !kernel->hasAttr(gnn::kKernelAttr) ||
          !kernels.insert(kernel).second)
        return call.emitOpError("calls @")
               << call.getCallee() << ", which is no kernel of its own; run gnn-form-kernels first";
      if (isProduct(kernel) && (call.getNumOperands() < 2 || call.getNumResults() != 1))
        return call.emitOpError("calls @")
               << call.getCallee() << ", a product of " << call.getNumOperands()
               << " operands with " << call.getNumResults()
               << " results; it takes rows and a matrix and gives one tensor";
    }
  for (func::FuncOp function : functions)
    freeGraphOperands(function);
  if (failed(joinFunctions()))
    return failure();
  for (func::FuncOp function : functions)
    decide(function);
  auto forEachProduct = [&](function_ref<void(func::CallOp)> body) {
    for (func::FuncOp function : functions)
      for (auto call : llvm::make_early_inc_range(function.getOps<func::CallOp>()))
        if (func::FuncOp kernel = kernelOf(call); kernel && isProduct(kernel))
          body(call);
  };
  forEachProduct([&](func::CallOp call) { decideAddends(call); });
  forEachProduct([&](func::CallOp call) { adaptProduct(call); });

  for (func::FuncOp function : functions)
    report(function);
  // All decisions before the first type changes.
  llvm::SetVector<Value> narrow;
  for (func::FuncOp function : functions) {
    for (BlockArgument argument : function.getArguments())
      if (isNarrow(argument))
        narrow.insert(argument);
    for (auto call : function.getOps<func::CallOp>()) {
      for (Value result : call.getResults())
        if (isNarrow(result))
          narrow.insert(result);
    }
  }
  auto stored = [&](Value value) {
    value.setType(cast<RankedTensorType>(value.getType()).clone(storage));
  };
  for (Value value : narrow)
    stored(value);
  numNarrowed += narrow.size();
  for (func::FuncOp function : functions) {
    function.setFunctionType(builder.getFunctionType(
        function.front().getArgumentTypes(), function.front().getTerminator()->getOperandTypes()));
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      function.removeArgAttr(i, builder.getStringAttr(gnn::kStoredAttr));
    for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
      function.removeResultAttr(i, builder.getStringAttr(gnn::kStoredAttr));
    for (auto call : function.getOps<func::CallOp>()) {
      func::FuncOp kernel = kernelOf(call);
      for (auto [argument, operand] : llvm::zip_equal(kernel.getArguments(), call.getOperands()))
        argument.setType(operand.getType());
      kernel.setFunctionType(
          builder.getFunctionType(call.getOperandTypes(), call.getResultTypes()));
      if (isProduct(kernel))
        rewriteProduct(kernel, builder);
      else if (failed(rewriteRowOp(kernel, storage, builder)))
        return failure();
    }
  }
  module->removeAttr(gnn::kStorageAttr);
  return success();
}

namespace {
struct NarrowStorage final : gnnc::impl::GnnNarrowStoragePassBase<NarrowStorage> {
  void runOnOperation() override {
    auto storage = getOperation()->getAttrOfType<TypeAttr>(gnn::kStorageAttr);
    if (!storage)
      return;
    Narrowing narrowing(getOperation(), cast<FloatType>(storage.getValue()));
    if (failed(narrowing.run()))
      signalPassFailure();
    numNarrowed += narrowing.numNarrowed;
  }
};
} // namespace
