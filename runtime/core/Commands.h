//===- Commands.h - Commands with everything evaluated --------------------===//
//
// Input: a launch or product of the plan, the session's buffers and symbols.
// Output: concrete addresses and extents, ready to be queued again and again.
// Addresses of inputs and outputs, which may change from run to run, are
// remembered by place.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CORE_COMMANDS_H
#define GNNC_RUNTIME_CORE_COMMANDS_H

#include "runtime/core/Buffers.h"

namespace gnnc::runtime {

/// Bytes from what one head of a product reads and writes to those of the next.
struct GemmWindows {
  std::int64_t a = 0, b = 0, c = 0; ///< c: also of bias and residual
  GemmPointers of(const GemmPointers &first, std::int64_t head) const;
};

/// A launch or product ready to run.
struct ReadyCommand {
  std::string label; ///< kernel name, or "gemm 2708x1433x16"
  std::vector<std::uint64_t> slots;
  LaunchCall launch;                            ///< kernel null: a product
  std::vector<std::unique_ptr<GemmPlan>> gemms; ///< of a product: one for each head
  GemmPointers pointers;                        ///< of the first head
  GemmWindows windows;
  bool empty = false; ///< nothing to do for this graph

  /// Transient memory to set to zero before.
  std::vector<std::pair<void *, std::int64_t>> zero;
  /// Where addresses of inputs and outputs go.
  std::vector<std::pair<std::size_t, int>> slotBuffers; ///< slot, buffer
  int pointerBuffers[5] = {-1, -1, -1, -1, -1};         ///< a, b, bias, residual, c

  std::int64_t bytes = 0, flops = 0; ///< 0: not known

  /// Puts the address of an input or output where this command takes it.
  void setAddress(int buffer, void *address);
  Status issue(Backend &backend, Stream &stream);
};

/// Evaluates a command (no graph call) and brings its buffers to the device.
Expected<ReadyCommand> makeReady(const format::Command &command, Kernel *kernel,
                                 const Executable &executable, Buffers &buffers, Stream &stream);

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CORE_COMMANDS_H
