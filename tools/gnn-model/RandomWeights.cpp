//===- RandomWeights.cpp - Weights of a model that nobody trained ---------===//
//
// In: names, shapes and kinds. Out: a safetensors file. The engine is the
// standard's mt19937_64, whose output is fixed; the distributions are our own,
// because those of the standard differ between libraries.
//
//===----------------------------------------------------------------------===//
#include "tools/gnn-model/RandomWeights.h"

#include "runtime/format/SafeTensors.h"

#include <cmath>
#include <random>

using namespace gnnc;

namespace {
class Generator {
public:
  explicit Generator(std::uint64_t seed) : engine(seed) {}
  /// In [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * double(engine() >> 11) * 0x1p-53;
  }
  double normal(double deviation) {
    // 1 - u is never zero.
    double radius = std::sqrt(-2 * std::log(1 - uniform(0, 1)));
    return deviation * radius * std::cos(uniform(0, 2 * 3.14159265358979323846));
  }

private:
  std::mt19937_64 engine;
};
} // namespace

static double draw(Generator &random, const WeightSpec &weight) {
  switch (weight.kind) {
  case WeightSpec::Kind::Matrix: {
    double bound = std::sqrt(6.0 / double(weight.shape[0] + weight.shape[1]));
    return random.uniform(-bound, bound);
  }
  case WeightSpec::Kind::Bias:
  case WeightSpec::Kind::Mean:
    return random.normal(0.1);
  case WeightSpec::Kind::Scale:
  case WeightSpec::Kind::Variance:
    return random.uniform(0.5, 1.5);
  case WeightSpec::Kind::Vector: {
    double bound = std::sqrt(6.0 / double(weight.shape[1] + weight.shape[2]));
    return random.uniform(-bound, bound);
  }
  case WeightSpec::Kind::Fixed:
    return weight.fixed;
  case WeightSpec::Kind::Counter:
    break;
  }
  return 0;
}

bool gnnc::writeRandomWeights(const std::vector<WeightSpec> &weights, std::uint64_t seed,
                              const std::string &path, std::string &error) {
  Generator random(seed);
  format::TensorFile file;
  std::vector<std::vector<float>> storage;
  static const std::int64_t noBatches = 0;
  for (const WeightSpec &weight : weights) {
    if (weight.kind == WeightSpec::Kind::Counter) {
      file.tensors.push_back(
          format::Tensor::view(weight.name, format::DType::I64, weight.shape, &noBatches));
      continue;
    }
    if (!weight.same.empty()) {
      const format::Tensor *other = file.find(weight.same);
      file.tensors.push_back(
          format::Tensor::view(weight.name, format::DType::F32, weight.shape, other->bytes.data));
      continue;
    }
    std::int64_t count = 1;
    for (std::int64_t extent : weight.shape)
      count *= extent;
    std::vector<float> &values = storage.emplace_back(count);
    for (float &value : values)
      value = float(draw(random, weight));
    file.tensors.push_back(
        format::Tensor::view(weight.name, format::DType::F32, weight.shape, values.data()));
  }
  return format::writeTensors(path, file, error);
}
