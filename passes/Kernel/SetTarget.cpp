//===- SetTarget.cpp - Say what kernels are compiled for ------------------===//
//
// In:  a module, with or without `gnn.target`.
// Out: the module with it. A pass, so that a pipeline given as text is complete.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/Kernel/Passes.h"

namespace gnnc {
#define GEN_PASS_DEF_GNNSETTARGETPASS
#include "passes/Kernel/Passes.h.inc"
} // namespace gnnc

using namespace mlir;
using namespace gnnc;

namespace {

/// sm_70 and later, possibly with a letter (sm_90a).
bool isCudaChip(StringRef chip) {
  unsigned number;
  return chip.consume_front("sm_") && !chip.consumeInteger(10, number) && number >= 70 &&
         (chip.empty() || chip == "a" || chip == "f");
}

bool isHostChip(StringRef chip) {
  return chip == "generic" || chip == "x86-64-v2" || chip == "x86-64-v3" || chip == "x86-64-v4";
}

struct GnnSetTargetPass : gnnc::impl::GnnSetTargetPassBase<GnnSetTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    auto kind = gnn::symbolizeTargetKind(target);
    if (!kind) {
      getOperation().emitError("gnn-set-target: target is cpu or cuda, found '") << target << "'";
      return signalPassFailure();
    }
    bool cuda = *kind == gnn::TargetKind::Cuda;
    std::string wanted = chip.empty() ? (cuda ? "sm_90" : "generic") : chip.getValue();
    if (cuda ? !isCudaChip(wanted) : !isHostChip(wanted)) {
      getOperation().emitError("gnn-set-target: chip of ")
          << target << " is "
          << (cuda ? "sm_70 or later (sm_90)" : "x86-64-v2, x86-64-v3, x86-64-v4 or generic")
          << ", found '" << wanted << "'";
      return signalPassFailure();
    }
    getOperation()->setAttr(gnn::kTargetAttr, gnn::TargetAttr::get(&getContext(), *kind, wanted));
  }
};

} // namespace
