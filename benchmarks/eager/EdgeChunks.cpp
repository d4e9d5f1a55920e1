//===- EdgeChunks.cpp - Aggregations in float64 by LibTorch, in chunks ----===//
#include "benchmarks/eager/EdgeChunks.h"

#include <limits>

namespace gnnc::bench {

EdgeChunks::EdgeChunks(GraphTensors edges, std::int64_t mostValues)
    : graph(std::move(edges)), mostValues(mostValues) {
  if (graph.weight.defined())
    graph.weight = graph.weight.to(at::kDouble);
}

template <class Body>
void EdgeChunks::forEachChunk(std::int64_t width, Body body) const {
  std::int64_t edges = graph.src.numel();
  std::int64_t step = std::max<std::int64_t>(1, mostValues / std::max<std::int64_t>(1, width));
  for (std::int64_t first = 0; first < edges; first += step) {
    std::int64_t last = std::min(edges, first + step);
    body(graph.src.slice(0, first, last), graph.dst.slice(0, first, last), first, last);
  }
}

at::Tensor EdgeChunks::sum(const at::Tensor &h) const {
  at::Tensor out = at::zeros({graph.numNodes, h.size(1)}, h.options());
  forEachChunk(h.size(1), [&](const at::Tensor &src, const at::Tensor &dst, std::int64_t first,
                              std::int64_t last) {
    at::Tensor messages = h.index_select(0, src);
    if (graph.weight.defined())
      messages.mul_(graph.weight.slice(0, first, last).unsqueeze(-1));
    out.index_add_(0, dst, messages);
  });
  return out;
}

at::Tensor EdgeChunks::extreme(const at::Tensor &h, bool isMax) const {
  double least = isMax ? -INFINITY : INFINITY;
  at::Tensor out = at::full({graph.numNodes, h.size(1)}, least, h.options());
  forEachChunk(h.size(1),
               [&](const at::Tensor &src, const at::Tensor &dst, std::int64_t, std::int64_t) {
                 at::Tensor messages = h.index_select(0, src);
                 at::Tensor index = dst.unsqueeze(-1).expand_as(messages);
                 out.scatter_reduce_(0, index, messages, isMax ? "amax" : "amin");
               });
  at::Tensor isReached = at::zeros({graph.numNodes, 1}, h.options().dtype(at::kBool));
  isReached.index_fill_(0, graph.dst, 1);
  return at::where(isReached, out, at::zeros({}, h.options()));
}

at::Tensor EdgeChunks::attend(const at::Tensor &rows, const at::Tensor &scores) const {
  std::int64_t heads = rows.size(1), width = rows.size(2);
  at::Tensor largest = at::full({graph.numNodes, heads}, -INFINITY, scores.options());
  largest.scatter_reduce_(0, graph.dst.unsqueeze(-1).expand_as(scores), scores, "amax");
  at::Tensor powers = scores - largest.index_select(0, graph.dst);
  powers.exp_();
  at::Tensor totals = at::full({graph.numNodes, heads}, 1e-16, scores.options());
  totals.index_add_(0, graph.dst, powers);
  at::Tensor out = at::zeros_like(rows);
  forEachChunk(heads * width, [&](const at::Tensor &src, const at::Tensor &dst, std::int64_t first,
                                  std::int64_t last) {
    at::Tensor alpha = powers.slice(0, first, last) / totals.index_select(0, dst);
    out.index_add_(0, dst, rows.index_select(0, src).mul_(alpha.unsqueeze(-1)));
  });
  return out;
}

at::Tensor EdgeChunks::pairScores(const at::Tensor &left, const at::Tensor &right,
                                  const at::Tensor &vector, double negativeSlope) const {
  std::int64_t heads = left.size(1), width = left.size(2);
  at::Tensor out = at::empty({graph.src.numel(), heads}, left.options());
  forEachChunk(heads * width, [&](const at::Tensor &src, const at::Tensor &dst, std::int64_t first,
                                  std::int64_t last) {
    at::Tensor sum = left.index_select(0, src).add_(right.index_select(0, dst));
    out.slice(0, first, last).copy_(at::leaky_relu_(sum, negativeSlope).mul_(vector).sum(-1));
  });
  return out;
}

} // namespace gnnc::bench
