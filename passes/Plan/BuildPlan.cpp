//===- BuildPlan.cpp - Turn prepare and forward into a plan ---------------===//
//
// In: @prepare (optional) and @forward that hold calls of kernel functions and
// graph ops. Out: one gnn_plan.program.
//
// 1. Extents: which count each `?` is (Extents.h).
// 2. Signature: public buffers from argument and result attributes. An argument
//    that is a result of prepare is the very buffer that prepare fills.
// 3. Each op in order: results get buffers, the op becomes commands. A graph is
//    two buffers: src and dst, or row pointer and col.
// 4. Buffers that both parts use become persistent; guards.
//
//===----------------------------------------------------------------------===//
#include "passes/Kernel/KernelAbi.h"
#include "passes/Plan/Extents.h"
#include "passes/Plan/GemmKernel.h"
#include "passes/Plan/KernelCost.h"
#include "passes/Plan/Passes.h"
#include "passes/Plan/PlanBuilder.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::plan;
using gnn::GnnGraphType;

namespace gnnc {
#define GEN_PASS_DEF_GNNBUILDPLANPASS
#include "passes/Plan/Passes.h.inc"
} // namespace gnnc

namespace {

/// A graph as two index buffers: src and dst (coo), row pointer and col (csr).
struct GraphBuffers {
  Value first, second;
};

/// Work items of one graph for one (chunk, order).
struct Partition {
  Value items, splits;
  StringAttr numItems, numSplits, numSlots;
};

class BuildPlan {
public:
  BuildPlan(ModuleOp module, gnn::TargetAttr target, StringRef mode, StringRef dynamic)
      : module(module), target(target),
        builder(module, module.getSymName().value_or("program"), target, mode, dynamic) {}

  LogicalResult run(func::FuncOp prepare, func::FuncOp forward);
  unsigned numLaunches = 0, numGemms = 0, numPartitions = 0;

private:
  LogicalResult declareSymbols(func::FuncOp forward, func::FuncOp prepare);
  LogicalResult reserveNames(func::FuncOp function);
  LogicalResult bindArguments(func::FuncOp function);
  LogicalResult bindArgument(func::FuncOp function, BlockArgument argument);
  LogicalResult bindOutputs(func::FuncOp forward);
  LogicalResult emit(Operation *op);
  LogicalResult emit(gnn::AddSelfLoopsOp op);
  LogicalResult emit(gnn::ToCsrOp op);
  LogicalResult emit(func::CallOp call);
  LogicalResult emitGemm(func::CallOp call, func::FuncOp kernel);
  LogicalResult emitLaunches(func::CallOp call, func::FuncOp kernel);
  FailureOr<Value> publicBuffer(func::FuncOp function, BlockArgument argument, BufferKind kind,
                                StringRef name);
  FailureOr<SmallVector<Formula>> shapeOf(Operation *op, Value tensor);
  FailureOr<Value> resultBuffer(Operation *op, Value tensor, const Twine &name);
  GraphBuffers graphResult(Operation *op, Value graph, StringRef name);
  FailureOr<Partition> partitionOf(func::CallOp call, Value graph, gnn::GpuScheduleAttr schedule);
  LogicalResult addGuards(Location loc);
  Formula extent(Value value, unsigned dim) { return extents.get(value, dim).value_or(Formula()); }
  /// Bound over symbols of the graph.
  Formula bounded(const Formula &formula);

  ModuleOp module;
  gnn::TargetAttr target;
  PlanBuilder builder;
  Extents extents;
  DenseMap<Value, Value> buffers;
  DenseMap<Value, GraphBuffers> graphs;
  llvm::StringMap<std::pair<Value, Type>> publicBuffers;
  DenseMap<StringAttr, Formula> bounds;
  std::map<std::tuple<void *, int64_t, int>, Partition> partitions;
  /// Graphs with 32-bit row pointers: their counts must fit.
  SmallVector<Value> narrowGraphs;
  SmallVector<Operation *> erased;
};

LogicalResult BuildPlan::run(func::FuncOp prepare, func::FuncOp forward) {
  if (failed(extents.analyze(prepare, forward)) || failed(declareSymbols(forward, prepare)))
    return failure();
  for (func::FuncOp function : {prepare, forward})
    if (function && failed(reserveNames(function)))
      return failure();
  if (prepare) {
    if (failed(bindArguments(prepare)))
      return failure();
    builder.enterPrepare(prepare.getLoc());
    for (Operation &op : prepare.front().without_terminator())
      if (failed(emit(&op)))
        return failure();
    // The same values under the names they have in forward.
    for (BlockArgument argument : forward.getArguments()) {
      auto number =
          forward.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), gnn::kPreparedAttr);
      if (!number)
        continue;
      Value made = prepare.front().getTerminator()->getOperand(number.getInt());
      if (isa<GnnGraphType>(made.getType()))
        graphs[argument] = graphs.lookup(made);
      else
        buffers[argument] = buffers.lookup(made);
    }
  }
  if (failed(bindArguments(forward)) || failed(bindOutputs(forward)))
    return failure();
  builder.enterForward(forward.getLoc());
  for (Operation &op : forward.front().without_terminator())
    if (failed(emit(&op)))
      return failure();
  builder.keepWhatForwardUses();
  if (failed(addGuards(forward.getLoc())))
    return failure();
  for (Operation *op : erased)
    op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Symbols, arguments, results, guards
//===----------------------------------------------------------------------===//

LogicalResult BuildPlan::declareSymbols(func::FuncOp forward, func::FuncOp prepare) {
  Location loc = forward.getLoc();
  builder.addSymbol(loc, "n", SymbolSource::GraphDst);
  builder.addSymbol(loc, "m", SymbolSource::GraphSrc);
  builder.addSymbol(loc, "e", SymbolSource::GraphEdges);
  for (const Extents::LoopedEdges &looped : extents.loopedEdges()) {
    auto op = looped.graph.getDefiningOp<gnn::AddSelfLoopsOp>();
    // Loops that are there are replaced, so this is an upper bound.
    Formula bound =
        bounded(extent(op.getGraph(), Extents::Edges) + extent(op.getGraph(), Extents::Dst));
    bounds[looped.symbol] = bound;
    builder.addSymbol(op.getLoc(), looped.symbol.getValue(), SymbolSource::Prepare, bound);
  }
  return success();
}

Formula BuildPlan::bounded(const Formula &formula) {
  return formula.bounded([&](StringAttr symbol) -> std::optional<Formula> {
    auto found = bounds.find(symbol);
    return found == bounds.end() ? std::nullopt : std::optional(found->second);
  });
}

/// What the caller passes by name; nothing else may be called so.
LogicalResult BuildPlan::reserveNames(func::FuncOp function) {
  for (StringRef name : {"src", "dst"})
    (void)builder.reserve(name);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (StringRef attr : {gnn::kInputAttr, gnn::kWeightAttr, gnn::kGraphDataAttr})
      if (auto name = function.getArgAttrOfType<StringAttr>(i, attr))
        (void)builder.reserve(name);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (auto name = function.getResultAttrOfType<StringAttr>(i, gnn::kOutputAttr))
      (void)builder.reserve(name);
  return success();
}

LogicalResult BuildPlan::bindArguments(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    if (failed(bindArgument(function, argument)))
      return failure();
  return success();
}

LogicalResult BuildPlan::bindArgument(func::FuncOp function, BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  if (function.getArgAttr(number, gnn::kPreparedAttr))
    return success(); // bound by run()
  if (auto graph = dyn_cast<GnnGraphType>(argument.getType())) {
    if (graph.isCsr())
      return function.emitError() << "argument " << number << " is a csr graph (" << graph
                                  << "); a program takes its edge list, a coo graph";
    for (BlockArgument other : function.getArguments().take_front(number))
      if (isa<GnnGraphType>(other.getType()) &&
          !function.getArgAttr(other.getArgNumber(), gnn::kPreparedAttr))
        return function.emitError()
               << "argument " << number << " is a second graph (" << graph << "); a plan has one";
    Formula edges = extent(argument, Extents::Edges);
    GraphBuffers &arrays = graphs[argument];
    for (auto [name, value] : {std::pair("src", &arrays.first), {"dst", &arrays.second}}) {
      auto &[known, type] = publicBuffers[name];
      if (known && type != graph)
        return function.emitError() << "argument " << number << " is the graph " << graph
                                    << ", in @prepare it is " << type;
      if (!known) {
        known = builder.addNamedBuffer(argument.getLoc(), BufferKind::GraphIndex, name,
                                       graph.getIndex(), {edges});
        type = graph;
      }
      *value = known;
    }
    return success();
  }
  for (auto [attr, kind] : {std::pair(gnn::kInputAttr, BufferKind::Input),
                            {gnn::kWeightAttr, BufferKind::Weight},
                            {gnn::kGraphDataAttr, BufferKind::GraphData}})
    if (auto name = function.getArgAttrOfType<StringAttr>(number, attr)) {
      FailureOr<Value> buffer = publicBuffer(function, argument, kind, name);
      if (succeeded(buffer))
        buffers[argument] = *buffer;
      return buffer;
    }
  return function.emitError() << "argument " << number << " (" << argument.getType()
                              << ") says not where it comes from; it needs gnn.input, gnn.weight, "
                                 "gnn.graph_data or gnn.prepared";
}

FailureOr<Value> BuildPlan::publicBuffer(func::FuncOp function, BlockArgument argument,
                                         BufferKind kind, StringRef name) {
  auto &[known, type] = publicBuffers[name];
  if (known) {
    if (bufferOf(known).getKind() != kind || type != argument.getType())
      return function.emitError() << "'" << name << "' is " << stringifyBufferKind(kind) << " "
                                  << argument.getType() << " here and "
                                  << stringifyBufferKind(bufferOf(known).getKind()) << " " << type
                                  << " elsewhere";
    return known;
  }
  FailureOr<SmallVector<Formula>> shape = shapeOf(function, argument);
  if (failed(shape))
    return failure();
  type = argument.getType();
  return known = builder.addNamedBuffer(argument.getLoc(), kind, name,
                                        cast<RankedTensorType>(type).getElementType(), *shape);
}

LogicalResult BuildPlan::bindOutputs(func::FuncOp forward) {
  for (auto [number, value] : llvm::enumerate(forward.front().getTerminator()->getOperands())) {
    auto name = forward.getResultAttrOfType<StringAttr>(number, gnn::kOutputAttr);
    auto wrong = [&]() -> InFlightDiagnostic {
      InFlightDiagnostic error = forward.emitError() << "result " << number;
      if (name)
        error << " ('" << name.getValue() << "')";
      error << " ";
      return error;
    };
    if (!name)
      return wrong() << "of @forward has no gnn.output attribute that names it";
    if (!isa<RankedTensorType>(value.getType()))
      return wrong() << "is a " << value.getType() << "; outputs are tensors";
    if (auto argument = dyn_cast<BlockArgument>(value))
      return wrong() << "is argument " << argument.getArgNumber()
                     << " of @forward itself; an output is computed by a kernel, read that tensor "
                        "where it comes from";
    if (Value taken = buffers.lookup(value))
      return wrong() << "is the same value as output '" << bufferOf(taken).getName()
                     << "'; return it once";
    auto &[known, type] = publicBuffers[name];
    if (known)
      return wrong() << "has the name of an argument or of another output; names are unique";
    FailureOr<SmallVector<Formula>> shape = shapeOf(forward, value);
    if (failed(shape))
      return failure();
    type = value.getType();
    buffers[value] = known =
        builder.addNamedBuffer(value.getLoc(), BufferKind::Output, name,
                               cast<RankedTensorType>(type).getElementType(), *shape);
  }
  return success();
}

LogicalResult BuildPlan::addGuards(Location loc) {
  for (const Extents::Equality &equality : extents.equalities()) {
    StringRef name = equality.symbol;
    StringRef what = name == "n" ? "destination nodes" : name == "m" ? "source nodes" : "edges";
    if (bounds.contains(equality.symbol))
      return emitError(loc) << "'" << name << "' must equal " << equality.other.text()
                            << ", which is not known before prepare has run";
    if (equality.other.isConstant())
      builder.addGuard(
          loc, GuardKind::Equal, Formula(equality.symbol), equality.other.constant(),
          ("the program was compiled for " + Twine(equality.other.constant()) + " " + what).str());
    else
      builder.addGuard(loc, GuardKind::Equal, Formula(equality.symbol) - equality.other, 0,
                       ("the program needs as many " + what + " as " +
                        (equality.other.asSymbol() == "n" ? "destination nodes" : "source nodes"))
                           .str());
  }
  // Row pointers and columns of 32 bits hold these counts.
  llvm::SmallVector<std::pair<Formula, std::string>> limited;
  auto limit = [&](const Formula &value, StringRef what) -> LogicalResult {
    constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
    if (value.isConstant() && value.constant() > kMax)
      return emitError(loc) << value.constant() << " " << what
                            << " do not fit 32-bit indices (at most " << kMax
                            << "); compile with 64-bit indices";
    bool known = llvm::any_of(limited, [&](auto &other) { return other.first == value; });
    if (!value.isConstant() && !known) {
      limited.emplace_back(value, what);
      builder.addGuard(loc, GuardKind::Max, value, kMax, (what + " fit 32-bit indices").str());
    }
    return success();
  };
  for (Value graph : narrowGraphs) {
    Formula edges = extent(graph, Extents::Edges);
    bool looped = edges.asSymbol() && bounds.contains(edges.asSymbol());
    if (failed(limit(extent(graph, Extents::Dst), "destination nodes")) ||
        failed(limit(extent(graph, Extents::Src), "source nodes")) ||
        failed(limit(bounded(edges), looped ? "edges with self loops" : "edges")))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers of values
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Formula>> BuildPlan::shapeOf(Operation *op, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Formula> shape;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size)) {
      shape.push_back(Formula(size));
      continue;
    }
    if (dim != 0)
      return op->emitError() << "tensor " << type << " has an unknown extent in dimension " << dim
                             << "; only rows may be symbolic";
    std::optional<Formula> rows = extents.get(tensor, Extents::Rows);
    if (!rows)
      return op->emitError()
             << "the rows of " << type << " follow from no extent of a graph"
             << (isa<BlockArgument>(tensor)
                     ? " (argument " + std::to_string(cast<BlockArgument>(tensor).getArgNumber()) +
                           ")"
                     : std::string())
             << "; make the extent static";
    shape.push_back(*rows);
  }
  return shape;
}

/// The buffer that `op` writes `tensor` to: an output's, or a new one.
FailureOr<Value> BuildPlan::resultBuffer(Operation *op, Value tensor, const Twine &name) {
  if (Value output = buffers.lookup(tensor))
    return output;
  FailureOr<SmallVector<Formula>> shape = shapeOf(op, tensor);
  if (failed(shape))
    return failure();
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  return buffers[tensor] =
             builder.addBuffer(op->getLoc(), BufferKind::Transient, name.str(), element, *shape);
}

GraphBuffers BuildPlan::graphResult(Operation *op, Value graph, StringRef name) {
  auto type = cast<GnnGraphType>(graph.getType());
  Formula edges = extent(graph, Extents::Edges);
  auto add = [&](StringRef part, const Formula &rows) {
    return builder.addBuffer(op->getLoc(), BufferKind::Transient, (name + part).str(),
                             type.getIndex(), {rows});
  };
  if (type.isCsr())
    return graphs[graph] = {add(".rowptr", extent(graph, Extents::Dst) + 1), add(".col", edges)};
  return graphs[graph] = {add(".src", edges), add(".dst", edges)};
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

LogicalResult BuildPlan::emit(Operation *op) {
  if (isa<gnn::AddSelfLoopsOp, gnn::ToCsrOp>(op) && builder.inForward())
    return op->emitError(
        "runs once per graph; run gnn-hoist-graph-invariants to move it to @prepare");
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<gnn::AddSelfLoopsOp, gnn::ToCsrOp, func::CallOp>(
          [&](auto typed) { return emit(typed); })
      .Default([](Operation *other) {
        return other->emitError(
            "cannot be planned: after gnn-form-kernels @prepare and @forward hold "
            "calls of kernels, gnn.add_self_loops and gnn.to_csr");
      });
}

static GraphCallOp createGraphCall(PlanBuilder &builder, OpBuilder commands, Location loc,
                                   GraphCallee callee, ValueRange inputs, ValueRange outputs,
                                   const Formula &dst, const Formula &src, const Formula &edges,
                                   ArrayRef<Attribute> symbols) {
  MLIRContext *context = builder.context();
  return GraphCallOp::create(commands, loc, callee, inputs, outputs, dst.attr(context),
                             src.attr(context), edges.attr(context), commands.getArrayAttr(symbols),
                             FloatAttr(), IntegerAttr(), StringAttr());
}

LogicalResult BuildPlan::emit(gnn::AddSelfLoopsOp op) {
  GraphBuffers in = graphs.lookup(op.getGraph());
  GraphBuffers out = graphResult(op, op.getLooped(), "loops");
  SmallVector<Value> inputs{in.first, in.second}, outputs{out.first, out.second};
  if (op.getWeights()) {
    FailureOr<Value> weights = resultBuffer(op, op.getLoopWeights(), "loops.weights");
    if (failed(weights))
      return failure();
    inputs.push_back(buffers.lookup(op.getWeights()));
    outputs.push_back(*weights);
  }
  StringAttr symbol;
  for (const Extents::LoopedEdges &looped : extents.loopedEdges())
    if (looped.graph == op.getLooped())
      symbol = looped.symbol;
  Value graph = op.getGraph();
  createGraphCall(builder, builder.commands(), op.getLoc(), GraphCallee::AddSelfLoops, inputs,
                  outputs, extent(graph, Extents::Dst), extent(graph, Extents::Src),
                  extent(graph, Extents::Edges), {symbol})
      .setFillAttr(op.getFillAttr());
  return success();
}

LogicalResult BuildPlan::emit(gnn::ToCsrOp op) {
  GraphBuffers in = graphs.lookup(op.getGraph());
  GraphBuffers out = graphResult(op, op.getCsr(), "csr");
  SmallVector<Value> inputs{in.first, in.second}, outputs{out.first, out.second};
  for (auto [from, to] : llvm::zip(op.getEdges(), op.getPermuted())) {
    FailureOr<Value> permuted = resultBuffer(op, to, "csr.edges");
    if (failed(permuted))
      return failure();
    inputs.push_back(buffers.lookup(from));
    outputs.push_back(*permuted);
  }
  Value graph = op.getGraph();
  if (cast<GnnGraphType>(op.getCsr().getType()).getIndex().getWidth() == 32)
    narrowGraphs.push_back(op.getCsr());
  createGraphCall(builder, builder.commands(), op.getLoc(), GraphCallee::ToCsr, inputs, outputs,
                  extent(graph, Extents::Dst), extent(graph, Extents::Src),
                  extent(graph, Extents::Edges), {});
  return success();
}

LogicalResult BuildPlan::emit(func::CallOp call) {
  auto kernel = module.lookupSymbol<func::FuncOp>(call.getCallee());
  auto kind = kernel ? kernel->getAttrOfType<StringAttr>(gnn::kKernelAttr) : StringAttr();
  if (!kind)
    return call.emitError()
           << "@" << call.getCallee()
           << " is no kernel function (attribute gnn.kernel); run gnn-form-kernels first";
  if (kind == "gemm") // the dialect verifies that it is this, aggregate or map
    return emitGemm(call, kernel);
  return emitLaunches(call, kernel);
}

LogicalResult BuildPlan::emitGemm(func::CallOp call, func::FuncOp kernel) {
  FailureOr<GemmKernel> gemm = matchGemmKernel(kernel);
  if (failed(gemm))
    return failure();
  FailureOr<Value> c = resultBuffer(call, call.getResult(0), kernel.getName());
  if (failed(c))
    return failure();
  auto operand = [&](unsigned number) { return buffers.lookup(call.getOperand(number)); };
  Type element = bufferOf(*c).getDtype();
  Precision precision = element.isBF16()  ? Precision::Bf16
                        : element.isF16() ? Precision::F16
                                          : Precision::Fp32;
  OpBuilder commands = builder.commands();
  GemmOp::create(commands, call.getLoc(), *c, operand(gemm->a), operand(gemm->b),
                 gemm->bias ? operand(*gemm->bias) : Value(), gemm->transposeB,
                 gemm->relu ? Activation::Relu : Activation::None, precision);
  numGemms += builder.inForward();
  if (!llvm::is_contained(erased, kernel))
    erased.push_back(kernel);
  return success();
}

FailureOr<Partition> BuildPlan::partitionOf(func::CallOp call, Value graph,
                                            gnn::GpuScheduleAttr schedule) {
  GraphBuffers csr = graphs.lookup(graph);
  auto [at, isNew] = partitions.try_emplace(
      {csr.first.getAsOpaquePointer(), schedule.getChunk(), static_cast<int>(schedule.getOrder())});
  Partition &partition = at->second;
  if (!isNew)
    return partition;
  if (!builder.hasPrepare())
    return call.emitError("follows the edges of a graph, but there is no @prepare; run "
                          "gnn-hoist-graph-invariants first");
  Location loc = call.getLoc();
  std::string number = "." + std::to_string(numPartitions++);
  Formula nodes = extent(graph, Extents::Dst), edges = extent(graph, Extents::Edges);
  // A row of d edges is cut into max(1, ceil(d / chunk)) items; only rows above
  // chunk are split, and for those ceil(d / chunk) <= 2 * floor(d / chunk).
  // Each term rounded up: never below the quotient of a sum such as e + n.
  Formula total = bounded(edges),
          pieces(llvm::divideCeilSigned(total.constant(), schedule.getChunk()));
  for (const plan::FormulaTerm &term : total.terms()) {
    Formula part = Formula::of(term);
    pieces += part.ceilDiv(schedule.getChunk()).value_or(part);
  }
  auto symbol = [&](StringRef name, const Formula &bound) {
    StringAttr added = builder.addSymbol(loc, (name + number).str(), SymbolSource::Prepare, bound);
    bounds[added] = bound;
    return added;
  };
  partition.numItems = symbol("items", nodes + pieces);
  partition.numSplits = symbol("splits", pieces);
  partition.numSlots = symbol("slots", pieces * 2);
  auto table = [&](StringRef name, StringAttr rows) {
    return builder.addBuffer(loc, BufferKind::Transient, (name + number).str(),
                             IntegerType::get(builder.context(), 32), {Formula(rows), Formula(4)});
  };
  partition.items = table("items", partition.numItems);
  partition.splits = table("splits", partition.numSplits);
  auto partitionRows =
      createGraphCall(builder, builder.prepareBuilder(), loc, GraphCallee::PartitionRows, csr.first,
                      {partition.items, partition.splits}, nodes, extent(graph, Extents::Src),
                      edges, {partition.numItems, partition.numSplits, partition.numSlots});
  partitionRows.setChunk(schedule.getChunk());
  partitionRows.setOrder(gnn::stringifyRowOrder(schedule.getOrder()));
  return partition;
}

LogicalResult BuildPlan::emitLaunches(func::CallOp call, func::FuncOp kernel) {
  FailureOr<KernelAbi> abi = getKernelAbi(kernel, target);
  if (failed(abi))
    return failure();
  MLIRContext *context = builder.context();
  Location loc = call.getLoc();
  for (auto [number, result] : llvm::enumerate(call.getResults()))
    if (failed(resultBuffer(call, result,
                            number ? kernel.getName() + "." + Twine(number)
                                   : Twine(kernel.getName()))))
      return failure();

  Value graph = abi->graph ? call.getOperand(*abi->graph) : Value();
  Partition partition;
  Value workspace;
  if (abi->partition) {
    FailureOr<Partition> found = partitionOf(call, graph, abi->partition);
    if (failed(found))
      return failure();
    partition = *found;
    if (abi->workspaceBytes > 0)
      workspace =
          builder.addBuffer(loc, BufferKind::Transient, (kernel.getName() + ".partial").str(),
                            IntegerType::get(context, 8),
                            {Formula(partition.numSlots), Formula(abi->workspaceBytes)});
  }
  SmallVector<Value> operandBuffers = llvm::map_to_vector(
      call.getOperands(), [&](Value operand) { return buffers.lookup(operand); });
  for (auto [index, entry] : llvm::enumerate(abi->entries)) {
    Formula count;
    switch (entry.domain) {
    case KernelEntry::Domain::Rows:
      count = bufferOf(buffers.lookup(call.getResult(0))).extent(0);
      break;
    case KernelEntry::Domain::Nodes:
      count = extent(graph, Extents::Dst);
      break;
    case KernelEntry::Domain::Items:
      count = Formula(partition.numItems);
      break;
    case KernelEntry::Domain::Splits:
      count = Formula(partition.numSplits);
      break;
    }
    SmallVector<Value> operands;
    SmallVector<Attribute> arguments;
    auto pass = [&](Value buffer, bool written = false) {
      operands.push_back(buffer);
      arguments.push_back(StringAttr::get(context, written ? LaunchOp::kWrite : LaunchOp::kRead));
    };
    for (const KernelParam &param : entry.params) {
      switch (param.kind) {
      case KernelParam::Kind::Operand:
        pass(operandBuffers[param.index]);
        break;
      case KernelParam::Kind::RowPtr:
        pass(graphs.lookup(call.getOperand(param.index)).first);
        break;
      case KernelParam::Kind::Col:
        pass(graphs.lookup(call.getOperand(param.index)).second);
        break;
      case KernelParam::Kind::Result:
        pass(buffers.lookup(call.getResult(param.index)), true);
        break;
      case KernelParam::Kind::Items:
        pass(partition.items);
        break;
      case KernelParam::Kind::Splits:
        pass(partition.splits);
        break;
      case KernelParam::Kind::Workspace:
        pass(workspace, /*written=*/entry.domain == KernelEntry::Domain::Items);
        break;
      case KernelParam::Kind::Count:
        arguments.push_back(count.attr(context));
        break;
      }
    }
    OpBuilder commands = builder.commands();
    auto launch =
        LaunchOp::create(commands, loc, FlatSymbolRefAttr::get(context, entry.name), operands,
                         ArrayAttr::get(context, arguments), FormulaAttr(), Value(), ArrayAttr(),
                         IntegerAttr(), IntegerAttr(), FormulaAttr(), FormulaAttr());
    if (target.getKind() == gnn::TargetKind::Cpu) {
      launch.setItemsAttr(count.attr(context));
      Value rows = graph ? graphs.lookup(graph).first : Value();
      if (rows && bufferOf(rows).getDtype().isInteger(32))
        launch.getBalanceMutable().assign(rows);
    } else {
      std::optional<Formula> blocks = entry.perBlock ? count.ceilDiv(entry.perBlock) : count;
      launch.setGridAttr(builder.formulas({*blocks, Formula(entry.tiles), Formula(1)}));
      launch.setBlock(entry.block);
    }
    if (index == 0)
      annotateCost(launch, kernel, operandBuffers,
                   graph ? extent(graph, Extents::Edges) : Formula(), count);
    numLaunches += builder.inForward();
  }
  return success();
}

struct BuildPlanPass final : gnnc::impl::GnnBuildPlanPassBase<BuildPlanPass> {
  using GnnBuildPlanPassBase::GnnBuildPlanPassBase;
  void runOnOperation() override;
};

/// Both functions must be one block that ends with a return.
LogicalResult checkFunctions(ModuleOp module, func::FuncOp prepare, func::FuncOp forward) {
  if (!forward)
    return module.emitError("gnn-build-plan: the module has no function @forward");
  for (func::FuncOp function : {prepare, forward})
    if (function && (function.isExternal() || !llvm::hasSingleElement(function.getBody())))
      return function.emitError("gnn-build-plan: the function must have a body of one block");
  for (unsigned i = 0; i < forward.getNumArguments(); ++i) {
    auto number = forward.getArgAttrOfType<IntegerAttr>(i, gnn::kPreparedAttr);
    if (!number)
      continue;
    int64_t count = prepare ? prepare.getNumResults() : 0;
    if (number.getInt() < 0 || number.getInt() >= count)
      return forward.emitError() << "argument " << i << " is result " << number.getInt()
                                 << " of @prepare, which has " << count << " results";
    Type made = prepare.getResultTypes()[number.getInt()];
    if (made != forward.getArgumentTypes()[i])
      return forward.emitError() << "argument " << i << " is " << forward.getArgumentTypes()[i]
                                 << ", result " << number.getInt() << " of @prepare is " << made;
  }
  return success();
}

void BuildPlanPass::runOnOperation() {
  ModuleOp module = getOperation();
  auto target = module->getAttrOfType<gnn::TargetAttr>(gnn::kTargetAttr);
  if (!target) {
    module.emitError("gnn-build-plan: the module has no gnn.target attribute, for example "
                     "#gnn.target<cpu, \"generic\">");
    return signalPassFailure();
  }
  auto prepare = module.lookupSymbol<func::FuncOp>(gnn::kPrepareFunc);
  auto forward = module.lookupSymbol<func::FuncOp>(gnn::kForwardFunc);
  if (failed(checkFunctions(module, prepare, forward)))
    return signalPassFailure();
  BuildPlan build(module, target, mode, dynamic);
  if (failed(build.run(prepare, forward)))
    return signalPassFailure();
  if (prepare)
    prepare.erase();
  forward.erase();
  numLaunches += build.numLaunches;
  numGemms += build.numGemms;
  numPartitions += build.numPartitions;
}

} // namespace
