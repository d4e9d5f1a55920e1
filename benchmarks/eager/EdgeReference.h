//===- EdgeReference.h - Aggregations in float64 --------------------------===//
//
// What the reference of every measured output is made of. Two implementations with
// nothing in common, each the other's test: plain loops over the edges on the host
// (EdgeLoops.h), LibTorch ops on a chunk of edges after the other on a GPU
// (EdgeChunks.h), where loops over some hundred million edges would take minutes.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_EAGER_EDGEREFERENCE_H
#define GNNC_BENCHMARKS_EAGER_EDGEREFERENCE_H

#include "benchmarks/eager/Aggregator.h"

namespace gnnc::bench {

class EdgeReference {
public:
  virtual ~EdgeReference() = default;

  /// h [N, F] -> [N, F]: sum of weight * h[src].
  virtual at::Tensor sum(const at::Tensor &h) const = 0;
  /// Largest or smallest value, 0 where no edge ends; a NaN stays.
  virtual at::Tensor extreme(const at::Tensor &h, bool isMax) const = 0;
  /// rows [N, H, C], scores [E, H] -> [N, H, C]: rows[src] weighted by the softmax
  /// of the scores among the edges of a node; PyG's 1e-16 is in the denominator.
  virtual at::Tensor attend(const at::Tensor &rows, const at::Tensor &scores) const = 0;
  /// left and right [N, H, C], vector [1, H, C] -> [E, H]:
  /// vector . leaky(left[src] + right[dst]).
  virtual at::Tensor pairScores(const at::Tensor &left, const at::Tensor &right,
                                const at::Tensor &vector, double negativeSlope) const = 0;
};

/// Loops for a graph in host memory, chunks for one on another device.
std::unique_ptr<EdgeReference> makeEdgeReference(const GraphTensors &graph);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_EAGER_EDGEREFERENCE_H
