//===- OwnKernels.cpp - Load the back end's own kernels -------------------===//
#include "runtime/cuda/OwnKernels.h"

using namespace gnnc;
using namespace gnnc::cuda;

Expected<std::unique_ptr<runtime::Module>>
gnnc::cuda::loadOwnKernels(std::shared_ptr<Context> context, const char *chip,
                           std::string_view ptx) {
  format::Bytes bytes{nullptr, reinterpret_cast<const std::byte *>(ptx.data()), ptx.size()};
  return CudaModule::load(std::move(context), {{std::string(chip) + ".ptx", bytes}}, chip);
}

Expected<CUfunction> gnnc::cuda::findOwnKernel(runtime::Module &module, const char *name,
                                               std::int64_t block, std::int64_t sharedBytes) {
  Expected<runtime::Kernel *> kernel = module.kernel(name, block, sharedBytes);
  if (!kernel)
    return kernel.status();
  return static_cast<CudaKernel *>(*kernel)->function;
}
