//===- Explanation.cpp - Where each op went, from the plan's locations ----===//
//
// 1. Each command of the plan is a kernel; its location names the ops it computes.
// 2. Bytes and operations are the plan's formulas; least bytes count each buffer
//    of a command once.
// 3. A reason belongs to the kernel that holds every op its remark's location names:
//    an op that several kernels repeat does not mix up their reasons.
//
//===----------------------------------------------------------------------===//
#include "lib/Explain/Explanation.h"

#include <algorithm>
#include <map>

using namespace mlir;
using namespace gnnc::explain;
using namespace gnnc::plan;

void ReasonCollector::streamOptimizationRemark(const remark::detail::Remark &remark) {
  StoredTensor stored;
  for (const remark::detail::Remark::Arg &arg : remark.getArgs()) {
    if (arg.key == "Tensor")
      stored.tensor = arg.val;
    else if (arg.key == "Stored")
      stored.element = arg.val;
    else if (arg.key == "Reason")
      stored.why = arg.val;
  }
  if (!stored.tensor.empty())
    remarks.stored.push_back(std::move(stored));
  else if (!stored.why.empty())
    remarks.reasons.push_back(
        {remark.getCategoryName().str(), stored.why, sourceOpsAt(remark.getLocation())});
}

LogicalResult ReasonCollector::listen(MLIRContext &context, Remarks &remarks) {
  remark::RemarkCategories categories;
  categories.missed = "gnn-.*"; // all that reportMissed sends
  categories.passed = "gnn-.*"; // and what reportStored sends of narrow tensors
  return remark::enableOptimizationRemarks(context, std::make_unique<ReasonCollector>(remarks),
                                           std::make_unique<remark::RemarkEmittingPolicyAll>(),
                                           categories);
}

const char *gnnc::explain::nameOf(Fate fate) {
  switch (fate) {
  case Fate::Fused:
    return "fused";
  case Fate::Alone:
    return "alone";
  case Fate::Runtime:
    return "runtime";
  case Fate::Free:
    return "free";
  case Fate::Folded:
    return "folded";
  case Fate::Unread:
    return "unread";
  }
  llvm_unreachable("unknown fate");
}

namespace {

/// Remarks of folding say what became of an op, not why a kernel ends.
constexpr StringLiteral kFolding = "gnn-clean-up";

class Explainer {
public:
  Explainer(ProgramOp program, const std::vector<SourceOp> &sources,
            const std::vector<Reason> &reasons, const Counts &counts)
      : program(program), sources(sources), reasons(reasons), counts(counts) {}

  Explanation run(std::optional<Limits> limits);

private:
  void addSymbols();
  void addMemory();
  void addCommands(Block &commands, StringRef phase);
  void add(LaunchOp launch, Kernel &kernel);
  void add(GemmOp gemm, Kernel &kernel);
  void add(GraphCallOp call, Kernel &kernel);
  void addOps();
  void explainWithoutKernel(OpFate &op, unsigned number);
  std::optional<int64_t> valueOf(SymbolOp symbol);
  Quantity quantity(const Formula &formula) { return {formula, evaluate(formula)}; }
  std::optional<int64_t> evaluate(const Formula &formula);
  std::vector<Reason> reasonsOf(const std::vector<unsigned> &ops);

  ProgramOp program;
  const std::vector<SourceOp> &sources;
  const std::vector<Reason> &reasons;
  const Counts &counts;
  Explanation out;
  std::map<std::string, int64_t> known;
};

} // namespace

/// Nothing when a symbol is not known or a product does not fit.
std::optional<int64_t> Explainer::evaluate(const Formula &formula) {
  int64_t sum = formula.constant();
  for (const FormulaTerm &term : formula.terms()) {
    auto symbol = known.find(term.symbol.str());
    int64_t value = 0;
    if (symbol == known.end() || __builtin_mul_overflow(term.scale, symbol->second, &value) ||
        __builtin_add_overflow(value, term.offset, &value) ||
        __builtin_mul_overflow(llvm::divideFloorSigned(value, term.divisor), term.factor, &value) ||
        __builtin_add_overflow(sum, value, &sum))
      return std::nullopt;
  }
  return sum;
}

std::optional<int64_t> Explainer::valueOf(SymbolOp symbol) {
  switch (symbol.getSource()) {
  case SymbolSource::GraphDst:
    return counts.dst;
  case SymbolSource::GraphSrc:
    return counts.src;
  case SymbolSource::GraphEdges:
    return counts.edges;
  case SymbolSource::IndexRows:
  case SymbolSource::IndexSegments:
  case SymbolSource::IndexEnd:
    return std::nullopt;
  case SymbolSource::Prepare:
    break;
  }
  // Loops of the bound graph are known from its file; other counts have a bound.
  if (PrepareOp prepare = program.getPrepare(); prepare && counts.loopEdges && counts.edges)
    for (auto call : prepare.getBody().front().getOps<GraphCallOp>()) {
      bool sets = llvm::is_contained(call.getSymbols().getValue(), Attribute(symbol.getNameAttr()));
      if (!sets || bufferOf(call.getInputs()[0]).getKind() != BufferKind::GraphIndex)
        continue;
      if (call.getCallee() == GraphCallee::RemoveSelfLoops)
        return *counts.edges - *counts.loopEdges;
      if (call.getCallee() == GraphCallee::AddSelfLoops)
        if (auto nodes = evaluate(Formula(call.getDstNodesAttr())))
          return *counts.edges - *counts.loopEdges + *nodes;
    }
  return symbol.getBoundAttr() ? evaluate(Formula(symbol.getBoundAttr())) : std::nullopt;
}

void Explainer::addSymbols() {
  for (auto symbol : program.getBody().front().getOps<SymbolOp>()) {
    std::string name = symbol.getName().str(), meaning;
    switch (symbol.getSource()) {
    case SymbolSource::GraphDst:
      meaning = "N, destination nodes";
      break;
    case SymbolSource::GraphSrc:
      meaning = "M, source nodes";
      break;
    case SymbolSource::GraphEdges:
      meaning = "E, edges";
      break;
    case SymbolSource::IndexRows:
      meaning = "rows of '" + symbol.getTensor()->str() + "'";
      break;
    case SymbolSource::IndexSegments:
      meaning = "segments of the row pointer '" + symbol.getTensor()->str() + "'";
      break;
    case SymbolSource::IndexEnd:
      meaning = "where the row pointer '" + symbol.getTensor()->str() + "' ends";
      break;
    case SymbolSource::Prepare:
      meaning = "found by prepare, at most " + Formula(symbol.getBoundAttr()).text();
      break;
    }
    out.symbols.emplace_back(name, meaning);
    if (auto value = valueOf(symbol)) {
      known[name] = *value;
      out.values.emplace_back(name, *value);
    }
  }
}

std::vector<Reason> Explainer::reasonsOf(const std::vector<unsigned> &ops) {
  std::vector<Reason> found;
  // Later passes know more: last first, each sentence once.
  for (const Reason &reason : llvm::reverse(reasons)) {
    bool isNew = llvm::none_of(found, [&](const Reason &other) {
      return other.pass == reason.pass && other.text == reason.text;
    });
    if (reason.pass != kFolding && isNew && !reason.ops.empty() && llvm::includes(ops, reason.ops))
      found.push_back(reason);
  }
  return found;
}

void Explainer::add(LaunchOp launch, Kernel &kernel) {
  StringRef name = launch.getKernel();
  kernel.name = name.str();
  kernel.kind = !launch.getFlops() ? "merge" : name.starts_with("agg") ? "aggregate" : "map";
  if (Attribute schedule = launch.getScheduleAttr())
    llvm::raw_string_ostream(kernel.schedule) << schedule;
  Formula least, written;
  DenseSet<Value> counted;
  launch.forEachArgument(
      [&](Value buffer, bool isWritten) {
        if (!counted.insert(buffer).second)
          return;
        least += bufferOf(buffer).bytes();
        if (isWritten)
          written += bufferOf(buffer).bytes();
      },
      [](FormulaAttr) {});
  kernel.least = quantity(least);
  kernel.written = quantity(written);
  Formula all = launch.getBytesAttr() ? Formula(launch.getBytesAttr()) : least;
  kernel.read = quantity(all - written);
  kernel.flops = quantity(launch.getFlopsAttr() ? Formula(launch.getFlopsAttr()) : Formula());
}

void Explainer::add(GemmOp gemm, Kernel &kernel) {
  BufferOp a = bufferOf(gemm.getA()), c = bufferOf(gemm.getC());
  kernel.name = c.getName().str();
  kernel.kind = "gemm";
  kernel.precision = stringifyPrecision(gemm.getPrecision()).str();
  kernel.schedule = "of the library, precision " + kernel.precision;
  Formula read = a.bytes() + bufferOf(gemm.getB()).bytes();
  if (Value bias = gemm.getBias())
    read += bufferOf(bias).bytes();
  if (Value residual = gemm.getResidual())
    read += bufferOf(residual).bytes();
  kernel.read = quantity(read);
  kernel.written = quantity(c.bytes());
  kernel.least = quantity(read + c.bytes());
  // Widths are static: the weight has them.
  int64_t depth = *a.columns() / static_cast<int64_t>(gemm.getHeads());
  kernel.flops = quantity(c.extent(0) * (2 * depth * *c.columns()));
}

void Explainer::add(GraphCallOp call, Kernel &kernel) {
  kernel.name = stringifyGraphCallee(call.getCallee()).str();
  kernel.kind = "graph";
  kernel.schedule = "of the runtime";
  Formula read, written;
  for (Value buffer : call.getInputs())
    read += bufferOf(buffer).bytes();
  for (Value buffer : call.getOutputs())
    written += bufferOf(buffer).bytes();
  kernel.read = quantity(read);
  kernel.written = quantity(written);
  kernel.least = quantity(read + written);
  kernel.flops = quantity(Formula());
  // Cut once for all kernels with one schedule; it computes none of their ops.
  if (call.getCallee() == GraphCallee::PartitionRows)
    kernel.ops.clear();
}

void Explainer::addCommands(Block &commands, StringRef phase) {
  for (Operation &command : commands) {
    Kernel kernel;
    kernel.phase = phase.str();
    kernel.ops = sourceOpsAt(command.getLoc());
    TypeSwitch<Operation *>(&command).Case<LaunchOp, GemmOp, GraphCallOp>(
        [&](auto op) { add(op, kernel); });
    bool runsOnRuntime = kernel.kind == "graph";
    auto total = evaluate(kernel.read.formula + kernel.written.formula);
    // A merge touches rows that were split, which no formula counts.
    bool isCounted = !runsOnRuntime && kernel.kind != "merge";
    if (out.limits && isCounted && total && kernel.least.value && kernel.flops.value)
      kernel.bound = boundOf(out.limits->withProducts(kernel.precision), *total,
                             *kernel.least.value, *kernel.flops.value);
    if (isCounted)
      kernel.ends = reasonsOf(kernel.ops);
    out.kernels.push_back(std::move(kernel));
  }
}

void Explainer::addMemory() {
  Formula weights, graph, ports, arenas[2];
  for (auto buffer : program.getBody().front().getOps<BufferOp>()) {
    BufferKind kind = buffer.getKind();
    if (kind == BufferKind::Weight)
      weights += buffer.bytes();
    else if (kind == BufferKind::Persistent)
      graph += buffer.bytes();
    else if (kind == BufferKind::Input || kind == BufferKind::Output)
      ports += buffer.bytes();
  }
  if (PrepareOp prepare = program.getPrepare(); prepare && prepare.getArenaAttr())
    arenas[0] = Formula(prepare.getArenaAttr());
  if (FormulaAttr arena = program.getForward().getArenaAttr())
    arenas[1] = Formula(arena);
  out.memory = {{"weights", quantity(weights)},
                {"graph", quantity(graph)},
                {"prepare", quantity(arenas[0])},
                {"forward", quantity(arenas[1])},
                {"in and out", quantity(ports)}};
}

/// Fate and reason of an op that no kernel computes.
void Explainer::explainWithoutKernel(OpFate &op, unsigned number) {
  auto because = [&](Fate fate, StringRef text) {
    op.fate = fate;
    op.reasons.push_back({"", text.str(), {number}});
  };
  const SourceOp &source = op.source;
  if (!op.kernels.empty())
    return because(Fate::Runtime, "an algorithm of the runtime, run once when a graph is bound");
  if (source.isDead)
    return because(Fate::Unread, "no result of the program depends on it");
  if (source.name == "gnn.transpose")
    return because(Fate::Free, "names the two ends of the edges the other way round");
  if (!source.isWork)
    return because(Fate::Free, "a size, a constant, or copies of one row: repeated where it is "
                               "read, never stored");
  for (const Reason &reason : reasons)
    if (reason.pass == kFolding && llvm::is_contained(reason.ops, number)) {
      op.fate = Fate::Folded;
      op.reasons = {reason};
      return;
    }
  because(Fate::Folded, "a pass replaced it by ops that are there anyway");
}

void Explainer::addOps() {
  auto numWork = [&](const Kernel &kernel) {
    return llvm::count_if(kernel.ops, [&](unsigned op) { return sources[op].isWork; });
  };
  for (auto [index, source] : llvm::enumerate(sources)) {
    unsigned number = index;
    OpFate op{source, Fate::Alone, {}, {}};
    bool hasKernel = false;
    for (auto [k, kernel] : llvm::enumerate(out.kernels)) {
      if (!llvm::is_contained(kernel.ops, number))
        continue;
      op.kernels.push_back(k);
      hasKernel |= kernel.kind != "graph";
      if (kernel.kind != "graph" && (!source.isWork || numWork(kernel) > 1))
        op.fate = Fate::Fused;
    }
    if (!hasKernel) {
      explainWithoutKernel(op, number);
    } else if (op.fate == Fate::Alone) {
      for (unsigned k : op.kernels)
        llvm::append_range(op.reasons, out.kernels[k].ends);
      if (op.reasons.empty())
        op.reasons.push_back({"",
                              "no pass has a rule that joins it with what it reads or with "
                              "what reads it",
                              {number}});
    }
    out.ops.push_back(std::move(op));
  }
}

Explanation Explainer::run(std::optional<Limits> limits) {
  out.program = program.getSymName().str();
  out.target = gnnc::gnn::stringifyTargetKind(program.getTarget().getKind()).str();
  out.chip = program.getTarget().getChip().str();
  out.mode = program.getMode().str();
  out.limits = std::move(limits);
  addSymbols();
  if (PrepareOp prepare = program.getPrepare())
    addCommands(prepare.getBody().front(), "prepare");
  addCommands(program.getForward().getBody().front(), "forward");
  addOps();
  addMemory();
  return std::move(out);
}

Explanation gnnc::explain::explainPlan(ProgramOp program, const std::vector<SourceOp> &sources,
                                       const Remarks &remarks, const Counts &counts,
                                       std::optional<Limits> limits) {
  Explanation explanation =
      Explainer(program, sources, remarks.reasons, counts).run(std::move(limits));
  explanation.stored = remarks.stored;
  return explanation;
}
