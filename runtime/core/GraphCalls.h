//===- GraphCalls.h - Host algorithms on graph data -----------------------===//
//
// Input: index tensors and edge tensors in host memory. Output: the same kind.
// A plan's `prepare` calls them by name, once per bound graph; they depend on
// the graph alone. Each is deterministic: the same input gives the same bytes
// whatever the number of threads.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CORE_GRAPHCALLS_H
#define GNNC_RUNTIME_CORE_GRAPHCALLS_H

#include "runtime/core/Status.h"
#include "runtime/core/Tensor.h"

#include <cstdint>
#include <functional>
#include <string_view>

namespace gnnc::runtime {

/// Work items in a row of which the longest come first: all of them for "longest", some
/// for "windows", none (0) for "row"; -1 for an order that there is not.
inline std::int64_t itemWindow(std::string_view order) {
  return order == "row" ? 0 : order == "longest" ? INT32_MAX : order == "windows" ? 4096 : -1;
}

/// Order "windows": items of at most so many edges come after all longer ones, so that
/// none of those is the last to end. `longest`: edges of the longest item.
inline std::int64_t lightItem(std::string_view order, std::int64_t longest) {
  return order == "windows" ? longest / 4 : 0;
}

/// What a call sees. Symbols are set before an output is asked for: the shape of
/// an output may depend on them.
struct GraphCallContext {
  std::vector<HostTensor> inputs;
  std::vector<std::string> names; ///< of the inputs, for messages
  std::size_t numOutputs = 0, numSymbols = 0;
  std::int64_t dstNodes = 0, srcNodes = 0, edges = 0;
  double fill = 0;
  std::int64_t chunk = 0;
  std::string order, form;
  std::vector<std::int64_t> offsets, sizes;

  /// Sets the call's i-th symbol; fails when it is above the symbol's bound.
  std::function<Status(std::size_t, std::int64_t)> setSymbol;
  /// The memory and shape of the i-th output.
  std::function<Expected<HostTensor>(std::size_t)> output;

  /// Set by a back end that does the call: device memory that it took meanwhile.
  std::int64_t scratchBytes = 0;
};

using GraphCallFunction = Status (*)(GraphCallContext &context);

/// The edges that are no self loops, in their order, then one loop per node in
/// rising order. An existing loop keeps its weight (of several the last one's), a
/// new one gets `fill`. in src, dst [, weights]; out src, dst [, weights]; symbol: edges.
Status addSelfLoops(GraphCallContext &context);

/// The edges that are no self loops, in their order, and their rows of each edge
/// tensor. in src, dst, edge tensors...; out the same; symbol: edges.
Status removeSelfLoops(GraphCallContext &context);

/// All edges in their order, then one loop per node in rising order. in src, dst, edge
/// tensors..., their rows for loops...; out src, dst, edge tensors...; symbol: edges.
Status appendSelfLoops(GraphCallContext &context);

/// The weight of each node's last self loop, `fill` where it has none. in src, dst,
/// weights; out one weight per node.
Status loopWeights(GraphCallContext &context);

/// Stable sort of the edges by destination. in src, dst, edge tensors...;
/// out rowptr [dst + 1], col, the edge tensors in the same order.
Status toCsr(GraphCallContext &context);

/// Work items that cover all rows: one a row, several for a row with more than
/// `chunk` edges (0: never split). in rowptr; out items I32 [items, 4] = {row,
/// begin, end, slot or -1} and splits I32 [splits, 4] = {row, first slot, end slot,
/// 0}; symbols: items, splits, slots. Slots number the parts of split rows in row
/// order. Order "longest" sorts the items by falling length, stable; "windows" does so
/// within each 4096 items, but for light ones, which come last, see lightItem.
Status partitionRows(GraphCallContext &context);

/// The elements of a window, in row-major order, in a tensor of any shape that holds
/// as many. in tensor; out part; `offsets` and `sizes` of the window.
Status slice(GraphCallContext &context);
/// in matrix; out the matrix of its columns as rows.
Status transposeMatrix(GraphCallContext &context);

/// A graph of index tensors, every number of which is checked. By `form`: coo (in src,
/// dst), csr (in rowptr, col), or of one tensor: gather (edge i from in[i] to i),
/// scatter (edge i from i to in[i]), segments (in is a row pointer, edge i from i). out
/// src, dst for coo and scatter, rowptr, col otherwise.
Status makeGraph(GraphCallContext &context);

/// The function of that name, or null.
GraphCallFunction findGraphCall(const std::string &name);

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CORE_GRAPHCALLS_H
