//===- GnnDialect.cpp - Registration and the graph type ---------------===//
#include "dialects/Gnn/Gnn.h"

using namespace mlir;
using namespace gnnc::gnn;

#include "dialects/Gnn/GnnDialect.cpp.inc"
#include "dialects/Gnn/GnnEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Gnn/GnnTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Gnn/GnnAttrs.cpp.inc"

void GnnDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Gnn/GnnTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Gnn/GnnAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Gnn/GnnOps.cpp.inc"
      >();
}

Operation *GnnDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                           Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// !gnn.graph
//===----------------------------------------------------------------------===//

Type GnnGraphType::parse(AsmParser &parser) {
  SmallVector<int64_t, 3> extents;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(extents, /*allowDynamic=*/true,
                                                      /*withTrailingX=*/false))
    return {};
  if (extents.size() != 3) {
    parser.emitError(loc) << "a graph has 3 extents (destinations x sources x edges), found "
                          << extents.size();
    return {};
  }
  IntegerType index = IntegerType::get(parser.getContext(), 64);
  Layout layout = Layout::Coo;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef word;
    SMLoc wordLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return {};
    if (word == "i32" || word == "i64")
      index = IntegerType::get(parser.getContext(), word == "i32" ? 32 : 64);
    else if (auto parsed = symbolizeLayout(word))
      layout = *parsed;
    else {
      parser.emitError(wordLoc) << "expected i32, i64, coo or csr, found '" << word << "'";
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<GnnGraphType>(loc, parser.getContext(), extents[0], extents[1],
                                         extents[2], index, layout);
}

void GnnGraphType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList({getDst(), getSrc(), getEdges()});
  if (getIndex().getWidth() != 64)
    printer << ", " << getIndex();
  if (getLayout() != Layout::Coo)
    printer << ", " << stringifyLayout(getLayout());
  printer << '>';
}

LogicalResult GnnGraphType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t, int64_t,
                                   int64_t, IntegerType index, Layout) {
  if (index.getWidth() != 32 && index.getWidth() != 64)
    return emitError() << "a graph's index type is i32 or i64, found " << index;
  return success();
}

Type gnnc::gnn::rowType(RankedTensorType tensor) {
  if (tensor.getRank() <= 1)
    return tensor.getElementType();
  return VectorType::get(tensor.getShape().drop_front(), tensor.getElementType());
}

Type gnnc::gnn::wholeType(RankedTensorType tensor) {
  if (tensor.getRank() == 0)
    return tensor.getElementType();
  return VectorType::get(tensor.getShape(), tensor.getElementType());
}
