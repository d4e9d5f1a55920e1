//===- CudaStream.h - Streams, events and cudaGraphs ----------------------===//
//
// The queues of the back end and what is recorded from them. All of these
// release their driver objects in the context they were made in.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_CUDASTREAM_H
#define GNNC_RUNTIME_CUDA_CUDASTREAM_H

#include "runtime/core/Backend.h"
#include "runtime/cuda/Context.h"

namespace gnnc::cuda {

/// Device memory for what one call needs and no call keeps. Calls on one stream
/// share it, as they run one after the other.
class Scratch {
public:
  explicit Scratch(std::shared_ptr<Context> context) : context(std::move(context)) {}
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  /// At least `bytes` from now on. May move: addresses are asked for at each call,
  /// and what was recorded before must be recorded again.
  Status reserve(std::int64_t bytes);
  CUdeviceptr address() const { return memory; }
  std::int64_t bytes() const { return size; }

private:
  std::shared_ptr<Context> context;
  CUdeviceptr memory = 0;
  std::int64_t size = 0;
};

/// A driver's stream, shared with the recordings that were replayed on it.
class StreamHandle {
public:
  static Expected<std::shared_ptr<StreamHandle>> make(const std::shared_ptr<Context> &context);
  ~StreamHandle();
  const std::shared_ptr<Context> context;
  CUstream stream = nullptr;
  Scratch workspace; ///< of cuBLASLt
  Scratch parts;     ///< bf16 parts of operands (SplitGemm.h)

private:
  explicit StreamHandle(const std::shared_ptr<Context> &context)
      : context(context), workspace(context), parts(context) {}
};

class CudaStream final : public runtime::Stream {
public:
  explicit CudaStream(std::shared_ptr<StreamHandle> handle) : handle(std::move(handle)) {}
  ~CudaStream() override;
  std::int64_t scratchBytes() const override {
    return handle->workspace.bytes() + handle->parts.bytes();
  }
  const std::shared_ptr<StreamHandle> handle;
};

class CudaEvent final : public runtime::Event {
public:
  static Expected<std::unique_ptr<runtime::Event>> make(std::shared_ptr<Context> context);
  ~CudaEvent() override;
  const std::shared_ptr<Context> context;
  CUevent event = nullptr;

private:
  explicit CudaEvent(std::shared_ptr<Context> context) : context(std::move(context)) {}
};

/// A captured forward as an executable cudaGraph.
class CudaRecording final : public runtime::Recording {
public:
  /// Takes over what `stream` has captured. An executable of the same structure
  /// gets the new addresses and extents in place, any other is made anew.
  static Status finishCapture(StreamHandle &stream, std::unique_ptr<runtime::Recording> &recording);
  ~CudaRecording() override;
  Status replay(const std::shared_ptr<StreamHandle> &stream);

private:
  explicit CudaRecording(std::shared_ptr<Context> context) : context(std::move(context)) {}
  std::shared_ptr<Context> context;
  CUgraphExec executable = nullptr;
  std::shared_ptr<StreamHandle> last; ///< where it was replayed last
};

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_CUDASTREAM_H
