//===- GnnArguments.cpp - Verifier of attributes on modules and arguments -===//
//
// In: a function argument, result or op with an attribute of this dialect. Out:
// success or a diagnostic. Where a tensor comes from is said only there, so a
// misspelt name must not pass. Labels (A1, A2, ...): GnnDialect.td.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/GnnVerify.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace gnnc::gnn;

static constexpr StringLiteral kSources[] = {kInputAttr, kWeightAttr, kGraphDataAttr, kIndexAttr,
                                             kPreparedAttr};

static bool isSource(StringRef name) { return llvm::is_contained(kSources, name); }

/// The attributes of `list` that say where an argument comes from.
static SmallVector<NamedAttribute> sourcesOf(ArrayRef<NamedAttribute> list) {
  return SmallVector<NamedAttribute>(
      llvm::make_filter_range(list, [](NamedAttribute a) { return isSource(a.getName()); }));
}

/// A1: a name is a string that is not empty, on a ranked tensor.
static LogicalResult verifyName(Operation *op, const Twine &what, NamedAttribute attr, Type type) {
  auto name = dyn_cast<StringAttr>(attr.getValue());
  if (!name || name.empty())
    return op->emitOpError() << what << ": '" << attr.getName().getValue()
                             << "' is a name (a string that is not empty), found "
                             << text(attr.getValue()) << " (A1)";
  if (!isa<RankedTensorType>(type))
    return op->emitOpError() << what << ": '" << attr.getName().getValue()
                             << "' stands on a ranked tensor, found " << text(type) << " (A1)";
  return success();
}

/// A11: rows are named by whole numbers.
static LogicalResult verifyIndex(Operation *op, const Twine &what, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.getRank() == 1 &&
      (tensor.getElementType().isInteger(32) || tensor.getElementType().isInteger(64)))
    return success();
  return op->emitOpError() << what << ": 'gnn.index' stands on a tensor of rank 1 of i32 or i64, "
                           << "found " << text(type) << " (A11)";
}

/// A3, second half: in `@forward` every tensor argument has a source.
static LogicalResult verifyNoneMissing(FunctionOpInterface function) {
  if (function.getName() != "forward")
    return success();
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
    Type type = function.getArgumentTypes()[i];
    if (isa<RankedTensorType>(type) &&
        sourcesOf(mlir::function_interface_impl::getArgAttrs(function, i)).empty())
      return function->emitOpError()
             << "argument #" << i << " (" << text(type)
             << ") does not say where it comes from: give it gnn.input, gnn.weight, "
                "gnn.graph_data, gnn.index or gnn.prepared (A3)";
  }
  return success();
}

/// A8, A9: what messages along a graph are meant to follow.
static LogicalResult verifyMark(Operation *op, const Twine &what, NamedAttribute attr, Type type) {
  auto graph = dyn_cast<GnnGraphType>(type);
  if (attr.getName() == kNormalizeAttr) {
    auto kind = dyn_cast<StringAttr>(attr.getValue());
    if (!graph || !kind || !llvm::is_contained({"symmetric", "row"}, kind.getValue()))
      return op->emitOpError() << what
                               << ": 'gnn.normalize' is \"symmetric\" or \"row\" on a graph, found "
                               << text(attr.getValue()) << " on " << text(type) << " (A9)";
    return success();
  }
  auto fill = dyn_cast<FloatAttr>(attr.getValue());
  if (!graph || !fill || !fill.getValue().isFinite() ||
      failed(verifyCompatibleDims({graph.getDst(), graph.getSrc()})))
    return op->emitOpError() << what
                             << ": 'gnn.self_loops' is the weight of a loop (a finite number) on a "
                                "graph with equally many nodes at both ends, found "
                             << text(attr.getValue()) << " on " << text(type) << " (A8)";
  return success();
}

/// A10: what tensors are stored in.
static LogicalResult verifyStored(Operation *op, const Twine &what, NamedAttribute attr) {
  auto type = dyn_cast<TypeAttr>(attr.getValue());
  if (type && (type.getValue().isF16() || type.getValue().isBF16()))
    return success();
  return op->emitOpError() << what << "'" << attr.getName().getValue()
                           << "' is the type f16 or bf16, found " << text(attr.getValue())
                           << " (A10)";
}

LogicalResult GnnDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned index,
                                                   NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  std::string what = ("argument #" + Twine(index)).str();
  StringRef name = attr.getName();
  Type type = function.getArgumentTypes()[index];
  if (name == kSelfLoopsAttr || name == kNormalizeAttr)
    return verifyMark(op, what, attr, type);
  if (name == kStoredAttr)
    return verifyStored(op, what + ": ", attr);
  if (!isSource(name))
    return op->emitOpError() << what << ": unknown attribute '" << name
                             << "', expected gnn.input, gnn.weight, gnn.graph_data, gnn.index, "
                                "gnn.prepared, gnn.self_loops, gnn.normalize or gnn.stored (A7)";
  if (name == kPreparedAttr) {
    auto number = dyn_cast<IntegerAttr>(attr.getValue());
    if (!number || number.getValue().isNegative())
      return op->emitOpError() << what
                               << ": 'gnn.prepared' is the number (>= 0) of a result of "
                                  "@prepare, found "
                               << text(attr.getValue()) << " (A2)";
  } else if (failed(verifyName(op, what, attr, type)) ||
             (name == kIndexAttr && failed(verifyIndex(op, what, type)))) {
    return failure();
  }
  SmallVector<NamedAttribute> own =
      sourcesOf(function_interface_impl::getArgAttrs(function, index));
  if (own.size() > 1)
    return op->emitOpError() << what << ": has both '" << own[0].getName().getValue() << "' and '"
                             << own[1].getName().getValue() << "', one is allowed (A3)";
  for (unsigned i = 0; i < index; ++i)
    for (NamedAttribute other : sourcesOf(function_interface_impl::getArgAttrs(function, i)))
      if (other.getValue() == attr.getValue())
        return op->emitOpError() << what << ": '" << name << " = " << text(attr.getValue())
                                 << "' repeats '" << other.getName().getValue() << " = "
                                 << text(other.getValue()) << "' of argument #" << i << " (A4)";
  return verifyNoneMissing(function);
}

LogicalResult GnnDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned index,
                                                      NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  std::string what = ("result #" + Twine(index)).str();
  if (attr.getName() == kStoredAttr)
    return verifyStored(op, what + ": ", attr);
  if (attr.getName() != kOutputAttr)
    return op->emitOpError() << what << ": unknown attribute '" << attr.getName().getValue()
                             << "', expected gnn.output or gnn.stored (A7)";
  if (failed(verifyName(op, what, attr, function.getResultTypes()[index])))
    return failure();
  for (unsigned i = 0; i < index; ++i)
    if (function.getResultAttr(i, kOutputAttr) == attr.getValue())
      return op->emitOpError() << what << ": '" << kOutputAttr << " = " << text(attr.getValue())
                               << "' repeats that of result #" << i << " (A4)";
  return success();
}

LogicalResult GnnDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  if (attr.getName() == kTargetAttr) {
    if (!isa<ModuleOp>(op))
      return op->emitOpError() << "'gnn.target' stands on a module, found on '" << op->getName()
                               << "' (A5)";
    if (!isa<TargetAttr>(attr.getValue()))
      return op->emitOpError() << "'gnn.target' is a #gnn.target attribute, found "
                               << text(attr.getValue()) << " (A5)";
  }
  if (attr.getName() == kStorageAttr)
    return verifyStored(op, "", attr);
  if (attr.getName() == kKernelAttr) {
    auto kind = dyn_cast<StringAttr>(attr.getValue());
    if (!kind || !llvm::is_contained({"aggregate", "map", "gemm"}, kind.getValue()))
      return op->emitOpError() << "'gnn.kernel' is \"aggregate\", \"map\" or \"gemm\", found "
                               << text(attr.getValue()) << " (A6)";
    if (!isa<FunctionOpInterface>(op))
      return op->emitOpError() << "'gnn.kernel' stands on a function, found on '" << op->getName()
                               << "' (A6)";
  }
  return success();
}
