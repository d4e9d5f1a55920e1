// A stand-in for libcublasLt.so.13 on the host: products in column-first order, as
// cuBLASLt documents them, so that the tests check how the back end maps row-major
// products, transposes, bias and activation onto it without a GPU. Of fp32, or of
// bf16 with an fp32 result. As there, bits are those of the algorithm, and which
// algorithm it is depends on scratch and alignments.
#include "runtime/cuda/CublasLt.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

using namespace gnnc::cuda;

extern "C" int fakeQueue(CUstream stream, std::function<void()> *work);

namespace {

struct Matmul {
  std::int32_t transposeA = kOpN;
  std::uint32_t epilogue = kEpilogueDefault;
  const float *bias = nullptr;
};
/// What the choice of an algorithm may depend on.
struct Preference {
  std::uint64_t scratchBytes = 0;
  std::uint32_t alignments = 0;
};
struct Layout {
  int type;
  std::uint64_t rows, columns;
  std::int64_t leading;
};

template <class T, class Opaque>
T &as(Opaque opaque) {
  return *reinterpret_cast<T *>(opaque);
}

} // namespace

#define FAKE extern "C" __attribute__((visibility("default"))) CublasStatus

FAKE cublasLtCreate(CublasLtHandle *handle) {
  static int library;
  return *handle = reinterpret_cast<CublasLtHandle>(&library), kCublasSuccess;
}
FAKE cublasLtDestroy(CublasLtHandle) { return kCublasSuccess; }
FAKE cublasLtMatmulDescCreate(CublasLtMatmulDesc *made, int, int) {
  return *made = reinterpret_cast<CublasLtMatmulDesc>(new Matmul), kCublasSuccess;
}
FAKE cublasLtMatmulDescDestroy(CublasLtMatmulDesc matmul) {
  return delete &as<Matmul>(matmul), kCublasSuccess;
}
FAKE cublasLtMatmulDescSetAttribute(CublasLtMatmulDesc matmul, int which, const void *value,
                                    std::size_t size) {
  Matmul &self = as<Matmul>(matmul);
  void *to = which == kMatmulTransA     ? static_cast<void *>(&self.transposeA)
             : which == kMatmulEpilogue ? static_cast<void *>(&self.epilogue)
                                        : static_cast<void *>(&self.bias);
  return std::memcpy(to, value, size), kCublasSuccess;
}
FAKE cublasLtMatrixLayoutCreate(CublasLtMatrixLayout *made, int type, std::uint64_t rows,
                                std::uint64_t columns, std::int64_t leading) {
  if ((type != kCudaR32F && type != kCudaR16BF) || rows == 0 || columns == 0 ||
      leading < std::int64_t(rows))
    return 7; // CUBLAS_STATUS_INVALID_VALUE
  return *made = reinterpret_cast<CublasLtMatrixLayout>(new Layout{type, rows, columns, leading}),
         kCublasSuccess;
}
FAKE cublasLtMatrixLayoutDestroy(CublasLtMatrixLayout layout) {
  return delete &as<Layout>(layout), kCublasSuccess;
}
FAKE cublasLtMatmulPreferenceCreate(CublasLtPreference *made) {
  return *made = reinterpret_cast<CublasLtPreference>(new Preference), kCublasSuccess;
}
FAKE cublasLtMatmulPreferenceDestroy(CublasLtPreference preference) {
  return delete &as<Preference>(preference), kCublasSuccess;
}
FAKE cublasLtMatmulPreferenceSetAttribute(CublasLtPreference preference, int which,
                                          const void *value, std::size_t size) {
  Preference &self = as<Preference>(preference);
  if (which == kPreferenceWorkspaceBytes && size == sizeof self.scratchBytes)
    std::memcpy(&self.scratchBytes, value, size);
  if (which >= kPreferenceAlignmentA && which <= kPreferenceAlignmentD)
    self.alignments += *static_cast<const std::uint32_t *>(value);
  return kCublasSuccess;
}
FAKE cublasLtMatmulAlgoGetHeuristic(CublasLtHandle, CublasLtMatmulDesc, CublasLtMatrixLayout,
                                    CublasLtMatrixLayout, CublasLtMatrixLayout,
                                    CublasLtMatrixLayout resultLayout,
                                    CublasLtPreference preference, int,
                                    CublasLtHeuristicResult *results, int *found) {
  const Preference &wanted = as<Preference>(preference);
  Layout result = as<Layout>(resultLayout);
  results[0] = CublasLtHeuristicResult();
  results[0].workspaceBytes = result.rows * result.columns > 10000 ? 4096 : 1024;
  // By how many units in the last place it is off.
  bool isShortOfScratch = wanted.scratchBytes < 4096, isWide = wanted.alignments > 4 * 16;
  results[0].algorithm.data[0] = (isShortOfScratch ? 1 : 0) + (isWide ? 2 : 0);
  return *found = results[0].workspaceBytes <= wanted.scratchBytes, kCublasSuccess;
}
FAKE cublasLtMatmul(CublasLtHandle, CublasLtMatmulDesc matmul, const void *, const void *a,
                    CublasLtMatrixLayout aLayout, const void *b, CublasLtMatrixLayout bLayout,
                    const void *beta, const void *c, CublasLtMatrixLayout cLayout, void *d,
                    CublasLtMatrixLayout dLayout, const CublasLtAlgorithm *algorithm, void *scratch,
                    std::size_t scratchBytes, CUstream stream) {
  Matmul self = as<Matmul>(matmul);
  Layout first = as<Layout>(aLayout), second = as<Layout>(bLayout), result = as<Layout>(dLayout),
         added = as<Layout>(cLayout);
  bool transposed = self.transposeA == kOpT;
  std::uint64_t inner = transposed ? first.rows : first.columns;
  if ((transposed ? first.columns : first.rows) != result.rows || inner != second.rows ||
      second.columns != result.columns || first.type != second.type || result.type != kCudaR32F ||
      scratchBytes < 1024 || !scratch)
    return 7;
  float scale = *static_cast<const float *>(beta);
  int ulps = static_cast<int>(algorithm->data[0]);
  auto element = [type = first.type](const void *from, std::uint64_t i) {
    float value;
    if (type == kCudaR32F) {
      value = static_cast<const float *>(from)[i];
    } else {
      std::uint32_t bits = std::uint32_t(static_cast<const std::uint16_t *>(from)[i]) << 16;
      std::memcpy(&value, &bits, sizeof value);
    }
    return double(value);
  };
  std::function<void()> work = [=] {
    auto *z = static_cast<float *>(d);
    for (std::uint64_t j = 0; j < result.columns; ++j)
      for (std::uint64_t i = 0; i < result.rows; ++i) {
        double sum = self.epilogue & kEpilogueBias ? self.bias[i] : 0;
        for (std::uint64_t l = 0; l < inner; ++l)
          sum += element(a, transposed ? l + i * std::uint64_t(first.leading)
                                       : i + l * std::uint64_t(first.leading)) *
                 element(b, l + j * std::uint64_t(second.leading));
        bool relu = self.epilogue & kEpilogueRelu;
        float &out = z[i + j * std::uint64_t(result.leading)];
        if (scale != 0)
          sum +=
              double(scale) * static_cast<const float *>(c)[i + j * std::uint64_t(added.leading)];
        out = static_cast<float>(relu && sum < 0 ? 0 : sum);
        for (int i = 0; i < ulps; ++i)
          out = std::nextafter(out, 0.0f);
      }
  };
  return fakeQueue(stream, &work), kCublasSuccess;
}
