//===- SafeTensors.h - Read and write safetensors files -------------------===//
//
// Input: a .safetensors file, plain or gzip-compressed (.safetensors.gz), or
// its bytes. Output: named tensors, strictly checked. Graphs, weights and
// results all travel in this format; docs/formats.md says under which names.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_FORMAT_SAFETENSORS_H
#define GNNC_RUNTIME_FORMAT_SAFETENSORS_H

#include "runtime/format/FileIO.h"
#include "runtime/format/Plan.h"

#include <map>

namespace gnnc::format {

/// A contiguous row-major tensor in host memory. Copies share the data.
struct Tensor {
  std::string name;
  DType dtype = DType::F32;
  std::vector<std::int64_t> shape; ///< empty: a scalar
  Bytes bytes;                     ///< elements() * sizeOf(dtype); aligned to the element

  std::int64_t elements() const;
  template <class T>
  const T *as() const {
    return reinterpret_cast<const T *>(bytes.data);
  }

  /// A tensor over memory that the caller keeps alive.
  static Tensor view(std::string name, DType dtype, std::vector<std::int64_t> shape,
                     const void *data);
};

/// "F32[2708, 1433]"
std::string describe(DType dtype, const std::vector<std::int64_t> &shape);

struct TensorFile {
  std::vector<Tensor> tensors;                 ///< in the order of their data
  std::map<std::string, std::string> metadata; ///< the header's __metadata__

  /// Null if there is none of that name.
  const Tensor *find(const std::string &name) const;
};

/// Reads a file. On failure returns false and sets `error` to one line that
/// names the path, the tensor and what was found.
bool readTensors(const std::string &path, TensorFile &file, std::string &error);

/// As readTensors for bytes in memory, which the tensors share; `label` stands
/// for the path in messages.
bool parseTensors(const std::string &label, const Bytes &bytes, TensorFile &file,
                  std::string &error);

/// The header of a file that holds these tensors one after the other.
std::string tensorHeader(const TensorFile &file);

/// Writes a file, atomically; gzip-compressed if `path` ends in .gz.
bool writeTensors(const std::string &path, const TensorFile &file, std::string &error);

} // namespace gnnc::format

#endif // GNNC_RUNTIME_FORMAT_SAFETENSORS_H
