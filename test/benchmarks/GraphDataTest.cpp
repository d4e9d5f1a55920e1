//===- GraphDataTest.cpp - Graph files are read as they are, or refused ---===//
#include "benchmarks/data/GraphData.h"
#include "runtime/format/SafeTensors.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <numeric>

using namespace gnnc::bench;
using gnnc::format::DType;
using gnnc::format::Tensor;
using gnnc::format::TensorFile;

namespace {

const std::filesystem::path data = GNNC_TEST_DATA;

/// Writes `file`, reads it as a graph and returns the message of the refusal.
std::string refusal(const TensorFile &file) {
  auto path = std::filesystem::temp_directory_path() / "bench_data_test_graph.safetensors";
  std::string error;
  EXPECT_TRUE(gnnc::format::writeTensors(path, file, error)) << error;
  try {
    readGraph(path);
  } catch (const Failure &failure) {
    error = failure.what();
  }
  std::filesystem::remove(path);
  return error;
}

TEST(GraphData, cora) {
  GraphData graph = readGraph(data / "cora" / "cora.safetensors.gz");
  EXPECT_EQ(graph.name, "cora");
  EXPECT_TRUE(graph.realData);
  EXPECT_EQ(graph.numNodes, 2708);
  EXPECT_EQ(graph.numEdges, 10556);
  EXPECT_EQ(graph.numFeatures, 1433);
  EXPECT_EQ(graph.numClasses, 7);
  EXPECT_EQ(std::accumulate(graph.x.begin(), graph.x.end(), 0.0), 49216.0);
  auto ones = [](const auto &mask) { return std::accumulate(mask.begin(), mask.end(), 0); };
  EXPECT_EQ(ones(graph.trainMask), 140);
  EXPECT_EQ(ones(graph.valMask), 500);
  EXPECT_EQ(ones(graph.testMask), 1000);
}

TEST(GraphData, written_and_read_again) {
  GraphData graph;
  graph.name = "pair";
  graph.numNodes = 2;
  graph.numEdges = 3;
  graph.numFeatures = 1;
  graph.numClasses = 5;
  graph.edgeIndex = {0, 1, 1, 1, 0, 1};
  graph.edgeWeight = {1, 2, 3};
  graph.x = {4, 5};
  auto path = std::filesystem::temp_directory_path() / "bench_data_test_pair.safetensors.gz";
  writeGraph(path, graph);
  GraphData again = readGraph(path);
  std::filesystem::remove(path);
  EXPECT_EQ(again.edgeIndex, graph.edgeIndex);
  EXPECT_EQ(again.edgeWeight, graph.edgeWeight);
  EXPECT_EQ(again.x, graph.x);
  EXPECT_EQ(again.numClasses, 5);
  EXPECT_FALSE(again.realData);
}

TEST(GraphData, labels_of_graphs_and_who_belongs_where) {
  GraphData graph;
  graph.name = "two";
  graph.numNodes = 3;
  graph.batch = {0, 0, 1};
  graph.graphLabels = {1, 0};
  auto path = std::filesystem::temp_directory_path() / "bench_data_test_two.safetensors";
  writeGraph(path, graph);
  GraphData again = readGraph(path);
  std::filesystem::remove(path);
  EXPECT_EQ(again.batch, graph.batch);
  EXPECT_EQ(again.graphLabels, graph.graphLabels);
  EXPECT_TRUE(again.y.empty());

  const std::int64_t edges[] = {0, 1}, batch[] = {0};
  TensorFile file;
  file.metadata["num_nodes"] = "2";
  file.tensors.push_back(Tensor::view("edge_index", DType::I64, {2, 1}, edges));
  file.tensors.push_back(Tensor::view("batch", DType::I64, {1}, batch));
  EXPECT_NE(refusal(file).find("tensor 'batch' is I64[1], expected I64[2]"), std::string::npos)
      << refusal(file);
}

TEST(GraphData, sparse_features_become_dense) {
  const std::int64_t indptr[] = {0, 2, 2}, edges[] = {0, 1};
  const std::int32_t indices[] = {2, 0};
  const float values[] = {7, 8};
  TensorFile file;
  file.tensors = {Tensor::view("x_indptr", DType::I64, {3}, indptr),
                  Tensor::view("x_indices", DType::I32, {2}, indices),
                  Tensor::view("x_values", DType::F32, {2}, values),
                  Tensor::view("edge_index", DType::I64, {2, 1}, edges)};
  auto path = std::filesystem::temp_directory_path() / "bench_data_test_sparse.safetensors";
  std::string error;
  ASSERT_TRUE(gnnc::format::writeTensors(path, file, error)) << error;
  GraphData graph = readGraph(path);
  std::filesystem::remove(path);
  EXPECT_EQ(graph.x, (std::vector<float>{8, 0, 7, 0, 0, 0}));
}

TEST(GraphData, edge_out_of_range_is_named) {
  const std::int64_t edges[] = {0, 2, 1, 0};
  const float x[] = {1, 2};
  TensorFile file;
  file.tensors = {Tensor::view("x", DType::F32, {2, 1}, x),
                  Tensor::view("edge_index", DType::I64, {2, 2}, edges)};
  EXPECT_NE(refusal(file).find("edge 1: source 2 is not in [0, 2); were ids counted from 1?"),
            std::string::npos);
}

TEST(GraphData, no_edge_index) {
  const float x[] = {1, 2};
  TensorFile file;
  file.tensors = {Tensor::view("x", DType::F32, {2, 1}, x)};
  EXPECT_NE(refusal(file).find("has no tensor 'edge_index'; it is not a graph file"),
            std::string::npos);
}

TEST(GraphData, no_node_count) {
  const std::int64_t edges[] = {0, 0};
  TensorFile file;
  file.tensors = {Tensor::view("edge_index", DType::I64, {2, 1}, edges)};
  EXPECT_NE(refusal(file).find("has neither features (x) nor num_nodes"), std::string::npos);
}

TEST(GraphData, missing_file) { EXPECT_THROW(readGraph("/no/such/graph.safetensors"), Failure); }

} // namespace
