//===- CpuModule.h - Host code opened from memory -------------------------===//
//
// Input: the bytes of a shared object. Output: its kernels, functions of type
// void(void *const *arguments, int64 begin, int64 end). No file is written.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CPU_CPUMODULE_H
#define GNNC_RUNTIME_CPU_CPUMODULE_H

#include "runtime/core/Backend.h"

namespace gnnc::runtime {

using HostFunction = void(void *const *arguments, std::int64_t begin, std::int64_t end);

struct CpuKernel final : Kernel {
  HostFunction *function = nullptr;
};

/// Opens the artefact's host.so after comparing `chip` with this processor.
Expected<std::unique_ptr<Module>> loadCpuModule(const std::vector<format::Code> &code,
                                                const std::string &chip);

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CPU_CPUMODULE_H
