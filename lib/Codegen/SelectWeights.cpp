//===- SelectWeights.cpp - The weights a plan asks for --------------------===//
//
// In:  a weights file (a PyG state_dict, say) and a plan. Out: the tensors that
// go into the artefact, in the float types that the plan has them in.
//
//===----------------------------------------------------------------------===//
#include "lib/Codegen/SelectWeights.h"

#include "runtime/format/Floats.h"

#include <algorithm>
#include <cstring>

using namespace gnnc;
using namespace gnnc::format;

static bool isSame(const Tensor &a, const Tensor &b) {
  return a.dtype == b.dtype && a.shape == b.shape && a.bytes.size == b.bytes.size &&
         (a.bytes.size == 0 || std::memcmp(a.bytes.data, b.bytes.data, a.bytes.size) == 0);
}

static std::string describeUnread(const std::string &path, const std::string &program,
                                  const std::set<std::string> &arguments, const TensorFile &file) {
  std::string first;
  unsigned count = 0;
  for (const Tensor &tensor : file.tensors) {
    // Counters of batches are integers; a shared weight is there under two names.
    bool isRead = !isFloat(tensor.dtype) || arguments.count(tensor.name) ||
                  std::ranges::any_of(arguments, [&](const std::string &name) {
                    const Tensor *other = file.find(name);
                    return other && isSame(tensor, *other);
                  });
    if (!isRead && ++count == 1)
      first = tensor.name;
  }
  if (!count)
    return "";
  return path + ": " + program + " has no use for " +
         (count == 1 ? "tensor '" : std::to_string(count) + " tensors, the first is '") + first +
         "'; is it the program of this model, with all of its arguments?";
}

bool gnnc::selectWeights(const std::string &path, const std::string &program,
                         const std::set<std::string> &arguments, const Plan &plan,
                         TensorFile &selected, std::string &warning, std::string &error) {
  TensorFile file;
  bool loaded = false;
  for (const Buffer &buffer : plan.buffers) {
    if (buffer.kind != Buffer::Kind::Weight)
      continue;
    std::vector<std::int64_t> shape;
    for (const Formula &extent : buffer.shape)
      shape.push_back(extent.constant);
    if (path.empty()) {
      error = program + ": needs the weight '" + buffer.name + "' (" +
              describe(buffer.dtype, shape) + "); give a weights file with --weights";
      return false;
    }
    if (!loaded && !readTensors(path, file, error))
      return false;
    loaded = true;
    const Tensor *tensor = file.find(buffer.name);
    if (!tensor) {
      error = path + ": has no tensor '" + buffer.name + "' (" + describe(buffer.dtype, shape) +
              ") that " + program + " needs; is it the weights file of this model?";
      return false;
    }
    bool convertible = isFloat(tensor->dtype) && isFloat(buffer.dtype);
    if ((tensor->dtype != buffer.dtype && !convertible) || tensor->shape != shape) {
      error = path + ": tensor '" + buffer.name + "' is " + describe(tensor->dtype, tensor->shape) +
              ", " + program + " needs " + describe(buffer.dtype, shape) +
              "; make the program with the widths of these weights";
      return false;
    }
    if (!convertTensor(*tensor, buffer.dtype, selected.tensors.emplace_back(), error)) {
      error = path + ": " + error;
      return false;
    }
  }
  if (loaded)
    warning = describeUnread(path, program, arguments, file);
  return true;
}
