//===- Aggregator.h - Sum over a node's incoming edges in LibTorch --------===//
//
// Input: an edge list with optional weights. Output: out[v] = sum over edges
// u -> v of weight * h[u], three ways: as PyG's layers do it, as a product with a
// cached CSR matrix, and slowly in float64.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_EAGER_AGGREGATOR_H
#define GNNC_BENCHMARKS_EAGER_AGGREGATOR_H

#include "benchmarks/data/GraphData.h"

#include <torch/torch.h>

#include <memory>

namespace gnnc::bench {

enum class Aggregation {
  GatherScatter, ///< index_select, mul, scatter_add: edge-sized messages in memory
  Csr,           ///< one sparse matrix product (MKL on the host, cuSPARSE on CUDA)
  Reference      ///< in float64 (EdgeReference.h)
};

/// An edge list as tensors on one device.
struct GraphTensors {
  std::int64_t numNodes = 0;
  at::Tensor src, dst; ///< I64 [edges]
  at::Tensor weight;   ///< [edges], or undefined

  static GraphTensors fromData(const GraphData &graph);
  GraphTensors to(at::Device device) const;
};

class Aggregator {
public:
  virtual ~Aggregator() = default;
  /// h [nodes, features] -> [nodes, features].
  virtual at::Tensor sum(const at::Tensor &h) = 0;
  /// The largest or smallest value that arrives at each node, 0 where none does;
  /// without weights. Throws Failure where LibTorch has no such product.
  virtual at::Tensor extreme(const at::Tensor &h, bool isMax) = 0;
};

/// Does what `kind` does once per graph, for rows of `type`; weights have it already.
std::unique_ptr<Aggregator> makeAggregator(Aggregation kind, const GraphTensors &graph,
                                           at::ScalarType type);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_EAGER_AGGREGATOR_H
