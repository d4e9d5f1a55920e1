//===- Program.cpp - Bind named tensors and run a whole program -----------===//
#include "lib/Reference/Reference.h"

#include "dialects/Gnn/Gnn.h"

using namespace mlir;
using namespace gnnc::gnn;
using namespace gnnc::reference;

/// The value a name of one of the three files has, or a diagnostic.
static FailureOr<ValuePtr> named(func::FuncOp function, unsigned index, StringRef attribute,
                                 const std::map<std::string, ValuePtr> &values) {
  StringRef name = function.getArgAttrOfType<StringAttr>(index, attribute).getValue();
  auto found = values.find(name.str());
  if (found != values.end() && fits(*found->second, function.getArgumentTypes()[index]))
    return found->second;
  InFlightDiagnostic error = function.emitOpError()
                             << "argument #" << index << " (" << attribute << " = \"" << name
                             << "\") has type " << function.getArgumentTypes()[index] << ", ";
  if (found == values.end())
    return error << "there is no tensor of that name";
  return error << "the tensor is " << describe(*found->second);
}

/// What the program sees of `value` once it is stored in an argument of `type`: f32,
/// f16 and bf16 round. From there on all is float64.
static ValuePtr stored(ValuePtr value, Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!element || element.isF64() || value->isGraph || value->tensor.isInteger)
    return value;
  Tensor rounded = value->tensor;
  for (double &number : rounded.floats) {
    APFloat inexact(number);
    bool losesInfo = false;
    inexact.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    inexact.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    number = inexact.convertToDouble();
  }
  return makeValue(std::move(rounded));
}

static FailureOr<std::vector<ValuePtr>>
bindArguments(func::FuncOp function, const ProgramInputs &inputs, ArrayRef<ValuePtr> prepared) {
  std::vector<ValuePtr> arguments;
  bool graphBound = false;
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
    Type type = function.getArgumentTypes()[i];
    FailureOr<ValuePtr> value = failure();
    if (auto number = function.getArgAttrOfType<IntegerAttr>(i, kPreparedAttr)) {
      if (number.getInt() >= static_cast<int64_t>(prepared.size()))
        return function.emitOpError()
               << "argument #" << i << " is prepared result " << number.getInt()
               << ", @prepare returns " << prepared.size() << " values";
      value = prepared[number.getInt()];
    } else if (function.getArgAttr(i, kInputAttr)) {
      value = named(function, i, kInputAttr, inputs.inputs);
    } else if (function.getArgAttr(i, kWeightAttr)) {
      value = named(function, i, kWeightAttr, inputs.weights);
    } else if (function.getArgAttr(i, kGraphDataAttr)) {
      value = named(function, i, kGraphDataAttr, inputs.graphData);
    } else if (function.getArgAttr(i, kIndexAttr)) {
      value = named(function, i, kIndexAttr, inputs.graphData);
    } else if (isa<GnnGraphType>(type)) {
      if (graphBound || !inputs.graph)
        return function.emitOpError()
               << "argument #" << i << " is a "
               << (graphBound ? "second graph, one can be bound" : "graph, none was given");
      for (StringRef mark : {kSelfLoopsAttr, kNormalizeAttr})
        if (function.getArgAttr(i, mark))
          return function.emitOpError()
                 << "argument #" << i << " carries " << mark
                 << ", which is no op yet; run gnn-add-self-loops and gnn-normalize";
      graphBound = true;
      value = inputs.graph;
    } else {
      return function.emitOpError()
             << "argument #" << i << " (" << type << ") does not say where it comes from: give it "
             << "gnn.input, gnn.weight, gnn.graph_data or gnn.index";
    }
    if (failed(value))
      return failure();
    bool isComputed = bool(function.getArgAttr(i, kPreparedAttr));
    arguments.push_back(isComputed ? *value : stored(*value, type));
  }
  return arguments;
}

FailureOr<std::vector<NamedValue>> gnnc::reference::evaluateProgram(ModuleOp module,
                                                                    const ProgramInputs &inputs) {
  auto forward = module.lookupSymbol<func::FuncOp>("forward");
  if (!forward)
    return module.emitError("a program has a function @forward, none is there");
  std::vector<ValuePtr> prepared;
  if (auto prepare = module.lookupSymbol<func::FuncOp>("prepare")) {
    auto arguments = bindArguments(prepare, inputs, {});
    if (failed(arguments))
      return failure();
    auto results = evaluateFunction(prepare, *arguments);
    if (failed(results))
      return failure();
    prepared = std::move(*results);
  }
  auto arguments = bindArguments(forward, inputs, prepared);
  if (failed(arguments))
    return failure();
  auto results = evaluateFunction(forward, *arguments);
  if (failed(results))
    return failure();
  std::vector<NamedValue> outputs;
  for (auto [i, value] : llvm::enumerate(*results)) {
    auto name = forward.getResultAttrOfType<StringAttr>(i, kOutputAttr);
    outputs.push_back({name ? name.str() : "out" + std::to_string(i), value});
  }
  return outputs;
}
