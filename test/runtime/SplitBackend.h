// A device with memory of its own, made of the host's: device memory is poisoned,
// copies are counted, forwards are recorded and replayed. It shows on a machine
// without a GPU that the core keeps both sides' copies in step.
#ifndef GNNC_TEST_RUNTIME_SPLITBACKEND_H
#define GNNC_TEST_RUNTIME_SPLITBACKEND_H

#include "runtime/core/GraphCalls.h"
#include "runtime/cpu/CpuBackend.h"

#include <cstring>
#include <functional>
#include <map>
#include <set>

struct SplitCounters {
  std::int64_t toDevice = 0, toHost = 0, allocations = 0, live = 0, zeroed = 0, replays = 0;
  std::int64_t failAllocation = -1; ///< number of the allocation that fails
  std::int64_t graphCalls = 0;
  std::int64_t packings = 0; ///< of right operands: once, or at each run of a product
  /// What the device says to graph calls.
  enum class Calls { NotTaken, LeftToHost, Done } calls = Calls::NotTaken;
};

class SplitBackend final : public gnnc::runtime::Backend {
public:
  using Status = gnnc::runtime::Status;
  using Stream = gnnc::runtime::Stream;
  using Event = gnnc::runtime::Event;
  using Recording = gnnc::runtime::Recording;
  template <class T>
  using Expected = gnnc::runtime::Expected<T>;

  explicit SplitBackend(SplitCounters &counters) : counters(counters) {
    host = std::move(*gnnc::runtime::createCpuBackend({}));
    deviceInfo = host->info();
    deviceInfo.unifiedWithHost = false;
    deviceInfo.canCapture = true;
  }

  const gnnc::runtime::DeviceInfo &info() const override { return deviceInfo; }
  Expected<gnnc::runtime::MemoryInfo> memory() override { return host->memory(); }

  Expected<void *> allocate(std::int64_t bytes) override {
    if (bytes == 0)
      return static_cast<void *>(nullptr);
    if (counters.allocations++ == counters.failAllocation)
      return Status{gnnc::runtime::Code::OutOfMemory,
                    "out of memory: " + std::to_string(bytes) + " bytes were needed"};
    auto made = host->allocate(bytes);
    std::memset(*made, 0xff, static_cast<std::size_t>(bytes));
    sizes[static_cast<std::byte *>(*made)] = bytes;
    ++counters.live;
    return *made;
  }
  void release(void *address) override {
    if (!address)
      return;
    sizes.erase(static_cast<std::byte *>(address));
    --counters.live;
    host->release(address);
  }
  Status copyToDevice(void *to, const void *from, std::int64_t bytes, Stream &stream) override {
    ++counters.toDevice;
    if (!owns(to, bytes) || owns(from, bytes) || recording)
      return wrong("copyToDevice");
    return host->copyToDevice(to, from, bytes, stream);
  }
  Status copyToHost(void *to, const void *from, std::int64_t bytes, Stream &stream) override {
    ++counters.toHost;
    if (owns(to, bytes) || !owns(from, bytes) || recording)
      return wrong("copyToHost");
    return host->copyToHost(to, from, bytes, stream);
  }
  Status copyOnDevice(void *to, const void *from, std::int64_t bytes, Stream &stream) override {
    return owns(to, bytes) && owns(from, bytes) ? host->copyOnDevice(to, from, bytes, stream)
                                                : wrong("copyOnDevice");
  }
  Status zero(void *address, std::int64_t bytes, Stream &stream) override {
    ++counters.zeroed;
    if (!owns(address, bytes))
      return wrong("zero");
    return queue([this, address, bytes, &stream] { return host->zero(address, bytes, stream); });
  }
  Status checkAddress(const void *address, std::int64_t bytes) override {
    return owns(address, bytes)
               ? Status()
               : Status{gnnc::runtime::Code::InvalidArgument, "data is not device memory"};
  }
  Expected<std::unique_ptr<Stream>> createStream() override { return host->createStream(); }
  Status synchronize(Stream &stream) override { return host->synchronize(stream); }
  Expected<std::unique_ptr<Event>> createEvent() override { return host->createEvent(); }
  Status record(Event &event, Stream &stream) override { return host->record(event, stream); }
  Expected<double> milliseconds(Event &begin, Event &end) override {
    return host->milliseconds(begin, end);
  }
  Expected<std::unique_ptr<gnnc::runtime::Module>>
  loadCode(const std::vector<gnnc::format::Code> &code, const std::string &chip) override {
    return host->loadCode(code, chip);
  }
  Status launch(const gnnc::runtime::LaunchCall &call, Stream &stream) override {
    std::vector<std::uint64_t> slots(call.arguments, call.arguments + call.numArguments);
    return queue([this, call = gnnc::runtime::LaunchCall(call), slots, &stream]() mutable {
      call.arguments = slots.data();
      return host->launch(call, stream);
    });
  }
  bool takesGraphCall(const std::string &, std::int64_t) const override {
    return counters.calls != SplitCounters::Calls::NotTaken;
  }
  Expected<bool> graphCall(const std::string &callee, gnnc::runtime::GraphCallContext &call,
                           Stream &) override {
    ++counters.graphCalls;
    for (const gnnc::runtime::HostTensor &input : call.inputs)
      if (input.bytes() > 0 && !owns(input.data, input.bytes()))
        return wrong("graphCall");
    GNNC_TRY(gnnc::runtime::findGraphCall(callee)(call));
    call.scratchBytes = 1 << 20;
    if (counters.calls == SplitCounters::Calls::Done)
      return true;
    // Written to, then given up: nothing of it may be used.
    for (std::size_t i = 0; i < call.numOutputs; ++i) {
      auto tensor = call.output(i);
      if (!tensor || (tensor->bytes() > 0 && !owns(tensor->data, tensor->bytes())))
        return wrong("graphCall");
      if (tensor->bytes() > 0)
        std::memset(tensor->data, 0xff, static_cast<std::size_t>(tensor->bytes()));
    }
    return false;
  }
  Expected<std::unique_ptr<gnnc::runtime::GemmPlan>>
  prepareGemm(const gnnc::runtime::GemmDesc &desc, Stream &stream) override {
    auto plan = host->prepareGemm(desc, stream);
    if (desc.constantB)
      ++counters.packings;
    else if (plan)
      packsAtRuns.insert(plan->get());
    return plan;
  }
  Status gemm(gnnc::runtime::GemmPlan &plan, const gnnc::runtime::GemmPointers &pointers,
              Stream &stream) override {
    return queue([this, &plan, pointers, &stream] {
      counters.packings += static_cast<std::int64_t>(packsAtRuns.count(&plan));
      return host->gemm(plan, pointers, stream);
    });
  }
  Status beginCapture(Stream &) override {
    recording = std::make_unique<Calls>();
    return {};
  }
  Status endCapture(Stream &, std::unique_ptr<Recording> &out) override {
    // In place where the same number of calls was recorded before, as on a GPU.
    auto *old = static_cast<Calls *>(out.get());
    if (old && old->list.size() == recording->list.size()) {
      old->list = std::move(recording->list);
      recording.reset();
      return {};
    }
    if (old)
      recording->whyMadeAnew = "another number of calls";
    out = std::move(recording);
    return {};
  }
  Status replay(Recording &calls, Stream &) override {
    ++counters.replays;
    for (const auto &call : static_cast<Calls &>(calls).list)
      GNNC_TRY(call());
    return {};
  }

private:
  struct Calls final : Recording {
    std::vector<std::function<Status()>> list;
  };

  /// Records, or does it at once.
  Status queue(std::function<Status()> call) {
    if (!recording)
      return call();
    recording->list.push_back(std::move(call));
    return {};
  }
  bool owns(const void *address, std::int64_t bytes) const {
    auto *at = static_cast<const std::byte *>(address);
    auto after = sizes.upper_bound(const_cast<std::byte *>(at));
    if (after == sizes.begin())
      return false;
    auto [begin, size] = *std::prev(after);
    return at + bytes <= begin + size;
  }
  static Status wrong(const char *what) {
    return {gnnc::runtime::Code::Internal, std::string(what) + ": memory of the wrong side"};
  }

  SplitCounters &counters;
  std::unique_ptr<Backend> host;
  gnnc::runtime::DeviceInfo deviceInfo;
  std::map<std::byte *, std::int64_t> sizes;
  std::set<const gnnc::runtime::GemmPlan *> packsAtRuns; ///< products of what a run computes
  std::unique_ptr<Calls> recording;
};

#endif
