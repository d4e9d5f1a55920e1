//===- TuSetTest.cpp - Sets of small graphs are read as they are, or refused ===//
#include "SetFolder.h"

using namespace gnnc::bench;

namespace {

using Integers = std::vector<std::int64_t>;

/// Two graphs: 1-2 and 3-4-5; the loop at 2 and the second 1-2 go.
class TuSet : public testing::Test {
protected:
  TuSet() : folder(testing::UnitTest::GetInstance()->current_test_info()->name()) {
    folder.write("raw/T_A.txt", "1, 2\n2, 1\n2, 2\n3, 4\n4, 3\n1, 2\n4,5\n5,4\n");
    folder.write("raw/T_graph_indicator.txt", "1\n1\n2\n2\n2\n");
    folder.write("raw/T_graph_labels.txt", "1\n-1\n");
    folder.write("raw/T_node_labels.txt", "7\n3\n3\n7\n9\n");
    folder.write("raw/T_node_attributes.txt", "0.5, 1\n2, -3e-1\n4,5\n6,7\n8,9\n");
  }
  /// Without "raw/" before names.
  std::string refusal() const {
    std::string message = folder.refusal();
    return message.starts_with("raw/") ? message.substr(4) : message;
  }
  SetFolder folder;
};

TEST_F(TuSet, whole_set) {
  GraphData graph = readAnyGraph(folder.path.string());
  EXPECT_EQ(graph.name, "T");
  EXPECT_TRUE(graph.realData);
  EXPECT_EQ(graph.numNodes, 5);
  EXPECT_EQ(graph.edgeIndex, (Integers{0, 1, 2, 3, 3, 4, 1, 0, 3, 2, 4, 3}));
  EXPECT_EQ(graph.batch, (Integers{0, 0, 1, 1, 1}));
  EXPECT_EQ(graph.graphLabels, (Integers{1, 0}));
  EXPECT_EQ(graph.numClasses, 2);
  EXPECT_EQ(graph.numFeatures, 5);
  EXPECT_EQ(graph.x, (std::vector<float>{0.5f, 1, 0, 1, 0, 2, -0.3f, 1, 0, 0, 4, 5, 1,
                                         0,    0, 6, 7, 0, 1, 0,     8, 9, 0, 0, 1}));
}

TEST_F(TuSet, labels_and_attributes_may_be_missing) {
  folder.remove("raw/T_node_attributes.txt");
  EXPECT_EQ(readAnyGraph(folder.path.string()).numFeatures, 3);
  folder.remove("raw/T_node_labels.txt");
  EXPECT_EQ(readAnyGraph(folder.path.string()).numFeatures, 0);
}

TEST_F(TuSet, ids_out_of_range) {
  folder.write("raw/T_A.txt", "1, 2\n2, 6\n");
  EXPECT_EQ(refusal(), "T_A.txt:2: destination is 6, not in [1, 6)");
  folder.write("raw/T_A.txt", "0, 2\n");
  EXPECT_EQ(refusal(), "T_A.txt:1: source is 0, not in [1, 6)");
  folder.write("raw/T_A.txt", "2, 3\n");
  EXPECT_EQ(refusal(), "T_A.txt:1: an edge from graph 1 to graph 2");
  folder.write("raw/T_A.txt", "2, x\n");
  EXPECT_EQ(refusal(), "T_A.txt:1: destination is 'x', expected a number");
  folder.write("raw/T_A.txt", "2, 1, 4\n");
  EXPECT_EQ(refusal(), "T_A.txt:1: found '4', expected the end of the line");
  folder.write("raw/T_graph_indicator.txt", "1\n3\n");
  EXPECT_EQ(refusal(), "T_graph_indicator.txt:2: graph is 3, not in [1, 3)");
  folder.write("raw/T_graph_indicator.txt", "2\n1\n");
  EXPECT_EQ(refusal(), "T_graph_indicator.txt:2: graph 1 after graph 2, expected rising order");
}

TEST_F(TuSet, counts_that_disagree) {
  folder.write("raw/T_node_labels.txt", "7\n3\n3\n7\n");
  EXPECT_EQ(refusal(), "T_node_labels.txt: ends after line 4, expected the labels of node 5 of 5");
  folder.write("raw/T_node_labels.txt", "7\n3\n3\n7\n9\n1\n");
  EXPECT_EQ(refusal(), "T_node_labels.txt:6: labels of more than 5 nodes");
  folder.write("raw/T_node_labels.txt", "7,1\n3\n");
  EXPECT_EQ(refusal(), "T_node_labels.txt:2: has fewer than the 2 labels of node 1");
  folder.write("raw/T_node_labels.txt", "7\n3,1\n");
  EXPECT_EQ(refusal(), "T_node_labels.txt:2: has more than the 1 labels of node 1");
  folder.write("raw/T_node_attributes.txt", "7,1\n3\n");
  EXPECT_EQ(refusal(), "T_node_attributes.txt:2: has 1 numbers, the first line has 2");
  folder.remove("raw/T_graph_labels.txt");
  EXPECT_EQ(refusal(), "T_graph_labels.txt: no such file, and no " +
                           (folder.path / "raw/T_graph_labels.txt.gz")
                               .string()
                               .substr(folder.path.string().size() + 1));
}

/// The one-file form: a triangle without one side, and a single node.
TEST_F(TuSet, one_file) {
  folder.write("one/S.txt", "2\n3 5\n0 1 1\n2 2 0 2\n0 1 1\n1 3\n4 0\n");
  GraphData graph = readAnyGraph((folder.path / "one").string());
  EXPECT_EQ(graph.name, "S");
  EXPECT_EQ(graph.numNodes, 4);
  EXPECT_EQ(graph.edgeIndex, (Integers{0, 1, 1, 2, 1, 0, 2, 1}));
  EXPECT_EQ(graph.batch, (Integers{0, 0, 0, 1}));
  EXPECT_EQ(graph.graphLabels, (Integers{1, 0}));
  EXPECT_EQ(graph.x, (std::vector<float>{1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1}));
  folder.write("one/S.txt", "1\n2 0\n0 1 1 0.5\n1 0 2\n");
  EXPECT_EQ(readAnyGraph((folder.path / "one").string()).x,
            (std::vector<float>{0.5, 1, 0, 2, 0, 1}));
}

TEST_F(TuSet, one_file_that_is_not_sound) {
  auto message = [&](const std::string &content) {
    folder.write("S.txt", content);
    return folder.refusal("S.txt");
  };
  EXPECT_EQ(message(""), "S.txt: ends after line 0, expected the count of graphs");
  EXPECT_EQ(message("0 1\n1 0\n"), "S.txt:1: found '1', expected the end of the line");
  EXPECT_EQ(message("2\n1 0\n0 0\n"), "S.txt: ends after line 3, expected graph 1 of 2");
  EXPECT_EQ(message("1\n2 0\n0 0\n"), "S.txt: ends after line 3, expected node 1 of 2 of graph 0");
  EXPECT_EQ(message("1\n2 0\n0 1 2\n0 0\n"), "S.txt:3: a neighbour is 2, not in [0, 2)");
  EXPECT_EQ(message("1\n2 0\n0 2 1\n0 0\n"), "S.txt:3: has 1 neighbours, expected 2");
  EXPECT_EQ(message("1\n1 0\n0 0\n0 0\n"), "S.txt:4: more lines than those of 1 graphs");
  EXPECT_EQ(message("1\n2 0\n0 0 1\n0 0\n"),
            "S.txt:4: has 0 attributes behind its neighbours, the first node has 1");
}

} // namespace
