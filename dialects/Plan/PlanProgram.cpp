//===- PlanProgram.cpp - What must hold for a whole plan ------------------===//
//
// Constraint labels as in PlanOps.td.
//
//===----------------------------------------------------------------------===//
#include "dialects/Plan/Plan.h"

using namespace mlir;
using namespace gnnc::plan;

PrepareOp ProgramOp::getPrepare() {
  auto ops = getBody().front().getOps<PrepareOp>();
  return ops.empty() ? PrepareOp() : *ops.begin();
}

ForwardOp ProgramOp::getForward() { return *getBody().front().getOps<ForwardOp>().begin(); }

LogicalResult PrepareOp::verifyRegions() {
  for (Operation &op : getBody().front()) // C1
    if (!isa<LaunchOp, GemmOp, GraphCallOp>(op))
      return op.emitOpError() << "is no command; prepare holds launches, gemms and graph calls";
  return success();
}

LogicalResult ForwardOp::verifyRegions() {
  for (Operation &op : getBody().front()) // C1
    if (!isa<LaunchOp, GemmOp>(op))
      return op.emitOpError() << "cannot run in forward; it holds launches and gemms";
  return success();
}

namespace {

/// One walk over a plan in the order of execution.
class ProgramVerifier {
public:
  explicit ProgramVerifier(ProgramOp program) : program(program) {}

  LogicalResult run() {
    for (Operation &op : program.getBody().front()) {
      LogicalResult valid = TypeSwitch<Operation *, LogicalResult>(&op)
                                .Case([&](SymbolOp symbol) { return declare(symbol); })
                                .Case([&](BufferOp buffer) { return declare(buffer); })
                                .Case([&](GuardOp guard) { return check(guard); })
                                .Case<PrepareOp, ForwardOp>([&](auto part) { return enter(part); })
                                .Default([&](Operation *other) {
                                  return other->emitOpError() << "does not belong in a plan";
                                });
      if (failed(valid))
        return failure();
    }
    if (!forward)
      return program.emitOpError() << "has no forward"; // C4
    for (auto &[name, symbol] : symbols)
      if (symbol.op.getSource() == SymbolSource::Prepare && !symbol.known) // C5
        return symbol.op.emitOpError() << "'" << name << "' is set by no graph call of prepare";
    for (auto &[name, buffer] : buffers)
      if (buffer.getKind() == BufferKind::Output && !written.contains(buffer)) // C9
        return buffer.emitOpError() << "output '" << name << "' is written by no command";
    return success();
  }

private:
  struct DeclaredSymbol {
    SymbolOp op;
    bool known; ///< its value is there: of the graph, or set by now
  };

  LogicalResult declare(SymbolOp symbol) {
    bool known = symbol.getSource() != SymbolSource::Prepare;
    if (auto bound = symbol.getBoundAttr())
      if (failed(check(symbol, bound, /*graphOnly=*/true)))
        return failure();
    if (!symbols.insert({symbol.getName(), {symbol, known}}).second) // C1
      return symbol.emitOpError() << "symbol '" << symbol.getName() << "' is declared twice";
    return success();
  }

  LogicalResult declare(BufferOp buffer) {
    if (!buffers.insert({buffer.getName(), buffer}).second) // C3
      return buffer.emitOpError() << "buffer '" << buffer.getName() << "' is declared twice";
    for (Attribute extent : buffer.getShape())
      if (failed(check(buffer, cast<FormulaAttr>(extent), false)))
        return failure();
    if (auto offset = buffer.getOffsetAttr())
      return check(buffer, offset, false);
    return success();
  }

  LogicalResult check(GuardOp guard) { return check(guard, guard.getValueAttr(), true); }

  /// C2, and values that must be known before prepare runs.
  LogicalResult check(Operation *op, FormulaAttr formula, bool graphOnly) {
    for (const FormulaTerm &term : formula.getTerms()) {
      auto *declared = symbols.find(term.symbol.getValue());
      if (declared == symbols.end())
        return op->emitOpError() << "uses symbol '" << term.symbol.getValue() << "' in "
                                 << Formula(formula).text() << ", which is not declared before it";
      if (graphOnly && declared->second.op.getSource() == SymbolSource::Prepare)
        return op->emitOpError() << "uses symbol '" << term.symbol.getValue() << "' in "
                                 << Formula(formula).text()
                                 << ", which is known only once prepare has run";
    }
    return success();
  }

  template <typename Part>
  LogicalResult enter(Part part) {
    bool isForward = std::is_same_v<Part, ForwardOp>;
    Operation *&slot = isForward ? forward : prepare;
    if (slot) // C4
      return part.emitOpError() << "appears twice";
    if (!isForward && forward)
      return part.emitOpError() << "stands behind forward, it runs before it";
    slot = part;
    if (auto arena = part.getArenaAttr())
      if (failed(check(part, arena, /*graphOnly=*/!isForward)))
        return failure();
    for (Operation &command : part.getBody().front())
      if (failed(execute(&command)))
        return failure();
    return success();
  }

  LogicalResult execute(Operation *command) {
    return TypeSwitch<Operation *, LogicalResult>(command)
        .Case([&](LaunchOp launch) { return execute(launch); })
        .Case([&](GemmOp gemm) {
          for (Value operand : {gemm.getA(), gemm.getB(), gemm.getBias()})
            if (operand && failed(read(gemm, operand)))
              return failure();
          return write(gemm, gemm.getC());
        })
        .Case([&](GraphCallOp call) { return execute(call); })
        .Default(success());
  }

  LogicalResult execute(LaunchOp launch) {
    LogicalResult valid = success();
    SmallVector<Value> results;
    launch.forEachArgument(
        [&](Value buffer, bool written) {
          if (written)
            results.push_back(buffer);
          else if (succeeded(valid))
            valid = read(launch, buffer);
        },
        [&](FormulaAttr value) {
          if (succeeded(valid))
            valid = use(launch, value);
        });
    if (failed(valid))
      return failure();
    if (Value balance = launch.getBalance())
      if (failed(read(launch, balance)))
        return failure();
    for (FormulaAttr count : {launch.getItemsAttr(), launch.getBytesAttr(), launch.getFlopsAttr()})
      if (count && failed(use(launch, count)))
        return failure();
    if (auto grid = launch.getGridAttr())
      for (auto extent : grid.getAsRange<FormulaAttr>())
        if (failed(use(launch, extent)))
          return failure();
    for (Value result : results)
      if (failed(write(launch, result)))
        return failure();
    return success();
  }

  LogicalResult execute(GraphCallOp call) {
    for (FormulaAttr count : {call.getDstNodesAttr(), call.getSrcNodesAttr(), call.getEdgesAttr()})
      if (failed(use(call, count)))
        return failure();
    for (Value input : call.getInputs())
      if (failed(read(call, input)))
        return failure();
    for (auto name : call.getSymbols().getAsRange<StringAttr>()) {
      auto *declared = symbols.find(name.getValue());
      if (declared == symbols.end() ||
          declared->second.op.getSource() != SymbolSource::Prepare) // C5
        return call.emitOpError() << "sets '" << name.getValue()
                                  << "', which is not declared as a symbol of prepare";
      if (std::exchange(declared->second.known, true))
        return call.emitOpError() << "sets symbol '" << name.getValue() << "' a second time";
    }
    for (Value output : call.getOutputs())
      if (failed(write(call, output)))
        return failure();
    return success();
  }

  /// C5: the value must be there when the command runs.
  LogicalResult use(Operation *op, FormulaAttr formula) {
    if (failed(check(op, formula, false)))
      return failure();
    for (const FormulaTerm &term : formula.getTerms())
      if (!symbols.find(term.symbol.getValue())->second.known)
        return op->emitOpError() << "uses symbol '" << term.symbol.getValue()
                                 << "' before a graph call sets it";
    return success();
  }

  LogicalResult read(Operation *op, Value value) {
    BufferOp buffer = bufferOf(value);
    if (buffer.getKind() == BufferKind::Input && !forward) // C8
      return op->emitOpError() << "reads input '" << buffer.getName()
                               << "' in prepare, which runs before inputs are there";
    if (buffer.isWritable() && !buffer.getZeroed() && !written.contains(buffer)) // C7
      return op->emitOpError() << "reads " << stringifyBufferKind(buffer.getKind()) << " '"
                               << buffer.getName() << "' before a command writes it";
    return touch(op, buffer);
  }

  LogicalResult write(Operation *op, Value value) {
    BufferOp buffer = bufferOf(value);
    if (!buffer.isWritable()) // C6
      return op->emitOpError() << "writes " << stringifyBufferKind(buffer.getKind()) << " '"
                               << buffer.getName() << "', which belongs to the caller";
    if (buffer.getKind() == BufferKind::Output && !forward) // C8
      return op->emitOpError() << "writes output '" << buffer.getName()
                               << "' in prepare; outputs are passed to forward";
    if (buffer.getKind() == BufferKind::Persistent && forward) // C8
      return op->emitOpError() << "writes persistent '" << buffer.getName()
                               << "' in forward, which only reads what prepare made";
    written.insert(buffer);
    return touch(op, buffer);
  }

  /// C8: prepare's arena is gone when forward runs.
  LogicalResult touch(Operation *op, BufferOp buffer) {
    if (buffer.getKind() != BufferKind::Transient)
      return success();
    Operation *part = forward ? forward : prepare;
    Operation *first = partOf.try_emplace(buffer, part).first->second;
    if (first != part)
      return op->emitOpError() << "uses transient '" << buffer.getName()
                               << "' of prepare in forward; it must be persistent";
    return success();
  }

  ProgramOp program;
  llvm::MapVector<StringRef, DeclaredSymbol> symbols;
  llvm::MapVector<StringRef, BufferOp> buffers;
  llvm::DenseSet<Operation *> written;
  llvm::DenseMap<Operation *, Operation *> partOf;
  Operation *prepare = nullptr, *forward = nullptr;
};

} // namespace

// C10
LogicalResult ProgramOp::verify() {
  if (!llvm::is_contained(
          {"default", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune"}, getMode()))
    return emitOpError("mode is default, reduce-overhead, max-autotune-no-cudagraphs or "
                       "max-autotune, found '")
           << getMode() << "'";
  if (!llvm::is_contained({"true", "false", "auto"}, getDynamic()))
    return emitOpError("dynamic is true, false or auto, found '") << getDynamic() << "'";
  return success();
}

LogicalResult ProgramOp::verifyRegions() { return ProgramVerifier(*this).run(); }
