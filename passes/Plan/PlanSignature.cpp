//===- PlanSignature.cpp - What the caller of a plan sees -----------------===//
//
// Symbols, buffers of arguments and results, guards.
//
//===----------------------------------------------------------------------===//
#include "passes/Plan/ProgramToPlan.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::plan;
using gnn::GnnGraphType;

LogicalResult ProgramToPlan::declareSymbols(Location loc) {
  builder.addSymbol(loc, "n", SymbolSource::GraphDst);
  builder.addSymbol(loc, "m", SymbolSource::GraphSrc);
  builder.addSymbol(loc, "e", SymbolSource::GraphEdges);
  for (const Extents::IndexCount &count : extents.indexCounts())
    builder.addSymbol(loc, count.symbol.getValue(), count.source, {}, count.tensor);
  for (const Extents::FoundEdges &found : extents.foundEdges()) {
    Operation *op = found.graph.getDefiningOp();
    Value graph = op->getOperand(0);
    Formula bound = extent(graph, Extents::Edges);
    // Loops that are there are replaced, so this is an upper bound.
    if (isa<gnn::AddSelfLoopsOp, gnn::AppendSelfLoopsOp>(op))
      bound += extent(graph, Extents::Dst);
    bound = bounded(bound);
    bounds[found.symbol] = bound;
    builder.addSymbol(op->getLoc(), found.symbol.getValue(), SymbolSource::Prepare, bound);
  }
  return success();
}

Formula ProgramToPlan::bounded(const Formula &formula) {
  return formula.bounded([&](StringAttr symbol) -> std::optional<Formula> {
    auto found = bounds.find(symbol);
    return found == bounds.end() ? std::nullopt : std::optional(found->second);
  });
}

/// What the caller passes by name; nothing else may be called so.
LogicalResult ProgramToPlan::reserveNames(func::FuncOp function) {
  for (StringRef name : {"src", "dst"})
    (void)builder.reserve(name);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (StringRef attr : {gnn::kInputAttr, gnn::kWeightAttr, gnn::kGraphDataAttr, gnn::kIndexAttr})
      if (auto name = function.getArgAttrOfType<StringAttr>(i, attr))
        (void)builder.reserve(name);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (auto name = function.getResultAttrOfType<StringAttr>(i, gnn::kOutputAttr))
      (void)builder.reserve(name);
  return success();
}

LogicalResult ProgramToPlan::bindArguments(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    if (failed(bindArgument(function, argument)))
      return failure();
  return success();
}

LogicalResult ProgramToPlan::bindArgument(func::FuncOp function, BlockArgument argument) {
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
                            {gnn::kGraphDataAttr, BufferKind::GraphData},
                            {gnn::kIndexAttr, BufferKind::GraphData}})
    if (auto name = function.getArgAttrOfType<StringAttr>(number, attr)) {
      FailureOr<Value> buffer = publicBuffer(function, argument, kind, name);
      if (succeeded(buffer))
        buffers[argument] = *buffer;
      return buffer;
    }
  return function.emitError() << "argument " << number << " (" << argument.getType()
                              << ") says not where it comes from; it needs gnn.input, gnn.weight, "
                                 "gnn.graph_data, gnn.index or gnn.prepared";
}

FailureOr<Value> ProgramToPlan::publicBuffer(func::FuncOp function, BlockArgument argument,
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

LogicalResult ProgramToPlan::bindOutputs(func::FuncOp forward) {
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

LogicalResult ProgramToPlan::addGuards(Location loc) {
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
    bool looped = edges.asSymbol() && bounds.contains(edges.asSymbol()) &&
                  edges.asSymbol().getValue().starts_with("e.loops");
    if (failed(limit(extent(graph, Extents::Dst), "destination nodes")) ||
        failed(limit(extent(graph, Extents::Src), "source nodes")) ||
        failed(limit(bounded(edges), looped ? "edges with self loops" : "edges")))
      return failure();
  }
  return success();
}

FailureOr<SmallVector<Formula>> ProgramToPlan::shapeOf(Operation *op, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  if (!isa<FloatType>(type.getElementType()) &&
      !(integer && llvm::is_contained({8u, 32u, 64u}, integer.getWidth())))
    return op->emitError() << "tensor " << type
                           << " cannot be stored: memory holds f16, bf16, f32, f64, i8, i32 and "
                              "i64; convert it where it is made, such as by arith.uitofp";
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
