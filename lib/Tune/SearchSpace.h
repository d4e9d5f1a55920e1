//===- SearchSpace.h - The schedules that a kernel can have ---------------===//
//
// In:  a kernel's op (its rows) and the target.
// Out: every schedule of the target's family that its attribute's verifier and the
// kernel's layout allow, over the values that are worth trying of each field.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_TUNE_SEARCHSPACE_H
#define GNNC_LIB_TUNE_SEARCHSPACE_H

#include "dialects/Gnn/Gnn.h"
#include "passes/Kernel/RowFrame.h"

namespace gnnc::tune {

/// One kernel as the tuner sees it.
struct TunedKernel {
  mlir::Operation *op = nullptr; ///< its gnn.aggregate or gnn.map, with a schedule
  gnn::TargetAttr target;
  RowFrame frame;
  unsigned elementBits = 32; ///< of its first result
  bool followsEdges = false;

  /// Fails with a diagnostic where the op's rows fit no frame.
  static mlir::FailureOr<TunedKernel> get(mlir::Operation *op, gnn::TargetAttr target);

  /// Why `schedule` is none for this kernel; empty when it can have it.
  std::string whyNot(mlir::Attribute schedule) const;
};

/// All of them, each once, in a fixed order. Fields that make no difference for this
/// kernel (`chunk` of a kernel that follows no edges) have one value.
llvm::SmallVector<mlir::Attribute> allSchedules(const TunedKernel &kernel);

/// Those that differ from `schedule` in one field, by one step up or down its values.
llvm::SmallVector<mlir::Attribute> neighbours(const TunedKernel &kernel, mlir::Attribute schedule);

} // namespace gnnc::tune

#endif // GNNC_LIB_TUNE_SEARCHSPACE_H
