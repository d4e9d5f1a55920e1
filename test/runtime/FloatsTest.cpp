// Rounding to 16 bit and back, against the definition of nearest-even.
#include "runtime/format/Floats.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace gnnc::format;

namespace {

std::uint16_t bitsOf(double value, DType type) {
  std::uint64_t bits = 0;
  EXPECT_TRUE(floatBits(value, type, bits));
  return static_cast<std::uint16_t>(bits);
}

double valueOf(std::uint16_t bits, DType type) {
  double value = 0;
  EXPECT_TRUE(convertFloats(&bits, type, &value, DType::F64, 1));
  return value;
}

TEST(Floats, EveryNumberOf16BitComesBack) {
  for (DType type : {DType::F16, DType::BF16})
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      double value = valueOf(static_cast<std::uint16_t>(bits), type);
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(valueOf(bitsOf(value, type), type))) << bits;
      else
        EXPECT_EQ(bitsOf(value, type), bits) << value;
    }
}

TEST(Floats, MiddlesGoToEven) {
  for (DType type : {DType::F16, DType::BF16})
    for (std::uint16_t bits : {0x0001, 0x1234, 0x1235, 0x3c00, 0x3c01}) {
      double low = valueOf(bits, type), high = valueOf(static_cast<std::uint16_t>(bits + 1), type);
      double middle = (low + high) / 2, step = (high - low) / (1 << 30);
      EXPECT_EQ(bitsOf(middle, type), bits + (bits & 1));
      // Nearer to f32's spacing than f32 can tell: no second rounding.
      EXPECT_EQ(bitsOf(middle - step, type), bits);
      EXPECT_EQ(bitsOf(middle + step, type), bits + 1);
    }
}

TEST(Floats, OfAnEmptyTensorTheAddressMayBeNull) {
  for (DType from : {DType::F16, DType::BF16, DType::F32, DType::F64, DType::I32})
    for (DType to : {DType::F16, DType::BF16, DType::F32, DType::F64, DType::I32})
      EXPECT_EQ(convertFloats(nullptr, from, nullptr, to, 0), isFloat(from) && isFloat(to));
}

TEST(Floats, ManyAtOnceAsOneByOne) {
  std::vector<float> numbers;
  for (std::uint64_t bits = 0; bits < 0x100000000; bits += 65521) {
    auto word = static_cast<std::uint32_t>(bits);
    std::memcpy(&numbers.emplace_back(), &word, sizeof word);
  }
  auto count = static_cast<std::int64_t>(numbers.size());
  for (DType type : {DType::F16, DType::BF16}) {
    std::vector<std::uint16_t> many(numbers.size());
    std::vector<float> back(numbers.size());
    ASSERT_TRUE(convertFloats(numbers.data(), DType::F32, many.data(), type, count));
    ASSERT_TRUE(convertFloats(many.data(), type, back.data(), DType::F32, count));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      double value = valueOf(many[i], type);
      if (std::isnan(numbers[i])) {
        EXPECT_TRUE(std::isnan(value) && std::isnan(back[i])) << i;
        continue;
      }
      EXPECT_EQ(many[i], bitsOf(static_cast<double>(numbers[i]), type)) << numbers[i];
      EXPECT_EQ(static_cast<double>(back[i]), value);
    }
  }
}

TEST(Floats, TensorThatDoesNotFit) {
  float values[3] = {1, -INFINITY, 70000};
  Tensor tensor = Tensor::view("w", DType::F32, {3}, values), out;
  std::string error;
  EXPECT_FALSE(convertTensor(tensor, DType::F16, out, error));
  EXPECT_EQ(error, "tensor 'w' (F32[3]): element 2 is 70000.000000, too large for F16");
  EXPECT_TRUE(convertTensor(tensor, DType::BF16, out, error));
  EXPECT_TRUE(std::isinf(valueOf(out.as<std::uint16_t>()[1], DType::BF16)));
  EXPECT_FALSE(convertTensor(tensor, DType::I64, out, error));
  EXPECT_EQ(error, "tensor 'w' (F32[3]) cannot become I64: both types must be of F32, F64, F16, "
                   "BF16");
}

} // namespace
