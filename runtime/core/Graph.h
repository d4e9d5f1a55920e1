//===- Graph.h - A validated graph in host memory -------------------------===//
//
// Input: the caller's edge list, edge tensors and index tensors. Output: a copy
// that is known to be sound, so that nothing below has to look at an id of an edge
// again: every one is in range, every edge tensor has one row an edge. What index
// tensors say is checked by `prepare`, which knows what they name.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CORE_GRAPH_H
#define GNNC_RUNTIME_CORE_GRAPH_H

#include "runtime/core/Status.h"
#include "runtime/core/Tensor.h"

#include <memory>

namespace gnnc::runtime {

class Graph {
public:
  /// Copies and validates. The error names the first bad edge, source before
  /// destination. Never throws.
  static Expected<std::shared_ptr<const Graph>> create(const gnnc_graph_desc &desc,
                                                       const gnnc_tensor *index = nullptr,
                                                       std::int32_t numIndex = 0);

  std::int64_t dstNodes() const { return numDst; }
  std::int64_t srcNodes() const { return numSrc; }
  std::int64_t edges() const { return numEdges; }
  const HostTensor &src() const { return srcIds; }
  const HostTensor &dst() const { return dstIds; }
  /// The edge tensor of that name, or null.
  const format::Tensor *edgeData(const std::string &name) const { return find(data, name); }
  /// The index tensor of that name, or null.
  const format::Tensor *index(const std::string &name) const { return find(indices, name); }

private:
  std::int64_t numDst = 0, numSrc = 0, numEdges = 0;
  HostTensor srcIds, dstIds;
  std::shared_ptr<std::byte> srcMemory, dstMemory;
  std::vector<format::Tensor> data, indices;

  static const format::Tensor *find(const std::vector<format::Tensor> &list,
                                    const std::string &name);
};

/// Copies ids to another index type. Fails when an extent does not fit it; ids
/// below the extent then fit too.
Status convertIndices(const HostTensor &from, std::int64_t extent, const HostTensor &to);

/// The same for the numbers of an index tensor, which may be anything.
Status convertIndexTensor(const format::Tensor &from, const HostTensor &to);

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CORE_GRAPH_H
