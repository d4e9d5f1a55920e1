//===- GraphFile.cpp - Graphs in files ------------------------------------===//
#include "tools/graph/GraphFile.h"
#include "tools/graph/TextGraph.h"

#include <charconv>
#include <cstring>
#include <initializer_list>

namespace gnnc::tools {

using format::DType;
using format::Tensor;

namespace {

bool fail(std::string &error, const std::string &path, const std::string &what) {
  error = path + ": " + what;
  return false;
}

std::string shown(const Tensor &tensor) { return format::describe(tensor.dtype, tensor.shape); }

bool isIndex(DType dtype) { return dtype == DType::I32 || dtype == DType::I64; }

/// A whole number in the metadata; false with a message when it is none.
bool metadataCount(const GraphFile &graph, const std::string &key, std::int64_t &count,
                   std::string &error) {
  auto found = graph.file.metadata.find(key);
  if (found == graph.file.metadata.end())
    return true;
  const std::string &text = found->second;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (code != std::errc() || end != text.data() + text.size() || count < 0)
    return fail(error, graph.path, "metadata " + key + " is '" + text + "', expected a count");
  return true;
}

/// A count of nodes that several parts of a file give, and the first of them.
class NodeCount {
public:
  NodeCount(const std::string &path, const char *what) : path(path), what(what) {}

  bool agree(std::int64_t given, const std::string &source, std::string &error) {
    if (count >= 0 && count != given)
      return fail(error, path,
                  source + " gives " + std::to_string(given) + what + ", " + from + " gives " +
                      std::to_string(count));
    count = given;
    from = source;
    return true;
  }
  /// What the file says, else the largest id at these ends + 1.
  std::int64_t orLargestId(const GraphFile &graph, std::initializer_list<int> ends) const {
    if (count >= 0)
      return count;
    std::int64_t largest = -1;
    for (int end : ends)
      for (std::int64_t e = 0; e < graph.edges; ++e)
        largest = std::max(largest, graph.id(end, e));
    return largest < INT64_MAX ? largest + 1 : largest;
  }

private:
  const std::string &path;
  const char *what;
  std::int64_t count = -1;
  std::string from;
};

/// The rows of a tensor as a count.
bool agreeOnRows(const GraphFile &graph, const char *name, NodeCount &count, std::string &error) {
  const Tensor *tensor = graph.file.find(name);
  return !tensor || tensor->shape.empty() || count.agree(tensor->shape.front(), name, error);
}

bool agreeOnMetadata(const GraphFile &graph, const char *key, NodeCount &count,
                     std::string &error) {
  std::int64_t stated = -1;
  return metadataCount(graph, key, stated, error) &&
         (stated < 0 || count.agree(stated, std::string("metadata ") + key, error));
}

bool countOneSet(GraphFile &graph, std::string &error) {
  NodeCount count(graph.path, " nodes");
  for (const char *name : {"x", "batch", "train_mask", "val_mask", "test_mask"})
    if (!agreeOnRows(graph, name, count, error))
      return false;
  if (const Tensor *rows = graph.file.find("x_indptr"); rows && rows->shape.size() == 1)
    if (rows->shape.front() > 0 && !count.agree(rows->shape.front() - 1, "x_indptr", error))
      return false;
  if (!agreeOnMetadata(graph, kNumNodes, count, error))
    return false;
  graph.sources = graph.destinations = count.orLargestId(graph, {0, 1});
  return true;
}

/// Labels and masks belong to destinations: a program's output has their rows.
bool countBothSets(GraphFile &graph, std::string &error) {
  for (const char *name : {"x", "x_indptr"})
    if (graph.file.find(name))
      return fail(error, graph.path,
                  std::string("has ") + name + " of one set of nodes and " +
                      "x_src, x_dst, num_src_nodes or num_dst_nodes of two");
  if (graph.file.metadata.count(kNumNodes))
    return fail(error, graph.path,
                "metadata num_nodes counts one set of nodes, the file has two; give num_src_nodes "
                "and num_dst_nodes");
  NodeCount sources(graph.path, " sources"), destinations(graph.path, " destinations");
  if (!agreeOnRows(graph, "x_src", sources, error) ||
      !agreeOnMetadata(graph, kNumSources, sources, error))
    return false;
  for (const char *name : {"x_dst", "batch", "train_mask", "val_mask", "test_mask"})
    if (!agreeOnRows(graph, name, destinations, error))
      return false;
  if (!agreeOnMetadata(graph, kNumDestinations, destinations, error))
    return false;
  graph.sources = sources.orLargestId(graph, {0});
  graph.destinations = destinations.orLargestId(graph, {1});
  return true;
}

bool checkTensors(GraphFile &graph, std::string &error) {
  const Tensor *index = graph.file.find("edge_index");
  if (!index)
    return fail(error, graph.path, "tensor 'edge_index' is missing; a graph file needs it");
  if (!isIndex(index->dtype) || index->shape.size() != 2 || index->shape[0] != 2)
    return fail(error, graph.path,
                "edge_index is " + shown(*index) + ", expected I32 or I64 [2, edges]");
  graph.edges = index->shape[1];
  for (const char *name : {"edge_weight", "edge_attr", "edge_type"}) {
    const Tensor *tensor = graph.file.find(name);
    if (tensor && (tensor->shape.empty() || tensor->shape.front() != graph.edges))
      return fail(error, graph.path,
                  std::string(name) + " is " + shown(*tensor) + ", the graph has " +
                      std::to_string(graph.edges) + " edges");
  }
  graph.isBipartite = graph.file.find("x_src") || graph.file.find("x_dst") ||
                      graph.file.metadata.count(kNumSources) ||
                      graph.file.metadata.count(kNumDestinations);
  return graph.isBipartite ? countBothSets(graph, error) : countOneSet(graph, error);
}

} // namespace

std::string GraphFile::counts() const {
  std::string nodes = isBipartite ? std::to_string(sources) + " sources, " +
                                        std::to_string(destinations) + " destinations"
                                  : std::to_string(sources) + " nodes";
  return nodes + ", " + std::to_string(edges) + " edges";
}

bool readGraph(const std::string &path, GraphFile &graph, std::string &error) {
  graph = {};
  graph.path = path;
  TextFormat text = textFormatOf(path);
  bool good = text == TextFormat::None ? format::readTensors(path, graph.file, error)
                                       : readTextGraph(path, text, graph.file, error);
  return good && checkTensors(graph, error);
}

bool findBadEdge(const GraphFile &graph, std::string &what) {
  for (std::int64_t e = 0; e < graph.edges; ++e)
    for (int end : {0, 1}) {
      std::int64_t count = end ? graph.destinations : graph.sources;
      if (std::int64_t id = graph.id(end, e); id < 0 || id >= count) {
        what = "edge " + std::to_string(e) + ": " + (end ? "destination " : "source ") +
               std::to_string(id) + " is not in [0, " + std::to_string(count) + ")";
        return true;
      }
    }
  return false;
}

bool writeGraph(const std::string &path, const GraphFile &graph, std::string &error) {
  TextFormat text = textFormatOf(path);
  if (text == TextFormat::None)
    return format::writeTensors(path, graph.file, error);
  return writeTextGraph(path, text, graph, error);
}

bool keepsAllTensors(const std::string &path) { return textFormatOf(path) == TextFormat::None; }

bool allocateTensor(std::string name, DType dtype, std::vector<std::int64_t> shape, Tensor &tensor,
                    std::string &error) {
  auto bytes = static_cast<std::int64_t>(format::sizeOf(dtype));
  std::shared_ptr<std::byte> memory;
  bool fits = true;
  for (std::int64_t extent : shape)
    fits = fits && extent >= 0 && !__builtin_mul_overflow(bytes, extent, &bytes);
  if (fits)
    memory = format::allocateBytes(static_cast<std::size_t>(bytes));
  if (!memory) {
    error = "out of memory for tensor '" + name + "', " + format::describe(dtype, shape);
    return false;
  }
  tensor = {std::move(name), dtype, std::move(shape), {}};
  tensor.bytes = {memory, memory.get(), static_cast<std::size_t>(bytes)};
  return true;
}

bool denseFeatures(const GraphFile &graph, std::int64_t features, Tensor &x, std::string &error) {
  if (const Tensor *dense = graph.file.find("x")) {
    x = *dense;
    return true;
  }
  const Tensor *rows = graph.file.find("x_indptr"), *columns = graph.file.find("x_indices"),
               *values = graph.file.find("x_values");
  if (!rows || !columns || !values)
    return fail(error, graph.path, "has no features: neither x nor x_indptr, x_indices, x_values");
  std::int64_t entries = columns->elements();
  if (!isIndex(rows->dtype) || !isIndex(columns->dtype) || values->dtype != DType::F32 ||
      values->elements() != entries || rows->elements() != graph.sources + 1)
    return fail(error, graph.path,
                "features are x_indptr " + shown(*rows) + ", x_indices " + shown(*columns) +
                    ", x_values " + shown(*values) + "; expected index types, F32, and " +
                    std::to_string(graph.sources + 1) + " row bounds");
  auto at = [](const Tensor &tensor, std::int64_t i) -> std::int64_t {
    return tensor.dtype == DType::I32 ? tensor.as<std::int32_t>()[i] : tensor.as<std::int64_t>()[i];
  };
  if (features < 0 && !metadataCount(graph, "num_features", features, error))
    return false;
  if (features < 0)
    for (std::int64_t i = 0; i < entries; ++i)
      features = std::max(features, at(*columns, i) + 1);
  std::string what;
  if (!allocateTensor("x", DType::F32, {graph.sources, std::max<std::int64_t>(features, 0)}, x,
                      what))
    return fail(error, graph.path, what);
  auto *out = reinterpret_cast<float *>(const_cast<std::byte *>(x.bytes.data));
  std::memset(out, 0, x.bytes.size);
  for (std::int64_t v = 0; v < graph.sources; ++v) {
    std::int64_t begin = at(*rows, v), end = at(*rows, v + 1);
    if (begin < 0 || begin > end || end > entries)
      return fail(error, graph.path,
                  "x_indptr: row " + std::to_string(v) + " is [" + std::to_string(begin) + ", " +
                      std::to_string(end) + "), of " + std::to_string(entries) + " entries");
    for (std::int64_t i = begin; i < end; ++i) {
      std::int64_t column = at(*columns, i);
      if (column < 0 || column >= features)
        return fail(error, graph.path,
                    "x_indices: entry " + std::to_string(i) + " is " + std::to_string(column) +
                        ", not in [0, " + std::to_string(features) + ")");
      out[v * features + column] += values->as<float>()[i];
    }
  }
  return true;
}

} // namespace gnnc::tools
