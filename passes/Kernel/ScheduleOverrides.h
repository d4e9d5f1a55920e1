//===- ScheduleOverrides.h - Fields of schedules said by hand -------------===//
//
// An override is `KERNEL:field=value:field=value`: KERNEL a name or a pattern with
// `*`, the fields those of the target's schedule attribute. Later ones win.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_KERNEL_SCHEDULEOVERRIDES_H
#define GNNC_PASSES_KERNEL_SCHEDULEOVERRIDES_H

#include "dialects/Gnn/Gnn.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/GlobPattern.h"

namespace gnnc {

class ScheduleOverrides {
public:
  /// An override that is not of the form above is an error at `loc`.
  static mlir::FailureOr<ScheduleOverrides> parse(mlir::Location loc,
                                                  llvm::ArrayRef<std::string> texts);

  /// `schedule` with the fields that were given for `kernel`. A field that the
  /// target's schedules lack, or a value that its verifier refuses, is an error at
  /// `op`.
  mlir::FailureOr<mlir::Attribute> apply(mlir::Operation *op, llvm::StringRef kernel,
                                         mlir::Attribute schedule);

  /// Fails for an override whose pattern no kernel had; `kernels` are those there are.
  mlir::LogicalResult checkAllUsed(mlir::Location loc,
                                   llvm::ArrayRef<llvm::StringRef> kernels) const;

private:
  struct Override {
    std::string text, pattern;
    llvm::GlobPattern glob;
    llvm::SmallVector<std::pair<std::string, std::string>> fields;
    bool isUsed = false;
  };
  llvm::SmallVector<Override> overrides;
};

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_SCHEDULEOVERRIDES_H
