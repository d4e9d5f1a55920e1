//===- Tensor.h - A host tensor the core works on -------------------------===//
//
// What GraphCalls read and write, and how shapes appear in messages. Addresses
// only: whoever made the view owns the memory.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CORE_TENSOR_H
#define GNNC_RUNTIME_CORE_TENSOR_H

#include "runtime/format/SafeTensors.h"

#include <cstdint>
#include <vector>

namespace gnnc::runtime {

struct HostTensor {
  void *data = nullptr;
  format::DType dtype = format::DType::F32;
  std::vector<std::int64_t> shape;

  std::int64_t rows() const { return shape.empty() ? 1 : shape.front(); }
  /// Bytes of one row.
  std::int64_t rowBytes() const {
    std::int64_t bytes = static_cast<std::int64_t>(format::sizeOf(dtype));
    for (std::size_t i = 1; i < shape.size(); ++i)
      bytes *= shape[i];
    return bytes;
  }
  std::int64_t bytes() const { return rows() * rowBytes(); }
  template <class T>
  T *as() const {
    return static_cast<T *>(data);
  }
  std::string text() const { return format::describe(dtype, shape); }
};

/// Calls `body` with a value of the index type's C++ type; false for other types.
template <class F>
bool withIndexType(format::DType dtype, F &&body) {
  if (dtype == format::DType::I32)
    body(std::int32_t{});
  else if (dtype == format::DType::I64)
    body(std::int64_t{});
  else
    return false;
  return true;
}

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CORE_TENSOR_H
