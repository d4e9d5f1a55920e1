//===- Device.h - An opened device ----------------------------------------===//
//
// Input: a name ("cpu", "cpu:4", "cuda", "cuda:1"). Output: a back end, and the
// library it came from, kept open as long as anything uses it.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CORE_DEVICE_H
#define GNNC_RUNTIME_CORE_DEVICE_H

#include "runtime/core/Backend.h"

namespace gnnc::runtime {

class Device {
public:
  static Expected<std::shared_ptr<Device>> open(const std::string &name);
  /// A device of a back end that the caller made (tests).
  static std::shared_ptr<Device> wrap(std::unique_ptr<Backend> backend);
  /// True when a CUDA driver and device are there.
  static bool cudaAvailable();

  Backend &backend() const { return *impl; }
  const DeviceInfo &info() const { return impl->info(); }

private:
  std::shared_ptr<void> library; // destroyed last
  std::unique_ptr<Backend> impl;
};

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CORE_DEVICE_H
