//===- Context.h - One CUDA device, its primary context -------------------===//
//
// Holds the driver's table and the device's primary context, the one that other
// libraries of the process (LibTorch, cuBLASLt) use too, so that addresses are
// shared with them. Turns the driver's results into Status values.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_CONTEXT_H
#define GNNC_RUNTIME_CUDA_CONTEXT_H

#include "runtime/core/Status.h"
#include "runtime/cuda/DriverApi.h"

#include <memory>
#include <string>

namespace gnnc::cuda {

using runtime::Code;
using runtime::Expected;
using runtime::Status;

/// Threads: every function may be called from any thread.
class Context {
public:
  /// Unsupported when there is no driver, InvalidArgument when there is no device
  /// of that number.
  static Expected<std::shared_ptr<Context>> open(int ordinal);
  ~Context();
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  const DriverApi &driver() const { return api; }
  int ordinal() const { return deviceOrdinal; }
  const std::string &name() const { return deviceName; }
  /// 90 for compute capability 9.0.
  int capability() const { return computeCapability; }
  /// CUdevice_attribute; 0 if the driver does not know it.
  int attribute(int which) const;

  /// Success, or DeviceError with "what: CUDA_ERROR_...: text".
  Status check(CUresult result, const char *what) const;
  /// OutOfMemory says what was needed and what is free. Zero bytes give 0.
  Expected<CUdeviceptr> allocate(std::int64_t bytes) const;

  /// Makes the context current on this thread while it lives.
  class Current {
  public:
    explicit Current(const Context &context);
    ~Current();
    Current(const Current &) = delete;
    Current &operator=(const Current &) = delete;

  private:
    const Context &context;
    bool pushed = false;
  };

private:
  Context(const DriverApi &api, int ordinal) : api(api), deviceOrdinal(ordinal) {}

  const DriverApi &api;
  int deviceOrdinal;
  CUdevice device = 0;
  CUcontext primary = nullptr;
  std::string deviceName;
  int computeCapability = 0;
};

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_CONTEXT_H
