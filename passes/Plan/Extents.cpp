//===- Extents.cpp - Which count each symbolic extent is ------------------===//
#include "passes/Plan/Extents.h"
#include "mlir/IR/Matchers.h"
#include "passes/Kernel/KernelAbi.h"
#include "passes/Plan/GemmKernel.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;
using plan::Formula;

static int64_t staticExtent(Type type, unsigned dim) {
  if (auto graph = dyn_cast<GnnGraphType>(type))
    return dim == Extents::Dst   ? graph.getDst()
           : dim == Extents::Src ? graph.getSrc()
                                 : graph.getEdges();
  auto tensor = cast<RankedTensorType>(type);
  if (dim == Extents::Segments)
    return tensor.isDynamicDim(0) ? ShapedType::kDynamic : tensor.getDimSize(0) - 1;
  return dim < tensor.getRank() ? tensor.getDimSize(dim) : 1;
}

unsigned Extents::idOf(Value value, unsigned dim) {
  auto [at, isNew] = ids.try_emplace({value, dim}, parent.size());
  if (isNew) {
    parent.push_back(parent.size());
    Class &fresh = classes.emplace_back();
    int64_t extent = staticExtent(value.getType(), dim);
    if (!ShapedType::isDynamic(extent))
      fresh.constant = extent;
  }
  return at->second;
}

unsigned Extents::root(unsigned id) {
  while (parent[id] != id)
    id = parent[id] = parent[parent[id]];
  return id;
}

/// The extents of the graph come first, then what prepare finds.
bool Extents::before(StringAttr a, StringAttr b) const {
  auto rank = [](StringAttr name) {
    return StringSwitch<int>(name).Case("n", 0).Case("m", 1).Case("e", 2).Default(3);
  };
  return std::pair(rank(a), a.getValue()) < std::pair(rank(b), b.getValue());
}

LogicalResult Extents::unify(Operation *op, Value a, unsigned dimA, Value b, unsigned dimB) {
  if (!a || !b)
    return success();
  unsigned ra = root(idOf(a, dimA)), rb = root(idOf(b, dimB));
  if (ra == rb)
    return success();
  Class &into = classes[ra], &from = classes[rb];
  if (into.constant && from.constant && *into.constant != *from.constant)
    return op->emitError() << "extents that must be equal are " << *into.constant << " ("
                           << a.getType() << ") and " << *from.constant << " (" << b.getType()
                           << ")";
  if (!into.constant)
    into.constant = from.constant;
  into.symbols.append(from.symbols);
  llvm::sort(into.symbols, [&](StringAttr x, StringAttr y) { return before(x, y); });
  parent[rb] = ra;
  return success();
}

LogicalResult Extents::unifyAll(Operation *op, Value a, Value b) {
  if (!isa<GnnGraphType>(a.getType()))
    return unify(op, a, Rows, b, Rows);
  for (unsigned dim : {Dst, Src, Edges})
    if (failed(unify(op, a, dim, b, dim)))
      return failure();
  return success();
}

LogicalResult Extents::addSymbol(Operation *op, Value value, unsigned dim, StringRef name) {
  classes[root(idOf(value, dim))].symbols.push_back(StringAttr::get(op->getContext(), name));
  return success();
}

LogicalResult Extents::bindArguments(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (isa<GnnGraphType>(argument.getType()) && !function.getArgAttr(number, kPreparedAttr)) {
      if (graph && failed(unifyAll(function, graph, argument)))
        return failure();
      if (!graph) {
        graph = argument;
        for (auto [dim, name] : {std::pair(Dst, "n"), {Src, "m"}, {Edges, "e"}})
          if (failed(addSymbol(function, argument, dim, name)))
            return failure();
      }
    }
    if (function.getArgAttr(number, kGraphDataAttr) &&
        failed(unify(function, graph, Edges, argument, Rows)))
      return failure();
    if (auto name = function.getArgAttrOfType<StringAttr>(number, kIndexAttr))
      if (auto [at, isNew] = indices.insert({name, argument}); !isNew)
        for (unsigned dim : {Rows, Segments})
          if (failed(unify(function, at->second, dim, argument, dim)))
            return failure();
  }
  return success();
}

LogicalResult Extents::analyze(func::FuncOp prepare, func::FuncOp forward) {
  if (prepare && (failed(bindArguments(prepare)) || failed(visit(prepare))))
    return failure();
  if (failed(bindArguments(forward)))
    return failure();
  for (BlockArgument argument : forward.getArguments())
    if (auto number =
            forward.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), kPreparedAttr)) {
      Value made = prepare.front().getTerminator()->getOperand(number.getInt());
      if (failed(unifyAll(forward, made, argument)))
        return failure();
    }
  if (failed(visit(forward)))
    return failure();
  nameIndexCounts(forward.getContext());
  return success();
}

/// Index tensors whose rows no extent of the graph gives have a count of their own.
void Extents::nameIndexCounts(MLIRContext *context) {
  for (auto &[name, tensor] : indices) {
    std::string number = std::to_string(counts.size());
    Class &rows = classes[root(idOf(tensor, Rows))];
    // Of both functions: what @forward has too is not read as a row pointer for that.
    unsigned counted = root(idOf(tensor, Segments));
    bool isPointer = llvm::any_of(
        pointers, [&](Value pointer) { return root(idOf(pointer, Segments)) == counted; });
    if (!isPointer) {
      addCount(tensor, Rows, name, plan::SymbolSource::IndexRows, "rows." + number);
      continue;
    }
    if (std::optional<Formula> known = get(tensor, Rows)) {
      classes[root(idOf(tensor, Segments))].derived = *known - Formula(1);
      continue;
    }
    addCount(tensor, Segments, name, plan::SymbolSource::IndexSegments, "segments." + number);
    rows.derived = *get(tensor, Segments) + 1;
  }
  for (auto [graph, pointer] : segments)
    for (auto &[name, tensor] : indices)
      if (root(idOf(tensor, Segments)) == root(idOf(pointer, Segments)))
        addCount(graph, Edges, name, plan::SymbolSource::IndexEnd,
                 "end." + std::to_string(counts.size()));
}

void Extents::addCount(Value value, unsigned dim, StringAttr tensor, plan::SymbolSource source,
                       StringRef name) {
  if (get(value, dim))
    return;
  auto symbol = StringAttr::get(tensor.getContext(), name);
  classes[root(idOf(value, dim))].symbols.push_back(symbol);
  counts.push_back({symbol, tensor, source});
}

/// `count`, an operand of `op`, is that extent of `graph`.
LogicalResult Extents::visitNodes(Operation *op, Value graph, unsigned dim, Value count) {
  APInt number;
  if (auto size = count.getDefiningOp<tensor::DimOp>(); size && size.getConstantIndex() == 0)
    return unify(op, graph, dim, size.getSource(), Rows);
  if (auto nodes = count.getDefiningOp<NodeCountOp>())
    return unify(op, graph, dim, nodes.getGraph(), nodes.getEnd() == End::Src ? Src : Dst);
  if (!matchPattern(count, m_ConstantInt(&number)) || number.isNegative())
    return op->emitError("builds a graph with a computed number of nodes; make it a number, or the "
                         "rows of a tensor (tensor.dim)");
  Class &known = classes[root(idOf(graph, dim))];
  if (known.constant && *known.constant != number.getSExtValue())
    return op->emitError("builds a graph of ")
           << number.getSExtValue() << " nodes whose tensors have " << *known.constant << " rows";
  known.constant = number.getSExtValue();
  return success();
}

LogicalResult Extents::visitGraph(GraphOp op) {
  GnnGraphType type = op.getGraph().getType();
  Value graph = op.getGraph(), first = op.getFirst(), second = op.getSecond();
  if (failed(unify(op, graph, Edges, second, Rows)))
    return failure();
  if (type.isCsr())
    pointers.push_back(first);
  if (failed(type.isCsr() ? unify(op, graph, Dst, first, Segments)
                          : unify(op, graph, Edges, first, Rows)))
    return failure();
  unsigned next = 0;
  for (auto [dim, known] : {std::pair(Dst, type.getDst()), {Src, type.getSrc()}})
    if (ShapedType::isDynamic(known) && failed(visitNodes(op, graph, dim, op.getNodes()[next++])))
      return failure();
  return success();
}

LogicalResult Extents::visitGraph(IndexGraphOp op) {
  Value graph = op.getGraph(), index = op.getIndex();
  if (failed(unify(op, graph, op.rowEnd() == End::Src ? Src : Dst, graph, Edges)))
    return failure();
  if (op.getForm() == IndexForm::Segments) {
    segments.emplace_back(graph, index);
    pointers.push_back(index);
    return unify(op, graph, Dst, index, Segments);
  }
  if (failed(unify(op, graph, Edges, index, Rows)))
    return failure();
  return op.getNodes() ? visitNodes(op, graph, op.namedEnd() == End::Src ? Src : Dst, op.getNodes())
                       : success();
}

/// The nodes stay; prepare counts the edges.
LogicalResult Extents::visitLoops(Operation *op, Value in, Value out, ValueRange edges,
                                  ValueRange outEdges, StringRef name) {
  for (auto [a, dimA, b, dimB] :
       {std::tuple(in, Dst, out, Dst), {in, Src, out, Src}, {in, Dst, in, Src}})
    if (failed(unify(op, a, dimA, b, dimB)))
      return failure();
  unsigned number = llvm::count_if(found, [&](const FoundEdges &other) {
    return other.symbol == name || other.symbol.getValue().starts_with((name + ".").str());
  });
  std::string unique = number ? (name + "." + Twine(number)).str() : name.str();
  found.push_back({out, StringAttr::get(op->getContext(), unique)});
  if (failed(addSymbol(op, out, Edges, unique)))
    return failure();
  for (auto [graph, tensors] : {std::pair(in, edges), {out, outEdges}})
    for (Value tensor : tensors)
      if (failed(unify(op, graph, Edges, tensor, Rows)))
        return failure();
  return success();
}

LogicalResult Extents::visitAppended(AppendSelfLoopsOp loops) {
  if (failed(visitLoops(loops, loops.getGraph(), loops.getLooped(), loops.getEdges(),
                        loops.getAppended(), "e.appended")))
    return failure();
  for (Value rows : loops.getLoops())
    if (failed(unify(loops, loops.getGraph(), Dst, rows, Rows)))
      return failure();
  return success();
}

LogicalResult Extents::visitPermuted(ToCsrOp csr) {
  if (failed(unifyAll(csr, csr.getGraph(), csr.getCsr())))
    return failure();
  for (auto [in, out] : llvm::zip(csr.getEdges(), csr.getPermuted()))
    if (failed(unify(csr, csr.getGraph(), Edges, in, Rows)) ||
        failed(unify(csr, csr.getGraph(), Edges, out, Rows)))
      return failure();
  return success();
}

/// An optional operand or result as a list.
static ValueRange listOf(const Value &value) { return value ? ValueRange(value) : ValueRange(); }

LogicalResult Extents::visit(func::FuncOp function) {
  for (Operation &op : function.front()) {
    LogicalResult valid =
        TypeSwitch<Operation *, LogicalResult>(&op)
            .Case([&](AddSelfLoopsOp loops) {
              Value weights = loops.getWeights(), looped = loops.getLoopWeights();
              return visitLoops(loops, loops.getGraph(), loops.getLooped(), listOf(weights),
                                listOf(looped), "e.loops");
            })
            .Case([&](RemoveSelfLoopsOp loops) {
              return visitLoops(loops, loops.getGraph(), loops.getLoopless(), loops.getEdges(),
                                loops.getKept(), "e.kept");
            })
            .Case([&](AppendSelfLoopsOp loops) { return visitAppended(loops); })
            .Case([&](LoopWeightsOp loops) {
              Value graph = loops.getGraph();
              return failure(failed(unify(loops, graph, Dst, graph, Src)) ||
                             failed(unify(loops, graph, Edges, loops.getWeights(), Rows)) ||
                             failed(unify(loops, graph, Dst, loops.getResult(), Rows)));
            })
            .Case([&](TransposeOp op) {
              Value in = op.getGraph(), out = op.getTransposed();
              return failure(failed(unify(op, in, Dst, out, Src)) ||
                             failed(unify(op, in, Src, out, Dst)) ||
                             failed(unify(op, in, Edges, out, Edges)));
            })
            .Case<GraphOp, IndexGraphOp>([&](auto made) { return visitGraph(made); })
            .Case([&](ToCsrOp csr) { return visitPermuted(csr); })
            .Case([&](func::CallOp call) { return visitCall(call); })
            .Default(success());
    if (failed(valid))
      return failure();
  }
  return success();
}

LogicalResult Extents::visitCall(func::CallOp call) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  auto kind = kernel ? kernel->getAttrOfType<StringAttr>(kKernelAttr) : StringAttr();
  if (!kind)
    return success(); // an error of its own in the walk that emits commands
  if (kind == "gemm") {
    FailureOr<GemmKernel> gemm = matchGemmKernel(kernel);
    if (failed(gemm))
      return failure();
    if (gemm->residual &&
        failed(unify(call, call.getOperand(*gemm->residual), Rows, call.getResult(0), Rows)))
      return failure();
    return unify(call, call.getOperand(gemm->a), Rows, call.getResult(0), Rows);
  }
  Operation *op = kernelOp(kernel);
  if (!op)
    return kernel.emitError("a kernel function holds one gnn.aggregate or gnn.map");
  // Values inside of the kernel as seen by the caller.
  auto outer = [&](Value inner) -> Value {
    auto argument = dyn_cast_if_present<BlockArgument>(inner);
    return argument ? call.getOperand(argument.getArgNumber()) : Value();
  };
  SmallVector<Value> results(op->getNumResults());
  for (auto [number, value] : llvm::enumerate(kernel.front().getTerminator()->getOperands()))
    if (value.getDefiningOp() == op)
      results[cast<OpResult>(value).getResultNumber()] = call.getResult(number);

  LogicalResult valid = success();
  auto tie = [&](ValueRange tensors, Value to, unsigned dim) {
    for (Value tensor : tensors)
      if (succeeded(valid) && tensor)
        valid = unify(call, to, dim, tensor, Rows);
  };
  auto outerAll = [&](ValueRange inner) { return llvm::map_to_vector(inner, outer); };
  if (auto aggregate = dyn_cast<AggregateOp>(op)) {
    Value graph = outer(aggregate.getGraph());
    tie(outerAll(aggregate.getSrc()), graph, Src);
    tie(outerAll(aggregate.getDst()), graph, Dst);
    tie(outerAll(aggregate.getEdge()), graph, Edges);
    tie(results, graph, Dst);
    return valid;
  }
  auto map = cast<MapOp>(op);
  Value graph = outer(map.getGraph());
  tie(outerAll(map.getSrc()), graph, Src);
  tie(outerAll(map.getDst()), graph, Dst);
  SmallVector<Value> rows = outerAll(map.getRows());
  llvm::append_range(rows, results);
  if (graph)
    tie(rows, graph, Edges);
  else if (!rows.empty())
    tie(rows, rows.front(), Rows);
  return valid;
}

std::optional<Formula> Extents::get(Value value, unsigned dim) {
  const Class &found = classes[root(idOf(value, dim))];
  if (found.constant)
    return Formula(*found.constant);
  if (!found.symbols.empty())
    return Formula(found.symbols.front());
  return found.derived;
}

SmallVector<Extents::Equality> Extents::equalities() {
  SmallVector<Equality> equal;
  for (unsigned id = 0; id < parent.size(); ++id) {
    if (root(id) != id)
      continue;
    const Class &members = classes[id];
    for (auto [number, symbol] : llvm::enumerate(members.symbols)) {
      if (members.constant)
        equal.push_back({symbol, Formula(*members.constant)});
      else if (number > 0)
        equal.push_back({symbol, Formula(members.symbols.front())});
    }
  }
  llvm::sort(equal,
             [&](const Equality &a, const Equality &b) { return before(a.symbol, b.symbol); });
  return equal;
}
