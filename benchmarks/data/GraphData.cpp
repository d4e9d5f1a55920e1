//===- GraphData.cpp - Graph files to plain arrays and back ---------------===//
#include "benchmarks/data/GraphData.h"

#include "runtime/format/SafeTensors.h"

#include <algorithm>
#include <filesystem>

using gnnc::format::describe;
using gnnc::format::DType;
using gnnc::format::Tensor;
using gnnc::format::TensorFile;

namespace gnnc::bench {
namespace {

/// One graph file being read; keeps the path for messages.
class Reader {
public:
  explicit Reader(const std::string &path) : path(path) {
    std::string error;
    if (!format::readTensors(path, file, error))
      throw Failure(error);
  }

  const Tensor *find(const char *name) const { return file.find(name); }

  [[noreturn]] void fail(const std::string &what) const { throw Failure(path + ": " + what); }

  void expect(const Tensor &tensor, bool right, const std::string &expected) const {
    if (!right)
      fail("tensor '" + tensor.name + "' is " + describe(tensor.dtype, tensor.shape) +
           ", expected " + expected);
  }

  /// Any integer tensor as 64-bit values.
  std::vector<std::int64_t> integers(const Tensor &tensor) const {
    std::size_t count = static_cast<std::size_t>(tensor.elements());
    if (tensor.dtype == DType::I64)
      return {tensor.as<std::int64_t>(), tensor.as<std::int64_t>() + count};
    if (tensor.dtype == DType::I32)
      return {tensor.as<std::int32_t>(), tensor.as<std::int32_t>() + count};
    fail("tensor '" + tensor.name + "' is " + describe(tensor.dtype, tensor.shape) +
         ", expected I64 or I32");
  }

  std::vector<float> floats(const Tensor &tensor) const {
    expect(tensor, tensor.dtype == DType::F32, "F32");
    return {tensor.as<float>(), tensor.as<float>() + tensor.elements()};
  }

  std::vector<std::uint8_t> mask(const char *name, std::int64_t nodes) const {
    const Tensor *tensor = find(name);
    if (!tensor)
      return {};
    expect(*tensor, tensor->dtype == DType::U8 && tensor->shape == std::vector<std::int64_t>{nodes},
           "U8[" + std::to_string(nodes) + "]");
    return {tensor->as<std::uint8_t>(), tensor->as<std::uint8_t>() + nodes};
  }

  std::int64_t number(const char *key) const {
    auto found = file.metadata.find(key);
    if (found == file.metadata.end())
      return -1;
    try {
      return std::stoll(found->second);
    } catch (const std::exception &) {
      fail(std::string("metadata ") + key + " is '" + found->second + "', not a number");
    }
  }

  std::string text(const char *key, const std::string &otherwise) const {
    auto found = file.metadata.find(key);
    return found == file.metadata.end() ? otherwise : found->second;
  }

private:
  std::string path;
  TensorFile file;
};

/// x_indptr, x_indices, x_values -> dense rows.
void readSparseFeatures(const Reader &reader, GraphData &graph) {
  const Tensor *indptr = reader.find("x_indptr");
  const Tensor *indices = reader.find("x_indices"), *values = reader.find("x_values");
  if (!indices || !values)
    reader.fail("has x_indptr but not both of x_indices and x_values");
  std::vector<std::int64_t> starts = reader.integers(*indptr), columns = reader.integers(*indices);
  std::vector<float> entries = reader.floats(*values);
  std::int64_t rows = static_cast<std::int64_t>(starts.size()) - 1;
  std::int64_t stored = static_cast<std::int64_t>(entries.size());
  if (rows < 0 || columns.size() != entries.size())
    reader.fail("x_indices has " + std::to_string(columns.size()) + " entries, x_values has " +
                std::to_string(entries.size()));
  std::int64_t width = reader.number("num_features");
  for (std::int64_t column : columns)
    width = std::max(width, column + 1);
  graph.numNodes = rows;
  graph.numFeatures = std::max<std::int64_t>(width, 0);
  graph.x.assign(static_cast<std::size_t>(rows * graph.numFeatures), 0.0f);
  for (std::int64_t row = 0; row < rows; ++row) {
    if (starts[row] < 0 || starts[row] > starts[row + 1] || starts[row + 1] > stored)
      reader.fail("x_indptr: row " + std::to_string(row) + " spans [" +
                  std::to_string(starts[row]) + ", " + std::to_string(starts[row + 1]) + ") of " +
                  std::to_string(stored) + " entries");
    for (std::int64_t at = starts[row]; at < starts[row + 1]; ++at) {
      if (columns[at] < 0)
        reader.fail("x_indices: entry " + std::to_string(at) + " is " +
                    std::to_string(columns[at]) + ", not a column");
      graph.x[row * graph.numFeatures + columns[at]] += entries[at];
    }
  }
}

} // namespace

GraphData readGraph(const std::string &path) {
  Reader reader(path);
  GraphData graph;
  std::string stem = std::filesystem::path(path).filename().string();
  graph.name = reader.text("name", stem.substr(0, stem.find('.')));
  graph.realData = reader.text("generator", "").empty();

  graph.numNodes = -1;
  if (const Tensor *x = reader.find("x")) {
    reader.expect(*x, x->shape.size() == 2, "F32[nodes, features]");
    graph.numNodes = x->shape[0];
    graph.numFeatures = x->shape[1];
    graph.x = reader.floats(*x);
  } else if (reader.find("x_indptr")) {
    readSparseFeatures(reader, graph);
  }
  std::int64_t stated = reader.number("num_nodes");
  if (graph.numNodes < 0)
    graph.numNodes = stated;
  if (graph.numNodes < 0)
    reader.fail("has neither features (x) nor num_nodes in its metadata");

  const Tensor *edges = reader.find("edge_index");
  if (!edges)
    reader.fail("has no tensor 'edge_index'; it is not a graph file");
  reader.expect(*edges, edges->shape.size() == 2 && edges->shape[0] == 2, "[2, edges]");
  graph.numEdges = edges->shape[1];
  graph.edgeIndex = reader.integers(*edges);
  for (std::int64_t at = 0; at < 2 * graph.numEdges; ++at)
    if (graph.edgeIndex[at] < 0 || graph.edgeIndex[at] >= graph.numNodes)
      reader.fail("edge " + std::to_string(at % graph.numEdges) + ": " +
                  (at < graph.numEdges ? "source " : "destination ") +
                  std::to_string(graph.edgeIndex[at]) + " is not in [0, " +
                  std::to_string(graph.numNodes) + "); were ids counted from 1?");
  if (const Tensor *weight = reader.find("edge_weight")) {
    reader.expect(*weight, weight->elements() == graph.numEdges,
                  "F32[" + std::to_string(graph.numEdges) + "]");
    graph.edgeWeight = reader.floats(*weight);
  }
  if (const Tensor *batch = reader.find("batch")) {
    reader.expect(*batch, batch->elements() == graph.numNodes,
                  "I64[" + std::to_string(graph.numNodes) + "]");
    graph.batch = reader.integers(*batch);
  }
  // Another count than that of the nodes: labels of whole graphs.
  if (const Tensor *y = reader.find("y"); y && y->elements() == graph.numNodes)
    graph.y = reader.integers(*y);
  else if (y && !graph.batch.empty())
    graph.graphLabels = reader.integers(*y);
  graph.trainMask = reader.mask("train_mask", graph.numNodes);
  graph.valMask = reader.mask("val_mask", graph.numNodes);
  graph.testMask = reader.mask("test_mask", graph.numNodes);
  graph.numClasses = std::max<std::int64_t>(reader.number("num_classes"), 0);
  for (std::int64_t label : graph.y)
    graph.numClasses = std::max(graph.numClasses, label + 1);
  return graph;
}

void writeGraph(const std::string &path, const GraphData &graph) {
  TensorFile file;
  auto add = [&](const char *name, DType dtype, std::vector<std::int64_t> shape, const void *data) {
    file.tensors.push_back(Tensor::view(name, dtype, std::move(shape), data));
  };
  std::vector<std::int32_t> narrow;
  if (graph.numEdges > 200000) {
    narrow.assign(graph.edgeIndex.begin(), graph.edgeIndex.end());
    add("edge_index", DType::I32, {2, graph.numEdges}, narrow.data());
  } else {
    add("edge_index", DType::I64, {2, graph.numEdges}, graph.edgeIndex.data());
  }
  if (!graph.edgeWeight.empty())
    add("edge_weight", DType::F32, {graph.numEdges}, graph.edgeWeight.data());
  if (graph.numFeatures)
    add("x", DType::F32, {graph.numNodes, graph.numFeatures}, graph.x.data());
  if (!graph.y.empty())
    add("y", DType::I64, {graph.numNodes}, graph.y.data());
  else if (!graph.graphLabels.empty())
    add("y", DType::I64, {static_cast<std::int64_t>(graph.graphLabels.size())},
        graph.graphLabels.data());
  if (!graph.batch.empty())
    add("batch", DType::I64, {graph.numNodes}, graph.batch.data());
  auto addMask = [&](const char *name, const std::vector<std::uint8_t> &mask) {
    if (!mask.empty())
      add(name, DType::U8, {graph.numNodes}, mask.data());
  };
  addMask("train_mask", graph.trainMask);
  addMask("val_mask", graph.valMask);
  addMask("test_mask", graph.testMask);
  file.metadata["name"] = graph.name;
  file.metadata["num_nodes"] = std::to_string(graph.numNodes);
  file.metadata["num_features"] = std::to_string(graph.numFeatures);
  if (graph.numClasses)
    file.metadata["num_classes"] = std::to_string(graph.numClasses);
  if (!graph.realData)
    file.metadata["generator"] = "gnn-generate";
  std::string error;
  if (!format::writeTensors(path, file, error))
    throw Failure(error);
}

} // namespace gnnc::bench
