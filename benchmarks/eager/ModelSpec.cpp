//===- ModelSpec.cpp - Weights of a model: names, shapes, files -----------===//
#include "benchmarks/eager/ModelSpec.h"

#include "benchmarks/data/Random.h"
#include "benchmarks/eager/EagerModel.h"
#include "runtime/format/SafeTensors.h"

#include <cmath>

using gnnc::format::describe;
using gnnc::format::DType;
using gnnc::format::Tensor;
using gnnc::format::TensorFile;

namespace gnnc::bench {

std::string layerName(const char *list, std::int64_t layer, const std::string &rest) {
  return std::string(list) + "." + std::to_string(layer) + "." + rest;
}

namespace {

/// Scale and shift of random values for a tensor of this name.
void fill(const std::string &name, HostTensor &tensor, Random &random) {
  float scale = 0.1f, shift = 0.0f;
  if (name.ends_with("running_var") ||
      (name.find("norms.") != std::string::npos && name.ends_with("weight"))) {
    scale = 0.5f;
    shift = 1.0f;
  } else if (tensor.shape.size() >= 2) { // Glorot's bound
    std::int64_t ends = tensor.shape[tensor.shape.size() - 2] + tensor.shape.back();
    scale = static_cast<float>(std::sqrt(6.0 / static_cast<double>(ends)));
  }
  for (float &value : tensor.values)
    value = shift + scale * random.symmetric();
}

} // namespace

std::vector<WeightShape> weightShapes(const ModelSpec &spec) {
  const ModelKind &kind = modelKind(spec.model);
  std::vector<WeightShape> shapes;
  for (std::int64_t layer = 0; layer < spec.numLayers; ++layer) {
    for (WeightShape &shape : kind.convShapes(spec, layer))
      shapes.push_back({layerName("convs", layer, shape.name), std::move(shape.shape)});
    if (spec.residual)
      shapes.push_back(
          {layerName("convs", layer, "res.weight"), {spec.outWidth(layer), spec.inWidth(layer)}});
    if (spec.norm == "batch_norm" && layer + 1 < spec.numLayers)
      for (const char *part : {"weight", "bias", "running_mean", "running_var"})
        shapes.push_back(
            {layerName("norms", layer, std::string("module.") + part), {spec.outWidth(layer)}});
  }
  return shapes;
}

Weights randomWeights(const ModelSpec &spec, std::uint64_t seed) {
  Random random(seed);
  Weights weights;
  for (const WeightShape &wanted : weightShapes(spec)) {
    HostTensor tensor{wanted.shape, {}};
    std::int64_t count = 1;
    for (std::int64_t extent : wanted.shape)
      count *= extent;
    tensor.values.resize(count);
    fill(wanted.name, tensor, random);
    weights.emplace(wanted.name, std::move(tensor));
  }
  return weights;
}

Weights readWeights(const std::string &path, ModelSpec &spec) {
  TensorFile file;
  std::string error;
  if (!format::readTensors(path, file, error))
    throw Failure(error);
  const ModelKind &kind = modelKind(spec.model);
  const std::string transform = kind.transform;
  auto matrix = [&](std::int64_t layer) -> const Tensor * {
    const Tensor *tensor = file.find(layerName("convs", layer, transform));
    if (tensor && tensor->shape.size() != 2)
      throw Failure(path + ": tensor '" + tensor->name + "' is " +
                    describe(tensor->dtype, tensor->shape) + ", expected [out, in]");
    return tensor;
  };
  const Tensor *first = matrix(0);
  if (!first)
    throw Failure(path + ": has no tensor '" + layerName("convs", 0, transform) +
                  "'; is it the state_dict of a " + spec.model + "?");
  if (spec.inChannels && spec.inChannels != first->shape[1])
    throw Failure(path + ": tensor '" + first->name + "' takes " + std::to_string(first->shape[1]) +
                  " features, the graph has " + std::to_string(spec.inChannels) +
                  "; use weights trained on this graph");
  spec.inChannels = first->shape[1];
  spec.numLayers = 1;
  while (matrix(spec.numLayers))
    ++spec.numLayers;
  spec.outChannels = matrix(spec.numLayers - 1)->shape[0];
  spec.hiddenChannels = first->shape[0];
  if (std::string wrong = kind.infer ? kind.infer(file, spec) : ""; !wrong.empty())
    throw Failure(path + ": " + wrong);
  spec.bias = file.find(layerName("convs", 0, kind.bias)) != nullptr;
  spec.residual = file.find(layerName("convs", 0, "res.weight")) != nullptr;
  spec.norm = file.find("norms.0.module.weight") ? "batch_norm" : "none";

  Weights weights;
  for (const WeightShape &wanted : weightShapes(spec)) {
    const Tensor *tensor = file.find(wanted.name);
    if (!tensor)
      throw Failure(path + ": has no tensor '" + wanted.name + "'");
    if (tensor->dtype != DType::F32 || tensor->shape != wanted.shape)
      throw Failure(path + ": tensor '" + wanted.name + "' is " +
                    describe(tensor->dtype, tensor->shape) + ", expected " +
                    describe(DType::F32, wanted.shape));
    const float *values = tensor->as<float>();
    weights.emplace(wanted.name, HostTensor{wanted.shape, {values, values + tensor->elements()}});
  }
  return weights;
}

void writeWeights(const std::string &path, const Weights &weights) {
  TensorFile file;
  for (const auto &[name, tensor] : weights)
    file.tensors.push_back(Tensor::view(name, DType::F32, tensor.shape, tensor.values.data()));
  std::string error;
  if (!format::writeTensors(path, file, error))
    throw Failure(error);
}

} // namespace gnnc::bench
