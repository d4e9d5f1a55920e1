//===- RowEmitter.h - Code for one row of features ------------------------===//
//
// A kernel region computes on whole rows (vector<64xf32>). A thread holds a part
// of one: on the host a tile of consecutive features in vector registers, on a
// GPU a few short vectors. Both are a list of pieces. This class turns a region
// on rows into code on pieces, and loads and stores rows piece by piece.
//
// Nothing here knows about edges, grids or targets.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_KERNEL_ROWEMITTER_H
#define GNNC_PASSES_KERNEL_ROWEMITTER_H

#include "dialects/Gnn/Gnn.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace gnnc {

/// `width` consecutive features starting `offset` behind the tile's base. Where
/// `valid` < `width`, only the first `valid` exist in memory.
struct Piece {
  int64_t offset, width, valid;
};

/// A row value as a thread holds it: one value per piece, or a single value for
/// a scalar that all pieces share. Empty: not loaded.
using Row = llvm::SmallVector<mlir::Value, 4>;

class RowEmitter {
public:
  /// `base` (i64, may be null for 0) is the tile's first feature.
  RowEmitter(mlir::OpBuilder &builder, llvm::ArrayRef<Piece> pieces, mlir::Value base)
      : builder(builder), pieces(pieces.begin(), pieces.end()), base(base) {}

  /// How memory is read: `invariant` data is not written while the kernel runs.
  struct Access {
    bool invariant = false;
    unsigned alignment = 0; ///< bytes; 0: that of the element
  };

  /// Row `index` (i64) of the row-major tensor `type` at `pointer`.
  Row loadRow(mlir::Location loc, mlir::Value pointer, mlir::RankedTensorType type,
              mlir::Value index, Access access);
  /// A `param` operand: the whole tensor stands for one row.
  Row loadParam(mlir::Location loc, mlir::Value pointer, mlir::RankedTensorType type,
                Access access);
  void storeRow(mlir::Location loc, const Row &row, mlir::Value pointer,
                mlir::RankedTensorType type, mlir::Value index, unsigned alignment);
  /// Rows of accumulators: like rows of a tensor of `features` x `element`.
  Row loadVector(mlir::Location loc, mlir::Value pointer, mlir::Type element, int64_t features,
                 mlir::Value index, Access access);
  void storeVector(mlir::Location loc, const Row &row, mlir::Value pointer, mlir::Type element,
                   int64_t features, mlir::Value index, unsigned alignment);
  /// Asks for row `index` ahead of its use (host only).
  void prefetchRow(mlir::Location loc, mlir::Value pointer, mlir::RankedTensorType type,
                   mlir::Value index);

  /// The code of `region` with its arguments standing for `arguments`; returns
  /// the yielded rows. Fails with a diagnostic at an op that has no row-wise form.
  mlir::FailureOr<llvm::SmallVector<Row>> emitRegion(mlir::Region &region,
                                                     llvm::ArrayRef<Row> arguments);

  /// A row of the given region type filled with one number.
  Row splat(mlir::Location loc, mlir::Type regionType, mlir::TypedAttr value);
  /// op(a, b) piece by piece.
  Row combine(mlir::Location loc, const Row &a, const Row &b,
              llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> op);
  /// `scalar` in the form of the pieces of `like`.
  Row broadcastLike(mlir::Location loc, mlir::Value scalar, const Row &like);

  /// The type of piece `i` of a value of region type `type`.
  mlir::Type pieceType(mlir::Type type, unsigned i) const;
  unsigned numPieces(mlir::Type type) const {
    return llvm::isa<mlir::VectorType>(type) ? pieces.size() : 1;
  }

private:
  mlir::LogicalResult emitOp(mlir::Operation &op, llvm::DenseMap<mlir::Value, Row> &rows);
  mlir::Value address(mlir::Location loc, mlir::Value pointer, mlir::Type element, int64_t features,
                      mlir::Value index, const Piece &piece);
  mlir::Value mask(mlir::Location loc, const Piece &piece);

  mlir::OpBuilder &builder;
  llvm::SmallVector<Piece> pieces;
  mlir::Value base;
};

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_ROWEMITTER_H
