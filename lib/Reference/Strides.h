//===- Strides.h - Row-major strides and strided copies -------------------===//
#ifndef GNNC_LIB_REFERENCE_STRIDES_H
#define GNNC_LIB_REFERENCE_STRIDES_H

#include "lib/Reference/Value.h"

namespace gnnc::reference {

/// Product of all extents.
int64_t elementsOf(llvm::ArrayRef<int64_t> shape);
/// Elements from one index to the next, for each axis of a row-major tensor.
std::vector<int64_t> stridesOf(llvm::ArrayRef<int64_t> shape);
/// Calls `body` with each point of [0, shape), last axis fastest.
void forEachPoint(llvm::ArrayRef<int64_t> shape,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> body);
/// A tensor of extents `shape` whose element at p is that of `in` at
/// start + sum of p[i] * strides[i]. Stride 0 repeats: broadcasts are copies too.
Tensor copyStrided(const Tensor &in, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides,
                   int64_t start = 0);

} // namespace gnnc::reference

#endif // GNNC_LIB_REFERENCE_STRIDES_H
