//===- EdgeChunks.h - Aggregations in float64 by LibTorch, in chunks ------===//
//
// index_select, arithmetic and index_add_ on as many edges at once as give messages
// of a bounded size, on the graph's device. Bits need not repeat on a GPU
// (index_add_ has atomics); at float64 that is far below any bound.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_EAGER_EDGECHUNKS_H
#define GNNC_BENCHMARKS_EAGER_EDGECHUNKS_H

#include "benchmarks/eager/EdgeReference.h"

namespace gnnc::bench {

class EdgeChunks final : public EdgeReference {
public:
  /// Messages of a chunk have at most `mostValues` numbers, those of one edge at least.
  explicit EdgeChunks(GraphTensors graph, std::int64_t mostValues = std::int64_t(1) << 27);

  at::Tensor sum(const at::Tensor &h) const override;
  at::Tensor extreme(const at::Tensor &h, bool isMax) const override;
  at::Tensor attend(const at::Tensor &rows, const at::Tensor &scores) const override;
  at::Tensor pairScores(const at::Tensor &left, const at::Tensor &right, const at::Tensor &vector,
                        double negativeSlope) const override;

private:
  /// Calls body(src, dst, first, last) for edges [first, last) of messages of `width` numbers.
  template <class Body>
  void forEachChunk(std::int64_t width, Body body) const;

  GraphTensors graph;
  std::int64_t mostValues;
};

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_EAGER_EDGECHUNKS_H
