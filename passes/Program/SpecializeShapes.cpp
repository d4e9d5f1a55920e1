//===- SpecializeShapes.cpp - Extents of the bound graph as constants -----===//
//
// In: @prepare and @forward (or @forward alone) on a graph whose extents are `?`.
// Out: the same with the extents that were asked for in the types of that graph and of
// all that are made of it. Tensors keep `?` rows: what they are follows from the graph
// when the plan is built, which also makes a guard of each constant.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "passes/Program/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNSPECIALIZESHAPESPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

/// The type of the graph that `op` makes of one of type `graph`; null: of none.
static GnnGraphType typeMadeOf(Operation *op, GnnGraphType graph) {
  if (isa<AddSelfLoopsOp, RemoveSelfLoopsOp, AppendSelfLoopsOp>(op))
    return graph.with(ShapedType::kDynamic, graph.getIndex(), Layout::Coo);
  if (isa<TransposeOp>(op))
    return GnnGraphType::get(graph.getSrc(), graph.getDst(), graph.getEdges(), graph.getIndex(),
                             graph.getLayout());
  if (auto csr = dyn_cast<ToCsrOp>(op))
    return graph.with(graph.getEdges(), csr.getCsr().getType().getIndex(), Layout::Csr);
  return {};
}

namespace {
struct SpecializeShapes final : gnnc::impl::GnnSpecializeShapesPassBase<SpecializeShapes> {
  using GnnSpecializeShapesPassBase::GnnSpecializeShapesPassBase;

  void runOnOperation() override {
    auto prepare = getOperation().lookupSymbol<func::FuncOp>(kPrepareFunc);
    auto forward = getOperation().lookupSymbol<func::FuncOp>(kForwardFunc);
    SmallVector<Type> prepared;
    for (func::FuncOp function : {prepare, forward}) {
      if (!function || function.isExternal())
        continue;
      for (BlockArgument argument : function.getArguments())
        if (failed(specializeArgument(function, argument, prepared)))
          return signalPassFailure();
      Operation *results = function.front().getTerminator();
      if (function == prepare)
        llvm::append_range(prepared, results->getOperandTypes());
      function.setType(FunctionType::get(&getContext(), function.front().getArgumentTypes(),
                                         results->getOperandTypes()));
    }
  }

private:
  LogicalResult specializeArgument(func::FuncOp function, BlockArgument argument,
                                   ArrayRef<Type> prepared) {
    auto graph = dyn_cast<GnnGraphType>(argument.getType());
    if (!graph)
      return success();
    unsigned number = argument.getArgNumber();
    if (auto made = function.getArgAttrOfType<IntegerAttr>(number, kPreparedAttr)) {
      if (made.getInt() >= 0 && made.getInt() < int64_t(prepared.size()))
        setType(argument, cast<GnnGraphType>(prepared[made.getInt()]));
      return success();
    }
    auto chosen = [&](const char *what, int64_t known, int64_t asked,
                      int64_t &extent) -> LogicalResult {
      extent = asked < 0 ? known : asked;
      if (asked < 0 || ShapedType::isDynamic(known) || known == asked)
        return success();
      return function.emitError() << "gnn-specialize-shapes: the graph (" << graph << ") has "
                                  << known << " " << what << ", asked for are " << asked
                                  << "; give the program a graph of its size";
    };
    int64_t dstCount, srcCount, edgeCount;
    if (failed(chosen("destination nodes", graph.getDst(), dst, dstCount)) ||
        failed(chosen("source nodes", graph.getSrc(), src, srcCount)) ||
        failed(chosen("edges", graph.getEdges(), edges, edgeCount)))
      return failure();
    setType(argument,
            GnnGraphType::get(dstCount, srcCount, edgeCount, graph.getIndex(), graph.getLayout()));
    return success();
  }

  void setType(Value graph, GnnGraphType type) {
    if (graph.getType() == type)
      return;
    graph.setType(type);
    ++numGraphs;
    for (Operation *user : graph.getUsers())
      if (GnnGraphType made = typeMadeOf(user, type))
        setType(user->getResult(0), made);
  }
};
} // namespace
