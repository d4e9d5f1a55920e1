//===- EagerTest.cpp - The baselines compute what PyG computes ------------===//
#include "benchmarks/eager/EagerModel.h"
#include "runtime/format/SafeTensors.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace gnnc::bench;

namespace {

const std::filesystem::path data = GNNC_TEST_DATA;

/// A case of test/data/pyg: arguments, weights, graph, what PyG computed.
struct Case {
  ModelSpec spec;
  Weights weights;
  GraphData graph;
  at::Tensor x, expected;

  explicit Case(const std::filesystem::path &folder) {
    auto json = nlohmann::json::parse(std::ifstream(folder / "case.json"));
    auto args = json["args"];
    spec.model = json["model"].template get<std::string>();
    std::ranges::transform(spec.model, spec.model.begin(), [](char c) { return std::tolower(c); });
    if (spec.model == "graphsage")
      spec.model = "sage";
    if (args.value("v2", false))
      spec.model = "gatv2";
    spec.aggr = args.value("aggr", "mean");
    spec.act = args.value("act", "relu");
    spec.addSelfLoops = args.value("add_self_loops", true);
    spec.normalize = args.value("normalize", true);
    auto own = folder / "graph.safetensors";
    graph = readGraph(
        std::filesystem::exists(own) ? own : data / json["graph"].template get<std::string>());
    spec.inChannels = graph.numFeatures;
    weights = readWeights(folder / "weights.safetensors", spec);
    x = torch::from_blob(graph.x.data(), {graph.numNodes, graph.numFeatures}).clone();

    gnnc::format::TensorFile file;
    std::string error;
    if (!gnnc::format::readTensors(folder / "expected.safetensors", file, error))
      throw Failure(error);
    const auto *out = file.find("out");
    expected = torch::from_blob(const_cast<std::byte *>(out->bytes.data), out->shape,
                                at::TensorOptions(at::kDouble))
                   .clone();
  }

  at::Tensor run(Aggregation aggregation, bool fixes) const {
    at::NoGradGuard noGrad;
    EagerOptions options;
    options.aggregation = aggregation;
    options.fixes = fixes;
    return makeEager(spec, weights, GraphTensors::fromData(graph), options)->forward(x);
  }
};

/// All but those of options that the baselines do not have.
std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(data / "pyg"))
    if (entry.is_directory() && !entry.path().filename().string().starts_with("options-"))
      names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

class PygCase : public testing::TestWithParam<std::string> {};

TEST_P(PygCase, reference_equals_pyg_in_float64) {
  Case pyg(data / "pyg" / GetParam());
  at::Tensor out =
      referenceForward(pyg.spec, pyg.weights, GraphTensors::fromData(pyg.graph), pyg.x, at::kCPU);
  EXPECT_LE(maxRelativeError(out, pyg.expected), 1e-12);
}

TEST_P(PygCase, every_baseline_is_within_1e_5) {
  Case pyg(data / "pyg" / GetParam());
  EXPECT_LE(maxRelativeError(pyg.run(Aggregation::GatherScatter, true), pyg.expected), 1e-5);
  EXPECT_LE(maxRelativeError(pyg.run(Aggregation::GatherScatter, false), pyg.expected), 1e-5);
  if (pyg.spec.model == "sage" && pyg.spec.aggr == "max") // no matrix product
    EXPECT_THROW(pyg.run(Aggregation::Csr, true), Failure);
  else
    EXPECT_LE(maxRelativeError(pyg.run(Aggregation::Csr, true), pyg.expected), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Models, PygCase, testing::ValuesIn(cases()), [](const auto &info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(PygCases, all_are_there) { EXPECT_EQ(cases().size(), 18u); }

TEST(PygCases, a_wrong_weight_shows) {
  Case pyg(data / "pyg" / "gcn-hard");
  for (float &value : pyg.weights["convs.1.bias"].values)
    value += 0.01f;
  EXPECT_GT(maxRelativeError(pyg.run(Aggregation::GatherScatter, true), pyg.expected), 1e-5);
}

TEST(MaxRelativeError, names_the_largest_difference) {
  at::Tensor a = torch::tensor({1.0, 2.0, 4.0}, at::kDouble), b = a.clone();
  b[1] += 0.5;
  EXPECT_DOUBLE_EQ(maxRelativeError(b, a), 0.125);
}

TEST(MaxRelativeError, nan_on_one_side_is_infinite) {
  at::Tensor a = torch::tensor({1.0, std::nan("")}, at::kDouble);
  EXPECT_EQ(maxRelativeError(a, a), 0.0);
  EXPECT_TRUE(std::isinf(maxRelativeError(torch::tensor({1.0, 2.0}, at::kDouble), a)));
}

TEST(Weights, written_and_read_again) {
  ModelSpec spec;
  spec.inChannels = 5;
  spec.hiddenChannels = 4;
  spec.outChannels = 3;
  spec.numLayers = 3;
  spec.norm = "batch_norm";
  Weights weights = randomWeights(spec, 1);
  EXPECT_EQ(weights.size(), 3u * 2 + 2 * 4);
  auto path = std::filesystem::temp_directory_path() / "bench_eager_test_weights.safetensors";
  writeWeights(path, weights);
  ModelSpec read;
  Weights again = readWeights(path, read);
  std::filesystem::remove(path);
  EXPECT_EQ(read.numLayers, 3);
  EXPECT_EQ(read.hiddenChannels, 4);
  EXPECT_EQ(read.outChannels, 3);
  EXPECT_EQ(read.norm, "batch_norm");
  for (const auto &[name, tensor] : weights)
    EXPECT_EQ(again.at(name).values, tensor.values) << name;
}

TEST(Weights, random_ones_of_every_model_are_read_again) {
  auto path = std::filesystem::temp_directory_path() / "bench_eager_test_models.safetensors";
  for (const char *model : {"gcn", "sage", "gin", "gat", "gatv2"}) {
    ModelSpec spec;
    spec.model = model;
    spec.inChannels = 5;
    spec.hiddenChannels = 8;
    spec.outChannels = 3;
    spec.heads = 2;
    spec.lastHeads = 1;
    spec.rootWeight = false;
    spec.residual = true;
    writeWeights(path, randomWeights(spec, 1));
    ModelSpec read;
    read.model = model;
    readWeights(path, read);
    EXPECT_EQ(read.hiddenChannels, 8) << model;
    EXPECT_EQ(read.outChannels, 3) << model;
    EXPECT_EQ(read.numLayers, 2) << model;
    EXPECT_TRUE(read.residual) << model;
    if (read.model == "sage")
      EXPECT_FALSE(read.rootWeight);
    if (read.model == "gat" || read.model == "gatv2") {
      EXPECT_EQ(read.heads, 2) << model;
      EXPECT_EQ(read.lastHeads, 1) << model;
    }
  }
  std::filesystem::remove(path);
}

TEST(Weights, width_that_does_not_fit_the_graph) {
  ModelSpec spec;
  spec.inChannels = 7;
  try {
    readWeights(data / "pyg" / "gcn-hard" / "weights.safetensors", spec);
    FAIL() << "accepted";
  } catch (const Failure &failure) {
    EXPECT_NE(std::string(failure.what())
                  .find("tensor 'convs.0.lin.weight' takes 5 features, the graph has 7"),
              std::string::npos)
        << failure.what();
  }
}

} // namespace
