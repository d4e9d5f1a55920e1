// The ABI that runtime/cuda states by hand, against NVIDIA's headers. Compiled
// with the checks where a toolkit is found (GNNC_HAVE_CUDA_HEADERS), otherwise
// the one test is skipped.
#include "runtime/cuda/CublasLt.h"
#include "runtime/cuda/DriverApi.h"

#include <gtest/gtest.h>

#ifdef GNNC_HAVE_CUDA_HEADERS
#include <cublasLt.h>
#include <cuda.h>
#include <type_traits>

namespace ours = gnnc::cuda;

namespace {

/// Passed alike: both addresses, or both integers (enums) or reals of one size.
template <class A, class B>
constexpr bool passedAlike() {
  if constexpr (std::is_pointer_v<A> || std::is_pointer_v<B>)
    return std::is_pointer_v<A> && std::is_pointer_v<B>;
  else
    return sizeof(A) == sizeof(B) && std::is_floating_point_v<A> == std::is_floating_point_v<B>;
}

template <class Mine, class Theirs>
struct SameCall : std::false_type {};
template <class R1, class... P1, class R2, class... P2>
struct SameCall<R1 (*)(P1...), R2 (*)(P2...)> {
  static constexpr bool alike() {
    if constexpr (sizeof...(P1) == sizeof...(P2))
      return sizeof(R1) == sizeof(R2) && (passedAlike<P1, P2>() && ...);
    else
      return false;
  }
  static constexpr bool value = alike();
};

} // namespace

#define CHECK_DRIVER(member, name, symbol, parameters)                                             \
  static_assert(SameCall<decltype(ours::DriverApi::member), decltype(&::name)>::value, #member);
GNNC_CUDA_DRIVER_FUNCTIONS(CHECK_DRIVER)

#define SAME(mine, theirs) static_assert(static_cast<long long>(mine) == (theirs), #theirs)
static_assert(sizeof(ours::CUdeviceptr) == sizeof(::CUdeviceptr));
SAME(ours::kCudaSuccess, CUDA_SUCCESS);
SAME(ours::kCudaErrorInvalidValue, CUDA_ERROR_INVALID_VALUE);
SAME(ours::kCudaErrorOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
SAME(ours::kCudaErrorStubLibrary, CUDA_ERROR_STUB_LIBRARY);
SAME(ours::kCudaErrorNoDevice, CUDA_ERROR_NO_DEVICE);
SAME(ours::kCudaErrorInvalidImage, CUDA_ERROR_INVALID_IMAGE);
SAME(ours::kCudaErrorNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME(ours::kCudaErrorInvalidPtx, CUDA_ERROR_INVALID_PTX);
SAME(ours::kCudaErrorUnsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME(ours::kCudaErrorNotFound, CUDA_ERROR_NOT_FOUND);
SAME(ours::kAttributeMultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(ours::kAttributeL2CacheBytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
SAME(ours::kAttributeMaxSharedBytesOptIn, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME(ours::kAttributeComputeCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(ours::kAttributeComputeCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(ours::kFunctionMaxThreads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(ours::kFunctionStaticSharedBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(ours::kFunctionMaxDynamicSharedBytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME(ours::kStreamNonBlocking, CU_STREAM_NON_BLOCKING);
SAME(ours::kEventDefault, CU_EVENT_DEFAULT);
SAME(ours::kCaptureThreadLocal, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
SAME(ours::kUpdateTopologyChanged, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
SAME(ours::kUpdateNodeTypeChanged, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
SAME(ours::kUpdateFunctionChanged, CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED);
SAME(ours::kUpdateParametersChanged, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
SAME(ours::kUpdateUnsupportedFunctionChange,
     CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE);
SAME(ours::kUpdateAttributesChanged, CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED);
SAME(ours::kJitErrorLogBuffer, CU_JIT_ERROR_LOG_BUFFER);
SAME(ours::kJitErrorLogBufferBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(ours::kPointerMemoryType, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME(ours::kPointerDeviceOrdinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
SAME(ours::kMemoryTypeDevice, CU_MEMORYTYPE_DEVICE);

static_assert(sizeof(ours::CUgraphUpdateInfo) == sizeof(CUgraphExecUpdateResultInfo));

#define CHECK_BLAS(member, function)                                                               \
  static_assert(SameCall<decltype(ours::CublasLt::member), decltype(&::function)>::value, #function)
CHECK_BLAS(create, cublasLtCreate);
CHECK_BLAS(destroy, cublasLtDestroy);
CHECK_BLAS(matmulDescCreate, cublasLtMatmulDescCreate);
CHECK_BLAS(matmulDescDestroy, cublasLtMatmulDescDestroy);
CHECK_BLAS(matmulDescSet, cublasLtMatmulDescSetAttribute);
CHECK_BLAS(layoutCreate, cublasLtMatrixLayoutCreate);
CHECK_BLAS(layoutDestroy, cublasLtMatrixLayoutDestroy);
CHECK_BLAS(preferenceCreate, cublasLtMatmulPreferenceCreate);
CHECK_BLAS(preferenceDestroy, cublasLtMatmulPreferenceDestroy);
CHECK_BLAS(preferenceSet, cublasLtMatmulPreferenceSetAttribute);
CHECK_BLAS(heuristic, cublasLtMatmulAlgoGetHeuristic);
CHECK_BLAS(matmul, cublasLtMatmul);
CHECK_BLAS(statusName, cublasLtGetStatusName);

using OurResult = ours::CublasLtHeuristicResult;
static_assert(sizeof(OurResult) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(sizeof(ours::CublasLtAlgorithm) == sizeof(cublasLtMatmulAlgo_t));
SAME(offsetof(OurResult, workspaceBytes), offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
SAME(offsetof(OurResult, state), offsetof(cublasLtMatmulHeuristicResult_t, state));
SAME(offsetof(OurResult, waves), offsetof(cublasLtMatmulHeuristicResult_t, wavesCount));
SAME(ours::kCublasSuccess, CUBLAS_STATUS_SUCCESS);
SAME(ours::kCublasNotSupported, CUBLAS_STATUS_NOT_SUPPORTED);
SAME(ours::kCudaR32F, CUDA_R_32F);
SAME(ours::kCudaR16F, CUDA_R_16F);
SAME(ours::kCudaR16BF, CUDA_R_16BF);
SAME(ours::kCompute32F, CUBLAS_COMPUTE_32F);
SAME(ours::kCompute32FFast16F, CUBLAS_COMPUTE_32F_FAST_16F);
SAME(ours::kCompute32FFast16BF, CUBLAS_COMPUTE_32F_FAST_16BF);
SAME(ours::kCompute32FFastTF32, CUBLAS_COMPUTE_32F_FAST_TF32);
SAME(ours::kOpN, CUBLAS_OP_N);
SAME(ours::kOpT, CUBLAS_OP_T);
SAME(ours::kMatmulTransA, CUBLASLT_MATMUL_DESC_TRANSA);
SAME(ours::kMatmulEpilogue, CUBLASLT_MATMUL_DESC_EPILOGUE);
SAME(ours::kMatmulBiasPointer, CUBLASLT_MATMUL_DESC_BIAS_POINTER);
SAME(ours::kEpilogueDefault, CUBLASLT_EPILOGUE_DEFAULT);
SAME(ours::kEpilogueRelu, CUBLASLT_EPILOGUE_RELU);
SAME(ours::kEpilogueBias, CUBLASLT_EPILOGUE_BIAS);
SAME(ours::kEpilogueRelu | ours::kEpilogueBias, CUBLASLT_EPILOGUE_RELU_BIAS);
SAME(ours::kPreferenceWorkspaceBytes, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
SAME(ours::kPreferenceReductionMask, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK);
SAME(ours::kPreferenceAlignmentA, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
SAME(ours::kPreferenceAlignmentB, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES);
SAME(ours::kPreferenceAlignmentC, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES);
SAME(ours::kPreferenceAlignmentD, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
SAME(ours::kReductionComputeType, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);
SAME(ours::kReductionOutputType, CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE);

/// The text of a name after cuda.h's macros have mapped it to its symbol.
#define TEXT_OF(x) #x
#define SYMBOL_OF(name) TEXT_OF(name)

TEST(CudaAbi, IsThatOfNvidiasHeaders) {
  // cuEventElapsedTime: its _v2 came after CUDA 12.0 and takes the same parameters.
  EXPECT_STREQ(SYMBOL_OF(cuEventElapsedTime), "cuEventElapsedTime_v2");
#define CHECK_SYMBOL(member, name, symbol, parameters)                                             \
  if (std::string(symbol) != "cuEventElapsedTime")                                                 \
    EXPECT_EQ(std::string(SYMBOL_OF(name)), symbol);
  GNNC_CUDA_DRIVER_FUNCTIONS(CHECK_SYMBOL)
}
#else
TEST(CudaAbi, IsThatOfNvidiasHeaders) { GTEST_SKIP() << "no CUDA toolkit when this was built"; }
#endif
