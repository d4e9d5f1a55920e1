//===- GnnOps.cpp - Verifiers, type inference and syntax of gnn ops -------===//
//
// Constraint labels (C1, C2, ...) are those of GnnOps.td and of the tests in
// test/dialects/Gnn/*-invalid.mlir.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/GnnVerify.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace gnnc::gnn;

static ParseResult parseReduceKinds(OpAsmParser &parser, ArrayAttr &kinds) {
  SmallVector<Attribute> parsed;
  auto parseKind = [&]() -> ParseResult {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    auto kind = symbolizeReduceKind(word);
    if (!kind)
      return parser.emitError(loc)
             << "expected sum, mean, max, min, mul or softmax, found '" << word << "'";
    parsed.push_back(ReduceKindAttr::get(parser.getContext(), *kind));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseKind))
    return failure();
  kinds = parser.getBuilder().getArrayAttr(parsed);
  return success();
}

static void printReduceKinds(OpAsmPrinter &printer, Operation *, ArrayAttr kinds) {
  printer << '[';
  llvm::interleaveComma(kinds.getAsRange<ReduceKindAttr>(), printer, [&](ReduceKindAttr kind) {
    printer << stringifyReduceKind(kind.getValue());
  });
  printer << ']';
}

#define GET_OP_CLASSES
#include "dialects/Gnn/GnnOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Graph construction
//===----------------------------------------------------------------------===//

LogicalResult GraphOp::verify() {
  GnnGraphType graph = getGraph().getType();
  for (auto [name, tensor] : {std::pair("first", getFirst()), std::pair("second", getSecond())})
    if (getElementTypeOrSelf(tensor) != graph.getIndex())
      return emitOpError() << "operand '" << name << "' (" << text(tensor.getType()) << ") holds "
                           << text(getElementTypeOrSelf(tensor)) << ", graph (" << text(graph)
                           << ") has index type " << text(graph.getIndex()) << " (C1)";
  if (!graph.isCsr()) {
    if (failed(
            verifyRows(*this, "operand 'first'", getFirst().getType(), graph, RowOf::Edge, "C2")) ||
        failed(
            verifyRows(*this, "operand 'second'", getSecond().getType(), graph, RowOf::Edge, "C2")))
      return failure();
  } else {
    int64_t rows = getFirst().getType().getDimSize(0);
    if (!ShapedType::isDynamic(graph.getDst()) && !compatible(rows, graph.getDst() + 1))
      return emitOpError() << "operand 'first' (" << text(getFirst().getType()) << ") has " << rows
                           << " rows, a row pointer over the " << graph.getDst()
                           << " destinations of graph (" << text(graph) << ") has "
                           << graph.getDst() + 1 << " (C3)";
    if (failed(
            verifyRows(*this, "operand 'second'", getSecond().getType(), graph, RowOf::Edge, "C3")))
      return failure();
  }
  size_t unknown =
      ShapedType::isDynamic(graph.getDst()) + size_t(ShapedType::isDynamic(graph.getSrc()));
  if (getNodes().size() != unknown)
    return emitOpError() << "operand 'nodes' gives " << getNodes().size() << " counts, graph ("
                         << text(graph) << ") has " << unknown << " node extents that are ? (C4)";
  return success();
}

LogicalResult IndexGraphOp::verify() {
  GnnGraphType graph = getGraph().getType();
  RankedTensorType index = getIndex().getType();
  StringRef form = stringifyIndexForm(getForm());
  if (graph.isCsr() == (getForm() == IndexForm::Scatter))
    return emitOpError() << "graph (" << text(graph) << ") has layout "
                         << stringifyLayout(graph.getLayout()) << ", that of form " << form
                         << " is " << (graph.isCsr() ? "coo" : "csr") << " (C1)";
  int64_t rows = index.getDimSize(0), ofRows = graph.extent(rowEnd());
  auto wrong = [&](StringRef what, int64_t found, int64_t expected) {
    return emitOpError() << "graph (" << text(graph) << ") has " << found << " " << what
                         << ", form " << form << " of operand 'index' (" << text(index)
                         << ") gives " << expected << " (C2)";
  };
  if (!compatible(ofRows, graph.getEdges()))
    return wrong("edges", graph.getEdges(), ofRows);
  if (getForm() == IndexForm::Segments) {
    if (!ShapedType::isDynamic(rows) && !compatible(graph.getDst(), rows - 1))
      return wrong("destinations", graph.getDst(), rows - 1);
  } else if (!compatible(rows, ofRows) || !compatible(rows, graph.getEdges())) {
    return wrong("edges", compatible(rows, ofRows) ? graph.getEdges() : ofRows, rows);
  }
  bool needed = getForm() != IndexForm::Segments && ShapedType::isDynamic(graph.extent(namedEnd()));
  if (needed != bool(getNodes()))
    return emitOpError() << "graph (" << text(graph) << ") has "
                         << (needed ? "a number of nodes that is ?: give it as 'nodes'"
                                    : "all of its nodes by type and row pointer: leave out 'nodes'")
                         << " (C3)";
  if (graph.getIndex().getWidth() > index.getElementTypeBitWidth())
    return emitOpError() << "graph (" << text(graph) << ") has index type "
                         << text(graph.getIndex()) << ", wider than that of operand 'index' ("
                         << text(index) << ") (C4)";
  return success();
}

/// C1 of what makes self loops or reads them.
static LogicalResult verifyOneNodeSet(Operation *op, GnnGraphType graph) {
  if (compatible(graph.getDst(), graph.getSrc()))
    return success();
  return op->emitOpError() << "operand 'graph' (" << text(graph) << ") has " << graph.getDst()
                           << " destinations and " << graph.getSrc()
                           << " sources; a self loop needs both ends in one set of nodes (C1)";
}

LogicalResult AddSelfLoopsOp::verify() {
  GnnGraphType graph = getGraph().getType(), looped = getLooped().getType();
  if (failed(verifyOneNodeSet(*this, graph)))
    return failure();
  if (getWeights() && failed(verifyRows(*this, "operand 'weights'", getWeights().getType(), graph,
                                        RowOf::Edge, "C2")))
    return failure();
  GnnGraphType expected = graph.with(ShapedType::kDynamic, graph.getIndex(), Layout::Coo);
  if (looped != expected)
    return emitOpError() << "result 'looped' has type " << text(looped)
                         << ", self loops on operand 'graph' (" << text(graph) << ") give "
                         << text(expected) << " (C3)";
  if (bool(getWeights()) != bool(getLoopWeights()))
    return emitOpError() << "operand 'weights' is " << (getWeights() ? "present" : "absent")
                         << ", result 'loop_weights' is "
                         << (getLoopWeights() ? "present" : "absent") << " (C4)";
  if (!getWeights())
    return success();
  if (failed(verifySameRowType(*this, "result 'loop_weights'", getLoopWeights().getType(),
                               "operand 'weights'", getWeights().getType(), "C4")))
    return failure();
  return verifyRows(*this, "result 'loop_weights'", getLoopWeights().getType(), looped, RowOf::Edge,
                    "C4");
}

LogicalResult RemoveSelfLoopsOp::verify() {
  GnnGraphType graph = getGraph().getType(), loopless = getLoopless().getType();
  if (failed(verifyOneNodeSet(*this, graph)))
    return failure();
  if (failed(verifyRows(*this, "operand 'edges'", getEdges().getTypes(), graph, RowOf::Edge, "C2")))
    return failure();
  GnnGraphType expected = graph.with(ShapedType::kDynamic, graph.getIndex(), Layout::Coo);
  if (loopless != expected)
    return emitOpError() << "result 'loopless' has type " << text(loopless) << ", operand 'graph' ("
                         << text(graph) << ") without self loops is " << text(expected) << " (C3)";
  if (getKept().size() != getEdges().size())
    return emitOpError() << getEdges().size() << " edge tensors go in, " << getKept().size()
                         << " come out (C4)";
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(getEdges(), getKept()))) {
    auto [in, out] = pair;
    std::string result = ("result 'kept' #" + Twine(i)).str();
    std::string operand = ("operand 'edges' #" + Twine(i)).str();
    if (failed(verifySameRowType(*this, result, out.getType(), operand, in.getType(), "C4")))
      return failure();
  }
  return success();
}

LogicalResult AppendSelfLoopsOp::verify() {
  GnnGraphType graph = getGraph().getType(), looped = getLooped().getType();
  if (failed(verifyOneNodeSet(*this, graph)) ||
      failed(verifyRows(*this, "operand 'edges'", getEdges().getTypes(), graph, RowOf::Edge, "C2")))
    return failure();
  if (getLoops().size() != getEdges().size())
    return emitOpError() << getEdges().size() << " edge tensors go in, " << getLoops().size()
                         << " have rows for loops (C3)";
  if (failed(verifyRows(*this, "operand 'loops'", getLoops().getTypes(), graph, RowOf::Dst, "C3")))
    return failure();
  GnnGraphType expected = graph.with(ShapedType::kDynamic, graph.getIndex(), Layout::Coo);
  if (looped != expected)
    return emitOpError() << "result 'looped' has type " << text(looped)
                         << ", self loops on operand 'graph' (" << text(graph) << ") give "
                         << text(expected) << " (C4)";
  if (getAppended().size() != getEdges().size())
    return emitOpError() << getEdges().size() << " edge tensors go in, " << getAppended().size()
                         << " come out (C5)";
  for (unsigned i = 0, e = getEdges().size(); i < e; ++i) {
    auto name = [i](StringRef what) { return (what + " #" + Twine(i)).str(); };
    Type edges = getEdges()[i].getType();
    if (failed(verifySameRowType(*this, name("operand 'loops'"), getLoops()[i].getType(),
                                 name("operand 'edges'"), edges, "C3")) ||
        failed(verifySameRowType(*this, name("result 'appended'"), getAppended()[i].getType(),
                                 name("operand 'edges'"), edges, "C5")))
      return failure();
  }
  return success();
}

LogicalResult LoopWeightsOp::verify() {
  GnnGraphType graph = getGraph().getType();
  if (failed(verifyOneNodeSet(*this, graph)) ||
      failed(verifyRows(*this, "operand 'weights'", getWeights().getType(), graph, RowOf::Edge,
                        "C2")) ||
      failed(verifyRows(*this, "result", getResult().getType(), graph, RowOf::Dst, "C3")))
    return failure();
  return verifySameRowType(*this, "result", getResult().getType(), "operand 'weights'",
                           getWeights().getType(), "C4");
}

LogicalResult TransposeOp::verify() {
  GnnGraphType graph = getGraph().getType(), transposed = getTransposed().getType();
  if (transposed.getLayout() != Layout::Coo || transposed.getIndex() != graph.getIndex() ||
      !compatible(transposed.getDst(), graph.getSrc()) ||
      !compatible(transposed.getSrc(), graph.getDst()) ||
      !compatible(transposed.getEdges(), graph.getEdges()))
    return emitOpError() << "result 'transposed' has type " << text(transposed)
                         << ", the transpose of operand 'graph' (" << text(graph) << ") is "
                         << text(GnnGraphType::get(graph.getSrc(), graph.getDst(), graph.getEdges(),
                                                   graph.getIndex(), Layout::Coo))
                         << " (C1)";
  return success();
}

LogicalResult ToCsrOp::verify() {
  GnnGraphType graph = getGraph().getType(), csr = getCsr().getType();
  if (!csr.isCsr())
    return emitOpError() << "result 'csr' (" << text(csr) << ") has layout "
                         << stringifyLayout(csr.getLayout()) << ", not csr (C1)";
  if (!compatible(graph.getDst(), csr.getDst()) || !compatible(graph.getSrc(), csr.getSrc()) ||
      !compatible(graph.getEdges(), csr.getEdges()))
    return emitOpError() << "result 'csr' (" << text(csr) << ") and operand 'graph' ("
                         << text(graph) << ") have different extents (C1)";
  if (failed(verifyRows(*this, "operand 'edges'", getEdges().getTypes(), graph, RowOf::Edge, "C2")))
    return failure();
  if (getPermuted().size() != getEdges().size())
    return emitOpError() << getEdges().size() << " edge tensors go in, " << getPermuted().size()
                         << " come out (C3)";
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(getEdges(), getPermuted()))) {
    auto [in, out] = pair;
    if (in.getType() != out.getType())
      return emitOpError() << "result 'permuted' #" << i << " has type " << text(out.getType())
                           << ", operand 'edges' #" << i << " has type " << text(in.getType())
                           << " (C3)";
  }
  if (csr.getIndex().getWidth() > graph.getIndex().getWidth())
    return emitOpError() << "result 'csr' (" << text(csr) << ") has index type "
                         << text(csr.getIndex()) << ", wider than that of operand 'graph' ("
                         << text(graph) << "), " << text(graph.getIndex()) << " (C4)";
  return success();
}

LogicalResult DegreeOp::verify() {
  GnnGraphType graph = getGraph().getType();
  if (getWeights() && failed(verifyRows(*this, "operand 'weights'", getWeights().getType(), graph,
                                        RowOf::Edge, "C1")))
    return failure();
  if (failed(verifyRows(*this, "result", getType(), graph, rowOf(getEnd()), "C2")))
    return failure();
  Type found = getType().getElementType();
  if (getWeights())
    return verifySameRowType(*this, "result", getType(), "operand 'weights'",
                             getWeights().getType(), "C3");
  if (!found.isF32())
    return emitOpError() << "result (" << text(getType()) << ") has elements " << text(found)
                         << ", a count without weights is f32 (C3)";
  return success();
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::verify() {
  GnnGraphType graph = getGraph().getType();
  if (failed(verifyRows(*this, "operand 'nodes'", getNodes().getType(), graph, rowOf(getEnd()),
                        "C1")) ||
      failed(verifyRows(*this, "result", getType(), graph, RowOf::Edge, "C2")))
    return failure();
  return verifySameRowType(*this, "result", getType(), "operand 'nodes'", getNodes().getType(),
                           "C3");
}

LogicalResult ScatterOp::verify() {
  GnnGraphType graph = getGraph().getType();
  if (getKind() == ReduceKind::Softmax)
    return emitOpError("'kind' is softmax, which weighs rows by scores: a reduction of "
                       "gnn.aggregate, not of gnn.scatter (C5)");
  if (failed(
          verifyRows(*this, "operand 'edges'", getEdges().getType(), graph, RowOf::Edge, "C1")) ||
      failed(verifyRows(*this, "result", getType(), graph, rowOf(getEnd()), "C2")) ||
      failed(verifySameRowType(*this, "result", getType(), "operand 'edges'", getEdges().getType(),
                               "C3")))
    return failure();
  return verifyAccumulation(*this, "operand 'edges'", getEdges().getType(), getAcc(), "C4");
}

/// Checks that a tensor has as many rows as `index`.
static LogicalResult verifyIndexed(Operation *op, StringRef what, Type tensor, Type index,
                                   StringRef label) {
  int64_t rows = cast<RankedTensorType>(tensor).getDimSize(0);
  int64_t entries = cast<RankedTensorType>(index).getDimSize(0);
  if (compatible(rows, entries))
    return success();
  return op->emitOpError() << what << " (" << text(tensor) << ") has " << rows
                           << " rows, operand 'index' (" << text(index) << ") has " << entries
                           << " (" << label << ')';
}

LogicalResult GatherAtOp::verify() {
  if (failed(verifyIndexed(*this, "result", getType(), getIndex().getType(), "C1")))
    return failure();
  return verifySameRowType(*this, "result", getType(), "operand 'nodes'", getNodes().getType(),
                           "C2");
}

LogicalResult ScatterAtOp::verify() {
  auto result = cast<RankedTensorType>(getType());
  if (getKind() == ReduceKind::Softmax)
    return emitOpError("'kind' is softmax, which weighs rows by scores: a reduction of "
                       "gnn.aggregate, not of gnn.scatter_at (C5)");
  if (failed(verifyIndexed(*this, "operand 'edges'", getEdges().getType(), getIndex().getType(),
                           "C1")))
    return failure();
  if (bool(getExtent()) != result.isDynamicDim(0))
    return emitOpError() << "result (" << text(result) << ") has "
                         << (getExtent() ? "a known number of rows: leave out 'extent'"
                                         : "a number of rows that is ?: give it as 'extent'")
                         << " (C2)";
  if (failed(verifySameRowType(*this, "result", getType(), "operand 'edges'", getEdges().getType(),
                               "C3")))
    return failure();
  return verifyAccumulation(*this, "operand 'edges'", getEdges().getType(), getAcc(), "C4");
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

LogicalResult SegmentReduceOp::verify() {
  if (getKind() == ReduceKind::Softmax)
    return emitOpError("'kind' is softmax, which weighs rows by scores: a reduction of "
                       "gnn.aggregate, or gnn.segment_softmax (C4)");
  int64_t entries = getOffsets().getType().getDimSize(0), segments = getType().getDimSize(0);
  if (!ShapedType::isDynamic(entries) && (entries == 0 || !compatible(segments, entries - 1)))
    return emitOpError() << "operand 'offsets' (" << text(getOffsets().getType()) << ") has "
                         << entries << " rows, result (" << text(getType())
                         << ") needs one more than its own (C1)";
  if (failed(verifySameRowType(*this, "result", getType(), "operand 'rows'", getRows().getType(),
                               "C2")))
    return failure();
  return verifyAccumulation(*this, "operand 'rows'", getRows().getType(), getAcc(), "C3");
}

LogicalResult SegmentSoftmaxOp::verify() {
  auto graph = dyn_cast<GnnGraphType>(getSegments().getType());
  if (graph && failed(verifyRows(*this, "operand 'scores'", getScores().getType(), graph,
                                 RowOf::Edge, "C1")))
    return failure();
  if (bool(graph) != bool(getEnd()))
    return emitOpError() << "operand 'segments' (" << text(getSegments().getType()) << ") "
                         << (graph ? "is a graph: say 'at src' or 'at dst'"
                                   : "is a row pointer, which has no end: leave out 'at'")
                         << " (C2)";
  return verifyAccumulation(*this, "operand 'scores'", getScores().getType(), getAcc(), "C3");
}

//===----------------------------------------------------------------------===//
// Type inference
//===----------------------------------------------------------------------===//

/// An inferred type may know more or less of the extents than the written one.
static bool sameUpToExtents(TypeRange a, TypeRange b) {
  return a.size() == b.size() && succeeded(verifyCompatibleShapes(a, b)) &&
         llvm::all_of(llvm::zip_equal(a, b), [](auto pair) {
           return getElementTypeOrSelf(std::get<0>(pair)) ==
                  getElementTypeOrSelf(std::get<1>(pair));
         });
}
bool DegreeOp::isCompatibleReturnTypes(TypeRange a, TypeRange b) { return sameUpToExtents(a, b); }
bool GatherOp::isCompatibleReturnTypes(TypeRange a, TypeRange b) { return sameUpToExtents(a, b); }
bool ScatterOp::isCompatibleReturnTypes(TypeRange a, TypeRange b) { return sameUpToExtents(a, b); }

LogicalResult DegreeOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                                         Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto graph = cast<GnnGraphType>(adaptor.getGraph().getType());
  Type element = Float32Type::get(context);
  if (Value weights = adaptor.getWeights())
    element = cast<RankedTensorType>(weights.getType()).getElementType();
  types.push_back(RankedTensorType::get({graph.extent(adaptor.getEnd())}, element));
  return success();
}

/// `tensor` with its leading extent replaced.
static RankedTensorType withRows(Type tensor, int64_t rows) {
  auto type = cast<RankedTensorType>(tensor);
  SmallVector<int64_t> shape(type.getShape());
  shape.front() = rows;
  return type.clone(shape);
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto graph = cast<GnnGraphType>(adaptor.getGraph().getType());
  types.push_back(withRows(adaptor.getNodes().getType(), graph.getEdges()));
  return success();
}

bool GatherAtOp::isCompatibleReturnTypes(TypeRange a, TypeRange b) { return sameUpToExtents(a, b); }
LogicalResult GatherAtOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  int64_t rows = cast<RankedTensorType>(adaptor.getIndex().getType()).getDimSize(0);
  types.push_back(withRows(adaptor.getNodes().getType(), rows));
  return success();
}

bool SegmentReduceOp::isCompatibleReturnTypes(TypeRange a, TypeRange b) {
  return sameUpToExtents(a, b);
}
LogicalResult SegmentReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                                Adaptor adaptor, SmallVectorImpl<Type> &types) {
  int64_t entries = cast<RankedTensorType>(adaptor.getOffsets().getType()).getDimSize(0);
  bool known = !ShapedType::isDynamic(entries) && entries > 0;
  types.push_back(
      withRows(adaptor.getRows().getType(), known ? entries - 1 : ShapedType::kDynamic));
  return success();
}

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto graph = cast<GnnGraphType>(adaptor.getGraph().getType());
  types.push_back(withRows(adaptor.getEdges().getType(), graph.extent(adaptor.getEnd())));
  return success();
}
