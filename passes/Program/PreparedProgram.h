//===- PreparedProgram.h - The two halves of a hoisted program --*- C++ -*-===//
//
// Input: a module as gnn-hoist-graph-invariants leaves it. Output: what passes from
// @prepare to @forward, by number, and more of it.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_PROGRAM_PREPAREDPROGRAM_H
#define GNNC_PASSES_PROGRAM_PREPAREDPROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace gnnc {

class PreparedProgram {
public:
  /// Nothing where a half is missing or is no straight line of ops.
  static std::optional<PreparedProgram> of(mlir::ModuleOp module);

  mlir::func::FuncOp prepare, forward;

  /// What @prepare returns.
  mlir::Operation *results() { return prepare.front().getTerminator(); }
  /// The argument of @forward that is result `number` of @prepare, or null.
  mlir::BlockArgument argument(unsigned number);
  /// The value of @prepare that `argument` of @forward is, or null.
  mlir::Value preparedValue(mlir::BlockArgument argument);
  /// Makes `value` of @prepare a further argument of @forward.
  mlir::BlockArgument addPrepared(mlir::Value value);
  /// Takes the result of @prepare that `argument`, which nothing reads, is away.
  void dropPrepared(mlir::BlockArgument argument);

private:
  PreparedProgram(mlir::func::FuncOp prepare, mlir::func::FuncOp forward)
      : prepare(prepare), forward(forward) {}
};

} // namespace gnnc

#endif // GNNC_PASSES_PROGRAM_PREPAREDPROGRAM_H
