// Dense products on the device against float64 on the host.
#include "CudaTestDevice.h"
#include "runtime/cuda/CudaStream.h"
#include "runtime/cuda/HopperGemm.h"
#include "runtime/cuda/SplitGemm.h"

#include <cmath>
#include <limits>
#include <random>

using namespace gnnc::runtime;

namespace {

struct Case {
  std::int64_t m, n, k;
  bool transposeB = true, bias = true, relu = false;
  std::size_t offset = 0; ///< elements that every operand is moved off its alignment
  Precision precision = Precision::Fp32;
  double bound = 3e-6;
  bool weight = false; ///< b may be prepared in advance
  bool residual = false;
  std::int64_t beside = 0; ///< columns of wider matrices behind those of each row
};

std::vector<float> randomValues(std::int64_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> distribution(-1, 1);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float &value : values)
    value = distribution(engine);
  return values;
}

std::vector<double> reference(const Case &test, const std::vector<float> &a,
                              const std::vector<float> &b, const std::vector<float> &bias,
                              const std::vector<float> &residual) {
  std::vector<double> c(static_cast<std::size_t>(test.m * test.n));
  for (std::int64_t i = 0; i < test.m; ++i)
    for (std::int64_t j = 0; j < test.n; ++j) {
      double sum = test.bias ? bias[j] : 0.0;
      sum += test.residual ? residual[i * (test.n + test.beside) + j] : 0.0;
      for (std::int64_t l = 0; l < test.k; ++l)
        sum += double(a[i * (test.k + test.beside) + l]) *
               (test.transposeB ? b[j * (test.k + test.beside) + l]
                                : b[l * (test.n + test.beside) + j]);
      c[i * test.n + j] = test.relu && sum < 0 ? 0 : sum;
    }
  return c;
}

GemmDesc describe(const Case &test) {
  GemmDesc desc;
  desc.m = test.m;
  desc.n = test.n;
  desc.k = test.k;
  desc.transposeB = test.transposeB;
  desc.hasBias = test.bias;
  desc.hasResidual = test.residual;
  desc.activation = test.relu ? Activation::Relu : Activation::None;
  desc.precision = test.precision;
  if (test.beside) {
    desc.stepA = test.k + test.beside;
    desc.stepB = (test.transposeB ? test.k : test.n) + test.beside;
    desc.stepC = test.n + test.beside;
  }
  return desc;
}

/// Products of windows of wider matrices, at aligned and odd places.
std::vector<Case> windows(std::int64_t k) {
  std::vector<Case> cases;
  for (bool transposeB : {false, true})
    for (std::int64_t beside : {3, 64}) {
      Case test{300, 130, k, transposeB, true, true};
      test.residual = test.weight = transposeB;
      test.beside = beside;
      test.bound = 1e-5;
      cases.push_back(test);
    }
  return cases;
}

class CudaGemmTest : public CudaTest {
protected:
  /// Null: what the back end takes. Else an implementation, even where it does not pay.
  decltype(&gnnc::cuda::HopperGemm::make) implementation = nullptr;

  Expected<std::unique_ptr<GemmPlan>> prepare(const GemmDesc &desc) {
    if (!implementation)
      return backend->prepareGemm(desc, *stream);
    using namespace gnnc::cuda;
    auto context = Context::open(0);
    if (!context)
      return context.status();
    auto library = GemmLibrary::open(*context);
    if (!library)
      return library.status();
    auto plan = implementation(*library, static_cast<CudaStream &>(*stream).handle, desc);
    if (!plan)
      return plan.status();
    return std::unique_ptr<GemmPlan>(std::move(*plan));
  }

  /// Rows of 8 x 4 where all is 1 but one entry of row 1, and the bias, too: 5 elsewhere.
  void runWithSpecialInRow1(float special, bool relu, std::vector<float> &got) {
    Case test{8, 4, 4, true, true, relu};
    std::vector<float> a(32, 1);
    a[4] = special;
    GemmPointers pointers;
    pointers.a = upload(a);
    pointers.b = upload(std::vector<float>(16, 1));
    pointers.bias = upload(std::vector<float>(4, 1));
    float *c = upload(std::vector<float>(32, 0));
    pointers.c = c;
    auto plan = prepare(describe(test));
    ASSERT_TRUE(plan) << plan.status().message();
    ASSERT_TRUE(backend->gemm(**plan, pointers, *stream));
    got = download(c, 32);
  }

  /// `kept`: receives the result.
  void check(const Case &test, std::vector<float> *kept = nullptr) {
    SCOPED_TRACE("m " + std::to_string(test.m) + " n " + std::to_string(test.n) + " k " +
                 std::to_string(test.k));
    std::int64_t ofB = test.transposeB ? test.n * (test.k + test.beside)
                                       : test.k * (test.n + test.beside),
                 ofC = test.m * (test.n + test.beside);
    std::vector<float> a = randomValues(test.m * (test.k + test.beside), 1),
                       b = randomValues(ofB, 2), bias = randomValues(test.n, 3),
                       residual = randomValues(ofC, 4);
    std::size_t count = static_cast<std::size_t>(test.m * test.n);
    const float poison = std::numeric_limits<float>::quiet_NaN();
    GemmPointers pointers;
    pointers.a = upload(a, test.offset);
    pointers.b = upload(b, test.offset);
    pointers.bias = test.bias ? upload(bias, test.offset) : nullptr;
    pointers.residual = test.residual ? upload(residual, test.offset) : nullptr;
    // Poisoned, so that an element that is never written shows.
    float *c = upload(std::vector<float>(static_cast<std::size_t>(ofC), poison), test.offset);
    // The window of it; what lies behind must stay.
    auto result = [&] {
      std::vector<float> all = download(c, static_cast<std::size_t>(ofC)), window;
      for (std::int64_t i = 0; i < ofC; ++i)
        if (i % (test.n + test.beside) < test.n)
          window.push_back(all[i]);
        else
          EXPECT_TRUE(std::isnan(all[i])) << "written behind the window";
      return window;
    };
    pointers.c = c;
    GemmDesc desc = describe(test);
    desc.constantB = test.weight ? pointers.b : nullptr;
    auto plan = prepare(desc);
    ASSERT_TRUE(plan) << plan.status().message();
    Status status = backend->gemm(**plan, pointers, *stream);
    ASSERT_TRUE(status) << status.message();
    std::vector<float> got = result();
    if (kept)
      *kept = got;
    std::vector<double> expected = reference(test, a, b, bias, residual);
    double worst = 0, largest = 1e-30;
    for (std::size_t i = 0; i < count; ++i) {
      double error = std::fabs(got[i] - expected[i]);
      worst = std::isnan(error) ? error : std::max(worst, error);
      largest = std::max(largest, std::fabs(expected[i]));
      if (std::isnan(worst))
        break;
    }
    EXPECT_LE(worst / largest, test.bound);

    for (int run = 0; run < 9; ++run) {
      ASSERT_TRUE(backend->gemm(**plan, pointers, *stream));
      ASSERT_EQ(result(), got) << "bits differ in run " << run + 2;
    }
  }
};

} // namespace

TEST_F(CudaGemmTest, OddShapesMatchFloat64) {
  for (Case test : {Case{1, 1, 1}, Case{33, 7, 5}, Case{100, 40, 256}, Case{257, 129, 31},
                    Case{3, 1000, 2}, Case{1000, 1, 77}, Case{513, 16, 1433}})
    for (bool transposeB : {false, true})
      for (bool bias : {false, true})
        for (bool relu : {false, true}) {
          test.transposeB = transposeB;
          test.bias = bias;
          test.relu = relu;
          test.residual = relu != bias;
          check(test);
        }
}

TEST_F(CudaGemmTest, WindowsOfWiderMatricesMatchFloat64) {
  for (const Case &test : windows(64))
    check(test);
}

TEST_F(CudaGemmTest, UnalignedOperandsMatchFloat64) {
  for (std::size_t offset : {1, 2, 3})
    check({64, 32, 48, true, true, true, offset});
}

/// A session's second graph finds the scratch that products on its first one wanted. So
/// the first graph of a process once differed from the others in the last bits.
TEST_F(CudaGemmTest, BitsDoNotDependOnWhatRanBefore) {
  const std::size_t offsets[] = {0, 1, 2, 7};
  std::vector<float> before[4], after[4];
  auto checkAll = [&](std::vector<float> *kept) {
    for (int i = 0; i < 4; ++i) {
      Case test{300, 24, 300};
      test.offset = offsets[i];
      check(test, &kept[i]);
    }
  };
  checkAll(before);
  check({200, 200, 1433}); // wants more scratch
  checkAll(after);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(before[i], after[i]) << "offset " << offsets[i];
}

/// A tensor of the caller's is aligned to 16 bytes, a buffer of a session to 256.
TEST_F(CudaGemmTest, BitsDoNotDependOnWhereAlignedBuffersLie) {
  std::vector<float> first;
  for (std::size_t offset : {0, 4, 8, 64}) {
    Case test{300, 24, 300};
    test.offset = offset;
    std::vector<float> got;
    check(test, &got);
    if (offset == 0)
      first = got;
    EXPECT_EQ(first, got) << "offset " << offset;
  }
}

TEST_F(CudaGemmTest, Tf32OnlyWhenAsked) {
  // fp32 stays within 3e-6 above; tf32 has 10 bits of mantissa.
  check({256, 64, 512, true, true, false, 0, Precision::Tf32, 5e-3});
}

TEST_F(CudaGemmTest, EmptyExtents) {
  check({0, 5, 3});
  check({5, 0, 3});
  check({5, 4, 0, true, true, true});
  check({5, 4, 0, false, false, false});
}

TEST_F(CudaGemmTest, NanPassesThroughActivation) {
  std::vector<float> got;
  ASSERT_NO_FATAL_FAILURE(runWithSpecialInRow1(NAN, true, got));
  for (int i = 0; i < 32; ++i)
    if (i / 4 == 1)
      EXPECT_TRUE(std::isnan(got[i])) << got[i];
    else
      EXPECT_EQ(got[i], 5);
}

TEST_F(CudaGemmTest, CanBeRecorded) {
  Case test{16, 8, 4, true, false, false};
  GemmPointers pointers;
  pointers.a = upload(std::vector<float>(64, 2));
  pointers.b = upload(std::vector<float>(32, 3));
  float *c = upload(std::vector<float>(128, 0));
  pointers.c = c;
  auto plan = backend->prepareGemm(describe(test), *stream);
  ASSERT_TRUE(plan) << plan.status().message();
  ASSERT_TRUE(backend->gemm(**plan, pointers, *stream)); // loads the library's kernel
  ASSERT_TRUE(backend->zero(c, 512, *stream));
  std::unique_ptr<Recording> recording;
  ASSERT_TRUE(backend->beginCapture(*stream));
  Status queued = backend->gemm(**plan, pointers, *stream);
  Status ended = backend->endCapture(*stream, recording);
  ASSERT_TRUE(queued) << queued.message();
  ASSERT_TRUE(ended) << ended.message();
  ASSERT_TRUE(backend->replay(*recording, *stream));
  EXPECT_EQ(download(c, 128), std::vector<float>(128, 24));
}

/// Precision fp32x3 by products of the library (false) and by the kernel for Hopper (true).
class Fp32x3Test : public CudaGemmTest, // NOLINT(misc-multiple-inheritance): as googletest has it
                   public testing::WithParamInterface<bool> {
protected:
  double bound = 1e-5; ///< of the kernel for Hopper that of fp32, nearly

  void SetUp() override {
    CudaGemmTest::SetUp();
    if (IsSkipped() || HasFatalFailure())
      return;
    implementation = &gnnc::cuda::SplitGemm::make;
    if (!GetParam())
      return;
    implementation = &gnnc::cuda::HopperGemm::make;
    bound = 2e-6;
    auto context = gnnc::cuda::Context::open(0);
    if (!context || !gnnc::cuda::HopperGemm::canRun(**context, GemmDesc()))
      GTEST_SKIP() << "the device is no Hopper";
  }
};

// A name of its own for each: compute-sanitizer's racecheck is kept from the library's.
INSTANTIATE_TEST_SUITE_P(Library, Fp32x3Test, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Hopper, Fp32x3Test, testing::Values(true));

TEST_P(Fp32x3Test, WindowsOfWiderMatrices) {
  for (std::int64_t k : {64, 700})
    for (Case test : windows(k)) {
      test.bound = bound;
      check(test);
    }
}

TEST_P(Fp32x3Test, WithinItsBound) {
  for (Case test : {Case{1, 1, 1}, Case{300, 9, 5}, Case{257, 40, 100}, Case{130, 64, 256},
                    Case{129, 8, 512}, Case{40, 16, 500}, Case{70, 131, 257}, Case{20, 300, 66}})
    for (bool transposeB : {false, true})
      for (bool weight : {false, true}) {
        test.transposeB = transposeB;
        test.relu = test.weight = weight;
        test.residual = weight != transposeB;
        test.bound = bound;
        check(test);
      }
  for (std::size_t offset : {1, 2, 3})
    check({64, 32, 48, true, true, true, offset, Precision::Fp32x3, bound});
  check({0, 5, 3});
  check({5, 0, 3});
  check({5, 4, 0, true, true, true});
}

TEST_P(Fp32x3Test, PacksWhatIsConstantOnce) {
  Case test{64, 32, 48, true};
  GemmPointers pointers;
  pointers.a = upload(std::vector<float>(64 * 48, 2));
  float *b = upload(std::vector<float>(32 * 48, 3));
  pointers.b = b;
  pointers.bias = upload(std::vector<float>(32, 1));
  float *c = upload(std::vector<float>(64 * 32, NAN));
  pointers.c = c;
  for (bool isConstant : {true, false}) {
    GemmDesc desc = describe(test);
    desc.precision = Precision::Fp32x3;
    desc.hasBias = true;
    desc.constantB = isConstant ? b : nullptr;
    auto plan = prepare(desc);
    ASSERT_TRUE(plan) << plan.status().message();
    // Numbers that come later are read only where they are packed at each run.
    ASSERT_TRUE(backend->zero(b, 32 * 48 * 4, *stream));
    for (int run = 0; run < 3; ++run) {
      ASSERT_TRUE(backend->gemm(**plan, pointers, *stream));
      EXPECT_EQ(download(c, 64 * 32), std::vector<float>(64 * 32, isConstant ? 289.0f : 1.0f));
    }
  }
}

TEST_P(Fp32x3Test, ManyRows) {
  // More than a block of SplitGemm's and than the device has processors for HopperGemm.
  check({9000, 8, 512, true, true, true, 0, Precision::Fp32x3, bound});
  check({40000, 5, 30, true, true, true, 0, Precision::Fp32x3, bound});
}

TEST_P(Fp32x3Test, LongSums) {
  for (bool weight : {false, true})
    check({40, 16, 1433, weight, true, false, 0, Precision::Fp32x3, bound, weight});
}

/// Rows, weights and entries beside each other are of sizes that 16 bits do not span: each
/// row is as accurate as its largest term says.
TEST_P(Fp32x3Test, EntriesOfEverySize) {
  Case test{129, 40, 150};
  test.bias = false;
  std::vector<float> a = randomValues(test.m * test.k, 1), b = randomValues(test.n * test.k, 2);
  for (std::int64_t i = 0; i < test.m; ++i)
    for (std::int64_t l = 0; l < test.k; ++l)
      a[i * test.k + l] *= std::ldexp(1.0f, int(i % 61) - 30 - int(l % 7) * int(i % 3));
  for (std::int64_t l = 0; l < test.n * test.k; ++l)
    b[l] *= std::ldexp(1.0f, l % test.k < 70 ? -20 : 16);
  GemmPointers pointers;
  pointers.a = upload(a);
  pointers.b = upload(b);
  float *c = upload(std::vector<float>(static_cast<std::size_t>(test.m * test.n), NAN));
  pointers.c = c;
  auto plan = prepare(describe(test));
  ASSERT_TRUE(plan) << plan.status().message();
  ASSERT_TRUE(backend->gemm(**plan, pointers, *stream));
  std::vector<float> got = download(c, static_cast<std::size_t>(test.m * test.n));
  std::vector<double> expected = reference(test, a, b, {}, {});
  for (std::int64_t i = 0; i < test.m; ++i) {
    double largest = 0, worst = 0;
    for (std::int64_t j = i * test.n; j < (i + 1) * test.n; ++j) {
      largest = std::max(largest, std::fabs(expected[j]));
      worst = std::max(worst, std::fabs(got[j] - expected[j]));
    }
    EXPECT_LE(worst, 2 * bound * largest) << "row " << i;
  }
}

TEST_P(Fp32x3Test, KeepsNonFiniteEntriesInTheirRows) {
  std::vector<float> specials = {INFINITY, -INFINITY, NAN};
  if (!GetParam()) // the library's parts have no room above the largest number
    specials.push_back(std::numeric_limits<float>::max());
  for (float special : specials) {
    std::vector<float> got;
    ASSERT_NO_FATAL_FAILURE(runWithSpecialInRow1(special, false, got));
    for (int i = 0; i < 32; ++i)
      EXPECT_EQ(i / 4 == 1, !std::isfinite(got[i])) << got[i] << " of " << special;
  }
}

TEST_F(CudaGemmTest, RefusesWhatTheLibraryDoesNotHave) {
  Case test{16, 8, 4};
  GemmDesc desc = describe(test);
  desc.c = gnnc::format::DType::F64;
  auto plan = backend->prepareGemm(desc, *stream);
  EXPECT_EQ(plan.status().code(), Code::Unsupported);
  EXPECT_NE(plan.status().message().find("gemm [16, 4] x [4, 8]"), std::string::npos);
}
