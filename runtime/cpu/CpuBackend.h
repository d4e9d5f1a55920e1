//===- CpuBackend.h - The host as a device --------------------------------===//
//
// Input: a number of threads. Output: the Backend inside libgnnc_runtime.so. Work
// on a stream is done at once, by a oneTBB arena of that many threads; device
// addresses are host addresses.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CPU_CPUBACKEND_H
#define GNNC_RUNTIME_CPU_CPUBACKEND_H

#include "runtime/core/Backend.h"

namespace gnnc::runtime {

Expected<std::unique_ptr<Backend>> createCpuBackend(const BackendOptions &options);

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CPU_CPUBACKEND_H
