//===- CudaStream.cpp - Make, record and replay ---------------------------===//
#include "runtime/cuda/CudaStream.h"

using namespace gnnc;
using namespace gnnc::cuda;

Status Scratch::reserve(std::int64_t bytes) {
  if (bytes <= size)
    return Status();
  Expected<CUdeviceptr> larger = context->allocate(bytes);
  if (!larger)
    return larger.status();
  Context::Current current(*context);
  if (memory) // cuMemFree waits for work that uses it
    context->driver().memFree(memory);
  memory = *larger;
  size = bytes;
  return Status();
}

Scratch::~Scratch() {
  Context::Current current(*context);
  if (memory)
    context->driver().memFree(memory);
}

Expected<std::shared_ptr<StreamHandle>>
StreamHandle::make(const std::shared_ptr<Context> &context) {
  Context::Current current(*context);
  std::shared_ptr<StreamHandle> handle(new StreamHandle(context));
  const Context &device = *handle->context;
  GNNC_TRY(device.check(device.driver().streamCreate(&handle->stream, kStreamNonBlocking),
                        "cuStreamCreate"));
  return handle;
}

StreamHandle::~StreamHandle() {
  if (!stream)
    return;
  Context::Current current(*context);
  context->driver().streamSynchronize(stream);
  context->driver().streamDestroy(stream);
}

CudaStream::~CudaStream() {
  // A recording may keep the handle; this stream's owner is promised that its work
  // is done.
  Context::Current current(*handle->context);
  handle->context->driver().streamSynchronize(handle->stream);
}

Expected<std::unique_ptr<runtime::Event>> CudaEvent::make(std::shared_ptr<Context> context) {
  Context::Current current(*context);
  std::unique_ptr<CudaEvent> event(new CudaEvent(std::move(context)));
  const Context &device = *event->context;
  GNNC_TRY(
      device.check(device.driver().eventCreate(&event->event, kEventDefault), "cuEventCreate"));
  return std::unique_ptr<runtime::Event>(std::move(event));
}

CudaEvent::~CudaEvent() {
  Context::Current current(*context);
  if (event)
    context->driver().eventDestroy(event);
}

/// CUgraphExecUpdateResult
static std::string describeUpdate(int result) {
  switch (result) {
  case kUpdateTopologyChanged:
    return "the forward has other commands on this graph than on the one recorded";
  case kUpdateNodeTypeChanged:
    return "a kernel stands where memory was set before, or the other way round";
  case kUpdateFunctionChanged:
  case kUpdateUnsupportedFunctionChange:
    return "a product runs by another kernel at this size, which cannot take the place of the "
           "one recorded";
  case kUpdateParametersChanged:
  case kUpdateAttributesChanged:
    return "a command changed in a way that the driver cannot update";
  default:
    return "cuGraphExecUpdate failed with result " + std::to_string(result);
  }
}

Status CudaRecording::finishCapture(StreamHandle &stream,
                                    std::unique_ptr<runtime::Recording> &recording) {
  const Context &context = *stream.context;
  const DriverApi &driver = context.driver();
  Context::Current current(context);
  CUgraph captured = nullptr;
  Status status = context.check(driver.streamEndCapture(stream.stream, &captured),
                                "cuStreamEndCapture (something queued while capturing cannot be "
                                "recorded)");
  if (!status || !captured)
    return status ? Status(Code::DeviceError, "cuStreamEndCapture: nothing was captured") : status;

  CUgraphUpdateInfo info{};
  auto *old = static_cast<CudaRecording *>(recording.get());
  if (!old || driver.graphExecUpdate(old->executable, captured, &info) != kCudaSuccess) {
    std::unique_ptr<CudaRecording> made(new CudaRecording(stream.context));
    if (old)
      made->whyMadeAnew = describeUpdate(info.result);
    status = context.check(driver.graphInstantiate(&made->executable, captured, 0),
                           "cuGraphInstantiateWithFlags");
    if (status)
      recording = std::move(made);
  }
  driver.graphDestroy(captured);
  if (status)
    // Part of the first replay's cost otherwise.
    status = context.check(
        driver.graphUpload(static_cast<CudaRecording &>(*recording).executable, stream.stream),
        "cuGraphUpload");
  return status;
}

CudaRecording::~CudaRecording() {
  Context::Current current(*context);
  if (last)
    context->driver().streamSynchronize(last->stream);
  if (executable)
    context->driver().graphExecDestroy(executable);
}

Status CudaRecording::replay(const std::shared_ptr<StreamHandle> &stream) {
  Context::Current current(*context);
  if (last != stream)
    last = stream;
  return context->check(context->driver().graphLaunch(executable, stream->stream), "cuGraphLaunch");
}
