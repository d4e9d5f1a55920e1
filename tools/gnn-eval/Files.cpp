//===- Files.cpp - Graph and weights files for the reference evaluator ----===//
#include "tools/gnn-eval/Files.h"

#include "runtime/format/SafeTensors.h"
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

/// Rows of CSR `x` written out; null and an error when it is inconsistent.
static ValuePtr denseFeatures(const std::string &path, const format::TensorFile &file,
                              int64_t nodes, std::string &error) {
  const format::Tensor *indices = file.find("x_indices"), *values = file.find("x_values");
  if (!indices || !values) {
    error = path + ": x_indptr is there, " + (indices ? "x_values" : "x_indices") + " is not";
    return nullptr;
  }
  Tensor rows = toValue(*file.find("x_indptr"))->tensor;
  Tensor columns = toValue(*indices)->tensor, numbers = toValue(*values)->tensor;
  auto width = file.metadata.find("num_features");
  if (!rows.isInteger || !columns.isInteger || numbers.isInteger ||
      columns.integers.size() != numbers.floats.size() || rows.integers.empty()) {
    error = path + ": x_indptr, x_indices, x_values are " +
            format::describe(indices->dtype, rows.shape) + ", " +
            format::describe(indices->dtype, columns.shape) + ", " +
            format::describe(values->dtype, numbers.shape) + ", no matrix in CSR";
    return nullptr;
  }
  int64_t features = 0;
  for (int64_t column : columns.integers)
    features = std::max(features, column + 1);
  if (width != file.metadata.end())
    features = std::max<int64_t>(features, std::atoll(width->second.c_str()));
  if (nodes < 0)
    nodes = rows.integers.size() - 1;
  Tensor out = Tensor::zeros({nodes, features});
  for (int64_t row = 0; row < nodes; ++row) {
    int64_t begin = row + 1 < int64_t(rows.integers.size()) ? rows.integers[row] : -1;
    int64_t end = begin < 0 ? -1 : rows.integers[row + 1];
    if (begin < 0 || end < begin || end > int64_t(columns.integers.size())) {
      error = path + ": x_indptr: row " + std::to_string(row) + " of " + std::to_string(nodes) +
              " goes from " + std::to_string(begin) + " to " + std::to_string(end) + " of " +
              std::to_string(columns.integers.size()) + " values";
      return nullptr;
    }
    for (int64_t i = begin; i < end; ++i) {
      if (columns.integers[i] < 0) {
        error = path + ": x_indices: entry " + std::to_string(i) + " is " +
                std::to_string(columns.integers[i]);
        return nullptr;
      }
      out.floats[row * features + columns.integers[i]] += numbers.floats[i];
    }
  }
  return makeValue(std::move(out));
}

bool eval::readGraph(const std::string &path, ProgramInputs &inputs, std::string &error) {
  format::TensorFile file;
  if (!format::readTensors(path, file, error))
    return false;
  const format::Tensor *edgeIndex = file.find("edge_index");
  if (!edgeIndex) {
    error = path + ": no tensor edge_index";
    return false;
  }
  if ((edgeIndex->dtype != DType::I64 && edgeIndex->dtype != DType::I32) ||
      edgeIndex->shape.size() != 2 || edgeIndex->shape[0] != 2) {
    error = path + ": edge_index is " + format::describe(edgeIndex->dtype, edgeIndex->shape) +
            ", needed is I64[2, edges] or I32[2, edges]";
    return false;
  }
  int64_t nodes = -1;
  if (auto count = file.metadata.find("num_nodes"); count != file.metadata.end())
    nodes = std::atoll(count->second.c_str());
  if (const format::Tensor *x = file.find("x"); x && !x->shape.empty())
    nodes = x->shape[0];
  else if (const format::Tensor *rows = file.find("x_indptr"); rows && rows->elements() > 0)
    nodes = rows->elements() - 1;
  if (nodes < 0) {
    error = path + ": neither x nor metadata num_nodes says how many nodes there are";
    return false;
  }
  Tensor ends = toValue(*edgeIndex)->tensor;
  auto half = ends.integers.begin() + edgeIndex->shape[1];
  Graph graph{nodes, nodes, {ends.integers.begin(), half}, {half, ends.integers.end()}};
  std::string problem;
  if (!checkGraph(graph, problem)) {
    error = path + ": edge_index: " + problem;
    return false;
  }
  inputs.graph = makeValue(std::move(graph));
  for (const format::Tensor &tensor : file.tensors)
    if (&tensor != edgeIndex)
      inputs.inputs[tensor.name] = inputs.graphData[tensor.name] = toValue(tensor);
  if (!file.find("x") && file.find("x_indptr")) {
    ValuePtr x = denseFeatures(path, file, nodes, error);
    if (!x)
      return false;
    inputs.inputs["x"] = x;
  }
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
    error = path + ": no tensor '" + name + "'; --key names another";
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
