//===- KernelAbi.h - How a kernel function is called ----------------------===//
//
// A kernel function (made by gnn-form-kernels, attribute `gnn.kernel`) works on
// tensors. What it becomes is called with addresses. This header is the one
// place that says with which ones and in which order; gnn-build-plan writes the
// launches by it, gnn-lower-to-cpu and gnn-lower-to-gpu the code.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_KERNEL_KERNELABI_H
#define GNNC_PASSES_KERNEL_KERNELABI_H

#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gnnc {

/// One parameter of a compiled kernel. All but the counts are addresses.
struct KernelParam {
  enum class Kind {
    Operand,   ///< function argument `index`, a tensor
    RowPtr,    ///< row pointer of the csr graph that is argument `index`
    Col,       ///< sources of that graph's edges, where the kernel reads rows of them
    Result,    ///< function result `index`
    Items,     ///< work items of the partition, i32 [items, 4]
    Splits,    ///< split rows of the partition, i32 [splits, 4]
    Workspace, ///< partial results of split rows, workspaceBytes a slot
    Sources,   ///< i64: how many source nodes the csr graph has
    Count      ///< i64: how many elements the entry's domain has
  };
  Kind kind;
  unsigned index = 0;
  bool isCount() const { return kind == Kind::Sources || kind == Kind::Count; }
};

/// One compiled function and the grid it runs on.
struct KernelEntry {
  /// What is numbered 0 .. count-1 and handed out to threads.
  enum class Domain {
    Rows,  ///< leading extent of result 0 (aggregate: destinations; map: rows)
    Nodes, ///< destinations of the graph, where results are edge tensors
    Items, ///< work items of the partition (cuda)
    Splits ///< split rows of the partition (cuda)
  };
  std::string name;
  llvm::SmallVector<KernelParam> params;
  Domain domain = Domain::Rows;
  /// cuda: gridX = ceil(count / perBlock), or count when perBlock is 0 (an empty
  /// domain launches nothing); gridY = tiles.
  int64_t perBlock = 0;
  int64_t tiles = 1;
  int64_t block = 0;
};

struct KernelAbi {
  llvm::SmallVector<KernelEntry, 2> entries;
  /// Number of the argument that is the csr graph, if the kernel follows edges.
  /// On the cpu its row pointer balances the ranges.
  std::optional<unsigned> graph;
  /// cuda: the schedule whose (chunk, order) the partition follows.
  gnn::GpuScheduleAttr partition;
  /// cuda: bytes of workspace for each slot of the partition.
  int64_t workspaceBytes = 0;
};

/// Where the accumulators of an aggregate lie in one slot of the workspace.
struct SlotLayout {
  llvm::SmallVector<int64_t> offsets; ///< in bytes, one per accumulator
  int64_t bytes = 0;                  ///< from one slot to the next
};
SlotLayout getSlotLayout(gnn::AggregateOp op);

/// The op of a kernel function that does the work: its aggregate or map.
mlir::Operation *kernelOp(mlir::func::FuncOp kernel);

/// The calling convention of `kernel` on `target`. Fails with a diagnostic when
/// the function is no aggregate or map kernel, or its op lacks the schedule
/// attribute that the target asks for.
mlir::FailureOr<KernelAbi> getKernelAbi(mlir::func::FuncOp kernel, gnn::TargetAttr target);

/// Fails with a diagnostic where a func.call still calls `kernel` on tensors: pass
/// `pass` gives it another signature.
mlir::LogicalResult checkPlanned(mlir::func::FuncOp kernel, llvm::StringRef pass);

/// Features of one row: the product of all extents but the first.
int64_t rowFeatures(mlir::RankedTensorType tensor);

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_KERNELABI_H
