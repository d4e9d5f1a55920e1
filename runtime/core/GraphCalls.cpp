//===- GraphCalls.cpp - Host algorithms on graph data ---------------------===//
#include "runtime/core/GraphCalls.h"
#include "runtime/core/Parallel.h"
#include "runtime/format/Floats.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <tuple>
#include <utility>

namespace gnnc::runtime {
namespace {

using format::DType;

Status wrong(std::string message) { return {Code::InvalidFile, std::move(message)}; }

Status checkCounts(const GraphCallContext &context, std::size_t minInputs, std::size_t outputs,
                   std::size_t symbols) {
  if (context.inputs.size() < minInputs || context.numOutputs != outputs ||
      context.numSymbols != symbols)
    return wrong("takes at least " + std::to_string(minInputs) + " inputs, " +
                 std::to_string(outputs) + " outputs, " + std::to_string(symbols) +
                 " symbols; found " + std::to_string(context.inputs.size()) + ", " +
                 std::to_string(context.numOutputs) + ", " + std::to_string(context.numSymbols));
  return {};
}

/// Row count and, where given, element type of an operand.
Status checkTensor(const HostTensor &tensor, const char *what, std::int64_t rows) {
  if (tensor.shape.empty() || tensor.rows() != rows)
    return wrong(std::string(what) + " is " + tensor.text() + ", expected " + std::to_string(rows) +
                 " rows");
  return {};
}

Status checkIndices(const HostTensor &tensor, const char *what, std::int64_t rows) {
  if (tensor.shape.size() != 1 || (tensor.dtype != DType::I32 && tensor.dtype != DType::I64))
    return wrong(std::string(what) + " is " + tensor.text() + ", expected I32 or I64 of rank 1");
  return checkTensor(tensor, what, rows);
}

/// Values up to `largest` must fit the output's index type.
Status checkNarrowing(const HostTensor &out, const char *what, std::int64_t largest) {
  if (out.dtype == DType::I32 && largest > INT32_MAX)
    return {Code::GuardFailed, std::string(what) + ": " + std::to_string(largest) +
                                   " does not fit the 32-bit indices the program was compiled for"};
  return {};
}

/// An index tensor read as 64-bit numbers, whatever its type.
class Indices {
public:
  explicit Indices(const HostTensor &tensor)
      : narrow(tensor.dtype == DType::I32 ? tensor.as<std::int32_t>() : nullptr),
        wide(tensor.dtype == DType::I64 ? tensor.as<std::int64_t>() : nullptr) {}
  std::int64_t operator[](std::int64_t i) const { return narrow ? narrow[i] : wide[i]; }

private:
  const std::int32_t *narrow;
  const std::int64_t *wide;
};

void store(const HostTensor &tensor, std::int64_t i, std::int64_t value) {
  if (tensor.dtype == DType::I32)
    tensor.as<std::int32_t>()[i] = static_cast<std::int32_t>(value);
  else
    tensor.as<std::int64_t>()[i] = value;
}

/// Copies row `from` of one tensor to row `to` of another; small rows inline.
void copyRow(const std::byte *in, std::int64_t from, std::byte *out, std::int64_t to,
             std::int64_t bytes) {
  if (bytes == 4)
    std::memcpy(out + to * 4, in + from * 4, 4);
  else if (bytes > 0) // a tensor without columns may have no memory
    std::memcpy(out + to * bytes, in + from * bytes, static_cast<std::size_t>(bytes));
}

Status outputs(GraphCallContext &context, std::vector<HostTensor> &out) {
  for (std::size_t i = 0; i < context.numOutputs; ++i) {
    Expected<HostTensor> tensor = context.output(i);
    if (!tensor)
      return tensor.status();
    out.push_back(*tensor);
  }
  return {};
}

Status checkOneNodeSet(const GraphCallContext &context) {
  if (context.dstNodes != context.srcNodes)
    return {Code::InvalidGraph, "self loops need one node set: the graph has " +
                                    std::to_string(context.dstNodes) + " destinations and " +
                                    std::to_string(context.srcNodes) + " sources"};
  return {};
}

/// An edge tensor and the one its rows go to must differ in the row count only.
Status checkEdgeTensor(const HostTensor &in, const HostTensor &out, std::int64_t inRows,
                       std::int64_t outRows) {
  GNNC_TRY(checkTensor(in, "edge tensor", inRows));
  GNNC_TRY(checkTensor(out, "result of an edge tensor", outRows));
  if (in.dtype != out.dtype || in.shape.size() != out.shape.size() ||
      !std::equal(in.shape.begin() + 1, in.shape.end(), out.shape.begin() + 1))
    return wrong("edge tensor is " + in.text() + ", its result " + out.text());
  return {};
}

/// The edges that are no self loops, and where each goes when the others leave.
class Kept {
public:
  Kept(const Indices &src, const Indices &dst, std::int64_t edges)
      : edges(edges), blocks(blockCount(edges)), first(static_cast<std::size_t>(blocks) + 1, 0) {
    forBlocks(edges, blocks, [&](std::int64_t block, std::int64_t begin, std::int64_t end) {
      std::int64_t count = 0;
      for (std::int64_t e = begin; e < end; ++e)
        count += src[e] != dst[e];
      first[static_cast<std::size_t>(block) + 1] = count;
    });
    for (std::size_t i = 1; i < first.size(); ++i)
      first[i] += first[i - 1];
  }

  std::int64_t total() const { return first.back(); }

  /// Calls `move(from, to)` for every edge that is kept, on several threads.
  template <class Move>
  void forEach(const Indices &src, const Indices &dst, Move move) const {
    forBlocks(edges, blocks, [&](std::int64_t block, std::int64_t begin, std::int64_t end) {
      std::int64_t to = first[static_cast<std::size_t>(block)];
      for (std::int64_t e = begin; e < end; ++e)
        if (src[e] != dst[e])
          move(e, to++);
    });
  }

private:
  std::int64_t edges, blocks;
  std::vector<std::int64_t> first; ///< position of each block's first kept edge
};

} // namespace

Status addSelfLoops(GraphCallContext &context) {
  const bool weighted = context.inputs.size() > 2;
  GNNC_TRY(checkCounts(context, 2, weighted ? 3 : 2, 1));
  const std::int64_t nodes = context.dstNodes, edges = context.edges;
  GNNC_TRY(checkOneNodeSet(context));
  GNNC_TRY(checkIndices(context.inputs[0], "src", edges));
  GNNC_TRY(checkIndices(context.inputs[1], "dst", edges));
  Indices src(context.inputs[0]), dst(context.inputs[1]);

  const Kept kept(src, dst, edges);
  const std::int64_t keptEdges = kept.total();
  GNNC_TRY(context.setSymbol(0, keptEdges + nodes));

  std::vector<HostTensor> out;
  GNNC_TRY(outputs(context, out));
  GNNC_TRY(checkIndices(out[0], "looped src", keptEdges + nodes));
  GNNC_TRY(checkIndices(out[1], "looped dst", keptEdges + nodes));
  GNNC_TRY(checkNarrowing(out[0], "looped src", nodes - 1));
  GNNC_TRY(checkNarrowing(out[1], "looped dst", nodes - 1));
  const std::byte *weights = nullptr;
  std::byte *loopWeights = nullptr;
  std::int64_t bytes = 0;
  std::uint64_t fill = 0;
  if (weighted) {
    const HostTensor &in = context.inputs[2];
    GNNC_TRY(checkTensor(in, "weights", edges));
    GNNC_TRY(checkTensor(out[2], "loop weights", keptEdges + nodes));
    if (in.shape.size() != 1 || out[2].shape.size() != 1 || in.dtype != out[2].dtype ||
        !format::floatBits(context.fill, in.dtype, fill))
      return wrong("weights are " + in.text() + " and " + out[2].text() +
                   ", expected one float type of rank 1");
    weights = in.as<std::byte>();
    loopWeights = out[2].as<std::byte>();
    bytes = in.rowBytes();
  }

  forBlocks(nodes, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      store(out[0], keptEdges + v, v);
      store(out[1], keptEdges + v, v);
      if (weighted)
        std::memcpy(loopWeights + (keptEdges + v) * bytes, &fill, static_cast<std::size_t>(bytes));
    }
  });
  kept.forEach(src, dst, [&](std::int64_t e, std::int64_t to) {
    store(out[0], to, src[e]);
    store(out[1], to, dst[e]);
    if (weighted)
      copyRow(weights, e, loopWeights, to, bytes);
  });
  // In edge order, not by blocks: the last loop of a node decides.
  if (weighted && keptEdges < edges)
    for (std::int64_t e = 0; e < edges; ++e)
      if (src[e] == dst[e])
        copyRow(weights, e, loopWeights, keptEdges + dst[e], bytes);
  return {};
}

Status removeSelfLoops(GraphCallContext &context) {
  GNNC_TRY(checkCounts(context, 2, context.inputs.size(), 1));
  GNNC_TRY(checkOneNodeSet(context));
  const std::int64_t nodes = context.dstNodes, edges = context.edges;
  GNNC_TRY(checkIndices(context.inputs[0], "src", edges));
  GNNC_TRY(checkIndices(context.inputs[1], "dst", edges));
  Indices src(context.inputs[0]), dst(context.inputs[1]);
  const Kept kept(src, dst, edges);
  GNNC_TRY(context.setSymbol(0, kept.total()));

  std::vector<HostTensor> out;
  GNNC_TRY(outputs(context, out));
  for (auto [i, name] : {std::pair(0, "kept src"), {1, "kept dst"}}) {
    GNNC_TRY(checkIndices(out[i], name, kept.total()));
    GNNC_TRY(checkNarrowing(out[i], name, nodes - 1));
  }
  for (std::size_t i = 2; i < out.size(); ++i)
    GNNC_TRY(checkEdgeTensor(context.inputs[i], out[i], edges, kept.total()));
  kept.forEach(src, dst, [&](std::int64_t e, std::int64_t to) {
    store(out[0], to, src[e]);
    store(out[1], to, dst[e]);
    for (std::size_t i = 2; i < out.size(); ++i)
      copyRow(context.inputs[i].as<std::byte>(), e, out[i].as<std::byte>(), to, out[i].rowBytes());
  });
  return {};
}

Status appendSelfLoops(GraphCallContext &context) {
  const std::size_t tensors = context.numOutputs - std::min<std::size_t>(context.numOutputs, 2);
  GNNC_TRY(checkCounts(context, 2 + 2 * tensors, 2 + tensors, 1));
  GNNC_TRY(checkOneNodeSet(context));
  const std::int64_t nodes = context.dstNodes, edges = context.edges;
  GNNC_TRY(checkIndices(context.inputs[0], "src", edges));
  GNNC_TRY(checkIndices(context.inputs[1], "dst", edges));
  GNNC_TRY(context.setSymbol(0, edges + nodes));
  std::vector<HostTensor> out;
  GNNC_TRY(outputs(context, out));
  for (std::size_t end : {0, 1}) {
    GNNC_TRY(checkIndices(out[end], "appended ids", edges + nodes));
    GNNC_TRY(checkNarrowing(out[end], "appended ids", nodes - 1));
    Indices ids(context.inputs[end]);
    forBlocks(edges + nodes, [&](std::int64_t, std::int64_t begin, std::int64_t last) {
      for (std::int64_t e = begin; e < last; ++e)
        store(out[end], e, e < edges ? ids[e] : e - edges);
    });
  }
  for (std::size_t i = 2; i < out.size(); ++i) {
    const HostTensor &rows = context.inputs[i], &loops = context.inputs[i + tensors];
    GNNC_TRY(checkEdgeTensor(rows, out[i], edges, edges + nodes));
    GNNC_TRY(checkEdgeTensor(loops, out[i], nodes, edges + nodes));
    auto *to = out[i].as<std::byte>();
    for (auto [from, at, count] :
         {std::tuple(&rows, std::int64_t{0}, edges), {&loops, edges, nodes}})
      if (std::int64_t bytes = count * rows.rowBytes(); bytes > 0)
        std::memcpy(to + at * rows.rowBytes(), from->as<std::byte>(),
                    static_cast<std::size_t>(bytes));
  }
  return {};
}

Status loopWeights(GraphCallContext &context) {
  GNNC_TRY(checkCounts(context, 3, 1, 0));
  GNNC_TRY(checkOneNodeSet(context));
  const std::int64_t nodes = context.dstNodes, edges = context.edges;
  GNNC_TRY(checkIndices(context.inputs[0], "src", edges));
  GNNC_TRY(checkIndices(context.inputs[1], "dst", edges));
  const HostTensor &weights = context.inputs[2];
  std::vector<HostTensor> out;
  GNNC_TRY(outputs(context, out));
  GNNC_TRY(checkEdgeTensor(weights, out[0], edges, nodes));
  std::uint64_t fill = 0;
  if (weights.shape.size() != 1 || !format::floatBits(context.fill, weights.dtype, fill))
    return wrong("weights are " + weights.text() + ", expected a float type of rank 1");
  Indices src(context.inputs[0]), dst(context.inputs[1]);
  auto *loops = out[0].as<std::byte>();
  const std::int64_t bytes = weights.rowBytes();
  for (std::int64_t v = 0; v < nodes; ++v)
    std::memcpy(loops + v * bytes, &fill, static_cast<std::size_t>(bytes));
  // In edge order: the last loop of a node decides.
  for (std::int64_t e = 0; e < edges; ++e)
    if (src[e] == dst[e])
      copyRow(weights.as<std::byte>(), e, loops, dst[e], bytes);
  return {};
}

Status toCsr(GraphCallContext &context) {
  GNNC_TRY(checkCounts(context, 2, context.inputs.size(), 0));
  const std::int64_t nodes = context.dstNodes, edges = context.edges;
  GNNC_TRY(checkIndices(context.inputs[0], "src", edges));
  GNNC_TRY(checkIndices(context.inputs[1], "dst", edges));
  std::vector<HostTensor> out;
  GNNC_TRY(outputs(context, out));
  GNNC_TRY(checkIndices(out[0], "rowptr", nodes + 1));
  GNNC_TRY(checkIndices(out[1], "col", edges));
  GNNC_TRY(checkNarrowing(out[0], "rowptr", edges));
  GNNC_TRY(checkNarrowing(out[1], "col", context.srcNodes - 1));
  for (std::size_t i = 2; i < out.size(); ++i)
    GNNC_TRY(checkEdgeTensor(context.inputs[i], out[i], edges, edges));
  Indices src(context.inputs[0]), dst(context.inputs[1]);

  // Stable counting sort: each block counts its edges per row; the blocks' counts
  // of one row, in block order, then become their first positions.
  const std::int64_t blocks = edges / 4 > nodes ? std::min<std::int64_t>(blockCount(edges), 8) : 1;
  auto stride = static_cast<std::size_t>(nodes);
  std::unique_ptr<std::int64_t[]> positions(
      new (std::nothrow) std::int64_t[static_cast<std::size_t>(blocks) * stride]());
  if (!positions)
    return {Code::OutOfMemory,
            std::to_string(blocks * nodes * 8) + " bytes were needed to sort the edges"};
  forBlocks(edges, blocks, [&](std::int64_t block, std::int64_t begin, std::int64_t end) {
    std::int64_t *counts = positions.get() + static_cast<std::size_t>(block) * stride;
    for (std::int64_t e = begin; e < end; ++e)
      ++counts[dst[e]];
  });
  std::int64_t position = 0;
  for (std::int64_t v = 0; v < nodes; ++v) {
    store(out[0], v, position);
    for (std::int64_t block = 0; block < blocks; ++block) {
      std::int64_t &slot =
          positions[static_cast<std::size_t>(block) * stride + static_cast<std::size_t>(v)];
      std::int64_t count = slot;
      slot = position;
      position += count;
    }
  }
  store(out[0], nodes, position);
  forBlocks(edges, blocks, [&](std::int64_t block, std::int64_t begin, std::int64_t end) {
    std::int64_t *next = positions.get() + static_cast<std::size_t>(block) * stride;
    for (std::int64_t e = begin; e < end; ++e) {
      std::int64_t to = next[dst[e]]++;
      store(out[1], to, src[e]);
      for (std::size_t i = 2; i < out.size(); ++i)
        copyRow(context.inputs[i].as<std::byte>(), e, out[i].as<std::byte>(), to,
                out[i].rowBytes());
    }
  });
  return {};
}

Status partitionRows(GraphCallContext &context) {
  GNNC_TRY(checkCounts(context, 1, 2, 3));
  const std::int64_t rows = context.dstNodes;
  GNNC_TRY(checkIndices(context.inputs[0], "rowptr", rows + 1));
  const std::int64_t window = itemWindow(context.order);
  if (window < 0)
    return wrong("order is '" + context.order + "', expected row, longest or windows");
  Indices rowptr(context.inputs[0]);
  const std::int64_t edges = rowptr[rows];
  const std::int64_t chunk = context.chunk > 0 ? context.chunk : INT64_MAX;

  std::int64_t items = 0, splits = 0, slots = 0, longest = 0;
  auto parts = [&](std::int64_t length) { return length <= chunk ? 1 : (length - 1) / chunk + 1; };
  for (std::int64_t v = 0; v < rows; ++v) {
    std::int64_t length = rowptr[v + 1] - rowptr[v];
    if (length < 0)
      return wrong("rowptr falls from " + std::to_string(rowptr[v]) + " to " +
                   std::to_string(rowptr[v + 1]) + " at row " + std::to_string(v));
    items += parts(length);
    splits += length > chunk;
    slots += length > chunk ? parts(length) : 0;
    longest = std::max(longest, std::min(length, chunk));
  }
  if (std::max({items, rows, edges}) > INT32_MAX)
    return {Code::GuardFailed, "work items are 32-bit: found " + std::to_string(rows) + " rows, " +
                                   std::to_string(edges) + " edges, " + std::to_string(items) +
                                   " items; the limit is 2147483647"};
  GNNC_TRY(context.setSymbol(0, items));
  GNNC_TRY(context.setSymbol(1, splits));
  GNNC_TRY(context.setSymbol(2, slots));
  std::vector<HostTensor> out;
  GNNC_TRY(outputs(context, out));
  for (std::size_t i : {0, 1}) {
    std::vector<std::int64_t> shape = {i == 0 ? items : splits, 4};
    if (out[i].dtype != DType::I32 || out[i].shape != shape)
      return wrong(std::string(i == 0 ? "items are " : "splits are ") + out[i].text() +
                   ", expected " + format::describe(DType::I32, shape));
  }

  using Entry = std::array<std::int32_t, 4>;
  auto entry = [](std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
    return Entry{static_cast<std::int32_t>(a), static_cast<std::int32_t>(b),
                 static_cast<std::int32_t>(c), static_cast<std::int32_t>(d)};
  };
  Entry *const first = out[0].as<Entry>(), *splitRow = out[1].as<Entry>();
  std::int64_t count = 0, slot = 0;
  for (std::int64_t v = 0; v < rows; ++v) {
    const std::int64_t firstSlot = slot, length = rowptr[v + 1] - rowptr[v];
    const bool isSplit = length > chunk;
    std::int64_t begin = rowptr[v], end = rowptr[v + 1];
    do { // once for an empty row
      std::int64_t stop = end - begin > chunk ? begin + chunk : end;
      first[count++] = entry(v, begin, stop, isSplit ? slot++ : -1);
      begin = stop;
    } while (begin < end);
    if (isSplit)
      *splitRow++ = entry(v, firstSlot, slot, length);
  }
  if (window == 0)
    return {};
  // Light, window, falling length; then row and first edge, which are row order.
  const std::int64_t light = lightItem(context.order, longest);
  std::vector<std::tuple<bool, std::int64_t, std::int64_t, Entry>> keyed;
  keyed.reserve(static_cast<std::size_t>(items));
  for (std::int64_t i = 0; i < items; ++i) {
    const std::int64_t length = first[i][2] - first[i][1];
    keyed.emplace_back(light > 0 && length <= light, i / window, -length, first[i]);
  }
  std::ranges::sort(keyed);
  for (std::int64_t i = 0; i < items; ++i)
    first[i] = std::get<Entry>(keyed[static_cast<std::size_t>(i)]);
  return {};
}

Status slice(GraphCallContext &context) {
  GNNC_TRY(checkCounts(context, 1, 1, 0));
  const HostTensor &in = context.inputs[0];
  const std::size_t rank = in.shape.size();
  bool inside = context.offsets.size() == rank && context.sizes.size() == rank;
  std::int64_t elements = 1;
  for (std::size_t i = 0; inside && i < rank; ++i) {
    std::int64_t offset = context.offsets[i], size = context.sizes[i];
    inside = offset >= 0 && size >= 0 && offset <= in.shape[i] && size <= in.shape[i] - offset;
    elements *= size;
  }
  if (!inside)
    return wrong("the window does not lie in its tensor, " + in.text());
  std::vector<HostTensor> out;
  GNNC_TRY(outputs(context, out));
  const auto width = static_cast<std::int64_t>(format::sizeOf(in.dtype));
  if (out[0].dtype != in.dtype || out[0].bytes() != elements * width)
    return wrong("the window has " + std::to_string(elements) + " elements of " + in.text() +
                 ", its result is " + out[0].text());
  if (elements == 0)
    return {};
  // Runs of the last dimension, one copy each; `at` counts over the others.
  const std::int64_t run = rank ? context.sizes[rank - 1] * width : width;
  std::vector<std::int64_t> at(rank, 0);
  std::byte *to = out[0].as<std::byte>();
  for (std::int64_t copied = 0; copied < elements * width; copied += run) {
    std::int64_t from = 0;
    for (std::size_t i = 0; i < rank; ++i)
      from = from * in.shape[i] + context.offsets[i] + at[i];
    std::memcpy(to + copied, in.as<std::byte>() + from * width, static_cast<std::size_t>(run));
    for (std::size_t i = rank ? rank - 1 : 0; i-- > 0;) {
      if (++at[i] < context.sizes[i])
        break;
      at[i] = 0;
    }
  }
  return {};
}

Status transposeMatrix(GraphCallContext &context) {
  GNNC_TRY(checkCounts(context, 1, 1, 0));
  const HostTensor &in = context.inputs[0];
  std::vector<HostTensor> out;
  GNNC_TRY(outputs(context, out));
  if (in.shape.size() != 2 || out[0].shape.size() != 2 || out[0].dtype != in.dtype ||
      out[0].shape[0] != in.shape[1] || out[0].shape[1] != in.shape[0])
    return wrong(in.text() + " transposed is not " + out[0].text());
  const auto width = static_cast<std::int64_t>(format::sizeOf(in.dtype));
  const std::int64_t rows = in.shape[0], columns = in.shape[1];
  for (std::int64_t c = 0; c < columns; ++c)
    for (std::int64_t r = 0; r < rows; ++r)
      std::memcpy(out[0].as<std::byte>() + (c * rows + r) * width,
                  in.as<std::byte>() + (r * columns + c) * width, static_cast<std::size_t>(width));
  return {};
}

GraphCallFunction findGraphCall(const std::string &name) {
  static constexpr std::pair<const char *, GraphCallFunction> table[] = {
      {"add_self_loops", addSelfLoops},
      {"remove_self_loops", removeSelfLoops},
      {"append_self_loops", appendSelfLoops},
      {"loop_weights", loopWeights},
      {"to_csr", toCsr},
      {"partition_rows", partitionRows},
      {"slice", slice},
      {"transpose_matrix", transposeMatrix},
      {"make_graph", makeGraph}};
  for (const auto &[callee, function] : table)
    if (name == callee)
      return function;
  return nullptr;
}

} // namespace gnnc::runtime
