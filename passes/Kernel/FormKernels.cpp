//===- FormKernels.cpp - Outline every piece of work ----------------------===//
//
// In:  @prepare and @forward on tensors, fused as far as fusion went.
// Out: both consist of calls to kernel functions, graph construction, a return.
//
// 1. Matrix products take their bias, a sum with a tensor that is stored anyway, and
//    their ReLU along (what the libraries fuse).
// 2. What fusion left becomes gnn.aggregate (scatter, degree) or gnn.map (chains
//    of elementwise ops, gathers), from the results backwards, so that a value
//    used in two places is computed once and read twice.
// 3. Maps over nodes that read the same rows become one (MergeMaps.h).
// 4. Each of these ops is outlined with its operands as arguments.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/Common/Blocker.h"
#include "passes/Common/HeadProduct.h"
#include "passes/Common/RowRegion.h"
#include "passes/Kernel/MergeMaps.h"
#include "passes/Kernel/Passes.h"
#include "passes/Kernel/ProductTail.h"
#include "passes/Kernel/RowFrame.h"

namespace gnnc {
#define GEN_PASS_DEF_GNNFORMKERNELSPASS
#include "passes/Kernel/Passes.h.inc"
} // namespace gnnc

using namespace mlir;
using namespace gnnc;

namespace {

/// Builds a graph of index tensors.
bool buildsGraph(Operation *op) { return isa<gnn::GraphOp, gnn::IndexGraphOp>(op); }

/// A value that each run brings or computes, though it may be bound with the graph.
bool isOfEachRun(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function = dyn_cast<func::FuncOp>(value.getParentBlock()->getParentOp());
  return !argument || (function && function.getArgAttr(argument.getArgNumber(), gnn::kInputAttr));
}

/// What to write instead of an op that follows no graph, or builds one in each run;
/// empty for every other op.
StringRef mendFor(Operation &op) {
  auto softmax = dyn_cast<gnn::SegmentSoftmaxOp>(op);
  if (isa<gnn::GatherAtOp, gnn::ScatterAtOp, gnn::SegmentReduceOp>(op) ||
      (softmax && !softmax.getGraph()))
    return "follows no graph, and kernels follow graphs only; run gnn-index-to-graph and "
           "gnn-hoist-graph-invariants first";
  auto function = dyn_cast<func::FuncOp>(op.getParentOp());
  if (!buildsGraph(&op) || !function || function.getName() != gnn::kForwardFunc)
    return {};
  for (Value operand : op.getOperands())
    if (isa<RankedTensorType>(operand.getType()) && isOfEachRun(operand))
      return "builds a graph of an index tensor that each run brings or computes, and graphs are "
             "bound before the first run; make the index tensor an argument marked gnn.index";
  return "builds a graph whose number of nodes is known in each run only, and graphs are bound "
         "before the first run; make the count a number, or the rows of a node tensor of a graph "
         "argument or of an argument marked gnn.index or gnn.graph_data";
}

/// Why the value of the elementwise kernel `map` is stored and not computed where
/// it is read.
Blocker findMapBlocker(Operation *map) {
  OpOperand *use = singleRealUse(map->getResult(0));
  if (!use)
    return Blocker(map, "its value is read in more than one place and computed once for all");
  Operation *reader = use->getOwner();
  auto function = map->getParentOfType<func::FuncOp>();
  if (reader->hasTrait<OpTrait::IsTerminator>())
    return Blocker(map, function.getName() == gnn::kPrepareFunc
                            ? "it is computed once per graph and kept for every forward"
                            : "its value is returned");
  if (auto call = dyn_cast<func::CallOp>(reader))
    return Blocker(map, "its value is an operand of the matrix product @" + call.getCallee() +
                            ", which the library computes");
  auto aggregate = dyn_cast<gnn::AggregateOp>(reader);
  if (aggregate && llvm::is_contained(aggregate.getSrc(), use->get()))
    return Blocker(map, "its rows are read along the edges; computing them there would repeat the "
                        "work for each edge");
  return Blocker(map, "'" + reader->getName().getStringRef() + "' reads its value as a tensor");
}

class KernelFormer {
public:
  KernelFormer(ModuleOp module, unsigned &counter, unsigned maxResults)
      : module(module), counter(counter), maxResults(maxResults), builder(module.getContext()) {}

  unsigned numMerged = 0;

  LogicalResult run(func::FuncOp function) {
    if (!function.getBody().hasOneBlock())
      return function.emitOpError("a program is one block, found ")
             << function.getBody().getBlocks().size();
    block = &function.getBody().front();
    removeDead();
    for (Operation &op : *block)
      if (StringRef mend = mendFor(op); !mend.empty())
        return op.emitOpError(mend);
    if (failed(checkTypes()))
      return failure();
    SmallVector<Operation *> products;
    for (Operation &op : *block)
      if (isa<linalg::MatmulOp>(op) || isHeadProduct(op))
        products.push_back(&op);
    for (Operation *product : products)
      if (failed(outlineProduct(product)))
        return failure();
    removeDead();
    if (failed(formRowOps()))
      return failure();
    numMerged = mergeMaps(*block, maxResults);
    SmallVector<Operation *> rowOps;
    for (Operation &op : *block) {
      if (isa<gnn::AggregateOp, gnn::MapOp>(op))
        rowOps.push_back(&op);
    }
    for (Operation *op : rowOps) {
      if (failed(RowFrame::get(op)))
        return failure();
      outlineRowOp(op);
    }
    removeDead();
    return checkRest();
  }

private:
  func::FuncOp createKernel(Location loc, StringRef kind, TypeRange inputs, TypeRange results) {
    std::string name = (kind == "aggregate" ? StringRef("agg") : kind).str();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    auto kernel = func::FuncOp::create(builder, loc, name + "_" + std::to_string(counter++),
                                       builder.getFunctionType(inputs, results));
    kernel.setPrivate();
    kernel->setAttr(gnn::kKernelAttr, builder.getStringAttr(kind));
    kernel.addEntryBlock();
    return kernel;
  }

  void removeDead() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
        if (isOpTriviallyDead(&op)) {
          op.erase();
          changed = true;
        }
    }
  }

  /// Kernels read and write tensors, and hold rows in vectors.
  LogicalResult checkTypes() {
    for (Operation &op : *block) {
      for (Value operand : op.getOperands())
        if (isa<BaseMemRefType>(operand.getType()))
          return op.emitOpError("works on ")
                 << operand.getType()
                 << ", and programs are written over tensors; write what it "
                    "computes as a result";
      for (Type type : op.getResultTypes())
        if (auto tensor = dyn_cast<RankedTensorType>(type))
          for (int64_t extent : tensor.getShape().drop_front(tensor.getRank() > 0))
            if (extent <= 0) // negative: dynamic
              return op.emitOpError("gives ")
                     << tensor << ", whose rows are " << (extent == 0 ? "empty" : "not static")
                     << "; write how many features they have, 1 or more";
    }
    return success();
  }

  //===--- matrix products ------------------------------------------------===//

  LogicalResult outlineProduct(Operation *op) {
    Product product = matchProductTail(op);
    auto matmul = dyn_cast<linalg::MatmulOp>(op);
    std::optional<HeadProduct> heads = HeadProduct::match(op->getResult(0));
    if (matmul && !isZeroSplat(matmul.getDpsInitOperand(0)->get()))
      return matmul.emitOpError("a matrix product accumulates into zeros (linalg.fill of 0.0)");
    SmallVector<Value> inputs;
    if (heads)
      inputs = {heads->rows, heads->weight};
    else
      llvm::append_range(inputs, matmul.getDpsInputs());
    // Rows of another shape lie in memory as the product reads them.
    SmallVector<Operation *> reshapes;
    for (; matmul && isRowReshape(inputs[0].getDefiningOp());
         inputs[0] = reshapes.back()->getOperand(0))
      reshapes.push_back(inputs[0].getDefiningOp());
    for (Value more : {product.bias, product.residual})
      if (more)
        inputs.push_back(more);
    Location loc = product.location();
    auto type = cast<RankedTensorType>(product.result().getType());
    Blocker blocker = findTailBlocker(product);
    reportMissed(op, "gnn-form-kernels", blocker);
    if (blocker.at != op) // stays outside
      reportMissed(blocker.at, "gnn-form-kernels", blocker);
    func::FuncOp kernel = createKernel(loc, "gemm", TypeRange(ValueRange(inputs)), type);

    OpBuilder inner = OpBuilder::atBlockBegin(&kernel.getBody().front());
    auto arguments = kernel.getArguments();
    Value empty = emptyLike(inner, loc, type, arguments[0]);
    auto zero = arith::ConstantOp::create(inner, loc, inner.getZeroAttr(type.getElementType()));
    Value filled = linalg::FillOp::create(inner, loc, zero.getResult(), empty).getResult(0);
    Value value;
    if (heads) {
      value = HeadProduct::create(inner, loc, arguments[0], arguments[1], heads->beside,
                                  heads->transposed);
      if (value.getType() != type) // heads apart
        value = value.getDefiningOp<tensor::CollapseShapeOp>().getSrc();
    } else {
      IRMapping mapping;
      mapping.map(inputs[0], arguments[0]);
      for (Operation *reshape : llvm::reverse(reshapes))
        cloneReshape(inner, reshape, arguments[0], mapping);
      mapping.map(matmul.getDpsInputOperand(1)->get(), arguments[1]);
      mapping.map(matmul.getDpsInitOperand(0)->get(), filled);
      value = inner.clone(*matmul, mapping)->getResult(0);
    }
    if (product.add) {
      Value rows =
          linalg::BroadcastOp::create(inner, loc, arguments[2], empty, ArrayRef<int64_t>{0})
              ->getResult(0);
      value = arith::AddFOp::create(inner, loc, value, rows);
    }
    if (product.sum)
      value = arith::AddFOp::create(inner, loc, value, arguments.back());
    if (product.relu)
      value = arith::MaximumFOp::create(inner, loc, value, filled);
    func::ReturnOp::create(inner, loc, value);

    builder.setInsertionPointAfterValue(product.result());
    auto call = func::CallOp::create(builder, loc, kernel, inputs);
    replace(product.result(), call.getResult(0));
    return success();
  }

  /// The sizes of `reshape` are those of its operand's rows, `rowsOf` in the kernel.
  static void cloneReshape(OpBuilder &inner, Operation *reshape, Value rowsOf, IRMapping &mapping) {
    Location loc = reshape->getLoc();
    Value from = mapping.lookup(reshape->getOperand(0)), to;
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape)) {
      to = tensor::CollapseShapeOp::create(inner, loc, collapse.getResultType(), from,
                                           collapse.getReassociationIndices());
    } else {
      auto expand = cast<tensor::ExpandShapeOp>(reshape);
      SmallVector<OpFoldResult> sizes;
      for (int64_t extent : expand.getResultType().getShape())
        sizes.push_back(ShapedType::isDynamic(extent)
                            ? OpFoldResult(inner.createOrFold<tensor::DimOp>(loc, rowsOf, 0))
                            : OpFoldResult(inner.getIndexAttr(extent)));
      to = tensor::ExpandShapeOp::create(inner, loc, expand.getResultType(), from,
                                         expand.getReassociationIndices(), sizes);
    }
    mapping.map(reshape->getResult(0), to);
  }

  static Value emptyLike(OpBuilder &inner, Location loc, RankedTensorType type, Value rowsOf) {
    SmallVector<Value> sizes;
    if (type.isDynamicDim(0)) {
      Value zero = arith::ConstantIndexOp::create(inner, loc, 0);
      sizes.push_back(tensor::DimOp::create(inner, loc, rowsOf, zero));
    }
    return tensor::EmptyOp::create(inner, loc, type, sizes);
  }

  /// Also moves tensor.dim of the parts that die to the value that stays.
  void replace(Value from, Value to) { from.replaceAllUsesWith(to); }

  //===--- gathers, scatters, elementwise ---------------------------------===//

  static bool isRowOp(Operation *op) {
    return isRowComputation(op) || isRowReshape(op) ||
           isa<gnn::GatherOp, linalg::BroadcastOp, linalg::FillOp>(op);
  }

  /// True when something other than the shape of `op`'s result is asked for.
  static bool isMaterialised(Operation *op) {
    return llvm::any_of(op->getUsers(), [](Operation *user) {
      return !isa<tensor::DimOp>(user) && !isa<linalg::LinalgOp>(user);
    });
  }

  LogicalResult formRowOps() {
    // From the results backwards: an op is met after all of its users.
    for (Operation *op = &block->back(); op;) {
      Operation *previous = op->getPrevNode();
      LogicalResult formed = success();
      if (isOpTriviallyDead(op))
        op->erase();
      else if (auto scatter = dyn_cast<gnn::ScatterOp>(op))
        formed = formScatter(scatter);
      else if (auto degree = dyn_cast<gnn::DegreeOp>(op))
        formed = formDegree(degree);
      else if (isRowOp(op) && isMaterialised(op))
        formed = formMap(op);
      if (failed(formed))
        return failure();
      op = previous;
    }
    removeDead();
    return success();
  }

  LogicalResult formScatter(gnn::ScatterOp op) {
    if (op.getEnd() != gnn::End::Dst)
      return op.emitOpError("scatters at src, which a csr graph does not group by; transpose the "
                            "graph and scatter at dst");
    builder.setInsertionPoint(op);
    auto aggregate = createAggregate(builder, op.getLoc(), op.getGraph(), op.getKind(), op.getAcc(),
                                     op.getEdges(), cast<RankedTensorType>(op.getType()), OpSet());
    replace(op.getResult(), aggregate.getResult(0));
    op.erase();
    return success();
  }

  /// degree = sum of 1 or of the weights
  LogicalResult formDegree(gnn::DegreeOp op) {
    if (op.getEnd() != gnn::End::Dst)
      return op.emitOpError("counts at src, which a csr graph does not group by; transpose the "
                            "graph and count at dst");
    reportMissed(op, "gnn-form-kernels",
                 Blocker(op, "a degree is a sum over edges of its own; what reads it is fused "
                             "before kernels are formed"));
    builder.setInsertionPoint(op);
    auto type = cast<RankedTensorType>(op.getType());
    if (Value weights = op.getWeights()) {
      Type acc = type.getElementType().isF64() ? type.getElementType() : Type(builder.getF32Type());
      auto aggregate = createAggregate(builder, op.getLoc(), op.getGraph(), gnn::ReduceKind::Sum,
                                       acc, weights, type, OpSet());
      replace(op.getResult(), aggregate.getResult(0));
    } else {
      auto sum = gnn::ReduceKindAttr::get(op.getContext(), gnn::ReduceKind::Sum);
      auto aggregate = gnn::AggregateOp::create(
          builder, op.getLoc(), TypeRange{type}, op.getGraph(), ValueRange(), ValueRange(),
          ValueRange(), ValueRange(), builder.getArrayAttr({sum}),
          TypeAttr::get(builder.getF32Type()), Attribute());
      OpBuilder inner = OpBuilder::atBlockEnd(&aggregate.getMessage().emplaceBlock());
      Value one = arith::ConstantOp::create(inner, op.getLoc(), inner.getF32FloatAttr(1.0f));
      gnn::YieldOp::create(inner, op.getLoc(), one);
      replace(op.getResult(), aggregate.getResult(0));
    }
    op.erase();
    return success();
  }

  /// The graph whose edges the rows of `root` are, if a gather says so.
  static Value graphOf(Operation *root, const OpSet &inside) {
    if (auto gather = dyn_cast<gnn::GatherOp>(root))
      return gather.getGraph();
    for (Operation *op : inside)
      for (Value operand : op->getOperands())
        if (auto gather = operand.getDefiningOp<gnn::GatherOp>())
          return gather.getGraph();
    return {};
  }

  LogicalResult formMap(Operation *root) {
    Value value = root->getResult(0);
    OpSet inside = collectRowOps({value}, [](OpOperand &) { return true; });
    Value graph = graphOf(root, inside);
    builder.setInsertionPointAfter(root);
    gnn::MapOp map = createMap(builder, value, graph, inside);
    if (!map)
      return root->emitOpError("fills a tensor whose row count no operand gives; it has no kernel");
    replace(value, map.getResult(0));
    reportMissed(map, "gnn-form-kernels", findMapBlocker(map));
    root->erase();
    return success();
  }

  //===--- outlining ------------------------------------------------------===//

  void outlineRowOp(Operation *op) {
    llvm::SetVector<Value> inputs(op->operand_begin(), op->operand_end());
    func::FuncOp kernel =
        createKernel(op->getLoc(), isa<gnn::AggregateOp>(op) ? "aggregate" : "map",
                     TypeRange(ValueRange(inputs.getArrayRef())), op->getResultTypes());
    IRMapping mapping;
    for (auto [input, argument] : llvm::zip_equal(inputs, kernel.getArguments()))
      mapping.map(input, argument);
    OpBuilder inner = OpBuilder::atBlockBegin(&kernel.getBody().front());
    Operation *copy = inner.clone(*op, mapping);
    func::ReturnOp::create(inner, op->getLoc(), copy->getResults());
    builder.setInsertionPoint(op);
    auto call = func::CallOp::create(builder, op->getLoc(), kernel, inputs.getArrayRef());
    op->replaceAllUsesWith(call.getResults());
    op->erase();
  }

  /// A window of a tensor of known extents, or all of it in another shape or transposed:
  /// copied once where it is a weight (gnn-build-plan says so).
  static bool isPartOfWhole(Operation *op) {
    if (isa<tensor::EmptyOp>(op))
      return llvm::all_of(op->getUsers(), llvm::IsaPred<linalg::TransposeOp>);
    return isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
               linalg::TransposeOp>(op) &&
           isParameter(op->getResult(0)) &&
           cast<RankedTensorType>(op->getOperand(0).getType()).hasStaticShape();
  }

  /// A count of nodes of a graph that is built; gnn-build-plan finds its symbol.
  static bool isCount(Operation *op) {
    return op->getNumResults() == 1 && op->getResult(0).getType().isIndex() &&
           isa<tensor::DimOp, gnn::NodeCountOp, arith::ConstantOp>(op) &&
           llvm::all_of(op->getUsers(), [](Operation *user) {
             return buildsGraph(user) || (isa<tensor::DimOp>(user) && isCount(user));
           });
  }

  static bool hasForm(Operation &op) {
    return isa<func::CallOp, func::ReturnOp, gnn::AddSelfLoopsOp, gnn::RemoveSelfLoopsOp,
               gnn::AppendSelfLoopsOp, gnn::LoopWeightsOp, gnn::TransposeOp, gnn::ToCsrOp>(op) ||
           buildsGraph(&op) || isPartOfWhole(&op) || isCount(&op);
  }

  LogicalResult checkRest() {
    auto left = llvm::make_filter_range(*block, [](Operation &op) { return !hasForm(op); });
    // Sizes, constants and fills are there because of what reads them.
    for (Operation &op : left)
      if (!isa<tensor::DimOp, tensor::EmptyOp, arith::ConstantOp, linalg::FillOp>(op))
        return op.emitOpError("has no kernel form");
    for (Operation &op : left) {
      if (isa<arith::ConstantOp>(op) && isa<RankedTensorType>(op.getResult(0).getType()))
        return op.emitOpError(
            "is a tensor of numbers in the program, and kernels read those of the "
            "weights file; make it an argument marked gnn.weight");
      return op.emitOpError("has no kernel form");
    }
    return success();
  }

  ModuleOp module;
  unsigned &counter;
  unsigned maxResults;
  OpBuilder builder;
  Block *block = nullptr;
};

struct GnnFormKernelsPass : gnnc::impl::GnnFormKernelsPassBase<GnnFormKernelsPass> {
  using Base::Base;
  void runOnOperation() override {
    unsigned counter = 0;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(gnn::kKernelAttr))
        ++counter;
    numKernels -= counter;
    SmallVector<func::FuncOp> programs;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function->hasAttr(gnn::kKernelAttr) && !function.isExternal())
        programs.push_back(function);
    for (func::FuncOp function : programs) {
      KernelFormer former(getOperation(), counter, maxResults);
      if (failed(former.run(function)))
        return signalPassFailure();
      numMerged += former.numMerged;
    }
    numKernels += counter;
  }
};

} // namespace
