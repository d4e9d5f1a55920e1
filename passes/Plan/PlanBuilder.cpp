//===- PlanBuilder.cpp - Write a gnn_plan.program -------------------------===//
#include "passes/Plan/PlanBuilder.h"

using namespace mlir;
using namespace gnnc::plan;

PlanBuilder::PlanBuilder(ModuleOp module, StringRef name, gnn::TargetAttr target, StringRef mode,
                         StringRef dynamic)
    : builder(OpBuilder::atBlockBegin(module.getBody())) {
  programOp = ProgramOp::create(builder, module.getLoc(), builder.getStringAttr(name), target,
                                builder.getStringAttr(mode), builder.getStringAttr(dynamic));
  programOp.getBody().emplaceBlock();
}

/// Places the builder behind `last`, or behind `fallback`, or at the start.
static void placeAfter(OpBuilder &builder, ProgramOp program,
                       std::initializer_list<Operation *> candidates) {
  builder.setInsertionPointToStart(&program.getBody().front());
  for (Operation *op : candidates)
    if (op)
      return builder.setInsertionPointAfter(op);
}

StringAttr PlanBuilder::addSymbol(Location loc, StringRef name, SymbolSource source,
                                  std::optional<Formula> bound, StringAttr tensor) {
  placeAfter(builder, programOp, {lastSymbol});
  auto symbol = SymbolOp::create(builder, loc, builder.getStringAttr(name), source,
                                 bound ? bound->attr(context()) : FormulaAttr(), tensor);
  lastSymbol = symbol;
  return symbol.getNameAttr();
}

Value PlanBuilder::addNamedBuffer(Location loc, BufferKind kind, StringRef name, Type dtype,
                                  ArrayRef<Formula> shape) {
  placeAfter(builder, programOp, {lastBuffer, lastSymbol});
  auto buffer = BufferOp::create(builder, loc, BufferType::get(context()), kind, name, dtype,
                                 formulas(shape), FormulaAttr());
  lastBuffer = buffer;
  return buffer.getResult();
}

Value PlanBuilder::addBuffer(Location loc, BufferKind kind, StringRef name, Type dtype,
                             ArrayRef<Formula> shape) {
  std::string unique = name.str();
  for (unsigned number = 1; !names.insert(unique).second; ++number)
    unique = (name + "." + Twine(number)).str();
  return addNamedBuffer(loc, kind, unique, dtype, shape);
}

void PlanBuilder::addGuard(Location loc, GuardKind kind, const Formula &value, int64_t limit,
                           StringRef what) {
  placeAfter(builder, programOp, {lastGuard, lastBuffer, lastSymbol});
  lastGuard = GuardOp::create(builder, loc, kind, value.attr(context()), limit, what);
}

void PlanBuilder::enterPrepare(Location loc) {
  builder.setInsertionPointToEnd(&programOp.getBody().front());
  prepare = PrepareOp::create(builder, loc, FormulaAttr());
  prepare.getBody().emplaceBlock();
}

void PlanBuilder::enterForward(Location loc) {
  builder.setInsertionPointToEnd(&programOp.getBody().front());
  forward = ForwardOp::create(builder, loc, FormulaAttr());
  forward.getBody().emplaceBlock();
}

ArrayAttr PlanBuilder::formulas(ArrayRef<Formula> list) {
  return builder.getArrayAttr(llvm::map_to_vector(
      list, [&](const Formula &formula) -> Attribute { return formula.attr(context()); }));
}

void PlanBuilder::keepWhatForwardUses() {
  if (!prepare)
    return;
  for (BufferOp buffer : programOp.getBody().front().getOps<BufferOp>()) {
    bool byPrepare = false, byForward = false;
    for (Operation *user : buffer.getResult().getUsers())
      (user->getParentOp() == forward ? byForward : byPrepare) = true;
    if (buffer.getKind() == BufferKind::Transient && byPrepare && byForward)
      buffer.setKind(BufferKind::Persistent);
  }
}
