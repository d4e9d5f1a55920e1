//===- GnnVerify.h - Checks shared by the verifiers of gnn ops ------------===//
//
// Every check names the operand or result, prints both types and both values,
// and ends with the constraint label of GnnOps.td. Private to dialects/Gnn.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_DIALECTS_GNN_GNNVERIFY_H
#define GNNC_DIALECTS_GNN_GNNVERIFY_H

#include "dialects/Gnn/Gnn.h"

namespace gnnc::gnn {

/// A type or attribute as diagnostics print it: without the quotes that
/// Diagnostic puts around types.
template <typename T>
std::string text(T value) {
  std::string out;
  llvm::raw_string_ostream(out) << value;
  return out;
}

/// What a row of a tensor stands for.
enum class RowOf { Edge, Dst, Src };
inline RowOf rowOf(End end) { return end == End::Src ? RowOf::Src : RowOf::Dst; }

/// Checks that `tensor`, named `what` ("operand 'edges'"), has one row per edge,
/// destination or source of `graph`.
mlir::LogicalResult verifyRows(mlir::Operation *op, const llvm::Twine &what, mlir::Type tensor,
                               GnnGraphType graph, RowOf row, llvm::StringRef label);
/// The same for each of `values`, named `what #0`, `what #1`, ...
mlir::LogicalResult verifyRows(mlir::Operation *op, llvm::StringRef what, mlir::TypeRange types,
                               GnnGraphType graph, RowOf row, llvm::StringRef label);
/// Checks that two row tensors differ in their number of rows only.
mlir::LogicalResult verifySameRowType(mlir::Operation *op, llvm::StringRef whatA, mlir::Type a,
                                      llvm::StringRef whatB, mlir::Type b, llvm::StringRef label);
/// Checks that `acc` is f32 or f64.
mlir::LogicalResult verifyAccumulator(mlir::Operation *op, mlir::Type acc, llvm::StringRef label);
/// Checks that `acc` is f32 or f64 and that rows like `tensor`, named `what`, can
/// be reduced in it: floating-point elements that are no wider.
mlir::LogicalResult verifyAccumulation(mlir::Operation *op, const llvm::Twine &what,
                                       mlir::Type tensor, mlir::Type acc, llvm::StringRef label);
/// Checks that a cpu or cuda schedule fits the target of the module around `op`.
mlir::LogicalResult verifySchedule(mlir::Operation *op, mlir::Attribute schedule,
                                   llvm::StringRef label);

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_GNNVERIFY_H
