//===- RowEmitter.h - Code for one row of heads x features ----------------===//
//
// A kernel region computes on whole rows (vector<64xf32>, vector<4x64xf32>). A
// thread holds a part of one: on the host some heads and a tile of consecutive
// features in vector registers, on a GPU a few short vectors. This class turns a
// region on rows into code on such parts, and loads and stores them.
//
// What a thread holds of a row, by its shape (RowFrame.h):
//   Scalar   one number
//   Head     one vector of its heads' numbers (of one head: a number)
//   Feature  one vector per piece
//   Full     one vector per head and piece, head by head
//   Picked   each of its numbers
//   Stored   its address
//
// Nothing here knows about edges and grids.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_KERNEL_ROWEMITTER_H
#define GNNC_PASSES_KERNEL_ROWEMITTER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "passes/Kernel/RowFrame.h"

namespace gnnc {

/// `width` consecutive features, a power of two, from `base` (i64; null is 0) plus
/// `offset` on. Where `valid` < `width`, only the first `valid` exist in memory.
/// Where `inRange` (i1) is false the piece repeats features that another holds: it
/// may be read, takes part in no reduction and is not stored.
struct Piece {
  int64_t offset, width, valid;
  mlir::Value base = {}, inRange = {};
};

/// The part of a row that one thread holds: `heads` heads from `head` (i64; null is
/// 0) on, and of each the same pieces.
struct RowTile {
  int64_t heads = 1;
  mlir::Value head = {};
  llvm::SmallVector<Piece> pieces;
};

/// What differs between targets about a value that several threads hold.
class RowTarget {
public:
  virtual ~RowTarget();
  /// A number combined over all threads that hold pieces of the same head.
  virtual mlir::Value reduce(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::vector::CombiningKind kind, mlir::Value value);
  /// e to the power of `value`, which is at most 0: a softmax's weights. A number or a
  /// vector.
  virtual mlir::Value exp(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
  /// Whether a branch that is seldom taken costs less than the multiplications in it.
  virtual bool prefersBranches() const { return true; }
  /// i1: whether it is this thread that stores values of `shape`; null: it is.
  virtual mlir::Value stores(RowShape shape) { return {}; }
};

/// A row value as a thread holds it. Empty: not loaded.
using Row = llvm::SmallVector<mlir::Value, 4>;

class RowEmitter {
public:
  RowEmitter(mlir::OpBuilder &builder, const RowFrame &frame, RowTile tile, RowTarget &target)
      : builder(builder), frame(frame), tile(std::move(tile)), target(target) {}

  /// How memory is accessed: `invariant` data is not written while the kernel runs;
  /// `aligned` pieces start at multiples of their size.
  struct Access {
    bool invariant = false;
    bool aligned = false;
  };

  /// Row `index` (i64; null is 0) of an array of rows of `shape` at `pointer`.
  Row load(mlir::Location loc, mlir::Value pointer, mlir::Type element, RowShape shape,
           mlir::Value index, Access access);
  /// The `count` numbers of a picked row.
  Row loadNumbers(mlir::Location loc, mlir::Value pointer, mlir::Type element, int64_t count,
                  mlir::Value index, Access access);
  /// The address of row `index` of `count` numbers.
  Row locate(mlir::Location loc, mlir::Value pointer, mlir::Type element, int64_t count,
             mlir::Value index);
  void store(mlir::Location loc, const Row &row, mlir::Value pointer, mlir::Type element,
             RowShape shape, mlir::Value index, Access access);
  /// Asks for row `index` ahead of its use (host only).
  void prefetch(mlir::Location loc, mlir::Value pointer, mlir::Type element, RowShape shape,
                mlir::Value index);

  /// The code of `region` with its arguments standing for `arguments`; returns
  /// the yielded rows. Stored ones are read with `access`. Fails with a diagnostic at an
  /// op that has no row-wise form.
  mlir::FailureOr<llvm::SmallVector<Row>> emitRegion(mlir::Region &region,
                                                     llvm::ArrayRef<Row> arguments, Access access);

  /// A row of `shape` filled with one number.
  Row splat(mlir::Location loc, RowShape shape, mlir::TypedAttr value);
  /// op(a, b) part by part.
  Row combine(const Row &a, const Row &b,
              llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> op);
  /// A row of shape `from` repeated to shape `to`.
  Row spread(mlir::Location loc, const Row &row, RowShape from, RowShape to);
  bool prefersBranches() const { return target.prefersBranches(); }
  /// exp(a - b), where no a is larger than its b.
  Row expDifference(mlir::Location loc, const Row &a, const Row &b);

  const RowFrame &getFrame() const { return frame; }
  /// How many values a row of `shape` consists of.
  unsigned numValues(RowShape shape) const;

private:
  mlir::Type valueType(mlir::Type element, RowShape shape, unsigned i) const;
  mlir::LogicalResult emitOp(mlir::Operation &op, llvm::DenseMap<mlir::Value, Row> &rows,
                             Access access);
  /// Whether a thread keeps the part of the weight of `product` that it needs, so that
  /// it is read once and not for each row.
  bool keepsWeight(mlir::vector::ContractionOp product) const;
  mlir::LogicalResult emitProduct(mlir::vector::ContractionOp op,
                                  llvm::DenseMap<mlir::Value, Row> &rows, Access access);
  mlir::LogicalResult emitConstant(mlir::arith::ConstantOp op,
                                   llvm::DenseMap<mlir::Value, Row> &rows);
  mlir::LogicalResult emitExtract(mlir::vector::ExtractOp op,
                                  llvm::DenseMap<mlir::Value, Row> &rows);
  Row emitReduction(mlir::vector::MultiDimReductionOp op, const Row &source, const Row &start);
  mlir::Value reducePieces(mlir::Location loc, mlir::vector::CombiningKind kind,
                           llvm::ArrayRef<mlir::Value> pieces);
  mlir::Value headOf(mlir::Location loc, const Row &row, int64_t head);
  mlir::Value address(mlir::Location loc, mlir::Value pointer, mlir::Type element, RowShape shape,
                      mlir::Value index, int64_t head, const Piece *piece);
  mlir::Value mask(mlir::Location loc, const Piece &piece);

  mlir::OpBuilder &builder;
  const RowFrame &frame;
  RowTile tile;
  RowTarget &target;
};

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_ROWEMITTER_H
