//===- PreparedProgram.cpp - The two halves of a hoisted program ----------===//
#include "passes/Program/PreparedProgram.h"

#include "dialects/Gnn/Gnn.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

std::optional<PreparedProgram> PreparedProgram::of(ModuleOp module) {
  PreparedProgram program(module.lookupSymbol<func::FuncOp>(kPrepareFunc),
                          module.lookupSymbol<func::FuncOp>(kForwardFunc));
  for (func::FuncOp function : {program.prepare, program.forward})
    if (!function || function.isExternal() || !llvm::hasSingleElement(function.getBody()))
      return std::nullopt;
  return program;
}

static std::optional<int64_t> preparedNumber(func::FuncOp forward, BlockArgument argument) {
  auto prepared = forward.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), kPreparedAttr);
  return prepared ? std::optional<int64_t>(prepared.getInt()) : std::nullopt;
}

BlockArgument PreparedProgram::argument(unsigned number) {
  for (BlockArgument argument : forward.getArguments())
    if (preparedNumber(forward, argument) == int64_t(number))
      return argument;
  return {};
}

Value PreparedProgram::preparedValue(BlockArgument argument) {
  auto number = preparedNumber(forward, argument);
  bool isOne = number && *number >= 0 && *number < int64_t(results()->getNumOperands());
  return isOne ? results()->getOperand(*number) : Value();
}

BlockArgument PreparedProgram::addPrepared(Value value) {
  unsigned number = results()->getNumOperands();
  results()->insertOperands(number, value);
  (void)prepare.insertResult(number, value.getType(), {});
  Builder builder(forward.getContext());
  auto attrs = builder.getDictionaryAttr(
      builder.getNamedAttr(kPreparedAttr, builder.getI64IntegerAttr(number)));
  (void)forward.insertArgument(forward.getNumArguments(), value.getType(), attrs, value.getLoc());
  return forward.getArguments().back();
}

void PreparedProgram::dropPrepared(BlockArgument argument) {
  int64_t number = *preparedNumber(forward, argument);
  results()->eraseOperand(number);
  (void)prepare.eraseResult(number);
  (void)forward.eraseArgument(argument.getArgNumber());
  Builder builder(forward.getContext());
  for (BlockArgument other : forward.getArguments())
    if (auto later = preparedNumber(forward, other); later && *later > number)
      forward.setArgAttr(other.getArgNumber(), kPreparedAttr,
                         builder.getI64IntegerAttr(*later - 1));
}
