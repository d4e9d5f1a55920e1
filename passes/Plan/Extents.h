//===- Extents.h - Which count each symbolic extent is --------------------===//
//
// After gnn-form-kernels `?` says only that an extent is not known. What it is
// follows from use: the rows of an aggregate's sources are the graph's source
// nodes, a product has the rows of its left operand. Extents that must be equal
// form one class; a class is a constant, an extent of the graph, or an edge
// count that prepare finds.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_PLAN_EXTENTS_H
#define GNNC_PASSES_PLAN_EXTENTS_H

#include "dialects/Plan/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace gnnc {

class Extents {
public:
  /// Extents 0, 1, 2 of a graph value; a tensor's rows are its extent 0. The segments
  /// of a row pointer are its rows but one.
  enum Dim : unsigned { Dst = 0, Src = 1, Edges = 2, Rows = 0, Segments = 3 };

  /// Walks both functions (`prepare` may be null). Fails with a diagnostic when
  /// two extents that must be equal are different constants.
  mlir::LogicalResult analyze(mlir::func::FuncOp prepare, mlir::func::FuncOp forward);

  /// An edge count that prepare finds: one for each op that adds or removes loops.
  struct FoundEdges {
    mlir::Value graph; ///< the op's result
    mlir::StringAttr symbol;
  };
  llvm::ArrayRef<FoundEdges> foundEdges() const { return found; }

  /// A count of an index tensor that is bound: of its rows or segments, or the number
  /// that a row pointer ends with.
  struct IndexCount {
    mlir::StringAttr symbol, tensor;
    plan::SymbolSource source;
  };
  llvm::ArrayRef<IndexCount> indexCounts() const { return counts; }

  /// The extent as a formula; nothing when use does not tell.
  std::optional<plan::Formula> get(mlir::Value value, unsigned dim);

  /// What the class of a graph extent was found to be equal to; the plan guards
  /// it. `symbol` is n, m or e; the other side a constant or another symbol.
  struct Equality {
    mlir::StringAttr symbol;
    plan::Formula other;
  };
  llvm::SmallVector<Equality> equalities();

private:
  struct Class {
    std::optional<int64_t> constant;
    /// Symbols that are this extent; the first stands for all.
    llvm::SmallVector<mlir::StringAttr, 2> symbols;
    /// What another class says of this one.
    std::optional<plan::Formula> derived;
  };

  unsigned idOf(mlir::Value value, unsigned dim);
  unsigned root(unsigned id);
  mlir::LogicalResult unify(mlir::Operation *op, mlir::Value a, unsigned dimA, mlir::Value b,
                            unsigned dimB);
  mlir::LogicalResult unifyAll(mlir::Operation *op, mlir::Value a, mlir::Value b);
  mlir::LogicalResult addSymbol(mlir::Operation *op, mlir::Value value, unsigned dim,
                                mlir::StringRef name);
  mlir::LogicalResult visit(mlir::func::FuncOp function);
  mlir::LogicalResult visitLoops(mlir::Operation *op, mlir::Value in, mlir::Value out,
                                 mlir::ValueRange edges, mlir::ValueRange outEdges,
                                 mlir::StringRef name);
  mlir::LogicalResult visitGraph(gnn::GraphOp op);
  mlir::LogicalResult visitGraph(gnn::IndexGraphOp op);
  mlir::LogicalResult visitNodes(mlir::Operation *op, mlir::Value graph, unsigned dim,
                                 mlir::Value count);
  void nameIndexCounts(mlir::MLIRContext *context);
  void addCount(mlir::Value value, unsigned dim, mlir::StringAttr tensor, plan::SymbolSource source,
                llvm::StringRef name);
  mlir::LogicalResult visitAppended(gnn::AppendSelfLoopsOp loops);
  mlir::LogicalResult visitPermuted(gnn::ToCsrOp csr);
  mlir::LogicalResult visitCall(mlir::func::CallOp call);
  mlir::LogicalResult bindArguments(mlir::func::FuncOp function);
  bool before(mlir::StringAttr a, mlir::StringAttr b) const;

  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned> ids;
  llvm::SmallVector<unsigned> parent;
  llvm::SmallVector<Class> classes;
  llvm::SmallVector<FoundEdges, 1> found;
  llvm::SmallVector<IndexCount, 1> counts;
  /// Index tensors by name, as an argument of either function.
  llvm::MapVector<mlir::StringAttr, mlir::Value> indices;
  /// Graphs of segments, and their row pointers.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> segments;
  llvm::SmallVector<mlir::Value> pointers; ///< row pointers of these and of csr graphs
  mlir::Value graph; ///< the program's graph, as an argument of either function
};

} // namespace gnnc

#endif // GNNC_PASSES_PLAN_EXTENTS_H
