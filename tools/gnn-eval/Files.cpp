//===- Files.cpp - Graph and weights files for the reference evaluator ----===//
#include "tools/gnn-eval/Files.h"

#include "tools/graph/GraphFile.h"
#include "llvm/ADT/APFloat.h"

#include <cstring>

using namespace gnnc;
using namespace gnnc::eval;
using namespace gnnc::reference;
using format::DType;

template <typename From, typename To>
static void copyElements(const format::Tensor &in, std::vector<To> &out) {
  const From *data = in.as<From>();
  out.assign(data, data + in.elements());
}

static double ofHalf(uint16_t bits, const llvm::fltSemantics &semantics) {
  llvm::APFloat value(semantics, llvm::APInt(16, bits));
  bool inexact = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}

static bool isFloat(DType type) {
  return type == DType::F32 || type == DType::F64 || type == DType::F16 || type == DType::BF16;
}

static ValuePtr toValue(const format::Tensor &in) {
  Tensor out;
  out.shape = in.shape;
  switch (in.dtype) {
  case DType::F32:
    copyElements<float>(in, out.floats);
    break;
  case DType::F64:
    copyElements<double>(in, out.floats);
    break;
  case DType::F16:
  case DType::BF16: {
    const llvm::fltSemantics &semantics =
        in.dtype == DType::F16 ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat();
    const uint16_t *data = in.as<uint16_t>();
    for (int64_t i = 0; i < in.elements(); ++i)
      out.floats.push_back(ofHalf(data[i], semantics));
    break;
  }
  case DType::I32:
    copyElements<int32_t>(in, out.integers);
    break;
  case DType::I64:
    copyElements<int64_t>(in, out.integers);
    break;
  case DType::U64: // ids and counts stay below 2^63
    copyElements<uint64_t>(in, out.integers);
    break;
  case DType::U32:
    copyElements<uint32_t>(in, out.integers);
    break;
  case DType::U16:
    copyElements<uint16_t>(in, out.integers);
    break;
  case DType::I16:
    copyElements<int16_t>(in, out.integers);
    break;
  case DType::I8:
    copyElements<int8_t>(in, out.integers);
    break;
  case DType::U8:
  case DType::Bool:
    copyElements<uint8_t>(in, out.integers);
    break;
  }
  out.isInteger = !isFloat(in.dtype);
  return makeValue(std::move(out));
}

bool eval::readGraph(const std::string &path, ProgramInputs &inputs, std::string &error) {
  tools::GraphFile file;
  if (!tools::readGraph(path, file, error))
    return false;
  std::string problem;
  if (tools::findBadEdge(file, problem)) {
    error = path + ": " + problem;
    return false;
  }
  Graph graph{file.destinations, file.sources, {}, {}};
  for (int64_t e = 0; e < file.edges; ++e) {
    graph.src.push_back(file.id(0, e));
    graph.dst.push_back(file.id(1, e));
  }
  inputs.graph = makeValue(std::move(graph));
  for (const format::Tensor &tensor : file.file.tensors)
    if (tensor.name != "edge_index")
      inputs.inputs[tensor.name] = inputs.graphData[tensor.name] = toValue(tensor);
  if (file.file.find("x") || !file.file.find("x_indptr"))
    return true;
  format::Tensor x;
  if (!tools::denseFeatures(file, /*features=*/-1, x, error))
    return false;
  inputs.inputs["x"] = toValue(x);
  return true;
}

bool eval::readWeights(const std::string &path, ProgramInputs &inputs, std::string &error) {
  format::TensorFile file;
  if (!format::readTensors(path, file, error))
    return false;
  for (const format::Tensor &tensor : file.tensors)
    inputs.weights[tensor.name] = toValue(tensor);
  return true;
}

bool eval::readTensor(const std::string &path, const std::string &name, ValuePtr &value,
                      std::string &error) {
  format::TensorFile file;
  if (!format::readTensors(path, file, error))
    return false;
  const format::Tensor *tensor = file.find(name);
  if (!tensor) {
    error = path + ": tensor '" + name + "' is missing; --key names another";
    return false;
  }
  value = toValue(*tensor);
  return true;
}

bool eval::writeResults(const std::string &path, llvm::ArrayRef<NamedValue> results,
                        std::string &error) {
  format::TensorFile file;
  for (const NamedValue &result : results) {
    const Tensor &tensor = result.value->tensor;
    if (result.value->isGraph)
      continue;
    const void *data =
        tensor.isInteger ? static_cast<const void *>(tensor.integers.data()) : tensor.floats.data();
    file.tensors.push_back(format::Tensor::view(
        result.name, tensor.isInteger ? DType::I64 : DType::F64, tensor.shape, data));
  }
  return format::writeTensors(path, file, error);
}
