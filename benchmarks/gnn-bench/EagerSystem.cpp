//===- EagerSystem.cpp - Eager LibTorch as a system to be measured --------===//
#include "benchmarks/gnn-bench/Clock.h"
#include "benchmarks/gnn-bench/MemoryMeter.h"
#include "benchmarks/gnn-bench/System.h"

namespace gnnc::bench {
namespace {

class EagerSystem final : public System {
public:
  EagerSystem(const Workload &work, Aggregation aggregation, bool fixes) : work(work) {
    options.aggregation = aggregation;
    options.device = work.device;
    // A CSR matrix is made once by definition: this system is the cached one.
    options.fixes = fixes || aggregation == Aggregation::Csr;
  }

  void describe(Row &row) const override {
    row.system = options.aggregation == Aggregation::Csr ? "libtorch-csr" : "libtorch-eager";
    row.mode = "eager";
    if (work.spec.dtype == "f32")
      row.precision = "fp32"; // gnn-bench turns TF32 off
    row.fixes = options.fixes;
  }

  void setUp() override {
    std::int64_t before = memoryUse(work.device).current;
    GraphTensors graph = GraphTensors::fromData(work.data);
    Stopwatch watch;
    model = makeEager(work.spec, work.weights, graph, options);
    forward();
    finishDevice(work.device);
    firstMs = watch.milliseconds();
    graph = GraphTensors();
    last = at::Tensor();
    std::int64_t held = memoryUse(work.device).current;
    resetMemoryPeak(work.device);
    secondMs = wallTime();
    std::int64_t transient = memoryUse(work.device).peak - held;
    peakBytes = held - before + transient + static_cast<std::int64_t>(work.x.nbytes());
  }

  double time(int inner) override {
    if (!work.device.is_cpu())
      forward();
    return deviceTime(work.device,
                      [&] {
                        for (int i = 0; i < inner; ++i)
                          forward();
                      }) /
           inner;
  }

  double wallTime() override {
    finishDevice(work.device);
    Stopwatch watch;
    forward();
    finishDevice(work.device);
    return watch.milliseconds();
  }

  at::Tensor output() override { return last; }

  void finish(Row &row) override {
    row.firstMs = firstMs;
    row.secondMs = secondMs;
    row.peakMib = static_cast<double>(peakBytes) / (1 << 20);
  }

private:
  void forward() {
    at::NoGradGuard noGrad;
    last = at::Tensor(); // its memory is the next output's
    last = model->forward(work.x);
  }

  const Workload &work;
  EagerOptions options;
  std::unique_ptr<EagerModel> model;
  at::Tensor last;
  double firstMs = 0, secondMs = 0;
  std::int64_t peakBytes = 0;
};

} // namespace

std::unique_ptr<System> makeEagerSystem(const Workload &work, Aggregation aggregation, bool fixes) {
  return std::make_unique<EagerSystem>(work, aggregation, fixes);
}

} // namespace gnnc::bench
