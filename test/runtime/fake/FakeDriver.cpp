// A stand-in for libcuda.so.1 on the host: memory is malloc's, streams run at once,
// a stream that captures keeps what it would run. It knows `add` of
// CudaBackendTest.cpp and the back end's own kernels. With it the tests of runtime/cuda exercise
// the back end's own code (late binding, messages, choice of code, recording) without a GPU.
#include "FakeCsrKernels.h"
#include "runtime/cuda/DriverApi.h"
#include "runtime/cuda/HopperGemmKernel.h"
#include "runtime/cuda/SplitOperand.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace gnnc::cuda;

namespace {

constexpr CUresult kOk = kCudaSuccess;
constexpr CUresult kCaptureUnsupported = 900, kCaptureInvalidated = 901;
using Work = std::vector<std::function<void()>>;

struct Stream {
  bool capturing = false, spoiled = false;
  Work captured;
};

std::map<CUdeviceptr, std::size_t> allocations;
int context; ///< an object to point at

Stream *real(CUstream stream) {
  static Stream standard;
  return stream ? reinterpret_cast<Stream *>(stream) : &standard;
}

CUresult queue(CUstream stream, std::function<void()> work) {
  if (real(stream)->capturing)
    real(stream)->captured.push_back(std::move(work));
  else
    work();
  return kOk;
}

void *host(CUdeviceptr address) { return reinterpret_cast<void *>(address); }

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Of CudaBackendTest.cpp: out[i] = in[i] + value.
std::function<void()> add(void **arguments, std::uint64_t threads) {
  std::uint64_t slots[4];
  for (int i = 0; i < 4; ++i)
    std::memcpy(&slots[i], arguments[i], 8);
  return [=] {
    auto *out = static_cast<std::int64_t *>(host(slots[0])),
         *in = static_cast<std::int64_t *>(host(slots[1]));
    for (std::uint64_t i = 0; i < threads && i < slots[2]; ++i)
      out[i] = in[i] + static_cast<std::int64_t>(slots[3]);
  };
}

template <class Argument>
Argument only(void **arguments) {
  Argument argument;
  std::memcpy(&argument, arguments[0], sizeof argument);
  return argument;
}

template <class Argument>
Argument onlyOf(void (*)(const Argument &), void **arguments) {
  return only<Argument>(arguments);
}

/// A stand-in that does the work of the whole grid.
template <auto Run>
std::function<void()> whole(void **arguments, std::uint64_t) {
  return [argument = onlyOf(Run, arguments)] { Run(argument); };
}

std::function<void()> splitOperand(void **arguments, std::uint64_t threads) {
  return [=, operand = only<SplitOperand>(arguments)] {
    unsigned quads = operand.rows * (operand.padded / kSplitQuad);
    for (unsigned i = 0; i < threads && i < quads; ++i)
      splitQuad(operand, i);
  };
}

std::function<void()> packWeight(void **arguments, std::uint64_t threads) {
  return [=, pack = only<PackWeight>(arguments)] {
    for (unsigned tile = 0; tile < threads / kPackBlock && tile < packTiles(pack); ++tile) {
      unsigned size = 0;
      for (unsigned chunk = 0; chunk < kPackChunks; ++chunk)
        size = std::max(size, sizeOfChunk(pack, tile, chunk));
      for (unsigned chunk = 0; chunk < kPackChunks; ++chunk)
        packChunk(pack, tile, chunk, exponentOf(size));
    }
  };
}

/// A row of `a` in the depth of a tile, as the kernel splits it.
struct TileOfRow {
  float high[kTileDepth], low[kTileDepth], unscale;

  TileOfRow(const HopperProduct &product, unsigned row, unsigned tileDepth) {
    float entries[kTileDepth];
    unsigned size = 0;
    for (unsigned place = 0; place < kTileDepth; ++place) {
      unsigned depth = tileDepth * kTileDepth + depthOfPlace(place);
      entries[place] = depth < product.depth ? product.a[row * product.leftStep + depth] : 0.0f;
      size = std::max(size, sizeBits(entries[place]));
    }
    unsigned exponent = exponentOf(size);
    unscale = unscaleOf(exponent);
    for (unsigned place = 0; place < kTileDepth; ++place) {
      HalfParts parts = halfParts(entries[place] * scaleOf(exponent));
      high[place] = fromHalf(parts.high);
      low[place] = fromHalf(parts.low);
    }
  }
};

/// The weight as numbers, each part apart.
std::vector<float> unpacked(const HopperProduct &product) {
  std::vector<float> numbers(2ull * kLowPart * product.tileColumns * product.tileDepths);
  std::transform(product.weight, product.weight + numbers.size(), numbers.begin(), fromHalf);
  return numbers;
}

/// The product of a row with a tile of the weight in one of its columns: small terms first.
float productWithTile(const TileOfRow &row, const float *tile, unsigned column) {
  float small = 0, large = 0;
  for (unsigned place = 0; place < kTileDepth; ++place) {
    const float *high = tile + chunkInTile(column, place / kPackEntries) + place % kPackEntries;
    small += row.low[place] * *high + row.high[place] * high[kLowPart];
    large += row.high[place] * *high;
  }
  return small + large;
}

std::function<void()> hopperGemm(void **arguments, std::uint64_t) {
  return [product = only<HopperProduct>(arguments)] {
    std::vector<float> weight = unpacked(product);
    for (unsigned row = 0; row < product.rows; ++row) {
      std::vector<TileOfRow> tiles;
      for (unsigned depth = 0; depth < product.tileDepths; ++depth)
        tiles.emplace_back(product, row, depth);
      for (unsigned column = 0; column < product.columns; ++column) {
        float value = 0;
        for (unsigned depth = 0; depth < product.tileDepths; ++depth) {
          unsigned tile = column / kTileColumns * product.tileDepths + depth;
          value += productWithTile(tiles[depth], weight.data() + 2ull * kLowPart * tile,
                                   column % kTileColumns) *
                   (product.unscale[tile] * tiles[depth].unscale);
        }
        std::size_t at = row * product.step + column;
        value += product.bias ? product.bias[column] : 0.0f;
        value += product.residual ? product.residual[at] : 0.0f;
        product.c[at] = product.hasRelu && value < 0 ? 0.0f : value;
      }
    }
  };
}

/// Takes the arguments' values and the number of threads; the work reads the rest.
using FakeKernel = std::function<void()> (*)(void **arguments, std::uint64_t threads);
struct NamedKernel {
  const char *name;
  FakeKernel make;
};
constexpr NamedKernel kKernels[] = {{"add", add},
                                    {"gnnc_split_operand", splitOperand},
                                    {"gnnc_pack_weight", packWeight},
                                    {"gnnc_hopper_gemm", hopperGemm},
                                    {"gnnc_radix_count", whole<fakeRadixCount>},
                                    {"gnnc_radix_scan", whole<fakeRadixScan>},
                                    {"gnnc_radix_scatter", whole<fakeRadixScatter>},
                                    {"gnnc_row_pointer", whole<fakeRowPointer>},
                                    {"gnnc_loop_keys", whole<fakeLoopKeys>},
                                    {"gnnc_permute_ids", whole<fakePermuteIds>},
                                    {"gnnc_permute_rows", whole<fakePermuteRows>},
                                    {"gnnc_count_rows", whole<fakeCountRows>},
                                    {"gnnc_place_rows", whole<fakePlaceRows>},
                                    {"gnnc_item_keys", whole<fakeItemKeys>},
                                    {"gnnc_write_items", whole<fakeWriteItems>}};

} // namespace

#define FAKE extern "C" __attribute__((visibility("default"))) CUresult

// Also used by FakeCublasLt.cpp, as cuBLASLt uses the driver.
FAKE fakeQueue(CUstream stream, std::function<void()> *work) { return queue(stream, *work); }

FAKE cuInit(unsigned) { return kOk; }
FAKE cuDriverGetVersion(int *version) { return *version = kStatedCudaVersion, kOk; }
FAKE cuGetErrorName(CUresult result, const char **name) {
  static const std::map<CUresult, const char *> names = {
      {kCudaErrorOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {kCudaErrorInvalidPtx, "CUDA_ERROR_INVALID_PTX"},
      {kCudaErrorInvalidImage, "CUDA_ERROR_INVALID_IMAGE"}};
  auto found = names.find(result);
  return *name = found == names.end() ? "CUDA_ERROR_UNKNOWN" : found->second, kOk;
}
FAKE cuGetErrorString(CUresult, const char **text) { return *text = "from the fake driver", kOk; }
FAKE cuDeviceGet(CUdevice *device, int ordinal) { return *device = ordinal, kOk; }
FAKE cuDeviceGetCount(int *count) { return *count = 1, kOk; }
FAKE cuDeviceGetName(char *name, int size, CUdevice) {
  return std::strncpy(name, "fake device", static_cast<std::size_t>(size)), kOk;
}
FAKE cuDeviceGetAttribute(int *value, int which, CUdevice) {
  static const std::map<int, int> values = {{kAttributeMultiprocessorCount, 132},
                                            // Small, so that small products have many blocks.
                                            {kAttributeL2CacheBytes, 1 << 18},
                                            {kAttributeMaxSharedBytesOptIn, 232448},
                                            {kAttributeComputeCapabilityMajor, 9},
                                            {kAttributeComputeCapabilityMinor, 0}};
  auto found = values.find(which);
  return found == values.end() ? kCudaErrorInvalidValue : (*value = found->second, kOk);
}
FAKE cuDevicePrimaryCtxRetain(CUcontext *made, CUdevice) {
  return *made = reinterpret_cast<CUcontext>(&context), kOk;
}
FAKE cuDevicePrimaryCtxRelease_v2(CUdevice) { return kOk; }
FAKE cuCtxGetCurrent(CUcontext *now) { return *now = nullptr, kOk; }
FAKE cuCtxPushCurrent_v2(CUcontext) { return kOk; }
FAKE cuCtxPopCurrent_v2(CUcontext *) { return kOk; }

FAKE cuMemGetInfo_v2(std::size_t *free, std::size_t *total) {
  return *free = std::size_t(1) << 30, *total = std::size_t(2) << 30, kOk;
}
FAKE cuMemAlloc_v2(CUdeviceptr *address, std::size_t size) {
  void *memory =
      size < (std::size_t(1) << 30) ? std::aligned_alloc(256, (size + 255) / 256 * 256) : nullptr;
  *address = reinterpret_cast<CUdeviceptr>(memory);
  if (memory)
    allocations[*address] = size;
  return memory ? kOk : kCudaErrorOutOfMemory;
}
FAKE cuMemFree_v2(CUdeviceptr address) {
  if (allocations.erase(address) == 0)
    return kCudaErrorInvalidValue;
  return std::free(host(address)), kOk;
}
FAKE cuPointerGetAttribute(void *value, int which, CUdeviceptr address) {
  auto next = allocations.upper_bound(address);
  if (next == allocations.begin() || address >= std::prev(next)->first + std::prev(next)->second)
    return kCudaErrorInvalidValue;
  unsigned answer = which == kPointerMemoryType ? kMemoryTypeDevice : 0;
  return std::memcpy(value, &answer, sizeof answer), kOk;
}
FAKE cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, std::size_t size, CUstream stream) {
  return queue(stream, [=] { std::memcpy(host(to), from, size); });
}
FAKE cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, std::size_t size, CUstream stream) {
  return queue(stream, [=] { std::memcpy(to, host(from), size); });
}
FAKE cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t size, CUstream stream) {
  return queue(stream, [=] { std::memcpy(host(to), host(from), size); });
}
FAKE cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t size, CUstream stream) {
  return queue(stream, [=] { std::memset(host(to), value, size); });
}

FAKE cuStreamCreate(CUstream *stream, unsigned) {
  return *stream = reinterpret_cast<CUstream>(new Stream), kOk;
}
FAKE cuStreamDestroy_v2(CUstream stream) { return delete real(stream), kOk; }
FAKE cuStreamSynchronize(CUstream stream) {
  if (!real(stream)->capturing)
    return kOk;
  return real(stream)->spoiled = true, kCaptureUnsupported;
}
FAKE cuStreamBeginCapture_v2(CUstream stream, int) { return real(stream)->capturing = true, kOk; }
FAKE cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  Stream &self = *real(stream);
  bool spoiled = self.spoiled;
  *graph = spoiled ? nullptr : reinterpret_cast<CUgraph>(new Work(std::move(self.captured)));
  self = Stream();
  return spoiled ? kCaptureInvalidated : kOk;
}
FAKE cuGraphInstantiateWithFlags(CUgraphExec *made, CUgraph graph, unsigned long long) {
  return *made = reinterpret_cast<CUgraphExec>(new Work(*reinterpret_cast<Work *>(graph))), kOk;
}
FAKE cuGraphExecUpdate_v2(CUgraphExec old, CUgraph graph, CUgraphUpdateInfo *) {
  auto &have = *reinterpret_cast<Work *>(old), &want = *reinterpret_cast<Work *>(graph);
  if (have.size() != want.size())
    return 910;
  return have = want, kOk;
}
FAKE cuGraphUpload(CUgraphExec, CUstream) { return kOk; }
FAKE cuGraphLaunch(CUgraphExec executable, CUstream) {
  for (const auto &work : *reinterpret_cast<Work *>(executable))
    work();
  return kOk;
}
FAKE cuGraphExecDestroy(CUgraphExec executable) {
  return delete reinterpret_cast<Work *>(executable), kOk;
}
FAKE cuGraphDestroy(CUgraph graph) { return delete reinterpret_cast<Work *>(graph), kOk; }

FAKE cuEventCreate(CUevent *event, unsigned) {
  return *event = reinterpret_cast<CUevent>(&context), kOk;
}
FAKE cuEventDestroy_v2(CUevent) { return kOk; }
FAKE cuEventRecord(CUevent, CUstream) { return kOk; }
FAKE cuEventSynchronize(CUevent) { return kOk; }
FAKE cuEventElapsedTime(float *elapsed, CUevent, CUevent) { return *elapsed = 1, kOk; }

FAKE cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, int *options,
                        void **values) {
  std::string text(static_cast<const char *>(image));
  for (const NamedKernel &known : kKernels)
    if (text.find(".entry " + std::string(known.name) + "(") != std::string::npos)
      return *module = reinterpret_cast<CUmodule>(new int), kOk;
  if (text.find(".version") == std::string::npos)
    return kCudaErrorInvalidImage;
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == kJitErrorLogBuffer)
      std::strcpy(static_cast<char *>(values[i]), "ptxas application ptx input, line 4\nfatal\n");
  return kCudaErrorInvalidPtx;
}
FAKE cuModuleUnload(CUmodule module) { return delete reinterpret_cast<int *>(module), kOk; }
FAKE cuModuleGetFunction(CUfunction *found, CUmodule, const char *name) {
  for (const NamedKernel &known : kKernels)
    if (std::strcmp(name, known.name) == 0)
      return *found = reinterpret_cast<CUfunction>(known.make), kOk;
  return kCudaErrorNotFound;
}
FAKE cuFuncGetAttribute(int *value, int which, CUfunction) {
  return *value = which == kFunctionMaxThreads ? 1024 : 0, kOk;
}
FAKE cuFuncSetAttribute(CUfunction, int, int) { return kOk; }
FAKE cuLaunchKernel(CUfunction function, unsigned gridX, unsigned, unsigned, unsigned blockX,
                    unsigned, unsigned, unsigned, CUstream stream, void **arguments, void **) {
  auto make = reinterpret_cast<FakeKernel>(function);
  return queue(stream, make(arguments, std::uint64_t(gridX) * blockX));
}
