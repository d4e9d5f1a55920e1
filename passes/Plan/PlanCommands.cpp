//===- PlanCommands.cpp - Commands for the ops of prepare and forward -----===//
//
// Each op becomes commands; its results get buffers, a graph two of them.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/Kernel/KernelAbi.h"
#include "passes/Plan/GemmKernel.h"
#include "passes/Plan/KernelCost.h"
#include "passes/Plan/ProgramToPlan.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::plan;
using gnn::GnnGraphType;

/// The buffer that `op` writes `tensor` to: an output's, or a new one.
FailureOr<Value> ProgramToPlan::resultBuffer(Operation *op, Value tensor, const Twine &name) {
  if (Value output = buffers.lookup(tensor))
    return output;
  FailureOr<SmallVector<Formula>> shape = shapeOf(op, tensor);
  if (failed(shape))
    return failure();
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  return buffers[tensor] =
             builder.addBuffer(op->getLoc(), BufferKind::Transient, name.str(), element, *shape);
}

GraphBuffers ProgramToPlan::graphResult(Operation *op, Value graph, StringRef name) {
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

LogicalResult ProgramToPlan::emit(Operation *op) {
  bool perGraph =
      isa<gnn::AddSelfLoopsOp, gnn::RemoveSelfLoopsOp, gnn::AppendSelfLoopsOp, gnn::LoopWeightsOp,
          gnn::TransposeOp, gnn::ToCsrOp, gnn::GraphOp, gnn::IndexGraphOp>(op);
  if (perGraph && builder.inForward())
    return op->emitError(
        "runs once per graph; run gnn-hoist-graph-invariants to move it to @prepare");
  if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return emitSlice(op);
  // Counts of graphs that are built: a symbol by now.
  if (op->getNumResults() == 1 && op->getResult(0).getType().isIndex() &&
      isa<tensor::DimOp, gnn::NodeCountOp, arith::ConstantOp>(op))
    return success();
  if (isa<tensor::EmptyOp>(op)) // where a transposed weight would be written
    return success();
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<gnn::AddSelfLoopsOp, gnn::RemoveSelfLoopsOp, gnn::AppendSelfLoopsOp, gnn::LoopWeightsOp,
            gnn::TransposeOp, gnn::ToCsrOp, gnn::GraphOp, gnn::IndexGraphOp, linalg::TransposeOp,
            func::CallOp>([&](auto typed) { return emit(typed); })
      .Default([](Operation *other) {
        return other->emitError(
            "cannot be planned: after gnn-form-kernels @prepare and @forward hold calls of "
            "kernels, gnn.graph, gnn.index_graph, gnn.add_self_loops, gnn.remove_self_loops, "
            "gnn.append_self_loops, gnn.loop_weights, gnn.transpose, gnn.to_csr and parts of "
            "weights");
      });
}

static GraphCallOp createGraphCall(PlanBuilder &builder, OpBuilder commands, Location loc,
                                   GraphCallee callee, ValueRange inputs, ValueRange outputs,
                                   const Formula &dst, const Formula &src, const Formula &edges,
                                   ArrayRef<Attribute> symbols) {
  MLIRContext *context = builder.context();
  return GraphCallOp::create(commands, loc, callee, inputs, outputs, dst.attr(context),
                             src.attr(context), edges.attr(context), commands.getArrayAttr(symbols),
                             FloatAttr(), IntegerAttr(), StringAttr(), DenseI64ArrayAttr(),
                             DenseI64ArrayAttr(), StringAttr());
}

FailureOr<GraphCallOp> ProgramToPlan::emitWithEdges(Operation *op, GraphCallee callee,
                                                    StringRef name, ValueRange from, ValueRange to,
                                                    ValueRange more) {
  Value graph = op->getOperand(0), made = op->getResult(0);
  GraphBuffers in = graphs.lookup(graph), out = graphResult(op, made, name);
  SmallVector<Value> inputs{in.first, in.second}, outputs{out.first, out.second};
  for (auto [tensor, moved] : llvm::zip_equal(from, to)) {
    FailureOr<Value> buffer = resultBuffer(op, moved, name + ".edges");
    if (failed(buffer))
      return failure();
    inputs.push_back(buffers.lookup(tensor));
    outputs.push_back(*buffer);
  }
  for (Value tensor : more)
    inputs.push_back(buffers.lookup(tensor));
  SmallVector<Attribute> sets;
  if (callee != GraphCallee::ToCsr) // as many edges as before
    sets.push_back(foundEdges(made));
  return createGraphCall(builder, builder.commands(), op->getLoc(), callee, inputs, outputs,
                         extent(graph, Extents::Dst), extent(graph, Extents::Src),
                         extent(graph, Extents::Edges), sets);
}

StringAttr ProgramToPlan::foundEdges(Value graph) {
  for (const Extents::FoundEdges &found : extents.foundEdges())
    if (found.graph == graph)
      return found.symbol;
  llvm_unreachable("every op that adds or removes loops has a count");
}

LogicalResult ProgramToPlan::emit(gnn::AddSelfLoopsOp op) {
  // The weights, where there are any.
  auto call = emitWithEdges(op, GraphCallee::AddSelfLoops, "loops", op->getOperands().drop_front(),
                            op->getResults().drop_front());
  if (succeeded(call))
    call->setFillAttr(op.getFillAttr());
  return call;
}

LogicalResult ProgramToPlan::emit(gnn::RemoveSelfLoopsOp op) {
  return emitWithEdges(op, GraphCallee::RemoveSelfLoops, "kept", op.getEdges(), op.getKept());
}

LogicalResult ProgramToPlan::emit(gnn::AppendSelfLoopsOp op) {
  return emitWithEdges(op, GraphCallee::AppendSelfLoops, "appended", op.getEdges(),
                       op.getAppended(), op.getLoops());
}

LogicalResult ProgramToPlan::emit(gnn::LoopWeightsOp op) {
  Value graph = op.getGraph();
  GraphBuffers in = graphs.lookup(graph);
  FailureOr<Value> result = resultBuffer(op, op.getResult(), "loop.weights");
  if (failed(result))
    return failure();
  createGraphCall(builder, builder.commands(), op.getLoc(), GraphCallee::LoopWeights,
                  {in.first, in.second, buffers.lookup(op.getWeights())}, {*result},
                  extent(graph, Extents::Dst), extent(graph, Extents::Src),
                  extent(graph, Extents::Edges), {})
      .setFillAttr(op.getFillAttr());
  return success();
}

/// The two ends of a coo graph change their names; nothing moves.
LogicalResult ProgramToPlan::emit(gnn::TransposeOp op) {
  if (cast<GnnGraphType>(op.getGraph().getType()).isCsr())
    return op.emitError("transposes a csr graph (")
           << op.getGraph().getType()
           << "), whose destinations are not stored edge by edge; transpose the coo graph that it "
              "was made of";
  GraphBuffers in = graphs.lookup(op.getGraph());
  graphs[op.getTransposed()] = {in.second, in.first};
  return success();
}

LogicalResult ProgramToPlan::emit(gnn::ToCsrOp op) {
  if (cast<GnnGraphType>(op.getCsr().getType()).getIndex().getWidth() == 32)
    narrowGraphs.push_back(op.getCsr());
  return emitWithEdges(op, GraphCallee::ToCsr, "csr", op.getEdges(), op.getPermuted());
}

/// The runtime checks what the index tensors say before anything follows it.
LogicalResult ProgramToPlan::emitGraph(Operation *op, Value graph, StringRef form,
                                       ValueRange tensors) {
  auto type = cast<GnnGraphType>(graph.getType());
  GraphBuffers out = graphResult(op, graph, type.isCsr() ? "csr" : "coo");
  SmallVector<Value> inputs;
  for (Value tensor : tensors)
    inputs.push_back(buffers.lookup(tensor));
  if (type.getIndex().getWidth() == 32)
    narrowGraphs.push_back(graph);
  for (unsigned dim : {Extents::Dst, Extents::Src, Extents::Edges})
    if (!extents.get(graph, dim))
      return op->emitError("builds a graph whose extent ")
             << dim << " (of dst, src, edges) nothing tells; give it in the graph's type";
  createGraphCall(builder, builder.commands(), op->getLoc(), GraphCallee::MakeGraph, inputs,
                  {out.first, out.second}, extent(graph, Extents::Dst), extent(graph, Extents::Src),
                  extent(graph, Extents::Edges), {})
      .setForm(form);
  return success();
}

LogicalResult ProgramToPlan::emit(gnn::GraphOp op) {
  return emitGraph(op, op.getGraph(), gnn::stringifyLayout(op.getGraph().getType().getLayout()),
                   {op.getFirst(), op.getSecond()});
}

LogicalResult ProgramToPlan::emit(gnn::IndexGraphOp op) {
  return emitGraph(op, op.getGraph(), gnn::stringifyIndexForm(op.getForm()), op.getIndex());
}

/// A part of a weight, or all of it in another shape, is copied once per graph.
LogicalResult ProgramToPlan::emitSlice(Operation *op) {
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  bool isFixed = from && from.hasStaticShape() &&
                 cast<RankedTensorType>(op->getResult(0).getType()).hasStaticShape();
  if (slice)
    isFixed &= slice.hasUnitStride() && slice.getOffsets().empty() && slice.getSizes().empty();
  if (!isFixed || builder.inForward())
    return op->emitError("takes ")
           << op->getResult(0).getType() << " out of " << op->getOperand(0).getType()
           << (isFixed ? ", which is not known before each run" : "")
           << "; only parts of weights, of extents that are numbers, without strides can be "
              "planned";
  FailureOr<Value> part = resultBuffer(op, op->getResult(0), "part");
  if (failed(part))
    return failure();
  auto call = createGraphCall(builder, builder.commands(), op->getLoc(), GraphCallee::Slice,
                              buffers.lookup(op->getOperand(0)), *part, Formula(), Formula(),
                              Formula(), {});
  call.setOffsets(slice ? slice.getStaticOffsets() : SmallVector<int64_t>(from.getRank(), 0));
  call.setSizes(slice ? slice.getStaticSizes() : from.getShape());
  return success();
}

/// A weight that is read by columns, once per graph.
LogicalResult ProgramToPlan::emit(linalg::TransposeOp op) {
  auto from = cast<RankedTensorType>(op.getInput().getType());
  if (!from.hasStaticShape() || from.getRank() != 2 || builder.inForward())
    return op.emitError("transposes ")
           << from << "; what can be planned is that of a matrix of known extents, in @prepare";
  FailureOr<Value> result = resultBuffer(op, op->getResult(0), "transposed");
  if (failed(result))
    return failure();
  createGraphCall(builder, builder.commands(), op->getLoc(), GraphCallee::TransposeMatrix,
                  buffers.lookup(op.getInput()), *result, Formula(), Formula(), Formula(), {});
  return success();
}

LogicalResult ProgramToPlan::emit(func::CallOp call) {
  auto kernel = module.lookupSymbol<func::FuncOp>(call.getCallee());
  auto kind = kernel ? kernel->getAttrOfType<StringAttr>(gnn::kKernelAttr) : StringAttr();
  if (!kind)
    return call.emitError()
           << "@" << call.getCallee()
           << " is no kernel function (attribute gnn.kernel); run gnn-form-kernels first";
  if (call.getNumResults() == 0)
    return call.emitError() << "kernel @" << call.getCallee() << " has no result to compute";
  if (kind == "gemm") // the dialect verifies that it is this, aggregate or map
    return emitGemm(call, kernel);
  return emitLaunches(call, kernel);
}

/// What the libraries of the runtime multiply.
static LogicalResult checkProduct(func::CallOp call, func::FuncOp kernel) {
  for (Type type : llvm::concat<const Type>(kernel.getArgumentTypes(), kernel.getResultTypes())) {
    Type element = getElementTypeOrSelf(type);
    if (!element.isF32() && !element.isF64() && !element.isF16() && !element.isBF16())
      return call.emitError("a dense product takes or gives ")
             << type << ", but products are of f32, f64, f16 or bf16 elements";
  }
  return success();
}

LogicalResult ProgramToPlan::emitGemm(func::CallOp call, func::FuncOp kernel) {
  FailureOr<GemmKernel> gemm = matchGemmKernel(kernel);
  if (failed(gemm) || failed(checkProduct(call, kernel)))
    return failure();
  FailureOr<Value> c = resultBuffer(call, call.getResult(0), kernel.getName());
  if (failed(c))
    return failure();
  auto operand = [&](unsigned number) { return buffers.lookup(call.getOperand(number)); };
  Type element = bufferOf(operand(gemm->a)).getDtype();
  Precision precision = element.isBF16()  ? Precision::Bf16
                        : element.isF16() ? Precision::F16
                        : element.isF32() && target.getKind() == gnn::TargetKind::Cuda
                            ? products
                            : Precision::Fp32;
  OpBuilder commands = builder.commands();
  GemmOp::create(commands, call.getLoc(), *c, operand(gemm->a), operand(gemm->b),
                 gemm->bias ? operand(*gemm->bias) : Value(),
                 gemm->residual ? operand(*gemm->residual) : Value(), gemm->heads, gemm->beside,
                 gemm->transposeB, gemm->relu ? Activation::Relu : Activation::None, precision);
  numGemms += builder.inForward();
  if (!llvm::is_contained(erased, kernel))
    erased.push_back(kernel);
  return success();
}

FailureOr<Partition> ProgramToPlan::partitionOf(func::CallOp call, Value graph,
                                                gnn::GpuScheduleAttr schedule) {
  GraphBuffers csr = graphs.lookup(graph);
  auto [at, isNew] = partitions.try_emplace(
      {csr.first.getAsOpaquePointer(), schedule.getChunk(), static_cast<int>(schedule.getOrder())});
  Partition &partition = at->second;
  if (!isNew)
    return partition;
  assert(builder.hasPrepare() && "csr graphs are made in @prepare; as arguments they were refused");
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

/// Everything a launch may be passed for one call of a kernel.
struct ProgramToPlan::KernelCall {
  func::CallOp call;
  Value graph;                 ///< the csr graph, or null
  SmallVector<Value> operands; ///< buffers; null for a graph
  Partition partition;
  Value workspace;
};

FailureOr<ProgramToPlan::KernelCall>
ProgramToPlan::prepareCall(func::CallOp call, func::FuncOp kernel, const KernelAbi &abi) {
  for (auto [number, result] : llvm::enumerate(call.getResults())) {
    std::string name = kernel.getName().str() + (number ? "." + std::to_string(number) : "");
    if (failed(resultBuffer(call, result, name)))
      return failure();
  }
  KernelCall found{call, abi.graph ? call.getOperand(*abi.graph) : Value(), {}, {}, {}};
  for (Value operand : call.getOperands())
    found.operands.push_back(buffers.lookup(operand));
  if (!abi.partition)
    return found;
  FailureOr<Partition> partition = partitionOf(call, found.graph, abi.partition);
  if (failed(partition))
    return failure();
  found.partition = *partition;
  if (abi.workspaceBytes > 0)
    found.workspace = builder.addBuffer(
        call.getLoc(), BufferKind::Transient, (kernel.getName() + ".partial").str(),
        IntegerType::get(builder.context(), 8),
        {Formula(partition->numSlots), Formula(abi.workspaceBytes)});
  return found;
}

Formula ProgramToPlan::countOf(const KernelCall &kernel, KernelEntry::Domain domain) {
  switch (domain) {
  case KernelEntry::Domain::Rows:
    return bufferOf(buffers.lookup(func::CallOp(kernel.call).getResult(0))).extent(0);
  case KernelEntry::Domain::Nodes:
    return extent(kernel.graph, Extents::Dst);
  case KernelEntry::Domain::Items:
    return Formula(kernel.partition.numItems);
  case KernelEntry::Domain::Splits:
    return Formula(kernel.partition.numSplits);
  }
  llvm_unreachable("unknown domain");
}

Value ProgramToPlan::bufferFor(KernelCall &kernel, const KernelParam &param) {
  switch (param.kind) {
  case KernelParam::Kind::Operand:
    return kernel.operands[param.index];
  case KernelParam::Kind::RowPtr:
    return graphs.lookup(kernel.call.getOperand(param.index)).first;
  case KernelParam::Kind::Col:
    return graphs.lookup(kernel.call.getOperand(param.index)).second;
  case KernelParam::Kind::Result:
    return buffers.lookup(kernel.call.getResult(param.index));
  case KernelParam::Kind::Items:
    return kernel.partition.items;
  case KernelParam::Kind::Splits:
    return kernel.partition.splits;
  case KernelParam::Kind::Workspace:
    return kernel.workspace;
  case KernelParam::Kind::Sources:
  case KernelParam::Kind::Count:
    return {};
  }
  llvm_unreachable("unknown parameter");
}

LaunchOp ProgramToPlan::launch(KernelCall &kernel, const KernelEntry &entry) {
  MLIRContext *context = builder.context();
  Formula count = countOf(kernel, entry.domain);
  SmallVector<Value> passed;
  SmallVector<Attribute> arguments;
  for (const KernelParam &param : entry.params) {
    if (param.kind == KernelParam::Kind::Count) {
      arguments.push_back(count.attr(context));
      continue;
    }
    if (param.kind == KernelParam::Kind::Sources) {
      arguments.push_back(extent(kernel.graph, Extents::Src).attr(context));
      continue;
    }
    // Items leave partial results behind, the merge of splits reads them.
    bool written =
        param.kind == KernelParam::Kind::Result ||
        (param.kind == KernelParam::Kind::Workspace && entry.domain == KernelEntry::Domain::Items);
    passed.push_back(bufferFor(kernel, param));
    arguments.push_back(StringAttr::get(context, written ? LaunchOp::kWrite : LaunchOp::kRead));
  }
  OpBuilder commands = builder.commands();
  auto op = LaunchOp::create(
      commands, kernel.call.getLoc(), FlatSymbolRefAttr::get(context, entry.name), passed,
      ArrayAttr::get(context, arguments), FormulaAttr(), Value(), ArrayAttr(), IntegerAttr(),
      IntegerAttr(), FormulaAttr(), FormulaAttr(), Attribute());
  if (target.getKind() == gnn::TargetKind::Cpu) {
    op.setItemsAttr(count.attr(context));
    Value rows = kernel.graph ? graphs.lookup(kernel.graph).first : Value();
    if (rows && bufferOf(rows).getDtype().isInteger(32))
      op.getBalanceMutable().assign(rows);
    return op;
  }
  // A count is one symbol or a constant: the quotient has a formula.
  Formula blocks = entry.perBlock ? *count.ceilDiv(entry.perBlock) : count;
  op.setGridAttr(builder.formulas({blocks, Formula(entry.tiles), Formula(1)}));
  op.setBlock(entry.block);
  return op;
}

LogicalResult ProgramToPlan::emitLaunches(func::CallOp call, func::FuncOp kernel) {
  FailureOr<KernelAbi> abi = getKernelAbi(kernel, target);
  if (failed(abi))
    return failure();
  FailureOr<KernelCall> prepared = prepareCall(call, kernel, *abi);
  if (failed(prepared))
    return failure();
  Formula edges = prepared->graph ? extent(prepared->graph, Extents::Edges) : Formula();
  for (auto [index, entry] : llvm::enumerate(abi->entries)) {
    LaunchOp op = launch(*prepared, entry);
    // The work is that of the first entry; a merge touches split rows only.
    if (index == 0) {
      annotateCost(op, kernel, prepared->operands, edges, countOf(*prepared, entry.domain));
      op.setScheduleAttr(kernelOp(kernel)->getAttr("schedule"));
    }
    numLaunches += builder.inForward();
  }
  return success();
}
