//===- DriverApi.h - Functions of the CUDA driver, bound when first needed -===//
//
// One table of the driver's functions, filled from libcuda.so.1 at run time:
// the same binary starts on a machine with no GPU. The table is made once a
// process and never unloaded (the driver keeps threads of its own).
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_DRIVERAPI_H
#define GNNC_RUNTIME_CUDA_DRIVERAPI_H

#include "runtime/cuda/CudaTypes.h"

#include <string>

namespace gnnc::cuda {

/// X(member, name in cuda.h, exported symbol, parameters): the symbol carries the
/// version of the function's ABI, as cuda.h maps the name.
#define GNNC_CUDA_DRIVER_FUNCTIONS(X)                                                              \
  X(init, cuInit, "cuInit", (unsigned))                                                            \
  X(driverGetVersion, cuDriverGetVersion, "cuDriverGetVersion", (int *))                           \
  X(getErrorName, cuGetErrorName, "cuGetErrorName", (CUresult, const char **))                     \
  X(getErrorString, cuGetErrorString, "cuGetErrorString", (CUresult, const char **))               \
  X(deviceGet, cuDeviceGet, "cuDeviceGet", (CUdevice *, int))                                      \
  X(deviceGetCount, cuDeviceGetCount, "cuDeviceGetCount", (int *))                                 \
  X(deviceGetName, cuDeviceGetName, "cuDeviceGetName", (char *, int, CUdevice))                    \
  X(deviceGetAttribute, cuDeviceGetAttribute, "cuDeviceGetAttribute", (int *, int, CUdevice))      \
  X(devicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain",                  \
    (CUcontext *, CUdevice))                                                                       \
  X(devicePrimaryCtxRelease, cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2",            \
    (CUdevice))                                                                                    \
  X(ctxGetCurrent, cuCtxGetCurrent, "cuCtxGetCurrent", (CUcontext *))                              \
  X(ctxPushCurrent, cuCtxPushCurrent, "cuCtxPushCurrent_v2", (CUcontext))                          \
  X(ctxPopCurrent, cuCtxPopCurrent, "cuCtxPopCurrent_v2", (CUcontext *))                           \
  X(memGetInfo, cuMemGetInfo, "cuMemGetInfo_v2", (std::size_t *, std::size_t *))                   \
  X(memAlloc, cuMemAlloc, "cuMemAlloc_v2", (CUdeviceptr *, std::size_t))                           \
  X(memFree, cuMemFree, "cuMemFree_v2", (CUdeviceptr))                                             \
  X(memcpyHtoDAsync, cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",                                    \
    (CUdeviceptr, const void *, std::size_t, CUstream))                                            \
  X(memcpyDtoHAsync, cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                    \
    (void *, CUdeviceptr, std::size_t, CUstream))                                                  \
  X(memcpyDtoDAsync, cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2",                                    \
    (CUdeviceptr, CUdeviceptr, std::size_t, CUstream))                                             \
  X(memsetD8Async, cuMemsetD8Async, "cuMemsetD8Async",                                             \
    (CUdeviceptr, unsigned char, std::size_t, CUstream))                                           \
  X(pointerGetAttribute, cuPointerGetAttribute, "cuPointerGetAttribute",                           \
    (void *, int, CUdeviceptr))                                                                    \
  X(streamCreate, cuStreamCreate, "cuStreamCreate", (CUstream *, unsigned))                        \
  X(streamDestroy, cuStreamDestroy, "cuStreamDestroy_v2", (CUstream))                              \
  X(streamSynchronize, cuStreamSynchronize, "cuStreamSynchronize", (CUstream))                     \
  X(streamBeginCapture, cuStreamBeginCapture, "cuStreamBeginCapture_v2", (CUstream, int))          \
  X(streamEndCapture, cuStreamEndCapture, "cuStreamEndCapture", (CUstream, CUgraph *))             \
  X(graphInstantiate, cuGraphInstantiate, "cuGraphInstantiateWithFlags",                           \
    (CUgraphExec *, CUgraph, unsigned long long))                                                  \
  X(graphUpload, cuGraphUpload, "cuGraphUpload", (CUgraphExec, CUstream))                          \
  X(graphLaunch, cuGraphLaunch, "cuGraphLaunch", (CUgraphExec, CUstream))                          \
  X(graphExecUpdate, cuGraphExecUpdate, "cuGraphExecUpdate_v2",                                    \
    (CUgraphExec, CUgraph, CUgraphUpdateInfo *))                                                   \
  X(graphExecDestroy, cuGraphExecDestroy, "cuGraphExecDestroy", (CUgraphExec))                     \
  X(graphDestroy, cuGraphDestroy, "cuGraphDestroy", (CUgraph))                                     \
  X(eventCreate, cuEventCreate, "cuEventCreate", (CUevent *, unsigned))                            \
  X(eventDestroy, cuEventDestroy, "cuEventDestroy_v2", (CUevent))                                  \
  X(eventRecord, cuEventRecord, "cuEventRecord", (CUevent, CUstream))                              \
  X(eventSynchronize, cuEventSynchronize, "cuEventSynchronize", (CUevent))                         \
  X(eventElapsedTime, cuEventElapsedTime, "cuEventElapsedTime", (float *, CUevent, CUevent))       \
  X(moduleLoadDataEx, cuModuleLoadDataEx, "cuModuleLoadDataEx",                                    \
    (CUmodule *, const void *, unsigned, int *, void **))                                          \
  X(moduleUnload, cuModuleUnload, "cuModuleUnload", (CUmodule))                                    \
  X(moduleGetFunction, cuModuleGetFunction, "cuModuleGetFunction",                                 \
    (CUfunction *, CUmodule, const char *))                                                        \
  X(funcGetAttribute, cuFuncGetAttribute, "cuFuncGetAttribute", (int *, int, CUfunction))          \
  X(funcSetAttribute, cuFuncSetAttribute, "cuFuncSetAttribute", (CUfunction, int, int))            \
  X(launchKernel, cuLaunchKernel, "cuLaunchKernel",                                                \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,   \
     void **, void **))

struct DriverApi {
#define GNNC_DECLARE(member, name, symbol, parameters) CUresult(*member) parameters = nullptr;
  GNNC_CUDA_DRIVER_FUNCTIONS(GNNC_DECLARE)
#undef GNNC_DECLARE

  int driverVersion = 0; ///< 13000 for CUDA 13.0
  int deviceCount = 0;

  /// The process's table, or null when there is no usable driver or no device;
  /// `reason` then says which, in one line. Safe from any thread.
  static const DriverApi *get(std::string &reason);

  /// "CUDA_ERROR_OUT_OF_MEMORY: out of memory".
  std::string describe(CUresult result) const;
};

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_DRIVERAPI_H
