//===- ProgramToPlan.h - From prepare and forward to a plan ---------------===//
//
// The state of gnn-build-plan: which buffers stand for which value. Its steps:
// BuildPlan.cpp (order), PlanSignature.cpp (what the caller sees),
// PlanCommands.cpp (what runs).
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_PLAN_PROGRAMTOPLAN_H
#define GNNC_PASSES_PLAN_PROGRAMTOPLAN_H

#include "passes/Kernel/KernelAbi.h"
#include "passes/Plan/Extents.h"
#include "passes/Plan/PlanBuilder.h"

#include <map>

namespace gnnc {

/// A graph as two index buffers: src and dst (coo), row pointer and col (csr).
struct GraphBuffers {
  mlir::Value first, second;
};

/// Work items of one graph for one (chunk, order).
struct Partition {
  mlir::Value items, splits;
  mlir::StringAttr numItems, numSplits, numSlots;
};

/// One use: construct, run. On failure a half-made plan is left in the module, as
/// in any failed pass.
class ProgramToPlan {
public:
  /// `products`: of f32 on cuda.
  ProgramToPlan(mlir::ModuleOp module, gnn::TargetAttr target, plan::Precision products,
                mlir::StringRef mode, mlir::StringRef dynamic)
      : module(module), target(target), products(products),
        builder(module, module.getSymName().value_or("program"), target, mode, dynamic) {}

  mlir::LogicalResult run(mlir::func::FuncOp prepare, mlir::func::FuncOp forward);
  unsigned numLaunches = 0, numGemms = 0, numPartitions = 0;

private:
  mlir::LogicalResult declareSymbols(mlir::Location loc);
  mlir::LogicalResult reserveNames(mlir::func::FuncOp function);
  mlir::LogicalResult bindArguments(mlir::func::FuncOp function);
  mlir::LogicalResult bindArgument(mlir::func::FuncOp function, mlir::BlockArgument argument);
  mlir::LogicalResult bindOutputs(mlir::func::FuncOp forward);
  mlir::LogicalResult emit(mlir::Operation *op);
  mlir::LogicalResult emit(gnn::AddSelfLoopsOp op);
  mlir::LogicalResult emit(gnn::RemoveSelfLoopsOp op);
  mlir::LogicalResult emit(gnn::AppendSelfLoopsOp op);
  mlir::LogicalResult emit(gnn::LoopWeightsOp op);
  mlir::LogicalResult emit(gnn::TransposeOp op);
  mlir::LogicalResult emitSlice(mlir::Operation *op);
  mlir::LogicalResult emit(gnn::ToCsrOp op);
  mlir::LogicalResult emit(gnn::GraphOp op);
  mlir::LogicalResult emit(gnn::IndexGraphOp op);
  mlir::LogicalResult emitGraph(mlir::Operation *op, mlir::Value graph, mlir::StringRef form,
                                mlir::ValueRange tensors);
  mlir::LogicalResult emit(mlir::linalg::TransposeOp op);
  mlir::LogicalResult emit(mlir::func::CallOp call);
  mlir::LogicalResult emitGemm(mlir::func::CallOp call, mlir::func::FuncOp kernel);
  struct KernelCall;
  mlir::LogicalResult emitLaunches(mlir::func::CallOp call, mlir::func::FuncOp kernel);
  mlir::FailureOr<KernelCall> prepareCall(mlir::func::CallOp call, mlir::func::FuncOp kernel,
                                          const KernelAbi &abi);
  plan::LaunchOp launch(KernelCall &kernel, const KernelEntry &entry);
  mlir::Value bufferFor(KernelCall &kernel, const KernelParam &param);
  plan::Formula countOf(const KernelCall &kernel, KernelEntry::Domain domain);
  mlir::FailureOr<mlir::Value> publicBuffer(mlir::func::FuncOp function,
                                            mlir::BlockArgument argument, plan::BufferKind kind,
                                            mlir::StringRef name);
  mlir::FailureOr<mlir::SmallVector<plan::Formula>> shapeOf(mlir::Operation *op,
                                                            mlir::Value tensor);
  mlir::FailureOr<mlir::Value> resultBuffer(mlir::Operation *op, mlir::Value tensor,
                                            const llvm::Twine &name);
  /// The call that makes the first result of `op` of its graph; edge tensors `from` become
  /// `to`, and the call reads `more`.
  mlir::FailureOr<plan::GraphCallOp> emitWithEdges(mlir::Operation *op, plan::GraphCallee callee,
                                                   mlir::StringRef name, mlir::ValueRange from,
                                                   mlir::ValueRange to, mlir::ValueRange more = {});
  /// The edge count that prepare finds for `graph`.
  mlir::StringAttr foundEdges(mlir::Value graph);
  GraphBuffers graphResult(mlir::Operation *op, mlir::Value graph, mlir::StringRef name);
  mlir::FailureOr<Partition> partitionOf(mlir::func::CallOp call, mlir::Value graph,
                                         gnn::GpuScheduleAttr schedule);
  mlir::LogicalResult addGuards(mlir::Location loc);
  plan::Formula extent(mlir::Value value, unsigned dim) {
    return extents.get(value, dim).value_or(plan::Formula());
  }
  /// Bound over symbols of the graph.
  plan::Formula bounded(const plan::Formula &formula);

  mlir::ModuleOp module;
  gnn::TargetAttr target;
  plan::Precision products;
  plan::PlanBuilder builder;
  Extents extents;
  mlir::DenseMap<mlir::Value, mlir::Value> buffers;
  mlir::DenseMap<mlir::Value, GraphBuffers> graphs;
  llvm::StringMap<std::pair<mlir::Value, mlir::Type>> publicBuffers;
  mlir::DenseMap<mlir::StringAttr, plan::Formula> bounds;
  std::map<std::tuple<void *, int64_t, int>, Partition> partitions;
  /// Graphs with 32-bit row pointers: their counts must fit.
  mlir::SmallVector<mlir::Value> narrowGraphs;
  mlir::SmallVector<mlir::Operation *> erased;
};

} // namespace gnnc

#endif // GNNC_PASSES_PLAN_PROGRAMTOPLAN_H
