//===- GraphSourceTest.cpp - Finding sets, and telling them apart ---------===//
#include "SetFolder.h"

using namespace gnnc::bench;

namespace {

GraphData pair() {
  GraphData graph;
  graph.name = "pair";
  graph.realData = true;
  graph.numNodes = 2;
  graph.numEdges = 1;
  graph.numFeatures = 1;
  graph.edgeIndex = {0, 1};
  graph.x = {4, 5};
  return graph;
}

std::string findRefusal(const std::string &root, const std::string &name) {
  try {
    findSet(root, name);
  } catch (const Failure &failure) {
    return failure.what();
  }
  return "";
}

TEST(GraphSource, file_and_folder_are_the_same_graph) {
  SetFolder folder("source");
  std::string file = (folder.path / "pair.safetensors.gz").string();
  writeGraph(file, pair());
  EXPECT_EQ(readAnyGraph(folder.path.string()).x, pair().x);
  EXPECT_EQ(readAnyGraph(file).edgeIndex, pair().edgeIndex);
}

TEST(GraphSource, what_no_reader_knows) {
  SetFolder folder("unknown");
  EXPECT_EQ(folder.refusal("none"), "none: no such file or folder");
  EXPECT_EQ(folder.refusal().find(folder.path.string() + ": no graph in this folder"), 0u);
  folder.write("g.bin", "x");
  EXPECT_EQ(folder.refusal("g.bin").find("g.bin: not a form that is read here; expected "), 0u);
  writeGraph((folder.path / "a.safetensors").string(), pair());
  writeGraph((folder.path / "b.safetensors").string(), pair());
  EXPECT_EQ(folder.refusal(),
            folder.path.string() + ": has a.safetensors and b.safetensors; name one of them");
  writeGraph((folder.path / (folder.path.filename().string() + ".safetensors")).string(), pair());
  EXPECT_EQ(folder.refusal(), ""); // the one with the folder's name
}

TEST(GraphSource, sets_by_name) {
  SetFolder root("root");
  root.write("Cora/x", "");
  root.write("ogbn_arxiv/x", "");
  root.write("soc-Pair.safetensors.gz", "");
  const std::string path = root.path.string();
  EXPECT_EQ(findSet(path, "cora"), path + "/Cora");
  EXPECT_EQ(findSet(path, "ogbn-arxiv"), path + "/ogbn_arxiv");
  EXPECT_EQ(findSet(path, "arxiv"), path + "/ogbn_arxiv");
  EXPECT_EQ(findSet(path, "soc-Pair"), path + "/soc-Pair.safetensors.gz");
  EXPECT_EQ(findRefusal(path, "pubmed"),
            "--data-root " + path +
                ": has no file or folder of set 'pubmed'; a name ending in -sized is a generated "
                "graph");
  EXPECT_EQ(findRefusal(path + "/none", "cora"), "--data-root " + path + "/none: no such folder");
}

TEST(GraphSource, checksum_sees_every_member) {
  const GraphData graph = pair();
  const std::string sum = checksum(graph);
  EXPECT_EQ(sum.size(), std::string("crc32:89abcdef").size());
  EXPECT_EQ(checksum(graph), sum);
  auto differs = [&](auto change) {
    GraphData other = graph;
    change(other);
    EXPECT_NE(checksum(other), sum);
  };
  differs([](GraphData &other) { std::swap(other.edgeIndex[0], other.edgeIndex[1]); });
  differs([](GraphData &other) { other.x[1] = 6; });
  differs([](GraphData &other) { other.edgeWeight = {1}; });
  differs([](GraphData &other) { other.y = {0, 1}; });
  differs([](GraphData &other) { other.batch = {0, 1}; });
  differs([](GraphData &other) { other.graphLabels = {0, 1}; });
  differs([](GraphData &other) { other.numNodes = 3; });
  differs([](GraphData &other) { other.trainMask = {1, 0}; });
  differs([](GraphData &other) { other.valMask = {1, 0}; });
  differs([](GraphData &other) { other.testMask = {1, 0}; });
}

} // namespace
