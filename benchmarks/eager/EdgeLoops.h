//===- EdgeLoops.h - Aggregations in float64 as loops over the edges ------===//
//
// Plain loops over the incoming edges of each node in float64, nodes shared by
// LibTorch's threads. A node's edges are added in their order in the list, so bits
// repeat.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_EAGER_EDGELOOPS_H
#define GNNC_BENCHMARKS_EAGER_EDGELOOPS_H

#include "benchmarks/eager/EdgeReference.h"

namespace gnnc::bench {

class EdgeLoops final : public EdgeReference {
public:
  /// Copies what it needs of a graph on any device.
  explicit EdgeLoops(const GraphTensors &graph);

  at::Tensor sum(const at::Tensor &h) const override;
  at::Tensor extreme(const at::Tensor &h, bool isMax) const override;
  at::Tensor attend(const at::Tensor &rows, const at::Tensor &scores) const override;
  at::Tensor pairScores(const at::Tensor &left, const at::Tensor &right, const at::Tensor &vector,
                        double negativeSlope) const override;

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
