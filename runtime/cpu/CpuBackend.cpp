//===- CpuBackend.cpp - The host as a device ------------------------------===//
#include "runtime/cpu/CpuBackend.h"
#include "runtime/cpu/CpuFeatures.h"
#include "runtime/cpu/CpuGemm.h"
#include "runtime/cpu/CpuModule.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <unistd.h>

namespace gnnc::runtime {
namespace {

using Clock = std::chrono::steady_clock;

struct CpuStream final : Stream {};

struct CpuEvent final : Event {
  Clock::time_point time;
};

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::int64_t physicalBytes() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
}

class CpuBackend final : public Backend {
public:
  explicit CpuBackend(int threads)
      : limit(tbb::global_control::max_allowed_parallelism,
              static_cast<std::size_t>(std::max(threads, tbb::info::default_concurrency()))),
        arena(threads) {
    deviceInfo.kind = "cpu";
    deviceInfo.name = processorName();
    deviceInfo.chip = hostChip();
    deviceInfo.processors = threads;
    deviceInfo.memoryBytes = physicalBytes();
    deviceInfo.alignment = 256;
    deviceInfo.unifiedWithHost = true;
  }

  const DeviceInfo &info() const override { return deviceInfo; }

  Expected<MemoryInfo> memory() override {
    MemoryInfo memory;
    memory.totalBytes = deviceInfo.memoryBytes;
    memory.freeBytes =
        static_cast<std::int64_t>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
    return memory;
  }

  Expected<void *> allocate(std::int64_t bytes) override {
    if (bytes == 0)
      return static_cast<void *>(nullptr);
    // The system promises more than it has; what cannot fit is refused here.
    void *address = nullptr;
    auto size = static_cast<std::size_t>(bytes);
    bool large = size >= kHugePage;
    if (bytes < 0 || bytes > deviceInfo.memoryBytes ||
        posix_memalign(&address, large ? kHugePage : 256, size) != 0)
      return Status{Code::OutOfMemory, "out of memory: " + std::to_string(bytes) +
                                           " bytes were needed, the machine has " +
                                           std::to_string(deviceInfo.memoryBytes)};
    if (large) {
      // Fewer pages to fault and to look up, and none of it during a run.
      madvise(address, size, MADV_HUGEPAGE);
      touch(address, size);
    }
    return address;
  }

  void release(void *address) override { std::free(address); }

  Status copyToDevice(void *to, const void *from, std::int64_t bytes, Stream &) override {
    return copy(to, from, bytes);
  }
  Status copyToHost(void *to, const void *from, std::int64_t bytes, Stream &) override {
    return copy(to, from, bytes);
  }
  Status copyOnDevice(void *to, const void *from, std::int64_t bytes, Stream &) override {
    return copy(to, from, bytes);
  }

  Status zero(void *address, std::int64_t bytes, Stream &) override {
    if (bytes > 0)
      std::memset(address, 0, static_cast<std::size_t>(bytes));
    return {};
  }

  Status checkAddress(const void *address, std::int64_t bytes) override {
    if (!address && bytes > 0)
      return {Code::InvalidArgument, "data is null"};
    return {};
  }

  Expected<std::unique_ptr<Stream>> createStream() override {
    return std::unique_ptr<Stream>(std::make_unique<CpuStream>());
  }
  Status synchronize(Stream &) override { return {}; }
  Expected<std::unique_ptr<Event>> createEvent() override {
    return std::unique_ptr<Event>(std::make_unique<CpuEvent>());
  }
  Status record(Event &event, Stream &) override {
    static_cast<CpuEvent &>(event).time = Clock::now();
    return {};
  }
  Expected<double> milliseconds(Event &begin, Event &end) override {
    return std::chrono::duration<double, std::milli>(static_cast<CpuEvent &>(end).time -
                                                     static_cast<CpuEvent &>(begin).time)
        .count();
  }

  Expected<std::unique_ptr<Module>> loadCode(const std::vector<format::Code> &code,
                                             const std::string &chip) override {
    return loadCpuModule(code, chip);
  }

  Status launch(const LaunchCall &call, Stream &) override;

  Expected<std::unique_ptr<GemmPlan>> prepareGemm(const GemmDesc &desc, Stream &) override {
    return prepareCpuGemm(desc, arena);
  }
  Status gemm(GemmPlan &plan, const GemmPointers &pointers, Stream &) override {
    return static_cast<CpuGemm &>(plan).run(pointers);
  }

  Status beginCapture(Stream &) override { return noCapture(); }
  Status endCapture(Stream &, std::unique_ptr<Recording> &) override { return noCapture(); }
  Status replay(Recording &, Stream &) override { return noCapture(); }

private:
  static Status noCapture() {
    return {Code::Unsupported, "the host does not record forwards; use mode default"};
  }

  static Status copy(void *to, const void *from, std::int64_t bytes) {
    if (bytes > 0 && to != from)
      std::memcpy(to, from, static_cast<std::size_t>(bytes));
    return {};
  }

  /// Faults all pages in, in parallel.
  void touch(void *address, std::size_t size) {
    auto pages = static_cast<std::int64_t>((size + kHugePage - 1) / kHugePage);
    auto *bytes = static_cast<std::byte *>(address);
    arena.execute([&] {
      tbb::parallel_for(std::int64_t{0}, pages, [&](std::int64_t page) {
        std::size_t begin = static_cast<std::size_t>(page) * kHugePage;
        for (std::size_t at = begin; at < std::min(begin + kHugePage, size); at += 4096)
          bytes[at] = std::byte{0};
      });
    });
  }

  tbb::global_control limit;
  tbb::task_arena arena;
  DeviceInfo deviceInfo;
};

/// The first row whose rows and edges before it are at least `target` together.
std::int64_t findRow(const std::int32_t *rowPointer, std::int64_t rows, std::int64_t target) {
  std::int64_t low = 0, high = rows;
  while (low < high) {
    std::int64_t middle = low + (high - low) / 2;
    if (rowPointer[middle] + middle < target)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

Status CpuBackend::launch(const LaunchCall &call, Stream &) {
  HostFunction *function = static_cast<CpuKernel *>(call.kernel)->function;
  // The same slots, seen as what the kernel takes them for.
  auto *arguments = reinterpret_cast<void *const *>(call.arguments);
  const std::int64_t rows = call.items;
  if (rows <= 0)
    return {};
  // Edges count as much as rows: a hub weighs what it costs, and empty rows
  // something. Below the threshold waking a thread costs more than it saves
  // (about 10 us on a two-core Xeon).
  const std::int64_t work = rows + (call.rowPointer ? call.rowPointer[rows] : 0);
  constexpr std::int64_t serial = 2048, rangesPerThread = 8;
  if (deviceInfo.processors == 1 || work < serial) {
    function(arguments, 0, rows);
    return {};
  }
  const std::int64_t ranges =
      std::min(deviceInfo.processors * rangesPerThread, std::max<std::int64_t>(work / 1024, 2));
  auto bound = [&](std::int64_t range) {
    if (range == ranges)
      return rows;
    std::int64_t target = work / ranges * range + std::min(range, work % ranges);
    return call.rowPointer ? findRow(call.rowPointer, rows, target) : target;
  };
  arena.execute([&] {
    tbb::parallel_for(
        std::int64_t{0}, ranges,
        [&](std::int64_t range) {
          std::int64_t begin = bound(range), end = bound(range + 1);
          if (begin < end)
            function(arguments, begin, end);
        },
        tbb::simple_partitioner());
  });
  return {};
}

} // namespace

Expected<std::unique_ptr<Backend>> createCpuBackend(const BackendOptions &options) {
  int threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  return std::unique_ptr<Backend>(std::make_unique<CpuBackend>(threads));
}

} // namespace gnnc::runtime
