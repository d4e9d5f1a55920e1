//===- Graph.cpp - A validated graph in host memory -----------------------===//
#include "runtime/core/Graph.h"
#include "runtime/core/Parallel.h"

#include <array>
#include <cstring>

namespace gnnc::runtime {
namespace {

using format::DType;

Status invalid(const std::string &message) { return {Code::InvalidArgument, "bind: " + message}; }

/// Copies ids and returns the first that is not in [0, extent), or -1.
template <class T>
std::int64_t copyAndCheck(const T *from, T *to, std::int64_t count, std::int64_t extent) {
  std::int64_t blocks = blockCount(count);
  std::array<std::int64_t, 16> bad;
  bad.fill(-1);
  forBlocks(count, blocks, [&](std::int64_t block, std::int64_t begin, std::int64_t end) {
    // A branch-free pass over pieces; the bad id is looked up only where there is one.
    constexpr std::int64_t piece = 4096;
    for (std::int64_t at = begin; at < end; at += piece) {
      std::int64_t stop = std::min(at + piece, end);
      bool good = true;
      for (std::int64_t i = at; i < stop; ++i) {
        T id = from[i];
        to[i] = id;
        good &= static_cast<std::uint64_t>(static_cast<std::int64_t>(id)) <
                static_cast<std::uint64_t>(extent);
      }
      for (std::int64_t i = at; !good && i < stop; ++i) {
        if (from[i] < 0 || static_cast<std::int64_t>(from[i]) >= extent) {
          bad[static_cast<std::size_t>(block)] = i;
          return;
        }
      }
    }
  });
  for (std::int64_t block = 0; block < blocks; ++block)
    if (bad[static_cast<std::size_t>(block)] >= 0)
      return bad[static_cast<std::size_t>(block)];
  return -1;
}

/// What most likely went wrong, for an id that is out of range.
template <class T>
const char *hint(const T *ids, std::int64_t count, std::int64_t extent, std::int64_t id) {
  if (id < 0)
    return "; ids count from 0";
  if (id == extent && std::find(ids, ids + count, T{0}) == ids + count)
    return "; were ids counted from 1?";
  return "; is the node count right?";
}

Status badEdge(std::int64_t edge, const char *end, std::int64_t id, std::int64_t extent,
               const char *hint) {
  return {Code::InvalidGraph, "bind: edge " + std::to_string(edge) + ": " + end + " " +
                                  std::to_string(id) + " is not in [0, " + std::to_string(extent) +
                                  ")" + hint};
}

template <class T>
Status copyEdges(const gnnc_graph_desc &desc, void *src, void *dst) {
  const T *from[2] = {static_cast<const T *>(desc.src), static_cast<const T *>(desc.dst)};
  T *to[2] = {static_cast<T *>(src), static_cast<T *>(dst)};
  const std::int64_t extent[2] = {desc.num_src, desc.num_dst};
  const char *const end[2] = {"source", "destination"};
  std::int64_t bad[2];
  for (int i : {0, 1})
    bad[i] = copyAndCheck(from[i], to[i], desc.num_edges, extent[i]);
  if (bad[0] < 0 && bad[1] < 0)
    return {};
  int first = bad[0] >= 0 && (bad[1] < 0 || bad[0] <= bad[1]) ? 0 : 1;
  std::int64_t id = from[first][bad[first]];
  return badEdge(bad[first], end[first], id, extent[first],
                 hint(from[first], desc.num_edges, extent[first], id));
}

/// Copies a tensor that is bound with the graph after checking that it is one.
Status copyTensor(const gnnc_tensor &tensor, const std::string &kind, format::Tensor &out) {
  if (!tensor.name || !*tensor.name)
    return invalid(kind + " tensor without a name");
  out.name = tensor.name;
  const std::string what = kind + " tensor '" + out.name + "': ";
  if (tensor.on_device)
    return invalid(what + "is on a device; graphs are bound from host memory");
  if (tensor.dtype < GNNC_F32 || tensor.dtype > GNNC_U8)
    return invalid(what + "element type " + std::to_string(tensor.dtype) + " is not known");
  if (tensor.rank < 1 || tensor.rank > 8)
    return invalid(what + "rank " + std::to_string(tensor.rank) + " is not in [1, 8]");
  if (!tensor.shape)
    return invalid(what + "shape is null");
  out.dtype = static_cast<DType>(tensor.dtype);
  out.shape.assign(tensor.shape, tensor.shape + tensor.rank);
  std::int64_t bytes = static_cast<std::int64_t>(format::sizeOf(out.dtype));
  for (std::int64_t extent : out.shape)
    if (extent < 0 || __builtin_mul_overflow(bytes, extent, &bytes))
      return invalid(what + format::describe(out.dtype, out.shape) + " has no valid size");
  if (bytes > 0 && !tensor.data)
    return invalid(what + "data is null");
  std::shared_ptr<std::byte> memory = format::allocateBytes(static_cast<std::size_t>(bytes));
  if (!memory)
    return {Code::OutOfMemory, "bind: " + what + std::to_string(bytes) + " bytes were needed"};
  if (bytes > 0)
    std::memcpy(memory.get(), tensor.data, static_cast<std::size_t>(bytes));
  out.bytes = {memory, memory.get(), static_cast<std::size_t>(bytes)};
  return {};
}

/// An edge tensor has one row an edge.
Status copyEdgeData(const gnnc_tensor &tensor, std::int64_t edges, format::Tensor &out) {
  GNNC_TRY(copyTensor(tensor, "edge", out));
  if (out.shape.front() != edges)
    return {Code::InvalidGraph, "bind: edge tensor '" + out.name + "': has " +
                                    std::to_string(out.shape.front()) + " rows, the graph has " +
                                    std::to_string(edges) + " edges"};
  return {};
}

/// An index tensor has whole numbers, and rows of its own.
Status copyIndex(const gnnc_tensor &tensor, format::Tensor &out) {
  GNNC_TRY(copyTensor(tensor, "index", out));
  if (out.shape.size() != 1 || (out.dtype != DType::I32 && out.dtype != DType::I64))
    return invalid("index tensor '" + out.name + "' is " + format::describe(out.dtype, out.shape) +
                   ", expected I32 or I64 of rank 1");
  return {};
}

} // namespace

Expected<std::shared_ptr<const Graph>>
Graph::create(const gnnc_graph_desc &desc, const gnnc_tensor *index, std::int32_t numIndex) {
  if (desc.index_dtype != GNNC_I32 && desc.index_dtype != GNNC_I64)
    return invalid("index_dtype must be I32 or I64, found " +
                   (desc.index_dtype >= GNNC_F32 && desc.index_dtype <= GNNC_U8
                        ? std::string(format::name(static_cast<DType>(desc.index_dtype)))
                        : std::to_string(desc.index_dtype)));
  for (auto [count, what] : {std::pair(desc.num_dst, "num_dst"),
                             {desc.num_src, "num_src"},
                             {desc.num_edges, "num_edges"}})
    if (count < 0 || count > INT64_MAX / 64)
      return invalid(std::string(what) + " is " + std::to_string(count) +
                     ", expected 0 or a count that fits memory");
  if (desc.num_edges > 0 && (!desc.src || !desc.dst))
    return invalid("src or dst is null, but there are " + std::to_string(desc.num_edges) +
                   " edges");
  if (desc.num_edge_data < 0 || (desc.num_edge_data > 0 && !desc.edge_data))
    return invalid("edge_data is null or num_edge_data negative");
  if (numIndex < 0 || (numIndex > 0 && !index))
    return invalid("index is null or num_index negative");

  auto graph = std::make_shared<Graph>();
  graph->numDst = desc.num_dst;
  graph->numSrc = desc.num_src;
  graph->numEdges = desc.num_edges;
  auto dtype = static_cast<DType>(desc.index_dtype);
  auto bytes = static_cast<std::size_t>(desc.num_edges) * format::sizeOf(dtype);
  graph->srcMemory = format::allocateBytes(bytes);
  graph->dstMemory = format::allocateBytes(bytes);
  if (!graph->srcMemory || !graph->dstMemory)
    return Status{Code::OutOfMemory,
                  "bind: " + std::to_string(2 * bytes) + " bytes were needed for the edge list"};
  graph->srcIds = {graph->srcMemory.get(), dtype, {desc.num_edges}};
  graph->dstIds = {graph->dstMemory.get(), dtype, {desc.num_edges}};
  Status status;
  withIndexType(dtype, [&](auto type) {
    status = copyEdges<decltype(type)>(desc, graph->srcIds.data, graph->dstIds.data);
  });
  if (!status)
    return status;
  for (std::int32_t i = 0; i < desc.num_edge_data; ++i) {
    format::Tensor tensor;
    if (status = copyEdgeData(desc.edge_data[i], desc.num_edges, tensor); !status)
      return status;
    if (graph->edgeData(tensor.name))
      return invalid("edge tensor '" + tensor.name + "' is given twice");
    graph->data.push_back(std::move(tensor));
  }
  for (std::int32_t i = 0; i < numIndex; ++i) {
    format::Tensor tensor;
    if (status = copyIndex(index[i], tensor); !status)
      return status;
    if (graph->edgeData(tensor.name) || graph->index(tensor.name))
      return invalid("index tensor '" + tensor.name + "' has the name of another tensor");
    graph->indices.push_back(std::move(tensor));
  }
  return std::shared_ptr<const Graph>(std::move(graph));
}

const format::Tensor *Graph::find(const std::vector<format::Tensor> &list,
                                  const std::string &name) {
  for (const format::Tensor &tensor : list)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

Status convertIndices(const HostTensor &from, std::int64_t extent, const HostTensor &to) {
  if (to.dtype == DType::I32 && extent > std::int64_t{INT32_MAX} + 1)
    return {Code::GuardFailed, "bind: the program was compiled for 32-bit ids, the graph has " +
                                   std::to_string(extent) +
                                   " nodes; compile it for 64-bit ids or split the graph"};
  bool known = withIndexType(from.dtype, [&](auto fromType) {
    withIndexType(to.dtype, [&](auto toType) {
      using From = decltype(fromType);
      using To = decltype(toType);
      const From *in = from.as<From>();
      To *out = to.as<To>();
      forBlocks(from.rows(), [&](std::int64_t, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
          out[i] = static_cast<To>(in[i]);
      });
    });
  });
  if (!known)
    return {Code::InvalidArgument, "bind: ids are " + from.text() + ", expected I32 or I64"};
  return {};
}

Status convertIndexTensor(const format::Tensor &from, const HostTensor &to) {
  Status status;
  withIndexType(from.dtype, [&](auto fromType) {
    withIndexType(to.dtype, [&](auto toType) {
      const auto *in = from.as<decltype(fromType)>();
      auto *out = to.as<decltype(toType)>();
      for (std::int64_t i = 0; i < from.elements(); ++i) {
        out[i] = static_cast<decltype(toType)>(in[i]);
        if (static_cast<std::int64_t>(out[i]) != static_cast<std::int64_t>(in[i]) && status)
          status = {Code::GuardFailed, "bind: index tensor '" + from.name + "': entry " +
                                           std::to_string(i) + " is " + std::to_string(in[i]) +
                                           ", the program reads it as 32-bit numbers"};
      }
    });
  });
  return status;
}

} // namespace gnnc::runtime
