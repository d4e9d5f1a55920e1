//===- Backend.h - What the runtime core asks of a device -----------------===//
//
// The core loads artefacts, binds graphs, evaluates formulas and decides what
// runs when; a back end owns one device and does what it is told with concrete
// addresses and extents. The host's is inside libgnnc_runtime.so; that of CUDA
// is libgnnc_cuda.so, opened at run time beside the runtime library ($ORIGIN) or
// by the loader's search path, so that the same binaries start on a machine
// without a driver. Both are built from one tree with one compiler, so C++ types
// cross the border; kBackendAbi guards against a mix of builds.
//
// Addresses: a `void *` is an address on the device (the host back end: plain
// memory; CUDA: a CUdeviceptr). All sizes are in bytes unless named otherwise.
// Order: work on one stream runs in the order it was given; the core uses one
// stream a session and synchronises before it reads results. Threads: several
// sessions may call one back end at the same time, each with its own stream,
// modules' kernels and products; a call makes its device current itself.
// Failures are values; no function throws. Destructors synchronise as needed.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CORE_BACKEND_H
#define GNNC_RUNTIME_CORE_BACKEND_H

#include "runtime/core/Status.h"
#include "runtime/format/Artifact.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gnnc::runtime {

struct GraphCallContext;

/// Raised with every change of this header.
inline constexpr int kBackendAbi = 4;

struct DeviceInfo {
  std::string kind;             ///< cpu | cuda
  std::string name;             ///< "NVIDIA H200", the processor's brand
  std::string chip;             ///< "sm_90", "x86-64-v4"
  std::string driver;           ///< driver and library versions, for reports
  std::int64_t processors = 0;  ///< threads used (cpu), multiprocessors (cuda)
  std::int64_t memoryBytes = 0; ///< all there is
  std::int64_t sharedBytes = 0; ///< cuda: most dynamic shared memory of a block
  std::int64_t alignment = 256; ///< of every allocation
  bool unifiedWithHost = false; ///< device addresses are host addresses (cpu): the
                                ///< core then never copies, it uses host memory in place
  bool canCapture = false;      ///< beginCapture works
};

struct MemoryInfo {
  std::int64_t freeBytes = 0, totalBytes = 0;
};

/// A queue of work. Destroying it waits for what it holds.
class Stream {
public:
  virtual ~Stream() = default;
  /// Device memory that its products share, for the session's statistics.
  virtual std::int64_t scratchBytes() const { return 0; }
};

/// A point in a stream, for times.
class Event {
public:
  virtual ~Event() = default;
};

/// A compiled function. Owned by its Module.
class Kernel {
public:
  virtual ~Kernel() = default;
};

/// Code loaded on the device. Outlives every launch of its kernels: the core keeps
/// it with the executable, and sessions keep the executable.
class Module {
public:
  virtual ~Module() = default;
  /// The kernel of that name, with what its launches will ask for (cuda: threads of
  /// a block, dynamic shared memory; checked against the kernel's limits here and
  /// not at each launch). Fails with InvalidFile if there is none.
  virtual Expected<Kernel *> kernel(const std::string &name, std::int64_t block,
                                    std::int64_t sharedBytes) = 0;
};

/// A launch with everything evaluated. Every argument is one 8-byte slot: an
/// address or an int64. The back end copies what it needs before it returns.
struct LaunchCall {
  Kernel *kernel = nullptr;
  const std::uint64_t *arguments = nullptr;
  std::size_t numArguments = 0;
  // cuda. The core leaves out launches with a zero extent.
  std::array<std::int64_t, 3> grid = {1, 1, 1};
  std::int64_t block = 1;
  std::int64_t sharedBytes = 0;
  // cpu: ranges of [0, items), balanced by items + 1 prefix sums where given.
  std::int64_t items = 0;
  const std::int32_t *rowPointer = nullptr;
};

enum class Activation { None, Relu };
enum class Precision { Fp32, Tf32, Bf16, F16, Fp32x3 };

/// c[m,n] = activation(a[m,k] * op(b) + bias[n] + residual[m,n]); all row-major; b is
/// [n,k] when transposeB, [k,n] otherwise; bias and residual have the type of c. a and
/// b of 16 bit are summed in fp32 and rounded once, into their own type or into F32.
struct GemmDesc {
  std::int64_t m = 0, n = 0, k = 0;
  /// Elements from one row of a, b, and c and residual to the next; 0: the rows lie one
  /// behind the other. More than the columns: a window of a wider matrix.
  std::int64_t stepA = 0, stepB = 0, stepC = 0;
  bool transposeB = false;
  bool hasBias = false, hasResidual = false;
  Activation activation = Activation::None;
  Precision precision = Precision::Fp32;
  format::DType a = format::DType::F32, b = format::DType::F32, c = format::DType::F32;
  /// Address of b when it is a weight or made by prepare, so the same at every call
  /// and already filled: it is packed once. Null otherwise.
  const void *constantB = nullptr;

  std::int64_t rowStepA() const { return stepA ? stepA : k; }
  std::int64_t rowStepB() const { return stepB ? stepB : transposeB ? k : n; }
  std::int64_t rowStepC() const { return stepC ? stepC : n; }
};

struct GemmPointers {
  const void *a = nullptr, *b = nullptr;
  const void *bias = nullptr, *residual = nullptr; ///< null without one
  void *c = nullptr;
};

/// A product made ready for its extents: algorithm chosen, weights packed, scratch
/// allocated. Belongs to one session; running it allocates nothing.
class GemmPlan {
public:
  virtual ~GemmPlan() = default;
  /// Device memory that it alone holds (packed weights and the like), for the
  /// session's statistics.
  virtual std::int64_t deviceBytes() const = 0;
};

/// A recorded forward (a cudaGraph) that replays as a whole.
class Recording {
public:
  virtual ~Recording() = default;
  /// Why it took the place of one from before instead of changing that; set by the
  /// back end, may be empty.
  std::string whyMadeAnew;
};

class Backend {
public:
  virtual ~Backend() = default;

  virtual const DeviceInfo &info() const = 0;
  virtual Expected<MemoryInfo> memory() = 0;

  //===--- Memory ---------------------------------------------------------===//
  /// At least `bytes`, aligned to info().alignment. OutOfMemory names what was
  /// needed and what is free. Zero bytes give null.
  virtual Expected<void *> allocate(std::int64_t bytes) = 0;
  /// Waits for work that may use it. Null is ignored.
  virtual void release(void *address) = 0;
  /// Copies between host and device are complete for the host's side when they
  /// return: the host memory may be reused (toDevice) ...
  virtual Status copyToDevice(void *to, const void *from, std::int64_t bytes, Stream &stream) = 0;
  /// ... and read (toHost).
  virtual Status copyToHost(void *to, const void *from, std::int64_t bytes, Stream &stream) = 0;
  /// Only queued, and allowed while capturing.
  virtual Status copyOnDevice(void *to, const void *from, std::int64_t bytes, Stream &stream) = 0;
  /// Sets bytes to zero. Only queued, and allowed while capturing.
  virtual Status zero(void *address, std::int64_t bytes, Stream &stream) = 0;
  /// True if `address` is memory this device's kernels can use: InvalidArgument
  /// with the reason otherwise (device tensors of the caller are checked with it).
  virtual Status checkAddress(const void *address, std::int64_t bytes) = 0;

  //===--- Streams and times ----------------------------------------------===//
  virtual Expected<std::unique_ptr<Stream>> createStream() = 0;
  virtual Status synchronize(Stream &stream) = 0;
  virtual Expected<std::unique_ptr<Event>> createEvent() = 0;
  virtual Status record(Event &event, Stream &stream) = 0;
  /// From one recorded event to a later one; waits for `end`.
  virtual Expected<double> milliseconds(Event &begin, Event &end) = 0;

  //===--- Code -----------------------------------------------------------===//
  /// Loads the best of an artefact's code for this device: the host's `host.so`
  /// (after comparing `chip` with the processor's features); a cubin for this very
  /// chip family, else PTX (compiled by the driver). Unsupported, naming what the
  /// artefact has and what the device is, when none fits.
  virtual Expected<std::unique_ptr<Module>> loadCode(const std::vector<format::Code> &code,
                                                     const std::string &chip) = 0;
  /// Queues a kernel. Allowed while capturing.
  virtual Status launch(const LaunchCall &call, Stream &stream) = 0;

  //===--- Graph calls of prepare -----------------------------------------===//
  /// True if graphCall is faster than the host's function on so many edges and rows.
  virtual bool takesGraphCall(const std::string &callee, std::int64_t elements) const {
    (void)callee, (void)elements;
    return false;
  }
  /// What GraphCalls.h says of `callee`, byte for byte, on tensors in device memory.
  /// Complete when it returns. False: not done, the host has to do it; outputs may
  /// have been written to.
  virtual Expected<bool> graphCall(const std::string &callee, GraphCallContext &call,
                                   Stream &stream) {
    (void)callee, (void)call, (void)stream;
    return false;
  }

  //===--- Dense products -------------------------------------------------===//
  virtual Expected<std::unique_ptr<GemmPlan>> prepareGemm(const GemmDesc &desc, Stream &stream) = 0;
  /// Queues a product on the stream that it was prepared with. Allowed while
  /// capturing. m = 0 does nothing; k = 0 gives activation(bias + residual).
  virtual Status gemm(GemmPlan &plan, const GemmPointers &pointers, Stream &stream) = 0;

  //===--- Recording a forward (only where info().canCapture) -------------===//
  virtual Status beginCapture(Stream &stream) = 0;
  /// Ends it. With a `recording` from before, that one is updated in place if the
  /// device allows (new addresses or extents), else replaced. After a failure in
  /// between, this still has to be called: it drops what was recorded.
  virtual Status endCapture(Stream &stream, std::unique_ptr<Recording> &recording) = 0;
  virtual Status replay(Recording &recording, Stream &stream) = 0;

  //===--- Markers for profilers (NVTX) -----------------------------------===//
  virtual void pushRange(const char *text) { (void)text; }
  virtual void popRange() {}
};

/// How a back end is opened.
struct BackendOptions {
  int abi = kBackendAbi; ///< the core's
  int device = 0;        ///< cuda: ordinal
  int threads = 0;       ///< cpu: 0 for all
};

} // namespace gnnc::runtime

// What a back end library exports (visibility default).
extern "C" {
/// Opens a device. Returns a gnnc_status; on success sets `backend`, which the
/// caller deletes before the library is closed, else `message` to one line.
using gnnc_backend_create_fn = int(const gnnc::runtime::BackendOptions *options,
                                   gnnc::runtime::Backend **backend, std::string *message);
GNNC_API gnnc_backend_create_fn gnnc_backend_create;
/// Devices that could be opened; 0 without a driver. Never fails.
using gnnc_backend_device_count_fn = int();
GNNC_API gnnc_backend_device_count_fn gnnc_backend_device_count;
}

#endif // GNNC_RUNTIME_CORE_BACKEND_H
