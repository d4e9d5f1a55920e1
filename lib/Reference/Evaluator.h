//===- Evaluator.h - Frames and the table of op handlers ------------------===//
//
// Private to lib/Reference. A handler reads its op's operands from a frame and
// defines the results there. Handlers live in one file per dialect.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_REFERENCE_EVALUATOR_H
#define GNNC_LIB_REFERENCE_EVALUATOR_H

#include "lib/Reference/Reference.h"

namespace gnnc::reference {

class Frame;
using Handler = mlir::LogicalResult (*)(mlir::Operation *, Frame &);
using HandlerTable = llvm::StringMap<Handler>;

/// What the values of a region hold while it runs.
class Frame {
public:
  Frame(const HandlerTable &handlers, const Frame *parent = nullptr)
      : handlers(handlers), parent(parent) {}

  /// The value of `value`, here or in a frame around this one.
  ValuePtr get(mlir::Value value) const;
  /// The same as a tensor whose elements exist: unwritten ones are NaN or 0.
  const Tensor &tensor(mlir::Value value);
  /// Extents alone; costs nothing for a tensor that nobody wrote.
  llvm::ArrayRef<int64_t> shape(mlir::Value value) const;
  const Graph &graph(mlir::Value value) const;
  int64_t index(mlir::Value value);

  void set(mlir::Value value, ValuePtr held) { values[value] = std::move(held); }
  void set(mlir::Value value, Tensor tensor) { values[value] = makeValue(std::move(tensor)); }
  void erase(mlir::Value value) { values.erase(value); }

  const HandlerTable &table() const { return handlers; }

  /// The point of the loop nest around a linalg body, for linalg.index.
  llvm::ArrayRef<int64_t> point;
  int callDepth = 0;

private:
  const HandlerTable &handlers;
  const Frame *parent;
  llvm::DenseMap<mlir::Value, ValuePtr> values;
};

/// Runs the ops of `block` in `frame`; `results` gets what its terminator names.
/// With `freeValues`, a value is let go after its last use.
mlir::LogicalResult runBlock(mlir::Block &block, Frame &frame,
                             llvm::SmallVectorImpl<ValuePtr> &results, bool freeValues = false);

/// A scalar of IR type `type` (rank 0 tensor).
Tensor scalar(double value);
Tensor indexScalar(int64_t value);
/// The rows of `in` with these numbers, all of which are there.
Tensor takeRows(const Tensor &in, llvm::ArrayRef<int64_t> rows);
/// True when elements of `type` are integers or indices.
bool holdsIntegers(mlir::Type type);

void addArithHandlers(HandlerTable &table);
void addIntegerHandlers(HandlerTable &table);
void addMathHandlers(HandlerTable &table);
void addTensorHandlers(HandlerTable &table);
void addVectorHandlers(HandlerTable &table);
void addLinalgHandlers(HandlerTable &table);
void addGraphHandlers(HandlerTable &table);
void addRowHandlers(HandlerTable &table);
void addSegmentHandlers(HandlerTable &table);

} // namespace gnnc::reference

#endif // GNNC_LIB_REFERENCE_EVALUATOR_H
