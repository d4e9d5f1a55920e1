//===- VerifyFused.cpp - No tensor of edges x features is left ------------===//
//
// In: a function behind fusion. Out: the same, or an error at the op that makes
// such a tensor. Memory and time of a model are decided by whether there is one.
//
//===----------------------------------------------------------------------===//
#include "passes/Common/RowOps.h"
#include "passes/Common/RowSpaces.h"
#include "passes/Program/Passes.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace gnnc {
#define GEN_PASS_DEF_GNNVERIFYFUSEDPASS
#include "passes/Program/Passes.h.inc"
} // namespace gnnc

/// The space of the edges of each graph value, and the graph.
static DenseMap<int, Value> findEdgeSpaces(func::FuncOp function, const RowSpaces &spaces) {
  DenseMap<int, Value> graphs;
  auto add = [&](Value value) {
    if (isa<GnnGraphType>(value.getType()))
      if (int space = spaces.of(value, RowSpaces::Edges); space >= 0)
        graphs.try_emplace(space, value);
  };
  for (BlockArgument argument : function.getArguments())
    add(argument);
  function.walk([&](Operation *op) { llvm::for_each(op->getResults(), add); });
  return graphs;
}

namespace {
struct VerifyFused final : gnnc::impl::GnnVerifyFusedPassBase<VerifyFused> {
  using GnnVerifyFusedPassBase::GnnVerifyFusedPassBase;

protected:
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || function->hasAttr(kKernelAttr))
      return;
    RowSpaces spaces(function);
    DenseMap<int, Value> graphs = findEdgeSpaces(function, spaces);
    bool failed = false;
    function.walk([&](Operation *op) {
      for (OpResult result : op->getResults())
        if (!failed && !result.use_empty())
          failed = reportEdgeTensor(result, spaces, graphs);
    });
    if (failed)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  /// True when `value` is a tensor of edges x features, which is reported.
  bool reportEdgeTensor(OpResult value, const RowSpaces &spaces,
                        const DenseMap<int, Value> &graphs) {
    Operation *op = value.getOwner();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    // Edge features as they were bound, in another order, without loops or with them.
    if (!type ||
        isa<ToCsrOp, TransposeOp, RemoveSelfLoopsOp, AddSelfLoopsOp, AppendSelfLoopsOp>(op))
      return false;
    Value graph = graphs.lookup(spaces.of(value));
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op); collapse && !isRowReshape(op)) {
      // Edges and features in one extent.
      graph = graphs.lookup(spaces.of(collapse.getSrc()));
      type = collapse.getSrcType();
    }
    if (!graph || type.getRank() < 2)
      return false;
    ArrayRef<int64_t> shape = type.getShape().drop_front();
    bool known = llvm::none_of(shape, ShapedType::isDynamic);
    if (known && ShapedType::getNumElements(shape) <= features)
      return false;
    op->emitError()
        << "'" << op->getName() << "' makes result #" << value.getResultNumber() << " ("
        << value.getType() << ") with one row per edge of " << graph.getType() << " and "
        << (known ? std::to_string(ShapedType::getNumElements(shape)) : std::string("?"))
        << " elements a row, allowed are " << int64_t(features)
        << "; gnn-fuse-aggregate leaves such a tensor when it is read by more than scatters at dst";
    return true;
  }
};
} // namespace
