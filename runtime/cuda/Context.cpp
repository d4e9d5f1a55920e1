//===- Context.cpp - Open a device, make it current, allocate -------------===//
#include "runtime/cuda/Context.h"

#include <cstdio>

using namespace gnnc::cuda;

Expected<std::shared_ptr<Context>> Context::open(int ordinal) {
  std::string reason;
  const DriverApi *api = DriverApi::get(reason);
  if (!api)
    return Status(Code::Unsupported, reason);
  if (ordinal < 0 || ordinal >= api->deviceCount)
    return Status(Code::InvalidArgument,
                  "there is no device " + std::to_string(ordinal) + ": the machine has " +
                      std::to_string(api->deviceCount) + " CUDA device" +
                      (api->deviceCount == 1 ? "" : "s") + ", counted from 0");
  std::shared_ptr<Context> context(new Context(*api, ordinal));
  GNNC_TRY(context->check(api->deviceGet(&context->device, ordinal), "cuDeviceGet"));
  GNNC_TRY(context->check(api->devicePrimaryCtxRetain(&context->primary, context->device),
                          "cuDevicePrimaryCtxRetain"));
  char name[256] = "";
  api->deviceGetName(name, sizeof name, context->device);
  context->deviceName = name;
  context->computeCapability = context->attribute(kAttributeComputeCapabilityMajor) * 10 +
                               context->attribute(kAttributeComputeCapabilityMinor);
  return context;
}

Context::~Context() {
  if (primary)
    api.devicePrimaryCtxRelease(device);
}

int Context::attribute(int which) const {
  int value = 0;
  return api.deviceGetAttribute(&value, which, device) == kCudaSuccess ? value : 0;
}

Status Context::check(CUresult result, const char *what) const {
  if (result == kCudaSuccess)
    return Status();
  return Status(Code::DeviceError, "cuda:" + std::to_string(deviceOrdinal) + ": " + what + ": " +
                                       api.describe(result));
}

static std::string mebibytes(std::size_t bytes) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

Expected<CUdeviceptr> Context::allocate(std::int64_t bytes) const {
  if (bytes == 0)
    return CUdeviceptr(0);
  if (bytes < 0)
    return Status(Code::InvalidArgument,
                  "allocation of " + std::to_string(bytes) + " bytes: the size is negative");
  Current current(*this);
  CUdeviceptr address = 0;
  std::size_t needed = static_cast<std::size_t>(bytes);
  CUresult result = api.memAlloc(&address, needed);
  if (result == kCudaErrorOutOfMemory) {
    std::size_t free = 0, total = 0;
    api.memGetInfo(&free, &total);
    return Status(Code::OutOfMemory, "cuda:" + std::to_string(deviceOrdinal) + " (" + deviceName +
                                         "): " + mebibytes(needed) + " needed, " + mebibytes(free) +
                                         " of " + mebibytes(total) +
                                         " free; close other programs on the device or use a "
                                         "smaller graph");
  }
  GNNC_TRY(check(result, "cuMemAlloc"));
  return address;
}

Context::Current::Current(const Context &context) : context(context) {
  CUcontext now = nullptr;
  context.api.ctxGetCurrent(&now);
  if (now != context.primary)
    pushed = context.api.ctxPushCurrent(context.primary) == kCudaSuccess;
}

Context::Current::~Current() {
  CUcontext popped = nullptr;
  if (pushed)
    context.api.ctxPopCurrent(&popped);
}
