//===- SetPrecision.cpp - 16-bit floats as a way to store f32 -------------===//
//
// In: a program on tensors of f32, f16 or bf16. Out: one that computes in f32
// throughout and says on the module and on its arguments and results what is to be
// stored in 16 bits; gnn-narrow-storage does so once it is known what is stored.
//
// Rounding after each op of a chain that becomes one kernel would cost accuracy and
// time for nothing, so extf and truncf inside the program mean nothing here.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Program/Passes.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNSETPRECISIONPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

static bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

namespace {
class Widening {
public:
  Widening(ModuleOp module, FloatType storage)
      : module(module), storage(storage), f32(Float32Type::get(module.getContext())) {}

  /// Settles on one storage type; null when everything is f32 or wider.
  FailureOr<FloatType> findStorage();
  LogicalResult run();

private:
  LogicalResult note(Operation *op, Type type);
  Type wide(Type type) const;
  Attribute wide(Attribute attr) const;
  LogicalResult widen(Operation *op);
  void mark(func::FuncOp function);

  ModuleOp module;
  FloatType storage, f32;
  Operation *first = nullptr;   ///< with a type of 16 bit
  Operation *doubles = nullptr; ///< with a tensor of f64
};
} // namespace

LogicalResult Widening::note(Operation *op, Type type) {
  if (isa<ShapedType>(type) && getElementTypeOrSelf(type).isF64() && !doubles)
    doubles = op;
  if (!isNarrow(type))
    return success();
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  if (storage && storage != element) {
    InFlightDiagnostic error =
        op->emitError("has elements of ")
        << element << ", " << (first ? "other ops of the program" : "the precision asked for is")
        << (first ? " of " : " ") << storage << "; a program stores one 16-bit type";
    return error;
  }
  storage = element;
  if (!first)
    first = op;
  return success();
}

FailureOr<FloatType> Widening::findStorage() {
  WalkResult walked = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (failed(note(op, type)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (failed(note(op, type)))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  if (storage && doubles) {
    doubles->emitError("has elements of f64 in a program that stores ")
        << storage << "; f64 is not stored in 16 bits, make it f32 or all of it f64";
    return failure();
  }
  return storage;
}

Type Widening::wide(Type type) const {
  if (!isNarrow(type))
    return type;
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(f32)) : Type(f32);
}

Attribute Widening::wide(Attribute attr) const {
  auto convert = [&](APFloat value) {
    bool losesInfo = false;
    value.convert(f32.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    return value;
  };
  if (auto number = dyn_cast<FloatAttr>(attr); number && isNarrow(number.getType()))
    return FloatAttr::get(f32, convert(number.getValue()));
  if (auto dense = dyn_cast<DenseFPElementsAttr>(attr); dense && isNarrow(dense.getType()))
    return dense.mapValues(f32,
                           [&](const APFloat &value) { return convert(value).bitcastToAPInt(); });
  return attr;
}

LogicalResult Widening::widen(Operation *op) {
  if (isa<arith::BitcastOp>(op) &&
      (isNarrow(op->getOperand(0).getType()) || isNarrow(op->getResult(0).getType())))
    return op->emitError("looks at the bits of ")
           << storage << ", which a program computes in f32; there is no code for it";
  for (Value result : op->getResults())
    result.setType(wide(result.getType()));
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        argument.setType(wide(argument.getType()));
  for (NamedAttribute attr : op->getAttrs())
    op->setAttr(attr.getName(), wide(attr.getValue()));
  // The inherent ones: arith.constant keeps its value as a property.
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    constant.setValueAttr(cast<TypedAttr>(wide(Attribute(constant.getValue()))));
  return success();
}

/// Says on arguments and results what the program had in 16 bits.
void Widening::mark(func::FuncOp function) {
  Attribute type = TypeAttr::get(storage);
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    if (isNarrow(function.getArgumentTypes()[i]))
      function.setArgAttr(i, kStoredAttr, type);
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (isNarrow(function.getResultTypes()[i]))
      function.setResultAttr(i, kStoredAttr, type);
  SmallVector<Type> arguments, results;
  for (Type argument : function.getArgumentTypes())
    arguments.push_back(wide(argument));
  for (Type result : function.getResultTypes())
    results.push_back(wide(result));
  // Attributes first: the signature they stand on is verified at the end.
  function.setFunctionType(FunctionType::get(module.getContext(), arguments, results));
}

LogicalResult Widening::run() {
  for (auto function : module.getOps<func::FuncOp>())
    mark(function);
  WalkResult walked = module.walk([&](Operation *op) {
    return failed(widen(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  // What remains of conversions between the two types.
  module.walk([](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
        op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  });
  module->setAttr(kStorageAttr, TypeAttr::get(storage));
  return success();
}

namespace {
struct SetPrecision final : gnnc::impl::GnnSetPrecisionPassBase<SetPrecision> {
  using GnnSetPrecisionPassBase::GnnSetPrecisionPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FloatType asked;
    if (storage == "bf16")
      asked = BFloat16Type::get(&getContext());
    else if (storage == "f16")
      asked = Float16Type::get(&getContext());
    else if (storage != "program") {
      module.emitError("gnn-set-precision: storage is program, bf16 or f16, found '")
          << storage << "'";
      return signalPassFailure();
    }
    Widening widening(module, asked);
    FailureOr<FloatType> found = widening.findStorage();
    if (failed(found) || (*found && failed(widening.run())))
      signalPassFailure();
  }
};
} // namespace
