// Dense products of the host in every type against float64.
#include "runtime/cpu/CpuGemm.h"
#include "runtime/format/Floats.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace gnnc;
using namespace gnnc::runtime;
using format::DType;

namespace {

struct Matrix {
  DType type;
  std::vector<std::byte> bytes;
  std::vector<double> values; ///< what the bytes say
  Matrix(std::int64_t count, DType type, std::mt19937 &random)
      : type(type), bytes(static_cast<std::size_t>(count) * format::sizeOf(type)),
        values(static_cast<std::size_t>(count)) {
    for (double &value : values)
      value = std::uniform_real_distribution<double>(-1, 1)(random);
    format::convertFloats(values.data(), DType::F64, bytes.data(), type, count);
    format::convertFloats(bytes.data(), type, values.data(), DType::F64, count);
  }
};

/// Largest error relative to the largest result; the second run must give the same bits.
double errorOf(GemmDesc desc, bool constantB) {
  std::mt19937 random(7); // NOLINT(bugprone-random-generator-seed): a failure repeats
  std::int64_t ofC = desc.m * desc.rowStepC();
  Matrix a(desc.m * desc.rowStepA(), desc.a, random),
      b((desc.transposeB ? desc.n : desc.k) * desc.rowStepB(), desc.b, random),
      bias(desc.n, desc.c, random), residual(ofC, desc.c, random), c(ofC, desc.c, random);
  const std::vector<double> before = c.values;
  if (constantB)
    desc.constantB = b.bytes.data();
  tbb::task_arena arena(2);
  auto plan = prepareCpuGemm(desc, arena);
  EXPECT_TRUE(plan) << plan.status().message();
  if (!plan)
    return INFINITY;
  auto &gemm = static_cast<CpuGemm &>(**plan);
  GemmPointers pointers{a.bytes.data(), b.bytes.data(), bias.bytes.data(), residual.bytes.data(),
                        c.bytes.data()};
  EXPECT_TRUE(gemm.run(pointers));
  std::vector<std::byte> first = c.bytes;
  EXPECT_TRUE(gemm.run(pointers));
  EXPECT_EQ(first, c.bytes);
  format::convertFloats(c.bytes.data(), desc.c, c.values.data(), DType::F64, ofC);
  double worst = 0, largest = 0;
  for (std::int64_t i = 0; i < desc.m; ++i) {
    for (std::int64_t j = desc.n; j < desc.rowStepC(); ++j) // behind the window
      EXPECT_EQ(c.values[i * desc.rowStepC() + j], before[i * desc.rowStepC() + j]);
    for (std::int64_t j = 0; j < desc.n; ++j) {
      double sum = desc.hasBias ? bias.values[j] : 0;
      sum += desc.hasResidual ? residual.values[i * desc.rowStepC() + j] : 0;
      for (std::int64_t l = 0; l < desc.k; ++l)
        sum += a.values[i * desc.rowStepA() + l] *
               b.values[desc.transposeB ? j * desc.rowStepB() + l : l * desc.rowStepB() + j];
      if (desc.activation == Activation::Relu)
        sum = std::max(sum, 0.0);
      worst = std::max(worst, std::abs(sum - c.values[i * desc.rowStepC() + j]));
      largest = std::max(largest, std::abs(sum));
    }
  }
  return largest > 0 ? worst / largest : worst;
}

TEST(CpuGemm, EveryTypeAgainstFloat64) {
  struct Case {
    DType in, out;
    double bound; ///< one rounding to `out`, and the sum's error in fp32
  };
  for (Case test : {Case{DType::F32, DType::F32, 1e-6}, Case{DType::F64, DType::F64, 1e-14},
                    Case{DType::F16, DType::F16, 5e-4}, Case{DType::BF16, DType::BF16, 4e-3},
                    Case{DType::F16, DType::F32, 1e-6}, Case{DType::BF16, DType::F32, 1e-6}})
    for (std::int64_t m : {1, 17, 3000}) // 3000: several blocks, the last one shorter
      for (std::int64_t k : {0, 1, 45})
        for (int flags = 0; flags < 32; ++flags) {
          GemmDesc desc;
          desc.m = m;
          desc.n = 19;
          desc.k = k;
          desc.transposeB = flags & 1;
          desc.hasBias = flags & 2;
          desc.hasResidual = flags & 8;
          desc.activation = flags & 2 ? Activation::Relu : Activation::None;
          desc.a = desc.b = test.in;
          desc.c = test.out;
          if (flags & 16) { // windows of wider matrices
            desc.stepA = k + 3;
            desc.stepB = (desc.transposeB ? k : desc.n) + 2;
            desc.stepC = desc.n + 5;
          }
          EXPECT_LE(errorOf(desc, flags & 4), test.bound)
              << format::name(test.in) << " -> " << format::name(test.out) << " m " << m << " k "
              << k << " flags " << flags;
        }
}

/// As on the GPU: a ReLU that is a maximum would make 0 of it.
TEST(CpuGemm, NanPassesThroughActivation) {
  constexpr std::int64_t nanRow = 33;
  for (DType type : {DType::F32, DType::F64, DType::F16, DType::BF16}) {
    GemmDesc desc;
    desc.m = 40;
    desc.n = 19;
    desc.k = 5;
    desc.activation = Activation::Relu;
    desc.a = desc.b = desc.c = type;
    std::vector<double> values(200, 1);
    values[nanRow * desc.k] = NAN;
    auto memory = [&](std::int64_t count) {
      return std::vector<std::byte>(static_cast<std::size_t>(count) * format::sizeOf(type));
    };
    std::vector<std::byte> a = memory(200), b = memory(95), c = memory(760);
    format::convertFloats(values.data(), DType::F64, a.data(), type, 200);
    format::convertFloats(values.data(), DType::F64, b.data(), type, 95);
    tbb::task_arena arena(2);
    auto plan = prepareCpuGemm(desc, arena);
    ASSERT_TRUE(plan) << plan.status().message();
    ASSERT_TRUE(
        static_cast<CpuGemm &>(**plan).run({a.data(), b.data(), nullptr, nullptr, c.data()}));
    std::vector<double> got(760);
    format::convertFloats(c.data(), type, got.data(), DType::F64, 760);
    for (std::int64_t i = 0; i < 760; ++i)
      if (i / desc.n == nanRow)
        EXPECT_TRUE(std::isnan(got[i])) << format::name(type) << " " << got[i];
      else
        EXPECT_EQ(got[i], 5) << format::name(type);
  }
}

TEST(CpuGemm, RefusesMixedTypes) {
  GemmDesc desc;
  desc.m = desc.n = desc.k = 2;
  desc.a = DType::F16;
  tbb::task_arena arena(1);
  auto plan = prepareCpuGemm(desc, arena);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.status().message(),
            "dense product of F16 and F32 giving F32: the host multiplies two matrices of F32, "
            "F64, F16 or BF16 into their own type, 16 bit also into F32");
}

} // namespace
