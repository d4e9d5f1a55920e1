//===- CudaBackend.cpp - libgnnc_cuda.so ----------------------------------===//
//
// The CUDA side of runtime/core/Backend.h: opened by the core at run time, it
// works through the driver API alone and links no CUDA library.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/Backend.h"
#include "runtime/cuda/CudaGemm.h"
#include "runtime/cuda/CudaGraphCalls.h"
#include "runtime/cuda/CudaModule.h"
#include "runtime/cuda/CudaStream.h"
#include "runtime/cuda/Nvtx.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <mutex>

using namespace gnnc;
using namespace gnnc::cuda;

namespace {

CUdeviceptr device(const void *address) { return reinterpret_cast<CUdeviceptr>(address); }
std::size_t size(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }
StreamHandle &handle(runtime::Stream &stream) { return *static_cast<CudaStream &>(stream).handle; }

/// "580.159.04" out of the kernel module's own text; empty if it is not there.
std::string kernelDriverVersion() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  while (file >> word)
    if (word.find('.') != std::string::npos &&
        word.find_first_not_of("0123456789.") == std::string::npos)
      return word;
  return "";
}

class CudaBackend final : public runtime::Backend {
public:
  explicit CudaBackend(std::shared_ptr<Context> opened)
      : context(std::move(opened)), driver(context->driver()) {
    deviceInfo.kind = "cuda";
    deviceInfo.name = context->name();
    deviceInfo.chip = "sm_" + std::to_string(context->capability());
    int version = driver.driverVersion;
    deviceInfo.driver =
        "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    if (std::string text = kernelDriverVersion(); !text.empty())
      deviceInfo.driver += ", driver " + text;
    deviceInfo.processors = context->attribute(kAttributeMultiprocessorCount);
    deviceInfo.sharedBytes = context->attribute(kAttributeMaxSharedBytesOptIn);
    if (Expected<runtime::MemoryInfo> info = memory())
      deviceInfo.memoryBytes = info->totalBytes;
    deviceInfo.canCapture = true;
  }

  const runtime::DeviceInfo &info() const override { return deviceInfo; }

  Expected<runtime::MemoryInfo> memory() override {
    Context::Current current(*context);
    std::size_t free = 0, total = 0;
    GNNC_TRY(check(driver.memGetInfo(&free, &total), "cuMemGetInfo"));
    runtime::MemoryInfo memory;
    memory.freeBytes = static_cast<std::int64_t>(free);
    memory.totalBytes = static_cast<std::int64_t>(total);
    return memory;
  }

  //===--- Memory ---------------------------------------------------------===//
  Expected<void *> allocate(std::int64_t bytes) override {
    Expected<CUdeviceptr> address = context->allocate(bytes);
    if (!address)
      return address.status();
    return reinterpret_cast<void *>(*address);
  }

  void release(void *address) override {
    if (!address)
      return;
    Context::Current current(*context);
    driver.memFree(device(address)); // waits for work that uses it
  }

  Status copyToDevice(void *to, const void *from, std::int64_t bytes,
                      runtime::Stream &stream) override {
    if (bytes == 0)
      return Status();
    Context::Current current(*context);
    CUstream queue = handle(stream).stream;
    GNNC_TRY(
        check(driver.memcpyHtoDAsync(device(to), from, size(bytes), queue), "cuMemcpyHtoDAsync"));
    return check(driver.streamSynchronize(queue), "copy to the device");
  }

  Status copyToHost(void *to, const void *from, std::int64_t bytes,
                    runtime::Stream &stream) override {
    Context::Current current(*context);
    CUstream queue = handle(stream).stream;
    if (bytes > 0)
      GNNC_TRY(
          check(driver.memcpyDtoHAsync(to, device(from), size(bytes), queue), "cuMemcpyDtoHAsync"));
    return check(driver.streamSynchronize(queue), "copy to the host");
  }

  Status copyOnDevice(void *to, const void *from, std::int64_t bytes,
                      runtime::Stream &stream) override {
    if (bytes == 0)
      return Status();
    Context::Current current(*context);
    return check(
        driver.memcpyDtoDAsync(device(to), device(from), size(bytes), handle(stream).stream),
        "cuMemcpyDtoDAsync");
  }

  Status zero(void *address, std::int64_t bytes, runtime::Stream &stream) override {
    if (bytes == 0)
      return Status();
    Context::Current current(*context);
    return check(driver.memsetD8Async(device(address), 0, size(bytes), handle(stream).stream),
                 "cuMemsetD8Async");
  }

  Status checkAddress(const void *address, std::int64_t bytes) override {
    if (bytes == 0)
      return Status();
    Context::Current current(*context);
    unsigned kind = 0;
    int ordinal = -1;
    std::string here = "cuda:" + std::to_string(context->ordinal());
    if (!address ||
        driver.pointerGetAttribute(&kind, kPointerMemoryType, device(address)) != kCudaSuccess ||
        kind != kMemoryTypeDevice)
      return Status(Code::InvalidArgument, "the address is no device memory; pass memory of " +
                                               here + ", or host memory without on_device");
    GNNC_TRY(check(driver.pointerGetAttribute(&ordinal, kPointerDeviceOrdinal, device(address)),
                   "cuPointerGetAttribute"));
    if (ordinal != context->ordinal())
      return Status(Code::InvalidArgument, "the memory belongs to cuda:" + std::to_string(ordinal) +
                                               ", the session runs on " + here);
    return Status();
  }

  //===--- Streams and times ----------------------------------------------===//
  Expected<std::unique_ptr<runtime::Stream>> createStream() override {
    Expected<std::shared_ptr<StreamHandle>> made = StreamHandle::make(context);
    if (!made)
      return made.status();
    return std::unique_ptr<runtime::Stream>(std::make_unique<CudaStream>(std::move(*made)));
  }

  Status synchronize(runtime::Stream &stream) override {
    Context::Current current(*context);
    return check(driver.streamSynchronize(handle(stream).stream), "a kernel or copy failed");
  }

  Expected<std::unique_ptr<runtime::Event>> createEvent() override {
    return CudaEvent::make(context);
  }

  Status record(runtime::Event &event, runtime::Stream &stream) override {
    Context::Current current(*context);
    return check(driver.eventRecord(static_cast<CudaEvent &>(event).event, handle(stream).stream),
                 "cuEventRecord");
  }

  Expected<double> milliseconds(runtime::Event &begin, runtime::Event &end) override {
    Context::Current current(*context);
    CUevent first = static_cast<CudaEvent &>(begin).event;
    CUevent last = static_cast<CudaEvent &>(end).event;
    GNNC_TRY(check(driver.eventSynchronize(last), "a kernel or copy failed"));
    float elapsed = 0;
    GNNC_TRY(check(driver.eventElapsedTime(&elapsed, first, last), "cuEventElapsedTime"));
    return static_cast<double>(elapsed);
  }

  //===--- Code -----------------------------------------------------------===//
  Expected<std::unique_ptr<runtime::Module>> loadCode(const std::vector<format::Code> &code,
                                                      const std::string &chip) override {
    return CudaModule::load(context, code, chip);
  }

  Status launch(const runtime::LaunchCall &call, runtime::Stream &stream) override {
    // The driver takes one pointer to each argument.
    std::array<void *, 64> slots;
    if (call.numArguments > slots.size())
      return Status(Code::Unsupported, "a kernel with " + std::to_string(call.numArguments) +
                                           " arguments; at most " + std::to_string(slots.size()) +
                                           " on cuda");
    for (std::size_t i = 0; i < call.numArguments; ++i)
      slots[i] = const_cast<std::uint64_t *>(call.arguments + i);
    // y and z of a grid have 16 bits, x has 31.
    constexpr std::array<std::int64_t, 3> kMost = {2147483647, 65535, 65535};
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (call.grid[axis] < 1 || call.grid[axis] > kMost[axis])
        return Status(Code::Unsupported, "a kernel's grid has extent " +
                                             std::to_string(call.grid[axis]) + " in dimension " +
                                             std::to_string(axis) + "; CUDA takes 1 to " +
                                             std::to_string(kMost[axis]));
    auto extent = [](std::int64_t value) { return static_cast<unsigned>(value); };
    Context::Current current(*context);
    return check(
        driver.launchKernel(static_cast<CudaKernel *>(call.kernel)->function, extent(call.grid[0]),
                            extent(call.grid[1]), extent(call.grid[2]), extent(call.block), 1, 1,
                            extent(call.sharedBytes), handle(stream).stream, slots.data(), nullptr),
        "cuLaunchKernel");
  }

  //===--- Graph calls of prepare -----------------------------------------===//
  bool takesGraphCall(const std::string &callee, std::int64_t elements) const override {
    // Below, a dozen launches and the loading of the kernels take longer than the host.
    constexpr std::int64_t kFewestElements = 1 << 18;
    return elements >= kFewestElements && CudaGraphCalls::knows(callee);
  }

  Expected<bool> graphCall(const std::string &callee, runtime::GraphCallContext &call,
                           runtime::Stream &stream) override {
    if (!CudaGraphCalls::knows(callee))
      return false;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!graphCalls) {
        Expected<std::unique_ptr<CudaGraphCalls>> opened = CudaGraphCalls::open(context);
        if (!opened)
          return opened.status();
        graphCalls = std::move(*opened);
      }
    }
    return graphCalls->run(callee, call, handle(stream));
  }

  //===--- Dense products -------------------------------------------------===//
  Expected<std::unique_ptr<runtime::GemmPlan>> prepareGemm(const runtime::GemmDesc &desc,
                                                           runtime::Stream &stream) override {
    std::lock_guard<std::mutex> lock(mutex);
    if (!gemms) {
      Expected<std::shared_ptr<GemmLibrary>> opened = GemmLibrary::open(context);
      if (!opened)
        return opened.status();
      gemms = std::move(*opened);
    }
    return CudaGemm::make(gemms, static_cast<CudaStream &>(stream).handle, desc);
  }

  Status gemm(runtime::GemmPlan &plan, const runtime::GemmPointers &pointers,
              runtime::Stream &) override {
    return static_cast<CudaGemm &>(plan).run(pointers);
  }

  //===--- Recording ------------------------------------------------------===//
  Status beginCapture(runtime::Stream &stream) override {
    Context::Current current(*context);
    // Thread-local: other threads, LibTorch's among them, may go on allocating.
    return check(driver.streamBeginCapture(handle(stream).stream, kCaptureThreadLocal),
                 "cuStreamBeginCapture");
  }

  Status endCapture(runtime::Stream &stream,
                    std::unique_ptr<runtime::Recording> &recording) override {
    return CudaRecording::finishCapture(handle(stream), recording);
  }

  Status replay(runtime::Recording &recording, runtime::Stream &stream) override {
    return static_cast<CudaRecording &>(recording).replay(static_cast<CudaStream &>(stream).handle);
  }

  //===--- Markers --------------------------------------------------------===//
  void pushRange(const char *text) override {
    if (nvtx.pushRange)
      nvtx.pushRange(text);
  }
  void popRange() override {
    if (nvtx.popRange)
      nvtx.popRange();
  }

private:
  Status check(CUresult result, const char *what) const { return context->check(result, what); }

  std::shared_ptr<Context> context;
  const DriverApi &driver;
  const Nvtx &nvtx = Nvtx::get();
  runtime::DeviceInfo deviceInfo;
  std::mutex mutex; ///< guards `gemms` and `graphCalls` while they are opened
  std::shared_ptr<GemmLibrary> gemms;
  std::unique_ptr<CudaGraphCalls> graphCalls;
};

} // namespace

int gnnc_backend_create(const runtime::BackendOptions *options, runtime::Backend **backend,
                        std::string *message) {
  if (options->abi != runtime::kBackendAbi) {
    *message = "libgnnc_cuda.so has back end interface " + std::to_string(runtime::kBackendAbi) +
               ", libgnnc_runtime.so " + std::to_string(options->abi) +
               "; install both from one build";
    return GNNC_UNSUPPORTED;
  }
  Expected<std::shared_ptr<Context>> context = Context::open(options->device);
  if (!context) {
    *message = context.status().message();
    return static_cast<int>(context.status().code());
  }
  *backend = new CudaBackend(std::move(*context));
  return GNNC_OK;
}

int gnnc_backend_device_count() {
  std::string reason;
  const DriverApi *driver = DriverApi::get(reason);
  return driver ? driver->deviceCount : 0;
}
