//===- PlanBuilder.h - Write a gnn_plan.program ---------------------------===//
//
// Declarations of a plan under construction: unique names, buffers before
// commands, symbols before buffers. Knows nothing of the program it stands for;
// BuildPlan.cpp does.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_PLAN_PLANBUILDER_H
#define GNNC_PASSES_PLAN_PLANBUILDER_H

#include "dialects/Plan/Plan.h"
#include "llvm/ADT/StringSet.h"

namespace gnnc::plan {

class PlanBuilder {
public:
  PlanBuilder(mlir::ModuleOp module, mlir::StringRef name, gnn::TargetAttr target,
              mlir::StringRef mode, mlir::StringRef dynamic);

  mlir::MLIRContext *context() { return builder.getContext(); }
  ProgramOp program() { return programOp; }

  mlir::StringAttr addSymbol(mlir::Location loc, mlir::StringRef name, SymbolSource source,
                             std::optional<Formula> bound = {}, mlir::StringAttr tensor = {});
  /// `name` made unique with a number.
  mlir::Value addBuffer(mlir::Location loc, BufferKind kind, mlir::StringRef name, mlir::Type dtype,
                        llvm::ArrayRef<Formula> shape);
  /// Keeps `name` for a buffer that must be called so; false if it is taken.
  bool reserve(mlir::StringRef name) { return names.insert(name).second; }
  /// A buffer whose name was reserved.
  mlir::Value addNamedBuffer(mlir::Location loc, BufferKind kind, mlir::StringRef name,
                             mlir::Type dtype, llvm::ArrayRef<Formula> shape);
  void addGuard(mlir::Location loc, GuardKind kind, const Formula &value, int64_t limit,
                mlir::StringRef what);

  /// Commands are appended to the part that was entered last.
  void enterPrepare(mlir::Location loc);
  void enterForward(mlir::Location loc);
  bool inForward() { return forward != nullptr; }
  bool hasPrepare() { return prepare != nullptr; }
  /// Appends to prepare, whichever part is current.
  mlir::OpBuilder prepareBuilder() {
    return mlir::OpBuilder::atBlockEnd(&prepare.getBody().front());
  }
  mlir::OpBuilder commands() {
    return mlir::OpBuilder::atBlockEnd(&(forward ? forward.getBody() : prepare.getBody()).front());
  }

  /// Formulas as an array attribute.
  mlir::ArrayAttr formulas(llvm::ArrayRef<Formula> list);
  /// Buffers that prepare makes and forward uses become persistent.
  void keepWhatForwardUses();

private:
  mlir::OpBuilder builder;
  ProgramOp programOp;
  PrepareOp prepare;
  ForwardOp forward;
  mlir::Operation *lastSymbol = nullptr, *lastBuffer = nullptr, *lastGuard = nullptr;
  llvm::StringSet<> names;
};

} // namespace gnnc::plan

#endif // GNNC_PASSES_PLAN_PLANBUILDER_H
