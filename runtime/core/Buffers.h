//===- Buffers.h - A session's memory -------------------------------------===//
//
// Input: a plan's buffers and symbols, a graph, a device. Output: addresses. It
// knows of every buffer whether the host's or the device's copy is up to date
// and copies when the other side asks, so that host graph calls and kernels mix.
// Where the device works on host memory there is one copy only.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CORE_BUFFERS_H
#define GNNC_RUNTIME_CORE_BUFFERS_H

#include "runtime/core/Executable.h"
#include "runtime/core/Graph.h"

namespace gnnc::runtime {

/// Values of a plan's symbols, as far as they are known.
class Symbols {
public:
  Symbols(const format::Plan &plan, const Graph &graph);
  /// Of a graph that is known by its counts alone, without index tensors.
  Symbols(const format::Plan &plan, std::int64_t dstNodes, std::int64_t srcNodes,
          std::int64_t edges);

  /// Why a count of an index tensor is not there, if one is not.
  const Status &problem() const { return failure; }
  bool knows(const format::Formula &formula) const;
  /// InvalidFile when a symbol is not set yet.
  Expected<std::int64_t> evaluate(const format::Formula &formula) const;
  /// As evaluate; InvalidFile for a negative value too. `what` names the count.
  Expected<std::int64_t> count(const format::Formula &formula, const std::string &what) const;
  /// Fails when `value` is above the symbol's bound.
  Status set(int symbol, std::int64_t value);

private:
  const format::Plan *plan; ///< outlives it
  std::vector<std::int64_t> values;
  std::vector<bool> known;
  Status failure;
};

class Buffers {
public:
  Buffers(const Executable &executable, const Graph &graph, Stream &stream);
  ~Buffers();
  Buffers(const Buffers &) = delete;
  Buffers &operator=(const Buffers &) = delete;

  Symbols symbols;

  /// Forgets the graph for another one. Device memory is kept for it, from now on also
  /// what only prepare needs, and grows where it must.
  void rebind(const Graph &other);

  /// Shape with today's symbols.
  Expected<HostTensor> shapeOf(int buffer) const;

  /// Makes room for `bytes` of transient buffers; false while preparing.
  Status openArena(std::int64_t bytes, bool forward);
  /// Frees the arena of prepare and what of the graph only prepare needed.
  void closePrepare();
  /// Frees host copies of what is on the device.
  void dropHostCopies();

  /// The up-to-date contents for the host to read, or fresh memory to write.
  Expected<HostTensor> hostRead(int buffer);
  Expected<HostTensor> hostWrite(int buffer);
  /// The same on the device. What is written there counts after deviceWrote.
  Expected<HostTensor> deviceRead(int buffer);
  Expected<HostTensor> deviceWrite(int buffer);
  /// The device address, with up-to-date contents if there are any.
  Expected<void *> deviceUse(int buffer);
  /// A kernel may have written it.
  void deviceWrote(int buffer);
  /// Memory of an input or output for callers whose tensors are elsewhere.
  Expected<void *> staging(int buffer);

  std::int64_t bytes(int buffer) const { return states[static_cast<std::size_t>(buffer)].bytes; }
  std::int64_t graphBytes() const { return graphTotal; }
  std::int64_t stagingBytes() const { return stagingTotal; }
  std::int64_t allocations() const { return allocationCount; }

private:
  struct State {
    std::vector<std::int64_t> shape;
    std::int64_t bytes = 0;
    void *device = nullptr, *host = nullptr;
    std::shared_ptr<void> hostMemory; ///< where it is this buffer's own
    bool sized = false, deviceValid = false, hostValid = false;
  };

  const format::Buffer &description(int buffer) const {
    return plan.buffers[static_cast<std::size_t>(buffer)];
  }
  State &state(int buffer) { return states[static_cast<std::size_t>(buffer)]; }
  Status size(int buffer);
  Status checkWritten(int buffer);
  Status checkWritable(int buffer) const;
  Status placeOnDevice(int buffer);
  Status placeOnHost(int buffer);
  Status bindGraphTensor(int buffer);
  Status bindIndexTensor(const format::Tensor &tensor, int buffer);
  /// Device memory that outlives a graph.
  struct Block {
    std::shared_ptr<void> memory;
    std::int64_t bytes = 0;
  };
  Expected<void *> reserve(Block &block, std::int64_t bytes, const std::string &what,
                           std::int64_t *total);

  const Executable &executable;
  const Graph *graph;
  const format::Plan &plan;
  Backend &backend;
  Stream &stream;
  const bool unified;
  std::vector<State> states;
  std::vector<Block> blocks; ///< of each buffer
  Block arena;
  bool keeps = false; ///< another graph came: more may
  std::int64_t arenaBytes = 0, graphTotal = 0, stagingTotal = 0, allocationCount = 0;
};

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CORE_BUFFERS_H
