//===- SparseSystems.cpp - Sums over edges, to be measured ------------------===//
#include "benchmarks/gnn-spmm/SparseSystems.h"

#include "benchmarks/gnn-bench/Clock.h"

#include <limits>

namespace gnnc::bench {

CsrMatrix toCsr(const GraphTensors &graph) {
  if (std::max(graph.numNodes, graph.src.numel()) > std::numeric_limits<std::int32_t>::max())
    throw Failure("more nodes or edges than int32 counts");
  at::Tensor order = at::argsort(graph.dst, /*stable=*/true, 0, /*descending=*/false);
  at::Tensor counts = at::bincount(graph.dst, {}, graph.numNodes);
  at::Tensor rowPtr = at::zeros({graph.numNodes + 1}, graph.dst.options().dtype(at::kInt));
  rowPtr.slice(0, 1).copy_(counts.cumsum(0));
  at::Tensor values = graph.weight.defined()
                          ? graph.weight.to(at::kFloat).index_select(0, order)
                          : at::ones({graph.src.numel()}, graph.src.options().dtype(at::kFloat));
  return {graph.numNodes, graph.numNodes, rowPtr, graph.src.index_select(0, order).to(at::kInt),
          values};
}

namespace {

/// What they have in common: `run` enqueues one product into `out`.
class SparseSystem : public System {
public:
  explicit SparseSystem(const Workload &work) : work(work) {}

  double time(int inner) override {
    run();
    return deviceTime(work.device,
                      [&] {
                        for (int i = 0; i < inner; ++i)
                          run();
                      }) /
           inner;
  }

  double wallTime() override {
    finishDevice(work.device);
    Stopwatch watch;
    run();
    finishDevice(work.device);
    return watch.milliseconds();
  }

  at::Tensor output() override { return out; }
  void finish(Row &) override {}

protected:
  virtual void run() = 0;

  const Workload &work;
  at::Tensor out;
};

class CusparseSystem final : public SparseSystem {
public:
  CusparseSystem(const Workload &work, const CsrMatrix &matrix, SpmmAlgorithm algorithm)
      : SparseSystem(work), matrix(matrix), algorithm(algorithm) {}

  void describe(Row &row) const override {
    row.system = "cusparse";
    row.mode = algorithm == SpmmAlgorithm::Csr1   ? "csr_alg1"
               : algorithm == SpmmAlgorithm::Csr2 ? "csr_alg2"
                                                  : "csr_alg3";
  }

  void setUp() override {
    out = at::empty({matrix.rows, work.x.size(1)}, work.x.options());
    product = std::make_unique<CusparseProduct>(matrix, work.x, out, algorithm);
    run();
    finishDevice(work.device);
  }

private:
  void run() override { product->run(); }

  const CsrMatrix &matrix;
  SpmmAlgorithm algorithm;
  std::unique_ptr<CusparseProduct> product;
};

class TorchSparseSystem final : public SparseSystem {
public:
  TorchSparseSystem(const Workload &work, Aggregation aggregation)
      : SparseSystem(work), aggregation(aggregation) {}

  void describe(Row &row) const override {
    row.system = aggregation == Aggregation::Csr ? "libtorch-csr" : "libtorch-eager";
    row.mode = "eager";
  }

  void setUp() override {
    GraphTensors graph = GraphTensors::fromData(work.data).to(work.device);
    aggregator = makeAggregator(aggregation, graph, work.x.scalar_type());
    run();
    finishDevice(work.device);
  }

private:
  void run() override {
    at::NoGradGuard noGrad;
    out = at::Tensor(); // its memory is the next output's
    out = aggregator->sum(work.x);
  }

  Aggregation aggregation;
  std::unique_ptr<Aggregator> aggregator;
};

} // namespace

std::unique_ptr<System> makeCusparseSystem(const Workload &work, const CsrMatrix &matrix,
                                           SpmmAlgorithm algorithm) {
  return std::make_unique<CusparseSystem>(work, matrix, algorithm);
}

std::unique_ptr<System> makeTorchSparseSystem(const Workload &work, Aggregation aggregation) {
  return std::make_unique<TorchSparseSystem>(work, aggregation);
}

} // namespace gnnc::bench
