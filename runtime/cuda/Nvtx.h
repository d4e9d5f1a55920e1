//===- Nvtx.h - Ranges that NVIDIA's profilers show -----------------------===//
//
// Bound late and only when a library with NVTX's C functions can be opened;
// nothing happens, at no cost, where there is none.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_NVTX_H
#define GNNC_RUNTIME_CUDA_NVTX_H

namespace gnnc::cuda {

struct Nvtx {
  int (*pushRange)(const char *) = nullptr;
  int (*popRange)() = nullptr;
  /// The process's table. Safe from any thread.
  static const Nvtx &get();
};

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_NVTX_H
