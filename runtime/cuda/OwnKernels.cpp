//===- OwnKernels.cpp - Load the back end's own kernels -------------------===//
#include "runtime/cuda/OwnKernels.h"

using namespace gnnc;
using namespace gnnc::cuda;

Expected<std::unique_ptr<runtime::Module>>
gnnc::cuda::loadOwnKernels(std::shared_ptr<Context> context, const OwnCode &code) {
  auto member = [](const char *chip, const char *kind, const void *data, std::size_t size) {
    return format::Code{std::string(chip) + kind,
                        {nullptr, static_cast<const std::byte *>(data), size}};
  };
  std::vector<format::Code> members{member(code.chip, ".ptx", code.ptx.data(), code.ptx.size())};
  if (!code.cubin.empty())
    members.push_back(member(code.assembledFor, ".cubin", code.cubin.data(), code.cubin.size()));
  return CudaModule::load(std::move(context), members, code.chip);
}

Expected<CUfunction> gnnc::cuda::findOwnKernel(runtime::Module &module, const char *name,
                                               std::int64_t block, std::int64_t sharedBytes) {
  Expected<runtime::Kernel *> kernel = module.kernel(name, block, sharedBytes);
  if (!kernel)
    return kernel.status();
  return static_cast<CudaKernel *>(*kernel)->function;
}
