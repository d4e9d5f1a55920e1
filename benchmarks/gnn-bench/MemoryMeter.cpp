//===- MemoryMeter.cpp - How much memory LibTorch holds -------------------===//
#include "benchmarks/gnn-bench/MemoryMeter.h"

#include <c10/core/CPUAllocator.h>
#include <c10/core/CachingDeviceAllocator.h>

#include <atomic>
#include <malloc.h>

namespace gnnc::bench {
namespace {

std::atomic<std::int64_t> current{0}, peak{0};

void add(void *data) {
  if (!data)
    return;
  std::int64_t now = current += static_cast<std::int64_t>(malloc_usable_size(data));
  std::int64_t seen = peak.load();
  while (now > seen && !peak.compare_exchange_weak(seen, now)) {
  }
}

void release(void *data) {
  if (!data)
    return;
  current -= static_cast<std::int64_t>(malloc_usable_size(data));
  c10::GetDefaultCPUAllocator()->raw_deleter()(data);
}

/// LibTorch's own allocator, counted. Its blocks come from malloc, which knows their size.
class CountingAllocator final : public at::Allocator {
public:
  at::DataPtr allocate(std::size_t bytes) override {
    void *data = c10::GetDefaultCPUAllocator()->raw_allocate(bytes);
    add(data);
    return {data, data, &release, at::Device(at::kCPU)};
  }
  at::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void *to, const void *from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
};

} // namespace

void installMemoryMeter() {
  static CountingAllocator allocator;
  c10::SetCPUAllocator(&allocator, /*priority=*/255);
}

MemoryUse memoryUse(at::Device device) {
  if (device.is_cpu())
    return {current.load(), peak.load()};
  auto stats = c10::getDeviceAllocator(device.type())->getDeviceStats(device.index());
  const auto &bytes = stats.allocated_bytes[0]; // all pools together
  return {bytes.current, bytes.peak};
}

std::optional<std::int64_t> freeDeviceMemory(at::Device device) {
  if (device.is_cpu())
    return std::nullopt;
  try {
    return static_cast<std::int64_t>(
        c10::getDeviceAllocator(device.type())->getMemoryInfo(device.index()).first);
  } catch (const c10::Error &) {
    return std::nullopt; // an allocator without it
  }
}

void resetMemoryPeak(at::Device device) {
  if (device.is_cpu())
    peak = current.load();
  else
    c10::getDeviceAllocator(device.type())->resetPeakStats(device.index());
}

void releaseCachedMemory(at::Device device) {
  if (!device.is_cpu())
    c10::getDeviceAllocator(device.type())->emptyCache();
}

} // namespace gnnc::bench
