//===- ExportPlan.cpp - A gnn_plan.program as the artefact's plan ---------===//
//
// In: gnn_plan ops, names and SSA values. Out: structs of runtime/format with
// indices in their place. Nothing is decided here: the dialect mirrors the schema.
//
//===----------------------------------------------------------------------===//
#include "lib/Codegen/ExportPlan.h"

using namespace mlir;
using namespace gnnc;

namespace {

class Exporter {
public:
  Exporter(plan::ProgramOp program, format::Plan &out) : program(program), out(out) {}

  LogicalResult run() {
    out = {};
    out.producer = "gnnc " GNNC_VERSION;
    out.program = program.getSymName();
    out.target = stringifyTargetKind(program.getTarget().getKind()).str();
    out.chip = program.getTarget().getChip();
    out.mode = program.getMode();
    out.dynamic = program.getDynamic();
    // The host's kernels take any aligned element; those of a GPU load 16 bytes at once.
    out.ioAlignment = program.getTarget().getKind() == gnn::TargetKind::Cuda ? 16 : 1;
    Block &body = program.getBody().front();
    // Names first: a bound may use any symbol of the graph.
    for (plan::SymbolOp symbol : body.getOps<plan::SymbolOp>())
      symbols[symbol.getNameAttr()] = symbols.size();
    for (plan::SymbolOp symbol : body.getOps<plan::SymbolOp>())
      out.symbols.push_back({symbol.getName().str(), convert(symbol.getSource()),
                             formula(symbol.getBoundAttr()),
                             symbol.getTensor().value_or("").str()});
    for (plan::BufferOp buffer : body.getOps<plan::BufferOp>())
      if (failed(add(buffer)))
        return failure();
    for (plan::GuardOp guard : body.getOps<plan::GuardOp>())
      out.guards.push_back({stringifyGuardKind(guard.getKind()).str(),
                            formula(guard.getValueAttr()), static_cast<int64_t>(guard.getLimit()),
                            guard.getWhat().str()});
    if (plan::PrepareOp prepare = program.getPrepare()) {
      out.prepare = commands(prepare.getBody().front());
      out.prepareArenaBytes = formula(prepare.getArenaAttr());
    }
    plan::ForwardOp forward = program.getForward();
    out.forward = commands(forward.getBody().front());
    out.arenaBytes = formula(forward.getArenaAttr());
    return success();
  }

private:
  static format::Symbol::Source convert(plan::SymbolSource source) {
    switch (source) {
    case plan::SymbolSource::GraphDst:
      return format::Symbol::Source::GraphDst;
    case plan::SymbolSource::GraphSrc:
      return format::Symbol::Source::GraphSrc;
    case plan::SymbolSource::GraphEdges:
      return format::Symbol::Source::GraphEdges;
    case plan::SymbolSource::Prepare:
      return format::Symbol::Source::Prepare;
    case plan::SymbolSource::IndexRows:
      return format::Symbol::Source::IndexRows;
    case plan::SymbolSource::IndexSegments:
      return format::Symbol::Source::IndexSegments;
    case plan::SymbolSource::IndexEnd:
      return format::Symbol::Source::IndexEnd;
    }
    llvm_unreachable("unknown source");
  }

  static format::Buffer::Kind convert(plan::BufferKind kind) {
    switch (kind) {
    case plan::BufferKind::Input:
      return format::Buffer::Kind::Input;
    case plan::BufferKind::Output:
      return format::Buffer::Kind::Output;
    case plan::BufferKind::Weight:
      return format::Buffer::Kind::Weight;
    case plan::BufferKind::GraphIndex:
      return format::Buffer::Kind::GraphIndex;
    case plan::BufferKind::GraphData:
      return format::Buffer::Kind::GraphData;
    case plan::BufferKind::Persistent:
      return format::Buffer::Kind::Persistent;
    case plan::BufferKind::Transient:
      return format::Buffer::Kind::Transient;
    }
    llvm_unreachable("unknown kind");
  }

  static format::DType convert(Type type) {
    if (type.isF32())
      return format::DType::F32;
    if (type.isF64())
      return format::DType::F64;
    if (type.isF16())
      return format::DType::F16;
    if (type.isBF16())
      return format::DType::BF16;
    if (type.isInteger(32))
      return format::DType::I32;
    if (type.isInteger(64))
      return format::DType::I64;
    return format::DType::U8; // i8, the only one left (Plan_ElementType)
  }

  format::Formula formula(const plan::Formula &formula) {
    format::Formula result;
    result.constant = formula.constant();
    for (const plan::FormulaTerm &term : formula.terms())
      result.terms.push_back(
          {symbols.lookup(term.symbol), term.factor, term.divisor, term.scale, term.offset});
    return result;
  }
  /// Zero for what is absent.
  format::Formula formula(plan::FormulaAttr attr) {
    return attr ? formula(plan::Formula(attr)) : format::Formula();
  }
  std::vector<format::Formula> formulas(ArrayAttr list) {
    std::vector<format::Formula> result;
    for (auto item : list.getAsRange<plan::FormulaAttr>())
      result.push_back(formula(item));
    return result;
  }

  LogicalResult add(plan::BufferOp buffer) {
    if (buffer.getKind() == plan::BufferKind::Transient && !buffer.getOffsetAttr() &&
        !buffer.getResult().use_empty())
      return buffer.emitError() << "transient '" << buffer.getName()
                                << "' has no place in the arena; run gnn-plan-memory first";
    buffers[buffer.getResult()] = out.buffers.size();
    out.buffers.push_back({buffer.getName().str(), convert(buffer.getKind()),
                           convert(buffer.getDtype()), formulas(buffer.getShape()),
                           formula(buffer.getOffsetAttr()), buffer.getZeroed()});
    return success();
  }

  int index(Value buffer) { return buffer ? buffers.lookup(buffer) : -1; }
  std::vector<int> indices(ValueRange values) {
    std::vector<int> result;
    for (Value value : values)
      result.push_back(index(value));
    return result;
  }

  std::vector<format::Command> commands(Block &block) {
    std::vector<format::Command> result;
    for (Operation &op : block) {
      format::Command command;
      if (auto launch = dyn_cast<plan::LaunchOp>(op)) {
        command.kind = format::Command::Kind::Launch;
        command.launch = convert(launch);
      } else if (auto gemm = dyn_cast<plan::GemmOp>(op)) {
        command.kind = format::Command::Kind::Gemm;
        command.gemm = convert(gemm);
      } else {
        command.kind = format::Command::Kind::GraphCall;
        command.call = convert(cast<plan::GraphCallOp>(op));
      }
      result.push_back(std::move(command));
    }
    return result;
  }

  format::Launch convert(plan::LaunchOp launch) {
    format::Launch result;
    result.kernel = launch.getKernel();
    launch.forEachArgument(
        [&](Value buffer, bool) { result.arguments.push_back({index(buffer), {}}); },
        [&](plan::FormulaAttr value) { result.arguments.push_back({-1, formula(value)}); });
    if (launch.getGridAttr())
      result.grid = formulas(launch.getGridAttr());
    result.block = launch.getBlock().value_or(0);
    result.sharedBytes = launch.getShared().value_or(0);
    result.items = formula(launch.getItemsAttr());
    result.rowPointer = index(launch.getBalance());
    result.bytes = formula(launch.getBytesAttr());
    result.flops = formula(launch.getFlopsAttr());
    return result;
  }

  format::Gemm convert(plan::GemmOp gemm) {
    format::Gemm result;
    result.a = index(gemm.getA());
    result.b = index(gemm.getB());
    result.c = index(gemm.getC());
    result.bias = index(gemm.getBias());
    result.residual = index(gemm.getResidual());
    result.m = formula(plan::bufferOf(gemm.getC()).extent(0));
    result.n = *plan::bufferOf(gemm.getC()).columns();
    result.heads = static_cast<int64_t>(gemm.getHeads());
    result.headsBeside = gemm.getBeside();
    result.k = *plan::bufferOf(gemm.getA()).columns() / result.heads;
    result.transposeB = gemm.getTransposeB();
    result.activation = stringifyActivation(gemm.getActivation()).str();
    result.precision = stringifyPrecision(gemm.getPrecision()).str();
    return result;
  }

  format::GraphCall convert(plan::GraphCallOp call) {
    format::GraphCall result;
    result.callee = stringifyGraphCallee(call.getCallee()).str();
    result.inputs = indices(call.getInputs());
    result.outputs = indices(call.getOutputs());
    for (auto symbol : call.getSymbols().getAsRange<StringAttr>())
      result.symbols.push_back(symbols.lookup(symbol));
    result.dstNodes = formula(call.getDstNodesAttr());
    result.srcNodes = formula(call.getSrcNodesAttr());
    result.edges = formula(call.getEdgesAttr());
    if (std::optional<APFloat> fill = call.getFill())
      result.fill = fill->convertToDouble();
    result.chunk = call.getChunk().value_or(0);
    result.order = call.getOrder().value_or("").str();
    result.form = call.getForm().value_or("").str();
    llvm::append_range(result.offsets, call.getOffsets().value_or(ArrayRef<int64_t>()));
    llvm::append_range(result.sizes, call.getSizes().value_or(ArrayRef<int64_t>()));
    return result;
  }

  plan::ProgramOp program;
  format::Plan &out;
  DenseMap<StringAttr, int> symbols;
  DenseMap<Value, int> buffers;
};

} // namespace

LogicalResult gnnc::exportPlan(plan::ProgramOp program, format::Plan &out) {
  return Exporter(program, out).run();
}
