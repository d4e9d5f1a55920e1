//===- HoistGraphInvariants.cpp - Split a program into prepare and forward ===//
//
// In: @forward, which computes everything from its arguments.
// Out: @prepare with all that depends on no input, @forward with the rest.
//
// 1. Ops are cheap (sizes, fills, broadcasts, constants: repeated on whichever
//    side needs them) or real. A real op is hoisted when each operand is an
//    argument that is no input, a hoisted value, or a cheap value that can be
//    repeated in @prepare. What @forward returns it computes itself.
// 2. A row count may come from an input (tensor.dim %x). @prepare takes it from
//    a tensor of its own with the same rows (RowSpaces), earlier in the order, or
//    from a graph whose nodes they are.
// 3. Walking back from @forward's results, the first hoisted value met on each
//    way becomes a result of @prepare. Gathers are repeated in @forward: their
//    node tensor is smaller, and fusion removes them. So are truth values.
//
//===----------------------------------------------------------------------===//
#include "mlir/Transforms/RegionUtils.h"
#include "passes/Common/RowRegion.h"
#include "passes/Common/RowSpaces.h"
#include "passes/Program/CsrNormalization.h"
#include "passes/Program/Passes.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNHOISTGRAPHINVARIANTSPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

/// Costs less to repeat than to keep: never a result of @prepare.
static bool isCheap(Operation *op) {
  // Regions read a reshaped tensor as it was; a product needs the matrix.
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return llvm::none_of(op->getUsers(),
                         [](Operation *user) { return isa<linalg::MatmulOp>(user); });
  if (isa<tensor::EmptyOp, tensor::DimOp, tensor::SplatOp, tensor::CastOp, linalg::FillOp,
          linalg::BroadcastOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  // Arithmetic on sizes.
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrIndexOrFloat(); });
}

/// Operands and the values that regions take from above.
static SmallVector<Value> usedValues(Operation *op) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return used.takeVector();
}

namespace {
class Splitter {
public:
  explicit Splitter(func::FuncOp forward) : forward(forward), spaces(forward) {}
  void run();
  unsigned numHoisted = 0, numPrepared = 0;

private:
  void findHoisted();
  void findNeeded();
  void markLive(Operation *op);
  bool canPrepare(Value value) const;
  Value rowCountDonor(tensor::DimOp dim, function_ref<bool(Value)> isAvailable) const;
  std::pair<Value, End> nodeCountDonor(tensor::DimOp dim,
                                       function_ref<bool(Value)> isAvailable) const;
  bool staysInForward(Operation *op) const;
  void resolveSize(tensor::DimOp dim);
  func::FuncOp buildPrepare();
  Value cloneInto(OpBuilder &builder, Value value, IRMapping &mapping);
  void rewriteForward();

  func::FuncOp forward;
  RowSpaces spaces;
  DenseSet<Value> available; ///< arguments and hoisted results, in @prepare
  llvm::SetVector<Operation *> hoisted;
  llvm::SetVector<Operation *> live; ///< in @forward
  SmallVector<tensor::DimOp> sizes;  ///< among `live`
  llvm::SetVector<Value> needed;     ///< results of @prepare
};
} // namespace

/// A tensor with as many rows as the operand of `dim`, other than through it.
Value Splitter::rowCountDonor(tensor::DimOp dim, function_ref<bool(Value)> isAvailable) const {
  if (isAvailable(dim.getSource()))
    return dim.getSource();
  int space = spaces.of(dim.getSource());
  if (space < 0 || dim.getConstantIndex() != 0)
    return {};
  for (Value member : spaces.members(space))
    if (isAvailable(member))
      return member;
  return {};
}

/// The graph whose nodes at an end are the rows of the operand of `dim`.
std::pair<Value, End> Splitter::nodeCountDonor(tensor::DimOp dim,
                                               function_ref<bool(Value)> isAvailable) const {
  int space = spaces.of(dim.getSource());
  if (space >= 0 && dim.getConstantIndex() == 0)
    for (auto [graph, axis] : spaces.axes(space))
      if (axis != RowSpaces::Edges && isAvailable(graph))
        return {graph, axis == RowSpaces::Src ? End::Src : End::Dst};
  return {};
}

bool Splitter::canPrepare(Value value) const {
  if (available.contains(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !isCheap(op))
    return false;
  auto isThere = [&](Value v) { return available.contains(v); };
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    return rowCountDonor(dim, isThere) || nodeCountDonor(dim, isThere).first;
  return llvm::all_of(op->getOperands(), [&](Value v) { return canPrepare(v); });
}

void Splitter::findHoisted() {
  for (BlockArgument argument : forward.getArguments())
    if (!forward.getArgAttr(argument.getArgNumber(), kInputAttr) &&
        (isa<GnnGraphType>(argument.getType()) ||
         forward.getArgAttr(argument.getArgNumber(), kWeightAttr) ||
         forward.getArgAttr(argument.getArgNumber(), kGraphDataAttr) ||
         forward.getArgAttr(argument.getArgNumber(), kIndexAttr)))
      available.insert(argument);
  for (Operation &op : forward.front().without_terminator()) {
    if (isCheap(&op) || !isMemoryEffectFree(&op))
      continue;
    // An output is written by each run, even where it depends on the graph alone.
    if (llvm::is_contained(op.getUsers(), forward.front().getTerminator()))
      continue;
    if (!llvm::all_of(usedValues(&op), [&](Value v) { return canPrepare(v); }))
      continue;
    hoisted.insert(&op);
    available.insert(op.result_begin(), op.result_end());
  }
}

/// Hoisted values are replaced by arguments of @forward, except gathers, and truth
/// values, which have no form in memory.
bool Splitter::staysInForward(Operation *op) const {
  bool isTruth = llvm::any_of(op->getResultTypes(),
                              [](Type type) { return getElementTypeOrSelf(type).isInteger(1); });
  return !hoisted.contains(op) || isa<GatherOp>(op) || isTruth;
}

/// Follows operands back from `op` to the hoisted values that @forward needs.
void Splitter::markLive(Operation *op) {
  SmallVector<Operation *> worklist{op};
  while (!worklist.empty()) {
    op = worklist.pop_back_val();
    if (!live.insert(op))
      continue;
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      sizes.push_back(dim);
      continue;
    }
    for (Value used : usedValues(op)) {
      Operation *def = used.getDefiningOp();
      if (!def)
        continue;
      if (staysInForward(def))
        worklist.push_back(def);
      else
        needed.insert(used);
    }
  }
}

void Splitter::findNeeded() {
  markLive(forward.front().getTerminator());
  // Sizes last, when it is known what is there anyway; their number may grow.
  for (unsigned i = 0; i < sizes.size(); ++i)
    resolveSize(sizes[i]);
  // In the order of the program, whatever way they were found.
  SmallVector<Value> order = needed.takeVector();
  llvm::sort(order, [](Value a, Value b) {
    if (a.getDefiningOp() == b.getDefiningOp())
      return cast<OpResult>(a).getResultNumber() < cast<OpResult>(b).getResultNumber();
    return a.getDefiningOp()->isBeforeInBlock(b.getDefiningOp());
  });
  needed.insert(order.begin(), order.end());
}

/// A size alone is no reason to keep a tensor: an input or something that
/// @prepare returns anyway has it too, if possible.
void Splitter::resolveSize(tensor::DimOp dim) {
  Operation *def = dim.getSource().getDefiningOp();
  if (!def || needed.contains(dim.getSource()))
    return;
  bool isGather = isa<GatherOp>(def);
  if (staysInForward(def) && !isGather)
    return markLive(def);
  auto isArgument = [&](Value v) {
    auto argument = dyn_cast<BlockArgument>(v);
    return needed.contains(v) ||
           (argument && forward.getArgAttr(argument.getArgNumber(), kInputAttr));
  };
  if (Value donor = rowCountDonor(dim, isArgument))
    dim.getSourceMutable().assign(donor);
  else if (isGather)
    markLive(def);
  else
    needed.insert(dim.getSource());
}

Value Splitter::cloneInto(OpBuilder &builder, Value value, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    Value size;
    auto isThere = [&](Value v) { return mapping.contains(v); };
    if (Value donor = rowCountDonor(dim, isThere)) {
      Value index = cloneInto(builder, dim.getIndex(), mapping);
      size = tensor::DimOp::create(builder, dim.getLoc(), mapping.lookup(donor), index);
    } else {
      auto [graph, end] = nodeCountDonor(dim, isThere);
      size = NodeCountOp::create(builder, dim.getLoc(), mapping.lookup(graph), end);
    }
    mapping.map(value, size);
    return size;
  }
  for (Value used : usedValues(op))
    cloneInto(builder, used, mapping);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

func::FuncOp Splitter::buildPrepare() {
  OpBuilder builder(forward);
  auto prepare = func::FuncOp::create(
      builder, forward.getLoc(), kPrepareFunc,
      builder.getFunctionType(forward.getArgumentTypes(), TypeRange(needed.getArrayRef())));
  if (ArrayAttr attrs = forward.getArgAttrsAttr())
    prepare.setArgAttrsAttr(attrs);
  Block *entry = prepare.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  // Ops behind the results, and nothing else.
  DenseSet<Operation *> wanted;
  SmallVector<Value> worklist(needed.begin(), needed.end());
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (op && wanted.insert(op).second && !isa<tensor::DimOp>(op))
      llvm::append_range(worklist, usedValues(op));
  }
  // Row counts come from hoisted tensors before them, so those are wanted too.
  bool hasSizes = llvm::any_of(wanted, [](Operation *op) { return isa<tensor::DimOp>(op); });
  IRMapping mapping;
  for (auto [from, to] : llvm::zip(forward.getArguments(), entry->getArguments()))
    if (available.contains(from))
      mapping.map(from, to);
  for (Operation *op : hoisted)
    if (hasSizes || wanted.contains(op))
      cloneInto(builder, op->getResult(0), mapping);
  SmallVector<Value> results;
  for (Value value : needed)
    results.push_back(mapping.lookup(value));
  func::ReturnOp::create(builder, forward.getLoc(), results);
  return prepare;
}

/// Erases ops nobody reads, last first.
static void eraseDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

static void dropUnusedArguments(func::FuncOp function) {
  BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    unused[argument.getArgNumber()] =
        argument.use_empty() && (function.getName() == kPrepareFunc ||
                                 !function.getArgAttr(argument.getArgNumber(), kInputAttr));
  (void)function.eraseArguments(unused);
}

void Splitter::rewriteForward() {
  Builder builder(forward.getContext());
  for (auto [number, result] : llvm::enumerate(needed)) {
    Value value = result;
    auto attrs = builder.getDictionaryAttr(
        builder.getNamedAttr(kPreparedAttr, builder.getI64IntegerAttr(number)));
    (void)forward.insertArgument(forward.getNumArguments(), value.getType(), attrs, value.getLoc());
    value.replaceAllUsesWith(forward.getArguments().back());
  }
  eraseDeadOps(forward.front());
  dropUnusedArguments(forward);
}

void Splitter::run() {
  findHoisted();
  findNeeded();
  func::FuncOp prepare = buildPrepare();
  rewriteForward();
  eraseDeadOps(prepare.front());
  dropUnusedArguments(prepare);
  numHoisted = llvm::count_if(prepare.front().without_terminator(),
                              [](Operation &op) { return !isCheap(&op); });
  numPrepared = needed.size();
}

namespace {
struct HoistGraphInvariants final
    : gnnc::impl::GnnHoistGraphInvariantsPassBase<HoistGraphInvariants> {
  using GnnHoistGraphInvariantsPassBase::GnnHoistGraphInvariantsPassBase;

protected:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (index != "i32" && index != "i64") {
      module.emitError("gnn-hoist-graph-invariants: option index is i32 or i64, found ") << index;
      return signalPassFailure();
    }
    if (module.lookupSymbol(kPrepareFunc))
      return;
    auto forward = module.lookupSymbol<func::FuncOp>(kForwardFunc);
    if (!forward || forward.isExternal() || !llvm::hasSingleElement(forward.getBody())) {
      module.emitError("gnn-hoist-graph-invariants: the module has no function @forward with one "
                       "block");
      return signalPassFailure();
    }
    for (BlockArgument argument : forward.getArguments())
      for (StringRef mark : {kSelfLoopsAttr, kNormalizeAttr})
        if (forward.getArgAttr(argument.getArgNumber(), mark)) {
          forward.emitError("gnn-hoist-graph-invariants: argument #")
              << argument.getArgNumber() << " still carries " << mark
              << "; run gnn-add-self-loops and gnn-normalize first";
          return signalPassFailure();
        }
    for (BlockArgument argument : forward.getArguments())
      if (forward.getArgAttr(argument.getArgNumber(), kPreparedAttr)) {
        forward.emitError("gnn-hoist-graph-invariants: argument #")
            << argument.getArgNumber()
            << " is a result of @prepare, which the module has not; mark it with what brings it, "
               "such as gnn.graph_data";
        return signalPassFailure();
      }
    auto indexType = IntegerType::get(&getContext(), index == "i32" ? 32 : 64);
    turnToDestinations(forward, indexType);
    if (failed(normalizeToCsr(forward, indexType)))
      return signalPassFailure();
    takeRowCountsFromArguments(forward);
    Splitter splitter(forward);
    splitter.run();
    numHoisted += splitter.numHoisted;
    numPrepared += splitter.numPrepared;
  }
};
} // namespace
