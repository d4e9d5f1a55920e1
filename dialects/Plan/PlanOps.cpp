//===- PlanOps.cpp - Syntax and verifiers of single gnn_plan ops ----------===//
//
// Constraint labels (C1, C2, ...) are those of PlanOps.td and of the tests in
// test/dialects/Plan/*-invalid.mlir. What spans a whole plan: PlanProgram.cpp.
//
//===----------------------------------------------------------------------===//
#include "dialects/Plan/Plan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gnnc::plan;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

// In the namespace of the op classes, whose generated code looks them up.
namespace gnnc::plan {

static ParseResult parseSymbolName(OpAsmParser &parser, StringAttr &name) {
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  name = parser.getBuilder().getStringAttr(word);
  return success();
}
static void printSymbolName(OpAsmPrinter &printer, Operation *, StringAttr name) {
  printer << name.getValue();
}

static ParseResult parseSymbolNames(OpAsmParser &parser, ArrayAttr &names) {
  SmallVector<Attribute> parsed;
  auto parseOne = [&]() -> ParseResult {
    StringAttr name;
    if (parseSymbolName(parser, name))
      return failure();
    parsed.push_back(name);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  names = parser.getBuilder().getArrayAttr(parsed);
  return success();
}
static void printSymbolNames(OpAsmPrinter &printer, Operation *, ArrayAttr names) {
  printer << '(';
  llvm::interleaveComma(names.getAsRange<StringAttr>(), printer,
                        [&](StringAttr name) { printer << name.getValue(); });
  printer << ')';
}

static ParseResult parseFormula(OpAsmParser &parser, FormulaAttr &formula) {
  return parseFormula(static_cast<AsmParser &>(parser), formula);
}
static void printFormula(OpAsmPrinter &printer, Operation *, FormulaAttr formula) {
  printFormula(printer, formula);
}

static ParseResult parseFormulaList(OpAsmParser &parser, ArrayAttr &formulas) {
  SmallVector<Attribute> parsed;
  auto parseOne = [&]() -> ParseResult {
    FormulaAttr formula;
    if (parseFormula(parser, formula))
      return failure();
    parsed.push_back(formula);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  formulas = parser.getBuilder().getArrayAttr(parsed);
  return success();
}
static void printFormulaList(OpAsmPrinter &printer, Operation *, ArrayAttr formulas) {
  printer << '[';
  llvm::interleaveComma(formulas.getAsRange<FormulaAttr>(), printer,
                        [&](FormulaAttr formula) { printFormula(printer, formula); });
  printer << ']';
}

/// Buffers and formulas in one list: `%x, out %y, 16*n`.
static ParseResult parseArguments(OpAsmParser &parser,
                                  SmallVectorImpl<OpAsmParser::UnresolvedOperand> &buffers,
                                  ArrayAttr &arguments) {
  SmallVector<Attribute> parsed;
  Builder &builder = parser.getBuilder();
  auto parseOne = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand buffer;
    if (succeeded(parser.parseOptionalKeyword("out"))) {
      parsed.push_back(builder.getStringAttr(LaunchOp::kWrite));
      return parser.parseOperand(buffers.emplace_back());
    }
    OptionalParseResult operand = parser.parseOptionalOperand(buffer);
    if (operand.has_value()) {
      buffers.push_back(buffer);
      parsed.push_back(builder.getStringAttr(LaunchOp::kRead));
      return *operand;
    }
    FormulaAttr formula;
    if (parseFormula(parser, formula))
      return failure();
    parsed.push_back(formula);
    return success();
  };
  if (parser.parseCommaSeparatedList(parseOne))
    return failure();
  arguments = builder.getArrayAttr(parsed);
  return success();
}
static void printArguments(OpAsmPrinter &printer, Operation *, OperandRange buffers,
                           ArrayAttr arguments) {
  auto next = buffers.begin();
  llvm::interleaveComma(arguments, printer, [&](Attribute argument) {
    if (auto formula = dyn_cast<FormulaAttr>(argument)) {
      printFormula(printer, formula);
      return;
    }
    if (cast<StringAttr>(argument) == LaunchOp::kWrite)
      printer << "out ";
    printer << *next++;
  });
}

} // namespace gnnc::plan

#define GET_OP_CLASSES
#include "dialects/Plan/PlanOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

BufferOp gnnc::plan::bufferOf(Value value) { return value.getDefiningOp<BufferOp>(); }

LogicalResult SymbolOp::verify() {
  // C1
  bool prepared = getSource() == SymbolSource::Prepare;
  if (prepared != static_cast<bool>(getBoundAttr()))
    return emitOpError() << "'" << getName() << "' of source " << stringifySymbolSource(getSource())
                         << (prepared ? " needs a bound" : " takes no bound, found bound(")
                         << (prepared ? "" : Formula(getBoundAttr()).text() + ")");
  // C3
  bool counted = getSource() == SymbolSource::IndexRows ||
                 getSource() == SymbolSource::IndexSegments ||
                 getSource() == SymbolSource::IndexEnd;
  if (counted != bool(getTensorAttr()))
    return emitOpError() << "'" << getName() << "' of source " << stringifySymbolSource(getSource())
                         << (counted ? " needs the index tensor's name: of \"...\""
                                     : " is of no index tensor, found of \"")
                         << (counted ? "" : getTensorAttr().str() + "\"");
  // C2
  StringRef name = getName();
  bool plain = !name.empty() && (llvm::isAlpha(name.front()) || name.front() == '_') &&
               llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  if (!plain || name == "out" || name == "floordiv" || name == "ceildiv")
    return emitOpError() << "'" << name
                         << "' cannot be written in a formula: a name has letters, digits, '_' and "
                            "'.', and is none of out, floordiv, ceildiv";
  return success();
}

void BufferOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), getName()); }

int64_t BufferOp::elementBytes() { return llvm::divideCeil(getDtype().getIntOrFloatBitWidth(), 8); }

std::optional<int64_t> BufferOp::columns() {
  int64_t count = 1;
  for (unsigned i = 1, rank = getRank(); i < rank; ++i) {
    if (!extent(i).isConstant())
      return std::nullopt;
    count *= extent(i).constant();
  }
  return count;
}

Formula BufferOp::bytes() {
  Formula size(elementBytes());
  for (unsigned i = 0, rank = getRank(); i < rank; ++i) {
    Formula factor = extent(i);
    size = factor.isConstant() ? size * factor.constant() : factor * size.constant();
  }
  return size;
}

LogicalResult BufferOp::verify() {
  BufferKind kind = getKind();
  auto wrong = [&]() -> InFlightDiagnostic {
    return emitOpError() << stringifyBufferKind(kind) << " '" << getName() << "' ";
  };
  // C1
  if (getOffsetAttr() && kind != BufferKind::Transient)
    return wrong() << "has an offset; only transient buffers live in an arena";
  if (getZeroed() && kind != BufferKind::Transient && kind != BufferKind::Persistent)
    return wrong() << "is zeroed; only persistent and transient buffers are";
  // C2
  if (kind == BufferKind::GraphIndex) {
    if (getName() != "src" && getName() != "dst")
      return wrong() << "must be named src or dst";
    if (getRank() != 1 || !(getDtype().isInteger(32) || getDtype().isInteger(64)))
      return wrong() << "must be i32 or i64 of rank 1, found " << getDtype() << " of rank "
                     << getRank();
  }
  // C3
  int symbolic = 0;
  for (unsigned i = 0, rank = getRank(); i < rank; ++i) {
    Formula factor = extent(i);
    symbolic += !factor.isConstant();
    if (factor.isConstant() && factor.constant() < 0)
      return wrong() << "has extent " << factor.constant() << " in dimension " << i;
  }
  if (symbolic > 1)
    return wrong() << "has " << symbolic << " symbolic extents; its size needs at most one";
  if (auto offset = getOffsetAttr())
    if (offset.getTerms().empty() &&
        (offset.getConstant() < 0 || offset.getConstant() % kArenaAlignment))
      return wrong() << "is at byte " << offset.getConstant()
                     << " of its arena; offsets are multiples of " << kArenaAlignment;
  return success();
}

LogicalResult GuardOp::verify() {
  if (getWhat().empty()) // C1
    return emitOpError() << "needs a text that says what " << Formula(getValue()).text()
                         << " against " << getLimit() << " protects";
  return success();
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// Types alone would admit values of other ops; what follows relies on buffers.
static LogicalResult verifyBuffers(Operation *op) {
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    if (!bufferOf(operand))
      return op->emitOpError() << "operand " << number << " is no result of gnn_plan.buffer";
  return success();
}

void LaunchOp::forEachArgument(function_ref<void(Value, bool)> onBuffer,
                               function_ref<void(FormulaAttr)> onValue) {
  auto next = getBuffers().begin();
  for (Attribute argument : getArguments()) {
    if (auto formula = dyn_cast<FormulaAttr>(argument))
      onValue(formula);
    else
      onBuffer(*next++, cast<StringAttr>(argument) == kWrite);
  }
}

LogicalResult LaunchOp::verify() {
  if (failed(verifyBuffers(*this)))
    return failure();
  size_t places = 0;
  for (Attribute argument : getArguments()) {
    auto text = dyn_cast<StringAttr>(argument);
    bool place = text && (text == kRead || text == kWrite);
    if (!place && !isa<FormulaAttr>(argument))
      return emitOpError() << "argument " << argument << " is neither a buffer nor a formula";
    places += place;
  }
  if (places != getBuffers().size())
    return emitOpError() << "has " << getBuffers().size() << " buffers for " << places
                         << " buffer arguments";
  // C1
  bool host = static_cast<bool>(getItemsAttr()), device = static_cast<bool>(getGridAttr());
  if (host == device)
    return emitOpError() << "needs items (cpu) or a grid (cuda), found "
                         << (host ? "both" : "neither");
  if (device && getGridAttr().size() != 3) // C2
    return emitOpError() << "has a grid of " << getGridAttr().size() << " extents, not 3";
  int64_t block = getBlock().value_or(0);
  if (device && (block < 1 || block > 1024)) // C3
    return emitOpError() << "has a block of " << block << " threads; 1 to 1024 are possible";
  if (Value balance = getBalance()) { // C4
    BufferOp rows = bufferOf(balance);
    Formula wanted = host ? Formula(getItemsAttr()) + 1 : Formula();
    if (!host || !rows.getDtype().isInteger(32) || rows.getRank() != 1 ||
        !(rows.extent(0) == wanted))
      return emitOpError() << "balances by '" << rows.getName() << "', " << rows.getDtype() << " ["
                           << (rows.getRank() ? rows.extent(0).text() : "")
                           << "]; a row pointer is 'i32' [" << wanted.text() << "]";
  }
  return success();
}

/// C3, C4, C6 and C7 of a product with heads, in extents of c or only in `heads`.
static LogicalResult verifyHeads(GemmOp op) {
  BufferOp a = bufferOf(op.getA()), b = bufferOf(op.getB()), c = bufferOf(op.getC());
  auto heads = static_cast<int64_t>(op.getHeads());
  if (heads < 1)
    return op.emitOpError() << "has " << heads << " heads; a product has 1 or more";
  std::optional<int64_t> columns = c.columns();
  if (!columns || !b.extent(0).isConstant() || !b.extent(1).isConstant())
    return op.emitOpError() << "has heads and symbolic features; those of '" << b.getName()
                            << "' and '" << c.getName() << "' are numbers";
  int64_t rows = b.extent(0).constant(), width = b.extent(1).constant();
  if (*a.columns() % heads || *columns % heads || (op.getBeside() ? width : rows) % heads)
    return op.emitOpError() << "has " << heads << " heads, which divide the columns of '"
                            << a.getName() << "' (" << *a.columns() << "), those of '"
                            << c.getName() << "' (" << *columns << "), and the "
                            << (op.getBeside() ? "columns" : "rows") << " of '" << b.getName()
                            << "' (" << (op.getBeside() ? width : rows) << ")";
  (op.getBeside() ? width : rows) /= heads;
  if (op.getTransposeB())
    std::swap(rows, width);
  if (rows != *a.columns() / heads || width != *columns / heads || !(c.extent(0) == a.extent(0)))
    return op.emitOpError() << "multiplies windows of " << *a.columns() / heads << " columns with "
                            << heads << " matrices " << rows << " x " << width
                            << " into windows of " << *columns / heads;
  auto isLike = [&](Value operand, unsigned axis) {
    return !operand || (bufferOf(operand).getDtype() == c.getDtype() &&
                        bufferOf(operand).extent(axis) == c.extent(1));
  };
  if (!isLike(op.getBias(), 0) || (op.getResidual() && bufferOf(op.getResidual()).getRank() != 2) ||
      !isLike(op.getResidual(), 1))
    return op.emitOpError() << "with heads adds a bias and a residual of the columns of '"
                            << c.getName() << "'";
  if (llvm::is_contained({op.getA(), op.getB(), op.getBias(), op.getResidual()}, op.getC()))
    return op.emitOpError() << "writes its operand '" << c.getName() << "'";
  return success();
}

LogicalResult GemmOp::verify() {
  if (failed(verifyBuffers(*this)))
    return failure();
  BufferOp a = bufferOf(getA()), b = bufferOf(getB()), c = bufferOf(getC());
  BufferOp bias = getBias() ? bufferOf(getBias()) : BufferOp();
  auto shapeOf = [](BufferOp buffer) {
    std::string text = "'" + buffer.getName().str() + "' [";
    for (unsigned i = 0, rank = buffer.getRank(); i < rank; ++i)
      text += (i ? ", " : "") + buffer.extent(i).text();
    return text + "]";
  };
  // C1
  for (BufferOp matrix : {b, c})
    if (matrix.getRank() != 2 && (matrix != c || c.getRank() < 2))
      return emitOpError() << "operand " << shapeOf(matrix) << " has rank " << matrix.getRank()
                           << ", a matrix has 2";
  if (bias && bias.getRank() != 1)
    return emitOpError() << "bias " << shapeOf(bias) << " has rank " << bias.getRank() << ", not 1";
  // C2
  auto mixes = [&](BufferOp one, BufferOp other) {
    return emitOpError() << "mixes " << one.getDtype() << " ('" << one.getName() << "') and "
                         << other.getDtype() << " ('" << other.getName() << "')";
  };
  if (b.getDtype() != a.getDtype())
    return mixes(a, b);
  bool widens = a.getDtype().getIntOrFloatBitWidth() == 16 && c.getDtype().isF32();
  if (c.getDtype() != a.getDtype() && !widens)
    return mixes(a, c);
  if (bias && bias.getDtype() != c.getDtype())
    return mixes(c, bias);
  // C3
  unsigned inner = getTransposeB() ? 1 : 0;
  std::optional<int64_t> columns = a.columns();
  if (!columns || a.getRank() == 0)
    return emitOpError() << "has symbolic features: " << shapeOf(a) << " to " << shapeOf(c);
  // C7
  auto heads = static_cast<int64_t>(getHeads());
  if (heads != 1 || c.getRank() != 2)
    return verifyHeads(*this);
  if (!(Formula(*columns) == b.extent(inner)))
    return emitOpError() << "inner extents differ: " << shapeOf(a) << " times "
                         << (getTransposeB() ? "transposed " : "") << shapeOf(b);
  if (!(c.extent(0) == a.extent(0)) || !(c.extent(1) == b.extent(1 - inner)))
    return emitOpError() << "result " << shapeOf(c) << " is not [" << a.extent(0).text() << ", "
                         << b.extent(1 - inner).text() << "]";
  if (!c.extent(1).isConstant())
    return emitOpError() << "has symbolic features: " << shapeOf(a) << " to " << shapeOf(c);
  // C4
  if (bias && !(bias.extent(0) == c.extent(1)))
    return emitOpError() << "bias " << shapeOf(bias) << " does not match the " << c.extent(1).text()
                         << " columns of " << shapeOf(c);
  // C5
  if (llvm::is_contained({getA(), getB(), getBias(), getResidual()}, getC()))
    return emitOpError() << "writes its operand '" << c.getName() << "'";
  // C6
  if (!getResidual())
    return success();
  BufferOp residual = bufferOf(getResidual());
  if (residual.getDtype() != c.getDtype())
    return mixes(c, residual);
  if (residual.getRank() == 0 || !(residual.extent(0) == c.extent(0)) ||
      residual.columns() != c.columns())
    return emitOpError() << "residual " << shapeOf(residual) << " is not of the extents of "
                         << shapeOf(c);
  return success();
}

/// C5: a slice.
static LogicalResult verifySlice(GraphCallOp op) {
  BufferOp from = bufferOf(op.getInputs()[0]), to = bufferOf(op.getOutputs()[0]);
  ArrayRef<int64_t> offsets = *op.getOffsets(), sizes = *op.getSizes();
  auto wrong = [&](StringRef what, BufferOp buffer) {
    std::string extents =
        llvm::join(llvm::map_range(buffer.getShape().getAsRange<FormulaAttr>(),
                                   [](FormulaAttr extent) { return Formula(extent).text(); }),
                   ", ");
    return op.emitOpError() << "the window of " << sizes << " " << from.getDtype() << " at "
                            << offsets << " " << what << " '" << buffer.getName() << "', "
                            << buffer.getDtype() << "[" << extents << "]";
  };
  unsigned rank = from.getRank();
  bool inside = offsets.size() == rank && sizes.size() == rank;
  Formula elements(1);
  for (unsigned i = 0; inside && i < rank; ++i) {
    Formula extent = from.extent(i);
    inside = extent.isConstant() && offsets[i] >= 0 && sizes[i] >= 0 &&
             offsets[i] <= extent.constant() && sizes[i] <= extent.constant() - offsets[i];
    elements = elements * sizes[i];
  }
  if (!inside)
    return wrong("does not lie in", from);
  Formula room(1);
  for (int64_t i = 0; i < to.getRank(); ++i)
    room = to.extent(i).isConstant() ? room * to.extent(i).constant() : Formula(-1);
  if (from.getDtype() != to.getDtype() || !(room == elements))
    return wrong("does not fill", to);
  return success();
}

/// C5: a transposed matrix.
static LogicalResult verifyTransposed(GraphCallOp op) {
  BufferOp from = bufferOf(op.getInputs()[0]), to = bufferOf(op.getOutputs()[0]);
  auto isMatrix = [](BufferOp buffer) {
    return buffer.getRank() == 2 && buffer.extent(0).isConstant() && buffer.extent(1).isConstant();
  };
  if (!isMatrix(from) || !isMatrix(to) || from.getDtype() != to.getDtype() ||
      !(from.extent(0) == to.extent(1)) || !(from.extent(1) == to.extent(0)))
    return op.emitOpError() << "'" << to.getName() << "' is not of the type and extents of '"
                            << from.getName()
                            << "' transposed; both are matrices of constant extents";
  return success();
}

LogicalResult GraphCallOp::verify() {
  if (failed(verifyBuffers(*this)))
    return failure();
  GraphCallee callee = getCallee();
  StringRef name = stringifyGraphCallee(callee);
  size_t in = getInputs().size(), out = getOutputs().size(), sets = getSymbols().size();
  // C1
  bool counts = false;
  StringRef expected;
  switch (callee) {
  case GraphCallee::AddSelfLoops:
    counts = (in == 2 || in == 3) && out == in && sets == 1;
    expected = "in(src, dst [, weights]) out(src, dst [, weights]) sets(edges)";
    break;
  case GraphCallee::RemoveSelfLoops:
    counts = in >= 2 && out == in && sets == 1;
    expected = "in(src, dst, edge tensors...) out(src, dst, edge tensors...) sets(edges)";
    break;
  case GraphCallee::AppendSelfLoops:
    counts = out >= 2 && in == 2 * out - 2 && sets == 1;
    expected = "in(src, dst, edge tensors..., rows for loops...) out(src, dst, edge tensors...) "
               "sets(edges)";
    break;
  case GraphCallee::LoopWeights:
    counts = in == 3 && out == 1 && sets == 0;
    expected = "in(src, dst, weights) out(a weight per node)";
    break;
  case GraphCallee::ToCsr:
    counts = in >= 2 && out == in && sets == 0;
    expected = "in(src, dst, edge tensors...) out(rowptr, col, edge tensors...)";
    break;
  case GraphCallee::PartitionRows:
    counts = in == 1 && out == 2 && sets == 3;
    expected = "in(rowptr) out(items, splits) sets(items, splits, slots)";
    break;
  case GraphCallee::Slice:
    counts = in == 1 && out == 1 && sets == 0;
    expected = "in(tensor) out(part)";
    break;
  case GraphCallee::TransposeMatrix:
    counts = in == 1 && out == 1 && sets == 0;
    expected = "in(matrix) out(matrix)";
    break;
  case GraphCallee::MakeGraph:
    counts = (in == 1 || in == 2) && out == 2 && sets == 0;
    expected = "in(src, dst), in(rowptr, col) or in(index) out(src, dst) or out(rowptr, col)";
    break;
  }
  if (!counts)
    return emitOpError() << name << " has " << in << " in, " << out << " out and " << sets
                         << " sets, expected " << expected;
  // C2
  bool loops = callee == GraphCallee::AddSelfLoops || callee == GraphCallee::LoopWeights,
       partition = callee == GraphCallee::PartitionRows, slice = callee == GraphCallee::Slice;
  if (loops != static_cast<bool>(getFillAttr()))
    return emitOpError() << name << (loops ? " needs fill" : " takes no fill");
  if (partition != getChunk().has_value() || partition != getOrder().has_value())
    return emitOpError() << name
                         << (partition ? " needs chunk and order" : " takes no chunk or order");
  if (slice != getOffsets().has_value() || slice != getSizes().has_value())
    return emitOpError() << name
                         << (slice ? " needs offsets and sizes" : " takes no offsets or sizes");
  bool makes = callee == GraphCallee::MakeGraph;
  StringRef form = getForm().value_or("");
  static constexpr StringLiteral kForms[] = {"coo", "csr", "gather", "scatter", "segments"};
  auto forms = ArrayRef(kForms);
  if (makes ? !llvm::is_contained(in == 2 ? forms.take_front(2) : forms.drop_front(2), form)
            : getForm().has_value())
    return emitOpError() << name
                         << (makes ? " of " + std::to_string(in) + " has form " +
                                         (in == 2 ? "coo or csr" : "gather, scatter or segments") +
                                         ", found '" + form.str() + "'"
                                   : " takes no form");
  // C3
  if (int64_t chunk = getChunk().value_or(1); chunk < 1)
    return emitOpError() << "chunk is at least 1 edge, found " << chunk;
  if (StringRef order = getOrder().value_or("row");
      order != "row" && order != "longest" && order != "windows")
    return emitOpError() << "order is row, longest or windows, found '" << order << "'";
  // C4
  for (size_t i = 2; i < in && !makes; ++i) {
    size_t made = callee == GraphCallee::LoopWeights ? 0 : i < out ? i : i - (out - 2);
    BufferOp from = bufferOf(getInputs()[i]), to = bufferOf(getOutputs()[made]);
    if (from.getDtype() != to.getDtype() || from.getRank() != to.getRank() ||
        from.getShape().getValue().drop_front() != to.getShape().getValue().drop_front())
      return emitOpError() << "edge tensor '" << from.getName() << "' (" << from.getDtype()
                           << ", rank " << from.getRank() << ") becomes '" << to.getName() << "' ("
                           << to.getDtype() << ", rank " << to.getRank() << ")";
  }
  if (callee == GraphCallee::TransposeMatrix)
    return verifyTransposed(*this);
  return slice ? verifySlice(*this) : success();
}
