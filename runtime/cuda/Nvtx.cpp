//===- Nvtx.cpp - Finds NVTX ----------------------------------------------===//
#include "runtime/cuda/Nvtx.h"

#include <dlfcn.h>
#include <initializer_list>

using namespace gnnc::cuda;

static Nvtx load() {
  Nvtx nvtx;
  // NVTX 3 as a library (CUDA 13's nvtx package), then NVTX 2 (toolkits up to 12).
  for (const char *name : {"libnvtx3interop.so.1", "libnvtx3interop.so", "libnvToolsExt.so.1"})
    if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
      nvtx.pushRange = reinterpret_cast<decltype(nvtx.pushRange)>(dlsym(library, "nvtxRangePushA"));
      nvtx.popRange = reinterpret_cast<decltype(nvtx.popRange)>(dlsym(library, "nvtxRangePop"));
      if (nvtx.pushRange && nvtx.popRange)
        return nvtx;
      nvtx = Nvtx();
      dlclose(library);
    }
  return nvtx;
}

const Nvtx &Nvtx::get() {
  static const Nvtx nvtx = load();
  return nvtx;
}
