//===- RowWidths.cpp - Whether rows fit into one kernel -------------------===//
#include "passes/Common/RowWidths.h"

using namespace mlir;
using namespace gnnc;

/// The extents of a row that say something.
static SmallVector<int64_t, 2> extentsOf(Type type) {
  ArrayRef<int64_t> shape;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    shape = tensor.getShape().drop_front(tensor.getRank() > 0);
  else if (auto vector = dyn_cast<VectorType>(type))
    shape = vector.getShape();
  SmallVector<int64_t, 2> extents;
  for (int64_t extent : shape)
    if (extent != 1)
      extents.push_back(extent);
  return extents;
}

/// The types of all that a region of `op` computes: operands of which single numbers
/// are taken are no rows of the kernel.
static SmallVector<Type> typesOf(gnn::AggregateOp op) {
  SmallVector<Type> types(op.getAccumulatorTypes());
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      llvm::append_range(types, inner->getResultTypes());
      if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(inner))
        types.push_back(reduction.getSourceVectorType());
    });
  return types;
}

RowWidths RowWidths::of(gnn::AggregateOp op) {
  RowWidths widths;
  for (Type type : typesOf(op))
    widths.add(type);
  return widths;
}

bool RowWidths::fits(Type type) const {
  SmallVector<int64_t, 2> extents = extentsOf(type);
  if (extents.size() > 2)
    return false;
  if (extents.empty() || (heads == 1 && features == 1))
    return true;
  if (heads > 1)
    return extents.size() == 2
               ? extents[0] == heads && extents[1] == features
               : llvm::is_contained({heads, features, heads * features}, extents.front());
  return extents.size() == 1
             ? extents.front() == features
             : llvm::is_contained({extents[0], extents[1], extents[0] * extents[1]}, features);
}

bool RowWidths::fits(gnn::AggregateOp op) const {
  return llvm::all_of(typesOf(op), [&](Type type) { return fits(type); });
}

void RowWidths::add(Type type) {
  SmallVector<int64_t, 2> extents = extentsOf(type);
  if (extents.empty() || !fits(type))
    return;
  if (extents.size() == 2) {
    heads = extents[0];
    features = extents[1];
  } else if (heads == 1) {
    features = extents[0];
  }
}
