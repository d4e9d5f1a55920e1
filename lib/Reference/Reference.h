//===- Reference.h - The float64 oracle: evaluate a program's functions ---===//
//
// In: a module of gnn, linalg, arith, math, tensor, vector and func ops, and
// host tensors. Out: the tensors it returns, in float64 whatever the types in
// the IR are. Slow and plain on purpose: tests, tuner and benchmarks judge
// everything else by it. docs/reference-evaluator.md lists what it knows.
//
// Errors are MLIR diagnostics at the op or argument they are about; nothing
// aborts. No state is kept between calls: modules of different contexts may be
// evaluated from different threads, one context from one thread at a time.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_REFERENCE_REFERENCE_H
#define GNNC_LIB_REFERENCE_REFERENCE_H

#include "lib/Reference/Value.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace gnnc::reference {

/// What a program reads. Names are those of the files; a name that no argument
/// asks for is ignored.
struct ProgramInputs {
  std::map<std::string, ValuePtr> inputs;    ///< `gnn.input`: "x"
  std::map<std::string, ValuePtr> weights;   ///< `gnn.weight`: "convs.0.bias"
  std::map<std::string, ValuePtr> graphData; ///< `gnn.graph_data`, `gnn.index`: "edge_weight"
  ValuePtr graph;                            ///< the one graph argument
};

/// A result of the program and the name `gnn.output` gives it ("out0", "out1",
/// ... by number where it gives none).
struct NamedValue {
  std::string name;
  ValuePtr value;
};

/// Runs `@forward`. Where the module has `@prepare`, that runs first, and its
/// results are the `gnn.prepared` arguments.
mlir::FailureOr<std::vector<NamedValue>> evaluateProgram(mlir::ModuleOp module,
                                                         const ProgramInputs &inputs);

/// Runs one function on `arguments`, whose types must fit.
mlir::FailureOr<std::vector<ValuePtr>> evaluateFunction(mlir::func::FuncOp function,
                                                        llvm::ArrayRef<ValuePtr> arguments);

} // namespace gnnc::reference

#endif // GNNC_LIB_REFERENCE_REFERENCE_H
