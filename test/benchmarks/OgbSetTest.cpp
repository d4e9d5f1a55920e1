//===- OgbSetTest.cpp - Downloaded sets of OGB are read, or refused -------===//
#include "SetFolder.h"
#include "runtime/format/FileIO.h"

using namespace gnnc::bench;

namespace {

using Integers = std::vector<std::int64_t>;
using Mask = std::vector<std::uint8_t>;

/// Three nodes, three edges, one of them there twice.
class OgbSet : public testing::Test {
protected:
  OgbSet() : folder(testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fill("ogbn_small");
  }
  void fill(const std::string &set) const {
    folder.write(set + "/raw/edge.csv", "2,0\n0,1\n2,0\n");
    folder.write(set + "/raw/num-node-list.csv", "3\n");
    folder.write(set + "/raw/num-edge-list.csv", "3\n");
    folder.write(set + "/raw/node-feat.csv", "0.5,-1\n2,3e-2\n4,5\n");
    folder.write(set + "/raw/node-label.csv", "4\n0\n2\n");
    folder.write(set + "/split/time/train.csv", "2\n");
    folder.write(set + "/split/time/valid.csv", "0\n");
    folder.write(set + "/split/time/test.csv", "1\n");
  }
  GraphData read(const std::string &set = "ogbn_small") const {
    return readAnyGraph((folder.path / set).string());
  }
  /// After `file` of the set has been given this content.
  std::string refusal(const std::string &file, const std::string &content) const {
    fill("ogbn_small");
    folder.write("ogbn_small/" + file, content);
    std::string message = folder.refusal("ogbn_small");
    for (const std::string prefix = "ogbn_small/"; message.find(prefix) != std::string::npos;)
      message.erase(message.find(prefix), prefix.size());
    return message;
  }
  SetFolder folder;
};

TEST_F(OgbSet, whole_set) {
  GraphData graph = read();
  EXPECT_EQ(graph.name, "ogbn-small");
  EXPECT_TRUE(graph.realData);
  EXPECT_EQ(graph.numNodes, 3);
  EXPECT_EQ(graph.numEdges, 3);
  EXPECT_EQ(graph.edgeIndex, (Integers{2, 0, 2, 0, 1, 0}));
  EXPECT_EQ(graph.numFeatures, 2);
  EXPECT_EQ(graph.x, (std::vector<float>{0.5f, -1, 2, 0.03f, 4, 5}));
  EXPECT_EQ(graph.y, (Integers{4, 0, 2}));
  EXPECT_EQ(graph.numClasses, 5);
  EXPECT_EQ(graph.trainMask, (Mask{0, 0, 1}));
  EXPECT_EQ(graph.valMask, (Mask{1, 0, 0}));
  EXPECT_EQ(graph.testMask, (Mask{0, 1, 0}));
}

TEST_F(OgbSet, compressed_as_downloaded) {
  std::string edges = "0,1\n1,2\n1,1\n", error;
  gnnc::format::Piece piece{edges.data(), edges.size()};
  folder.remove("ogbn_small/raw/edge.csv");
  std::string path = (folder.path / "ogbn_small/raw/edge.csv.gz").string();
  ASSERT_TRUE(gnnc::format::writeFile(path, &piece, 1, error)) << error;
  EXPECT_EQ(read().edgeIndex, (Integers{0, 1, 1, 1, 2, 1}));
  // Damage of the archive is found.
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 9);
  EXPECT_NE(folder.refusal("ogbn_small").find("edge.csv.gz: gzip data end early"),
            std::string::npos);
}

TEST_F(OgbSet, sets_that_ogb_completes_have_both_directions) {
  fill("ogbn_products");
  EXPECT_EQ(read("ogbn_products").edgeIndex, (Integers{2, 0, 0, 1, 2, 0, 0, 2, 1, 0, 0, 2}));
}

TEST_F(OgbSet, features_labels_and_split_may_be_missing) {
  for (const char *file : {"raw/node-feat.csv", "raw/node-label.csv", "raw/num-edge-list.csv"})
    folder.remove(std::string("ogbn_small/") + file);
  std::filesystem::remove_all(folder.path / "ogbn_small/split");
  GraphData graph = read();
  EXPECT_EQ(graph.numEdges, 3);
  EXPECT_EQ(graph.numFeatures, 0);
  EXPECT_TRUE(graph.y.empty());
  EXPECT_TRUE(graph.trainMask.empty());
}

TEST_F(OgbSet, several_tasks_are_no_classes) {
  folder.write("ogbn_small/raw/node-label.csv", "1,0\n0,1\n1,1\n");
  EXPECT_TRUE(read().y.empty());
  EXPECT_EQ(read().numClasses, 0);
}

TEST_F(OgbSet, ids_out_of_range) {
  EXPECT_EQ(refusal("raw/edge.csv", "0,1\n3,0\n"), "raw/edge.csv:2: source is 3, not in [0, 3)");
  EXPECT_EQ(refusal("raw/edge.csv", "0,-1\n"), "raw/edge.csv:1: destination is -1, not in [0, 3)");
  EXPECT_EQ(refusal("raw/edge.csv", "0\n"), "raw/edge.csv:1: destination is '', expected a number");
  EXPECT_EQ(refusal("raw/edge.csv", "0,1,2\n"),
            "raw/edge.csv:1: found '2', expected the end of the line");
  EXPECT_NE(refusal("split/time/test.csv", "1\n3\n").find("test.csv:2: node is 3, not in [0, 3)"),
            std::string::npos);
  EXPECT_NE(refusal("split/time/test.csv", "1\n1\n").find("test.csv:2: node 1 is there twice"),
            std::string::npos);
}

TEST_F(OgbSet, counts_that_disagree) {
  EXPECT_EQ(refusal("raw/num-edge-list.csv", "4\n"),
            "raw/edge.csv: has 3 edges, raw/num-edge-list.csv says 4");
  EXPECT_EQ(refusal("raw/node-label.csv", "4\n0\n"),
            "raw/node-label.csv: has 2 labels, the set has 3 nodes");
  EXPECT_EQ(refusal("raw/node-feat.csv", "1,2\n3,4\n"),
            "raw/node-feat.csv: ends after line 2, expected numbers of 3 nodes");
  EXPECT_EQ(refusal("raw/node-feat.csv", "1,2\n3\n5,6\n"),
            "raw/node-feat.csv:2: has 1 numbers, the first line has 2");
  EXPECT_EQ(
      refusal("raw/num-node-list.csv", "3\n5\n"),
      "raw/num-node-list.csv:2: counts of more than 1 graph; sets of one graph are read here");
  EXPECT_EQ(refusal("raw/num-node-list.csv", ""),
            "raw/num-node-list.csv: ends after line 0, expected a count");
  EXPECT_EQ(refusal("raw/num-node-list.csv", "-3\n"),
            "raw/num-node-list.csv:1: the count is -3, not in [0, 1099511627776)");
}

TEST_F(OgbSet, several_types_of_nodes_are_refused) {
  folder.write("ogbn_mag/raw/num-node-dict.csv", "author,paper\n1,2\n");
  EXPECT_EQ(folder.refusal("ogbn_mag"), "ogbn_mag/raw/num-node-dict.csv: a set of several types "
                                        "of nodes; sets of one type are read here");
}

TEST_F(OgbSet, two_splits_are_ambiguous) {
  folder.write("ogbn_small/split/random/train.csv", "0\n");
  EXPECT_NE(folder.refusal("ogbn_small").find("split: has 2 splits, expected 1"),
            std::string::npos);
}

} // namespace
