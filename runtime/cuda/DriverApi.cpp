//===- DriverApi.cpp - Binds the driver's functions -----------------------===//
#include "runtime/cuda/DriverApi.h"

#include <dlfcn.h>

using namespace gnnc::cuda;

namespace {

struct Loaded {
  DriverApi api;
  std::string reason; ///< empty when `api` is usable
};

std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Loaded load() {
  Loaded loaded;
  DriverApi &api = loaded.api;
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    loaded.reason = "no CUDA driver: libcuda.so.1 cannot be opened; install the NVIDIA driver, or "
                    "use the device \"cpu\"";
    return loaded;
  }
  std::string missing;
#define GNNC_BIND(member, name, symbol, parameters)                                                \
  api.member = reinterpret_cast<decltype(api.member)>(dlsym(library, symbol));                     \
  if (!api.member && missing.empty())                                                              \
    missing = symbol;
  GNNC_CUDA_DRIVER_FUNCTIONS(GNNC_BIND)
#undef GNNC_BIND
  if (api.driverGetVersion)
    api.driverGetVersion(&api.driverVersion);
  if (!missing.empty() || api.driverVersion < kOldestDriverVersion) {
    loaded.reason = "the CUDA driver is too old: it supports CUDA " +
                    versionText(api.driverVersion) + ", gnnc needs " +
                    versionText(kOldestDriverVersion) + " or later";
    if (!missing.empty())
      loaded.reason += " (" + missing + " is missing)";
    return loaded;
  }
  if (CUresult result = api.init(0); result != kCudaSuccess) {
    loaded.reason = result == kCudaErrorNoDevice
                        ? "the CUDA driver finds no device (is CUDA_VISIBLE_DEVICES empty?)"
                        : "the CUDA driver does not start: cuInit: " + api.describe(result);
    return loaded;
  }
  if (api.deviceGetCount(&api.deviceCount) != kCudaSuccess || api.deviceCount == 0)
    loaded.reason = "the CUDA driver finds no device (is CUDA_VISIBLE_DEVICES empty?)";
  return loaded;
}

} // namespace

const DriverApi *DriverApi::get(std::string &reason) {
  static const Loaded loaded = load();
  reason = loaded.reason;
  return loaded.reason.empty() ? &loaded.api : nullptr;
}

std::string DriverApi::describe(CUresult result) const {
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(result, &name) != kCudaSuccess || !name)
    return "CUDA error " + std::to_string(result);
  getErrorString(result, &text);
  return std::string(name) + (text ? ": " + std::string(text) : "");
}
