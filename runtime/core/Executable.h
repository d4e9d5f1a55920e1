//===- Executable.h - A loaded artefact -----------------------------------===//
//
// Input: an artefact and a device. Output: its plan, its kernels looked up, its
// weights on the device. Unchanging once loaded, so sessions share it.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CORE_EXECUTABLE_H
#define GNNC_RUNTIME_CORE_EXECUTABLE_H

#include "runtime/core/Device.h"
#include "runtime/core/Guards.h"

#include <optional>

namespace gnnc::runtime {

/// What the plan's commands say about a buffer.
struct BufferUse {
  bool inPrepare = false, inForward = false;
  bool byDevice = false; ///< a launch or product takes its address
};

class Executable {
public:
  static Expected<std::shared_ptr<const Executable>> load(std::shared_ptr<Device> device,
                                                          const std::string &path);
  ~Executable();

  Device &device() const { return *owner; }
  const format::Plan &plan() const { return artifact.plan; }
  const Guards &guards() const { return *guardList; }
  const std::vector<BufferUse> &uses() const { return bufferUses; }
  /// Kernels of plan().prepare and plan().forward, by command; null for others.
  const std::vector<Kernel *> &prepareKernels() const { return kernels[0]; }
  const std::vector<Kernel *> &forwardKernels() const { return kernels[1]; }
  /// Device address of a weight buffer, by buffer index.
  void *weight(int buffer) const { return weights[static_cast<std::size_t>(buffer)]; }
  std::int64_t weightBytes() const { return weightTotal; }
  double loadMilliseconds() const { return loadTime; }

private:
  Executable() = default;
  Status checkPlan();
  Status loadKernels();
  Status loadWeights();

  std::shared_ptr<Device> owner;
  format::Artifact artifact;       // code and weights are dropped once on the device
  std::optional<Guards> guardList; // of the plan, once that is read
  std::unique_ptr<Module> module;
  std::vector<BufferUse> bufferUses;
  std::vector<Kernel *> kernels[2];
  std::vector<void *> weights;
  void *weightMemory = nullptr;
  std::int64_t weightTotal = 0;
  double loadTime = 0;
};

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CORE_EXECUTABLE_H
