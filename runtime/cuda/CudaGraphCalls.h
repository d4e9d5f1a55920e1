//===- CudaGraphCalls.h - Graph calls of prepare on the device ------------===//
//
// to_csr, remove_self_loops and partition_rows (runtime/core/GraphCalls.h) by kernels of our own
// (CsrKernels.h), with the very results of the host's functions. What is unusual -
// more than 2^31 elements, no memory for scratch, a row pointer that falls - is left
// to the host, which has the messages.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_CUDAGRAPHCALLS_H
#define GNNC_RUNTIME_CUDA_CUDAGRAPHCALLS_H

#include "runtime/core/GraphCalls.h"
#include "runtime/cuda/CudaStream.h"

#include <map>

namespace gnnc::cuda {

/// The kernels on one device. Threads: run() may be called from several, each with
/// its own stream.
class CudaGraphCalls {
public:
  static bool knows(const std::string &callee);
  /// `mostBlocks`: of a grid whose blocks share out all elements; 0: two waves.
  static Expected<std::unique_ptr<CudaGraphCalls>> open(std::shared_ptr<Context> context,
                                                        std::int64_t mostBlocks = 0);
  ~CudaGraphCalls();
  CudaGraphCalls(const CudaGraphCalls &) = delete;
  CudaGraphCalls &operator=(const CudaGraphCalls &) = delete;

  /// False: the host has to do it. Tensors of the call are in device memory. Returns
  /// when it is done.
  Expected<bool> run(const std::string &callee, runtime::GraphCallContext &call,
                     StreamHandle &stream) const;

private:
  CudaGraphCalls(std::shared_ptr<Context> context, std::int64_t mostBlocks)
      : context(std::move(context)), mostBlocks(mostBlocks) {}

  const std::shared_ptr<Context> context;
  const std::int64_t mostBlocks;
  std::unique_ptr<runtime::Module> module;
  std::map<std::string, CUfunction> kernels;
};

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_CUDAGRAPHCALLS_H
