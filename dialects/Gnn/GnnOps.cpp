//===- GnnOps.cpp - Verifiers, type inference and syntax of gnn ops -------===//
//
// Constraint labels (C1, C2, ...) are those of GnnOps.td and of the tests in
// test/dialects/Gnn/*-invalid.mlir.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"

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
             << "expected sum, mean, max, min or mul, found '" << word << "'";
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

LogicalResult GraphOp::verify() { return success(); }
LogicalResult AddSelfLoopsOp::verify() { return success(); }
LogicalResult ToCsrOp::verify() { return success(); }
LogicalResult DegreeOp::verify() { return success(); }
LogicalResult GatherOp::verify() { return success(); }
LogicalResult ScatterOp::verify() { return success(); }
LogicalResult AggregateOp::verify() { return success(); }
LogicalResult AggregateOp::verifyRegions() { return success(); }
LogicalResult MapOp::verify() { return success(); }
LogicalResult MapOp::verifyRegions() { return success(); }

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

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto graph = cast<GnnGraphType>(adaptor.getGraph().getType());
  types.push_back(withRows(adaptor.getEdges().getType(), graph.extent(adaptor.getEnd())));
  return success();
}
