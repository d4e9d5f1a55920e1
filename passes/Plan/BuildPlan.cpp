//===- BuildPlan.cpp - Turn prepare and forward into a plan ---------------===//
//
// In: @prepare (optional) and @forward that hold calls of kernel functions and
// graph ops. Out: one gnn_plan.program.
//
// 1. Extents: which count each `?` is (Extents.h).
// 2. Signature: public buffers from argument and result attributes. An argument
//    that is a result of prepare is the very buffer that prepare fills.
// 3. Each op in order: results get buffers, the op becomes commands. A graph is
//    two buffers: src and dst, or row pointer and col.
// 4. Buffers that both parts use become persistent; guards.
//
//===----------------------------------------------------------------------===//
#include "passes/Plan/Passes.h"
#include "passes/Plan/ProgramToPlan.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::plan;
using gnn::GnnGraphType;

namespace gnnc {
#define GEN_PASS_DEF_GNNBUILDPLANPASS
#include "passes/Plan/Passes.h.inc"
} // namespace gnnc

LogicalResult ProgramToPlan::run(func::FuncOp prepare, func::FuncOp forward) {
  if (failed(extents.analyze(prepare, forward)) || failed(declareSymbols(forward.getLoc())))
    return failure();
  for (func::FuncOp function : {prepare, forward})
    if (function && failed(reserveNames(function)))
      return failure();
  if (prepare) {
    if (failed(bindArguments(prepare)))
      return failure();
    builder.enterPrepare(prepare.getLoc());
    for (Operation &op : prepare.front().without_terminator())
      if (failed(emit(&op)))
        return failure();
    // The same values under the names they have in forward.
    for (BlockArgument argument : forward.getArguments()) {
      auto number =
          forward.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), gnn::kPreparedAttr);
      if (!number)
        continue;
      Value made = prepare.front().getTerminator()->getOperand(number.getInt());
      if (isa<GnnGraphType>(made.getType()))
        graphs[argument] = graphs.lookup(made);
      else
        buffers[argument] = buffers.lookup(made);
    }
  }
  if (failed(bindArguments(forward)) || failed(bindOutputs(forward)))
    return failure();
  builder.enterForward(forward.getLoc());
  for (Operation &op : forward.front().without_terminator())
    if (failed(emit(&op)))
      return failure();
  builder.keepWhatForwardUses();
  if (failed(addGuards(forward.getLoc())))
    return failure();
  for (Operation *op : erased)
    op->erase();
  return success();
}

namespace {

struct BuildPlanPass final : gnnc::impl::GnnBuildPlanPassBase<BuildPlanPass> {
  using GnnBuildPlanPassBase::GnnBuildPlanPassBase;
  void runOnOperation() override;
};

/// Both functions must be one block that ends with a return.
LogicalResult checkFunctions(ModuleOp module, func::FuncOp prepare, func::FuncOp forward) {
  if (!forward)
    return module.emitError("gnn-build-plan: the module has no function @forward");
  for (func::FuncOp function : {prepare, forward})
    if (function && (function.isExternal() || !llvm::hasSingleElement(function.getBody())))
      return function.emitError("gnn-build-plan: the function must have a body of one block");
  for (unsigned i = 0; i < forward.getNumArguments(); ++i) {
    auto number = forward.getArgAttrOfType<IntegerAttr>(i, gnn::kPreparedAttr);
    if (!number)
      continue;
    int64_t count = prepare ? prepare.getNumResults() : 0;
    if (number.getInt() < 0 || number.getInt() >= count)
      return forward.emitError() << "argument " << i << " is result " << number.getInt()
                                 << " of @prepare, which has " << count << " results";
    Type made = prepare.getResultTypes()[number.getInt()];
    if (made != forward.getArgumentTypes()[i])
      return forward.emitError() << "argument " << i << " is " << forward.getArgumentTypes()[i]
                                 << ", result " << number.getInt() << " of @prepare is " << made;
  }
  return success();
}

void BuildPlanPass::runOnOperation() {
  ModuleOp module = getOperation();
  auto target = module->getAttrOfType<gnn::TargetAttr>(gnn::kTargetAttr);
  if (!target) {
    module.emitError("gnn-build-plan: the module has no gnn.target attribute, for example "
                     "#gnn.target<cpu, \"generic\">");
    return signalPassFailure();
  }
  auto prepare = module.lookupSymbol<func::FuncOp>(gnn::kPrepareFunc);
  auto forward = module.lookupSymbol<func::FuncOp>(gnn::kForwardFunc);
  if (!forward && !module.getOps<ProgramOp>().empty())
    return; // done before
  if (failed(checkFunctions(module, prepare, forward)))
    return signalPassFailure();
  std::optional<Precision> arithmetic = symbolizePrecision(products);
  if (!arithmetic ||
      !llvm::is_contained({Precision::Fp32, Precision::Fp32x3, Precision::Tf32}, *arithmetic)) {
    module.emitError("gnn-build-plan: products is fp32, fp32x3 or tf32, found '")
        << products << "'";
    return signalPassFailure();
  }
  ProgramToPlan build(module, target, *arithmetic, mode, dynamic);
  if (failed(build.run(prepare, forward)))
    return signalPassFailure();
  if (prepare)
    prepare.erase();
  forward.erase();
  numLaunches += build.numLaunches;
  numGemms += build.numGemms;
  numPartitions += build.numPartitions;
}

} // namespace
