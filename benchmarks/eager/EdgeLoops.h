//===- EdgeLoops.h - Aggregations in float64 as loops over the edges ------===//
//
// The reference that every measured output is compared with: plain loops over the
// incoming edges of each node in float64, nodes shared by LibTorch's threads. A
// node's edges are added in their order in the list, so bits repeat.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_EAGER_EDGELOOPS_H
#define GNNC_BENCHMARKS_EAGER_EDGELOOPS_H

#include "benchmarks/eager/Aggregator.h"

namespace gnnc::bench {

class EdgeLoops {
public:
  /// Copies what it needs of a graph on any device.
  explicit EdgeLoops(const GraphTensors &graph);

  /// h [N, F] -> [N, F]: sum of weight * h[src].
  at::Tensor sum(const at::Tensor &h) const;
  /// Largest or smallest value, 0 where no edge ends; a NaN stays.
  at::Tensor extreme(const at::Tensor &h, bool isMax) const;
  /// rows [N, H, C], scores [E, H] -> [N, H, C]: rows[src] weighted by the softmax
  /// of the scores among the edges of a node; PyG's 1e-16 is in the denominator.
  at::Tensor attend(const at::Tensor &rows, const at::Tensor &scores) const;
  /// left and right [N, H, C], vector [1, H, C] -> [E, H]:
  /// vector . leaky(left[src] + right[dst]).
  at::Tensor pairScores(const at::Tensor &left, const at::Tensor &right, const at::Tensor &vector,
                        double negativeSlope) const;

private:
  /// Calls body(node, first, last) with places in `order`.
  template <class Body>
  void forEachNode(Body body) const;

  std::int64_t numNodes;
  std::vector<std::int64_t> src, dst;   ///< of each edge
  std::vector<std::int64_t> row, order; ///< edges by destination
  std::vector<double> weight;           ///< empty: 1
};

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_EAGER_EDGELOOPS_H
