//===- CublasLt.h - The part of cuBLASLt that gnnc calls, bound late ------===//
//
// Dense products of the CUDA back end come from NVIDIA's cuBLASLt. As with the
// driver, nothing is linked: types and constants are stated here (cuBLASLt of
// CUDA 13.0, unchanged since 12.0; compared with NVIDIA's headers by
// test/runtime/CudaAbiTest.cpp) and the functions are found at run time.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_CUBLASLT_H
#define GNNC_RUNTIME_CUDA_CUBLASLT_H

#include "runtime/cuda/CudaTypes.h"

#include <string>

namespace gnnc::cuda {

using CublasStatus = int;
using CublasLtHandle = struct CublasLtContextOpaque *;
using CublasLtMatmulDesc = struct CublasLtMatmulDescOpaque *;
using CublasLtMatrixLayout = struct CublasLtMatrixLayoutOpaque *;
using CublasLtPreference = struct CublasLtPreferenceOpaque *;

struct CublasLtAlgorithm {
  std::uint64_t data[8];
};

struct CublasLtHeuristicResult {
  CublasLtAlgorithm algorithm;
  std::size_t workspaceBytes;
  CublasStatus state;
  float waves;
  int reserved[4];
};

inline constexpr CublasStatus kCublasSuccess = 0;
inline constexpr CublasStatus kCublasNotSupported = 15;
/// cudaDataType_t
inline constexpr int kCudaR32F = 0;
inline constexpr int kCudaR64F = 1;
inline constexpr int kCudaR16F = 2;
inline constexpr int kCudaR16BF = 14;
/// cublasComputeType_t
inline constexpr int kCompute32F = 68;
inline constexpr int kCompute64F = 70;
inline constexpr int kCompute32FFast16F = 74;
inline constexpr int kCompute32FFast16BF = 75;
inline constexpr int kCompute32FFastTF32 = 77;
/// cublasOperation_t
inline constexpr std::int32_t kOpN = 0;
inline constexpr std::int32_t kOpT = 1;
/// cublasLtMatmulDescAttributes_t
inline constexpr int kMatmulTransA = 3;
inline constexpr int kMatmulEpilogue = 7;
inline constexpr int kMatmulBiasPointer = 8;
/// cublasLtEpilogue_t
inline constexpr std::uint32_t kEpilogueDefault = 1;
inline constexpr std::uint32_t kEpilogueRelu = 2;
inline constexpr std::uint32_t kEpilogueBias = 4;
/// cublasLtMatmulPreferenceAttributes_t
inline constexpr int kPreferenceWorkspaceBytes = 1;
inline constexpr int kPreferenceReductionMask = 3;
inline constexpr int kPreferenceAlignmentA = 5;
inline constexpr int kPreferenceAlignmentB = 6;
inline constexpr int kPreferenceAlignmentC = 7;
inline constexpr int kPreferenceAlignmentD = 8;
/// cublasLtReductionScheme_t
inline constexpr std::uint32_t kReductionComputeType = 2;
inline constexpr std::uint32_t kReductionOutputType = 4;

/// X(member, exported symbol, parameters)
#define GNNC_CUBLASLT_FUNCTIONS(X)                                                                 \
  X(create, "cublasLtCreate", (CublasLtHandle *))                                                  \
  X(destroy, "cublasLtDestroy", (CublasLtHandle))                                                  \
  X(matmulDescCreate, "cublasLtMatmulDescCreate", (CublasLtMatmulDesc *, int, int))                \
  X(matmulDescDestroy, "cublasLtMatmulDescDestroy", (CublasLtMatmulDesc))                          \
  X(matmulDescSet, "cublasLtMatmulDescSetAttribute",                                               \
    (CublasLtMatmulDesc, int, const void *, std::size_t))                                          \
  X(layoutCreate, "cublasLtMatrixLayoutCreate",                                                    \
    (CublasLtMatrixLayout *, int, std::uint64_t, std::uint64_t, std::int64_t))                     \
  X(layoutDestroy, "cublasLtMatrixLayoutDestroy", (CublasLtMatrixLayout))                          \
  X(preferenceCreate, "cublasLtMatmulPreferenceCreate", (CublasLtPreference *))                    \
  X(preferenceDestroy, "cublasLtMatmulPreferenceDestroy", (CublasLtPreference))                    \
  X(preferenceSet, "cublasLtMatmulPreferenceSetAttribute",                                         \
    (CublasLtPreference, int, const void *, std::size_t))                                          \
  X(heuristic, "cublasLtMatmulAlgoGetHeuristic",                                                   \
    (CublasLtHandle, CublasLtMatmulDesc, CublasLtMatrixLayout, CublasLtMatrixLayout,               \
     CublasLtMatrixLayout, CublasLtMatrixLayout, CublasLtPreference, int,                          \
     CublasLtHeuristicResult *, int *))                                                            \
  X(matmul, "cublasLtMatmul",                                                                      \
    (CublasLtHandle, CublasLtMatmulDesc, const void *, const void *, CublasLtMatrixLayout,         \
     const void *, CublasLtMatrixLayout, const void *, const void *, CublasLtMatrixLayout, void *, \
     CublasLtMatrixLayout, const CublasLtAlgorithm *, void *, std::size_t, CUstream))

struct CublasLt {
#define GNNC_DECLARE(member, symbol, parameters) CublasStatus(*member) parameters = nullptr;
  GNNC_CUBLASLT_FUNCTIONS(GNNC_DECLARE)
#undef GNNC_DECLARE
  /// Null where the library lacks them: only for messages and reports.
  const char *(*statusName)(CublasStatus) = nullptr;
  std::size_t (*version)() = nullptr;

  /// The process's table, or null with one line in `reason`. Looks where the
  /// loader looks (LD_LIBRARY_PATH included), then under $CUDA_HOME and
  /// /usr/local/cuda. Safe from any thread; never unloaded.
  static const CublasLt *get(std::string &reason);

  std::string describe(CublasStatus status) const;
};

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_CUBLASLT_H
