//===- OwnKernels.h - Load and launch the back end's own kernels ----------===//
//
// Kernels that belong to the back end, not to an artefact: clang makes PTX of them
// when gnnc is built, and ptxas machine code where it is at hand; both are embedded. Each
// takes one struct.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_OWNKERNELS_H
#define GNNC_RUNTIME_CUDA_OWNKERNELS_H

#include "runtime/cuda/CudaModule.h"
#include "runtime/cuda/CudaStream.h"

#include <span>
#include <string_view>

namespace gnnc::cuda {

constexpr std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// PTX for `chip`, and machine code for `assembledFor`: bytes with a 0 behind them,
/// nothing else where none was made. (The driver takes a third of a second to make it.)
struct OwnCode {
  const char *chip;
  std::string_view ptx;
  const char *assembledFor;
  std::span<const unsigned char> cubin;
};

/// The module of what the device runs best.
Expected<std::unique_ptr<runtime::Module>> loadOwnKernels(std::shared_ptr<Context> context,
                                                          const OwnCode &code);
/// The kernel of that name, as CudaModule::kernel finds it.
Expected<CUfunction> findOwnKernel(runtime::Module &module, const char *name, std::int64_t block,
                                   std::int64_t sharedBytes);

struct OwnGrid {
  std::int64_t blocks;
  unsigned threads, sharedBytes = 0;
};

/// Enqueues it; the context is current. The argument is copied. `what` is for messages.
template <class Argument>
Status launchOwnKernel(const StreamHandle &stream, CUfunction kernel, const OwnGrid &grid,
                       Argument argument, const char *what) {
  void *arguments[] = {&argument};
  const Context &context = *stream.context;
  return context.check(context.driver().launchKernel(kernel, static_cast<unsigned>(grid.blocks), 1,
                                                     1, grid.threads, 1, 1, grid.sharedBytes,
                                                     stream.stream, arguments, nullptr),
                       what);
}

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_OWNKERNELS_H
