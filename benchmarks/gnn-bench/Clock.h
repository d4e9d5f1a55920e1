//===- Clock.h - Milliseconds of work on the host or a CUDA device --------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_CLOCK_H
#define GNNC_BENCHMARKS_GNN_BENCH_CLOCK_H

#include <torch/torch.h>

#include <chrono>

namespace gnnc::bench {

class Stopwatch {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

/// Waits for all work on a CUDA device; nothing to do on the host.
inline void finishDevice(at::Device device) {
  if (!device.is_cpu())
    torch::cuda::synchronize(device.index());
}

/// Milliseconds of `work`, which LibTorch enqueues on its current stream.
template <class Work>
double deviceTime(at::Device device, Work &&work) {
  if (device.is_cpu()) {
    Stopwatch watch;
    work();
    return watch.milliseconds();
  }
  c10::impl::VirtualGuardImpl guard(device.type());
  c10::Event begin(device.type(), c10::EventFlag::BACKEND_DEFAULT);
  c10::Event end(device.type(), c10::EventFlag::BACKEND_DEFAULT);
  begin.record(guard.getStream(device));
  work();
  end.record(guard.getStream(device));
  end.synchronize();
  return begin.elapsedTime(end);
}

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_CLOCK_H
