//===- MemoryMeter.h - How much memory LibTorch holds ---------------------===//
//
// Output: bytes that LibTorch's tensors hold now and held at most. Host: an
// allocator that counts around LibTorch's own; CUDA: its caching allocator's
// statistics of allocated (not reserved) bytes. Scratch that libraries take
// without asking these allocators (MKL, oneDNN, cuBLAS workspaces) is not seen.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_MEMORYMETER_H
#define GNNC_BENCHMARKS_GNN_BENCH_MEMORYMETER_H

#include <torch/torch.h>

#include <optional>

namespace gnnc::bench {

/// Puts the counting allocator in place; call before the first tensor is made.
void installMemoryMeter();

struct MemoryUse {
  std::int64_t current, peak; ///< bytes
};
MemoryUse memoryUse(at::Device device);
/// Bytes of a CUDA device that nobody holds, kept blocks of LibTorch's allocator not among
/// them; nothing for the host and where it cannot be asked.
std::optional<std::int64_t> freeDeviceMemory(at::Device device);
/// The peak starts again at what is held now.
void resetMemoryPeak(at::Device device);
/// Gives back what a device allocator keeps for later tensors.
void releaseCachedMemory(at::Device device);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_MEMORYMETER_H
