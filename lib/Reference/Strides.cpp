//===- Strides.cpp - Row-major strides and strided copies -----------------===//
#include "lib/Reference/Strides.h"

using namespace gnnc::reference;

int64_t gnnc::reference::elementsOf(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::vector<int64_t> gnnc::reference::stridesOf(llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

void gnnc::reference::forEachPoint(llvm::ArrayRef<int64_t> shape,
                                   llvm::function_ref<void(llvm::ArrayRef<int64_t>)> body) {
  if (elementsOf(shape) == 0)
    return;
  std::vector<int64_t> point(shape.size());
  while (true) {
    body(point);
    size_t axis = shape.size();
    while (axis > 0 && ++point[axis - 1] == shape[axis - 1])
      point[--axis] = 0;
    if (axis == 0)
      return;
  }
}

template <typename T>
static void copyInto(std::vector<T> &out, const std::vector<T> &in, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> strides, int64_t start) {
  out.reserve(elementsOf(shape));
  if (shape.empty()) {
    out.push_back(in[start]);
    return;
  }
  int64_t length = shape.back(), step = strides.back();
  if (length == 0)
    return;
  forEachPoint(shape.drop_back(), [&](llvm::ArrayRef<int64_t> point) {
    int64_t from = start;
    for (size_t i = 0; i < point.size(); ++i)
      from += point[i] * strides[i];
    for (int64_t i = 0; i < length; ++i)
      out.push_back(in[from + i * step]);
  });
}

Tensor gnnc::reference::copyStrided(const Tensor &in, llvm::ArrayRef<int64_t> shape,
                                    llvm::ArrayRef<int64_t> strides, int64_t start) {
  Tensor out;
  out.shape = shape.vec();
  out.isInteger = in.isInteger;
  if (in.isInteger)
    copyInto(out.integers, in.integers, shape, strides, start);
  else
    copyInto(out.floats, in.floats, shape, strides, start);
  return out;
}
