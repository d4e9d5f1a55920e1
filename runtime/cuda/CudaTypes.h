//===- CudaTypes.h - The part of the CUDA driver's ABI that gnnc calls ----===//
//
// Types and constants of the CUDA driver API as CUDA 13.0 states them, so that
// the back end builds where no toolkit is installed. Values that the driver has
// kept since CUDA 12.0; test/runtime/CudaAbiTest.cpp compares them with
// NVIDIA's headers wherever a toolkit is there.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_CUDATYPES_H
#define GNNC_RUNTIME_CUDA_CUDATYPES_H

#include <cstddef>
#include <cstdint>

namespace gnnc::cuda {

/// The CUDA version whose ABI this header states.
inline constexpr int kStatedCudaVersion = 13000;
/// The oldest driver that has every function of DriverApi.h.
inline constexpr int kOldestDriverVersion = 12000;

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctxOpaque *;
using CUmodule = struct CUmodOpaque *;
using CUfunction = struct CUfuncOpaque *;
using CUstream = struct CUstreamOpaque *;
using CUevent = struct CUeventOpaque *;
using CUgraph = struct CUgraphOpaque *;
using CUgraphExec = struct CUgraphExecOpaque *;
using CUgraphNode = struct CUgraphNodeOpaque *;

/// CUgraphExecUpdateResultInfo
struct CUgraphUpdateInfo {
  int result;
  CUgraphNode errorNode;
  CUgraphNode errorFromNode;
};

inline constexpr CUresult kCudaSuccess = 0;
inline constexpr CUresult kCudaErrorInvalidValue = 1;
inline constexpr CUresult kCudaErrorOutOfMemory = 2;
inline constexpr CUresult kCudaErrorStubLibrary = 34;
inline constexpr CUresult kCudaErrorNoDevice = 100;
inline constexpr CUresult kCudaErrorInvalidImage = 200;
inline constexpr CUresult kCudaErrorNoBinaryForGpu = 209;
inline constexpr CUresult kCudaErrorInvalidPtx = 218;
inline constexpr CUresult kCudaErrorUnsupportedPtxVersion = 222;
inline constexpr CUresult kCudaErrorNotFound = 500;

/// CUdevice_attribute
inline constexpr int kAttributeMultiprocessorCount = 16;
inline constexpr int kAttributeL2CacheBytes = 38;
inline constexpr int kAttributeMaxSharedBytesOptIn = 97;
inline constexpr int kAttributeComputeCapabilityMajor = 75;
inline constexpr int kAttributeComputeCapabilityMinor = 76;
/// CUfunction_attribute
inline constexpr int kFunctionMaxThreads = 0;
inline constexpr int kFunctionStaticSharedBytes = 1;
inline constexpr int kFunctionMaxDynamicSharedBytes = 8;
/// CUstream_flags
inline constexpr unsigned kStreamNonBlocking = 1;
/// CUevent_flags
inline constexpr unsigned kEventDefault = 0;
/// CUstreamCaptureMode
inline constexpr int kCaptureThreadLocal = 1;
/// CUgraphExecUpdateResult
inline constexpr int kUpdateTopologyChanged = 2;
inline constexpr int kUpdateNodeTypeChanged = 3;
inline constexpr int kUpdateFunctionChanged = 4;
inline constexpr int kUpdateParametersChanged = 5;
inline constexpr int kUpdateUnsupportedFunctionChange = 7;
inline constexpr int kUpdateAttributesChanged = 8;
/// CUjit_option
inline constexpr int kJitErrorLogBuffer = 5;
inline constexpr int kJitErrorLogBufferBytes = 6;
/// CUpointer_attribute and CUmemorytype
inline constexpr int kPointerMemoryType = 2;
inline constexpr int kPointerDeviceOrdinal = 9;
inline constexpr unsigned kMemoryTypeDevice = 2;

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_CUDATYPES_H
