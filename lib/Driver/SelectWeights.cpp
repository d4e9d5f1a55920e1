//===- SelectWeights.cpp - The weights a plan asks for --------------------===//
//
// In:  a weights file (a PyG state_dict, say) and a plan. Out: the tensors that
// go into the artefact, in the float types that the plan has them in.
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/SelectWeights.h"

#include "runtime/format/Floats.h"

using namespace gnnc;
using namespace gnnc::format;

bool gnnc::selectWeights(const std::string &path, const std::string &program, const Plan &plan,
                         TensorFile &selected, std::string &error) {
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
  return true;
}
