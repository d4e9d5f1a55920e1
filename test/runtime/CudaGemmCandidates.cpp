// Times products of the benchmarks' models. First the algorithms that cuBLASLt
// proposes, in its order: what its first choice, which gnnc takes, gives away against
// the best one (docs/decisions/cuda-backend.md). Then precision fp32x3, splits
// included, beside fp32 in turns (docs/decisions/fp32x3.md), also where gnnc would not
// take it. JSON Lines on stdout. Not a test.
#include "runtime/cuda/CudaStream.h"
#include "runtime/cuda/HopperGemm.h"
#include "runtime/cuda/SplitGemm.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace gnnc::cuda;

namespace {

constexpr int kCandidates = 8, kRepeats = 20, kInner = 10;
constexpr std::size_t kScratch = std::size_t(32) << 20;

struct Shape {
  const char *model;
  std::int64_t m, n, k;
};
// b is [n,k], as weights are.
constexpr Shape kShapes[] = {{"cora", 2708, 16, 1433},
                             {"cora", 2708, 7, 16},
                             {"arxiv-sized", 169343, 256, 128},
                             {"arxiv-sized", 169343, 256, 256},
                             {"arxiv-sized", 169343, 40, 256}};

constexpr Shape kSplitShapes[] = {{"pubmed", 19717, 16, 500},
                                  {"pubmed", 19717, 3, 16},
                                  {"pubmed", 19717, 256, 500},
                                  {"arxiv-sized", 169343, 40, 256},
                                  {"arxiv-sized", 169343, 64, 256},
                                  {"arxiv-sized", 169343, 256, 128},
                                  {"arxiv-sized", 169343, 256, 256},
                                  {"arxiv-sized", 169343, 256, 512},
                                  {"arxiv-sized", 169343, 2048, 256},
                                  {"arxiv-sized", 20000, 256, 256},
                                  {"arxiv-sized", 5000, 256, 256},
                                  {"cora", 2708, 256, 256},
                                  {"cora", 2708, 64, 64},
                                  {"products-sized", 2449029, 256, 100},
                                  {"products-sized", 2449029, 256, 256},
                                  {"products-sized", 2449029, 47, 256}};

void require(bool good, const std::string &what) {
  if (good)
    return;
  std::fprintf(stderr, "gemm-candidates: %s\n", what.c_str());
  std::exit(1);
}

class Bench {
public:
  Bench(std::shared_ptr<Context> opened, const CublasLt &blas)
      : context(std::move(opened)), driver(context->driver()), blas(blas), current(*context) {
    require(blas.create(&handle) == kCublasSuccess, "cublasLtCreate failed");
    auto made = StreamHandle::make(context);
    require(bool(made), made.status().message());
    stream = *made;
    scratch = allocate(kScratch);
    driver.eventCreate(&begin, kEventDefault);
    driver.eventCreate(&end, kEventDefault);
  }

  void run(const Shape &shape) {
    const auto &[model, m, n, k] = shape;
    // Numbers of a usual size; products run faster on zeros.
    CUdeviceptr a = fill(m * k), b = fill(n * k), c = fill(m * n);
    CublasLtMatmulDesc matmul = nullptr;
    CublasLtMatrixLayout first = nullptr, second = nullptr, result = nullptr;
    CublasLtPreference preference = nullptr;
    std::int32_t transpose = kOpT;
    std::uint64_t bytes = kScratch;
    std::uint32_t reductions = kReductionComputeType | kReductionOutputType;
    require(!blas.matmulDescCreate(&matmul, kCompute32F, kCudaR32F) &&
                !blas.matmulDescSet(matmul, kMatmulTransA, &transpose, sizeof transpose) &&
                !blas.layoutCreate(&first, kCudaR32F, std::uint64_t(k), std::uint64_t(n), k) &&
                !blas.layoutCreate(&second, kCudaR32F, std::uint64_t(k), std::uint64_t(m), k) &&
                !blas.layoutCreate(&result, kCudaR32F, std::uint64_t(n), std::uint64_t(m), n) &&
                !blas.preferenceCreate(&preference) &&
                !blas.preferenceSet(preference, kPreferenceWorkspaceBytes, &bytes, sizeof bytes) &&
                !blas.preferenceSet(preference, kPreferenceReductionMask, &reductions,
                                    sizeof reductions),
            "cuBLASLt refuses a description");
    CublasLtHeuristicResult candidates[kCandidates];
    int found = 0;
    require(!blas.heuristic(handle, matmul, first, second, result, result, preference, kCandidates,
                            candidates, &found),
            "cuBLASLt has no algorithm");
    const float one = 1, zero = 0;
    auto pointer = [](CUdeviceptr address) { return reinterpret_cast<void *>(address); };
    for (int i = 0; i < found; ++i) {
      auto once = [&] {
        return blas.matmul(handle, matmul, &one, pointer(b), first, pointer(a), second, &zero,
                           pointer(c), result, pointer(c), result, &candidates[i].algorithm,
                           pointer(scratch), kScratch, stream->stream);
      };
      require(once() == kCublasSuccess, "a candidate does not run");
      std::vector<float> samples;
      for (int repeat = 0; repeat < kRepeats; ++repeat)
        samples.push_back(time([&] { return once() == kCublasSuccess; }));
      std::sort(samples.begin(), samples.end());
      std::printf("{\"model\": \"%s\", \"m\": %lld, \"n\": %lld, \"k\": %lld, \"candidate\": %d, "
                  "\"median_ms\": %.5f, \"scratch_bytes\": %zu, \"waves\": %.2f}\n",
                  model, static_cast<long long>(m), static_cast<long long>(n),
                  static_cast<long long>(k), i, samples[kRepeats / 2], candidates[i].workspaceBytes,
                  candidates[i].waves);
    }
    for (CUdeviceptr address : {a, b, c})
      driver.memFree(address);
  }

  /// fp32x3 beside fp32 of the same operands.
  void runSplit(const Shape &shape) {
    const auto &[model, m, n, k] = shape;
    CUdeviceptr a = fill(m * k), b = fill(n * k), c = fill(m * n);
    auto library = GemmLibrary::open(context);
    require(bool(library), library.status().message());
    gnnc::runtime::GemmDesc desc;
    desc.m = m;
    desc.n = n;
    desc.k = k;
    desc.transposeB = true;
    desc.constantB = reinterpret_cast<void *>(b);
    std::vector<std::unique_ptr<CudaGemm>> plans;
    auto add = [&](Expected<std::unique_ptr<CudaGemm>> made) {
      require(bool(made), made.status().message());
      plans.push_back(std::move(*made));
    };
    add(CudaGemmPlan::make(*library, stream, desc));
    add(SplitGemm::make(*library, stream, desc));
    if (HopperGemm::canRun(*context, desc))
      add(HopperGemm::make(*library, stream, desc));
    gnnc::runtime::GemmPointers pointers;
    pointers.a = reinterpret_cast<void *>(a);
    pointers.b = reinterpret_cast<void *>(b);
    pointers.c = reinterpret_cast<void *>(c);
    std::vector<std::vector<float>> samples(plans.size());
    for (int repeat = -1; repeat < kRepeats; ++repeat) // the first warms up
      for (std::size_t i = 0; i < plans.size(); ++i) {
        float elapsed = time([&] { return bool(plans[i]->run(pointers)); });
        if (repeat >= 0)
          samples[i].push_back(elapsed);
      }
    for (std::vector<float> &one : samples)
      std::sort(one.begin(), one.end());
    std::printf("{\"model\": \"%s\", \"m\": %lld, \"n\": %lld, \"k\": %lld, \"fp32_ms\": %.5f, "
                "\"split_ms\": %.5f",
                model, static_cast<long long>(m), static_cast<long long>(n),
                static_cast<long long>(k), samples[0][kRepeats / 2], samples[1][kRepeats / 2]);
    if (plans.size() > 2)
      std::printf(", \"hopper_ms\": %.5f", samples[2][kRepeats / 2]);
    const char *choice = HopperGemm::pays(*context, desc)  ? "hopper"
                         : SplitGemm::pays(*context, desc) ? "split"
                                                           : "fp32";
    std::printf(", \"choice\": \"%s\"}\n", choice);
    for (CUdeviceptr address : {a, b, c})
      driver.memFree(address);
  }

private:
  /// Milliseconds of one of kInner calls in a row.
  template <class Call>
  float time(Call call) {
    float elapsed = 0;
    driver.eventRecord(begin, stream->stream);
    for (int inner = 0; inner < kInner; ++inner)
      require(call(), "a product does not run");
    driver.eventRecord(end, stream->stream);
    require(driver.eventSynchronize(end) == kCudaSuccess, "a product failed");
    driver.eventElapsedTime(&elapsed, begin, end);
    return elapsed / kInner;
  }
  CUdeviceptr allocate(std::size_t bytes) {
    auto made = context->allocate(static_cast<std::int64_t>(bytes));
    require(bool(made), made.status().message());
    return *made;
  }
  CUdeviceptr fill(std::int64_t count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>((i * 2654435761u >> 8) % 2001) / 1000 - 1;
    CUdeviceptr address = allocate(values.size() * sizeof(float));
    driver.memcpyHtoDAsync(address, values.data(), values.size() * sizeof(float), stream->stream);
    driver.streamSynchronize(stream->stream);
    return address;
  }

  std::shared_ptr<Context> context;
  const DriverApi &driver;
  const CublasLt &blas;
  Context::Current current;
  CublasLtHandle handle = nullptr;
  std::shared_ptr<StreamHandle> stream;
  CUdeviceptr scratch = 0;
  CUevent begin = nullptr, end = nullptr;
};

} // namespace

int main() {
  auto context = Context::open(0);
  require(bool(context), context.status().message());
  std::string reason;
  const CublasLt *blas = CublasLt::get(reason);
  require(blas, reason);
  Bench bench(*context, *blas);
  for (const Shape &shape : kShapes)
    bench.run(shape);
  for (const Shape &shape : kSplitShapes)
    bench.runSplit(shape);
  return 0;
}
