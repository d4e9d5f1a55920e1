//===- PlanetoidTest.cpp - Pickled sets are read as they are, or refused --===//
//
// The pickles are written here, instruction by instruction.
//
//===----------------------------------------------------------------------===//
#include "SetFolder.h"
#include "benchmarks/data/Pickle.h"

using namespace gnnc::bench;

namespace {

std::string proto2(const std::string &value) { return "\x80\x02" + value + "."; }

std::string text(const std::string &value) {
  return "U" + std::string(1, static_cast<char>(value.size())) + value;
}
std::string number(std::int64_t value) { return "I" + std::to_string(value) + "\n"; }

std::string numpy(const std::string &type, const std::vector<std::int64_t> &shape,
                  const std::string &bytes, const std::string &order = "<") {
  std::string extents = "(";
  for (std::int64_t extent : shape)
    extents += number(extent);
  return "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(K" + std::string(1, '\0') + "t" +
         text("b") + "tR(K\x01" + extents + "tcnumpy\ndtype\n(" + text(type) + "K" +
         std::string(1, '\0') + "K\x01tR(K\x03" + text(order) + "NNNJ\xff\xff\xff\xffJ" +
         "\xff\xff\xff\xff" + "K" + std::string(1, '\0') + "tb\x89" + text(bytes) + "tb";
}

std::string labels(const std::vector<std::int32_t> &oneHot, std::int64_t classes) {
  auto rows = static_cast<std::int64_t>(oneHot.size()) / classes;
  return proto2(numpy("i4", {rows, classes}, bytesOf(oneHot)));
}

struct Csr {
  std::int64_t rows, columns;
  std::vector<std::int32_t> indptr, indices;
  std::vector<float> values;

  std::string pickled() const {
    auto count = [](const auto &values) { return static_cast<std::int64_t>(values.size()); };
    return proto2("cscipy.sparse.csr\ncsr_matrix\n)\x81}(" + text("_shape") + number(rows) +
                  number(columns) + "\x86" + text("indptr") +
                  numpy("i4", {count(indptr)}, bytesOf(indptr)) + text("indices") +
                  numpy("i4", {count(indices)}, bytesOf(indices)) + text("data") +
                  numpy("f4", {count(values)}, bytesOf(values)) + "ub");
  }
};

/// {0: [1, 0, 1], 1: [2], 2: [], 3: [5], 4: [], 5: []}
std::string neighbours(const std::string &ofThree = "K\x05") {
  std::string zero("K\0", 2);
  return proto2("ccollections\ndefaultdict\nc__builtin__\nlist\n\x85R(" + zero + "](K\x01" + zero +
                "K\x01" + "eK\x01]K\x02" + "aK\x02]K\x03]" + ofThree + "aK\x04]K\x05]u");
}

/// 3 nodes of the training part; test ids 5 and 3, so 4 is skipped.
class Planetoid : public testing::Test {
protected:
  Planetoid() : folder(testing::UnitTest::GetInstance()->current_test_info()->name()) {
    folder.write("ind.small.y", labels({0, 1}, 2));
    folder.write("ind.small.ally", labels({0, 1, 1, 0, 0, 1}, 2));
    folder.write("ind.small.ty", labels({0, 1, 1, 0}, 2));
    folder.write("ind.small.test.index", "5\n3\n");
    folder.write("ind.small.graph", neighbours());
    folder.write("ind.small.allx", Csr{3, 2, {0, 1, 1, 3}, {1, 0, 1}, {1, 2, 3}}.pickled());
    folder.write("ind.small.tx", Csr{2, 2, {0, 1, 2}, {0, 1}, {5, 7}}.pickled());
  }
  SetFolder folder;
};

TEST_F(Planetoid, whole_set) {
  GraphData graph = readAnyGraph(folder.path.string());
  EXPECT_EQ(graph.name, "small");
  EXPECT_TRUE(graph.realData);
  EXPECT_EQ(graph.numNodes, 6);
  // Both directions, sorted; the loop at 0 and the second 0-1 are gone.
  EXPECT_EQ(graph.edgeIndex, (std::vector<std::int64_t>{0, 1, 1, 2, 3, 5, 1, 0, 2, 1, 5, 3}));
  EXPECT_EQ(graph.numEdges, 6);
  EXPECT_EQ(graph.numFeatures, 2);
  EXPECT_EQ(graph.x, (std::vector<float>{0, 1, 0, 0, 2, 3, 0, 7, 0, 0, 5, 0}));
  EXPECT_EQ(graph.y, (std::vector<std::int64_t>{1, 0, 1, 0, 0, 1}));
  EXPECT_EQ(graph.numClasses, 2);
  EXPECT_EQ(graph.trainMask, (std::vector<std::uint8_t>{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(graph.valMask, (std::vector<std::uint8_t>{0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(graph.testMask, (std::vector<std::uint8_t>{0, 0, 0, 1, 0, 1}));
}

TEST_F(Planetoid, without_allx_there_are_no_features) {
  folder.remove("ind.small.allx");
  GraphData graph = readAnyGraph((folder.path / "ind.small.graph").string());
  EXPECT_EQ(graph.numFeatures, 0);
  EXPECT_EQ(graph.numEdges, 6);
}

TEST_F(Planetoid, counts_that_disagree) {
  folder.write("ind.small.test.index", "5\n3\n4\n");
  EXPECT_EQ(folder.refusal(), "ind.small.test.index: has 3 rows, ind.small.ty has 2");
  folder.write("ind.small.test.index", "5\n4\n");
  EXPECT_EQ(folder.refusal(), "ind.small.test.index: the smallest test id is 4, expected 3, the "
                              "rows of ind.small.ally");
  folder.write("ind.small.test.index", "3\n3\n");
  EXPECT_EQ(folder.refusal(), "ind.small.test.index: test id 3 is there twice");
  folder.write("ind.small.test.index", "3\n99\n");
  EXPECT_EQ(folder.refusal(),
            "ind.small.graph: has 6 nodes, ind.small.test.index and ally make 100");
  folder.write("ind.small.test.index", "5\n2\n");
  EXPECT_EQ(folder.refusal(), "ind.small.test.index:2: test id is 2, not in [3, 1099511627776)");
}

TEST_F(Planetoid, rows_and_classes_that_disagree) {
  folder.write("ind.small.allx", Csr{2, 2, {0, 1, 1}, {1}, {1}}.pickled());
  EXPECT_EQ(folder.refusal(), "ind.small.allx: has 2 rows, ind.small.ally has 3");
  folder.write("ind.small.allx", Csr{3, 4, {0, 0, 0, 0}, {}, {}}.pickled());
  EXPECT_EQ(folder.refusal(), "ind.small.tx: has 2 features, ind.small.allx has 4");
  folder.write("ind.small.ty", labels({0, 1, 0, 1, 0, 0}, 3));
  EXPECT_EQ(folder.refusal(), "ind.small.ally: has 2 classes, y has 2 and ty 3");
}

TEST_F(Planetoid, ids_out_of_range) {
  folder.write("ind.small.graph", neighbours("K\x06"));
  EXPECT_EQ(folder.refusal(), "ind.small.graph: a neighbour of node 3 is 6, not in [0, 6)");
  folder.write("ind.small.graph", neighbours("N"));
  EXPECT_EQ(folder.refusal(),
            "ind.small.graph: a neighbour of node 3 is None, expected a node's number");
}

TEST_F(Planetoid, matrices_that_are_not_sound) {
  folder.write("ind.small.tx", Csr{2, 2, {0, 1, 2}, {0, 2}, {5, 7}}.pickled());
  EXPECT_EQ(folder.refusal(), "ind.small.tx: CSR matrix: indices[1] is 2, not in [0, 2)");
  folder.write("ind.small.tx", Csr{2, 2, {0, 3, 2}, {0, 1}, {5, 7}}.pickled());
  EXPECT_EQ(folder.refusal(), "ind.small.tx: CSR matrix: indptr[2] is 2, after 3, with 2 values");
  folder.write("ind.small.tx", Csr{3, 2, {0, 1, 2}, {0, 1}, {5, 7}}.pickled());
  EXPECT_EQ(folder.refusal(), "ind.small.tx: CSR matrix: indptr has 3 entries, 3 rows need one "
                              "more than rows");
  folder.write("ind.small.tx", Csr{2, 2, {0, 1, 2}, {0}, {5, 7}}.pickled());
  EXPECT_EQ(folder.refusal(), "ind.small.tx: CSR matrix: 1 indices and 2 values");
  folder.write("ind.small.tx", labels({0, 1, 1, 0}, 2));
  EXPECT_EQ(folder.refusal(), "ind.small.tx: holds a numpy array, expected a CSR matrix");
}

TEST_F(Planetoid, arrays_that_are_not_sound) {
  folder.write("ind.small.y", proto2(numpy("i4", {1, 2}, "123")));
  EXPECT_EQ(folder.refusal(), "ind.small.y: holds a numpy array of shape [1, 2] and type i4 with "
                              "3 bytes, expected 8");
  folder.write("ind.small.y", proto2(numpy("O8", {1, 1}, "12345678", "|")));
  EXPECT_EQ(folder.refusal(), "ind.small.y: an array of type '|O8', expected little-endian bool, "
                              "integers or floats of 32 or 64 bits");
  folder.write("ind.small.y", proto2(numpy("i4", {2}, "12345678")));
  EXPECT_EQ(folder.refusal(),
            "ind.small.y: holds a numpy array of shape [2], expected 2 dimensions");
  folder.write("ind.small.y", proto2(numpy("i4", {1LL << 62, 1LL << 62}, "")));
  EXPECT_NE(folder.refusal().find("which no memory holds"), std::string::npos);
}

TEST_F(Planetoid, every_truncation_is_refused) {
  for (const std::string &whole : {neighbours(), Csr{2, 2, {0, 1, 2}, {0, 1}, {5, 7}}.pickled()})
    for (std::size_t size = 0; size < whole.size(); ++size) {
      folder.write("cut", whole.substr(0, size));
      EXPECT_THROW(Pickle((folder.path / "cut").string()), Failure) << size;
    }
}

/// What reading the pickle says, without the file's name.
std::string pickleRefusal(const SetFolder &folder, const std::string &content) {
  folder.write("p", content);
  const std::string path = (folder.path / "p").string();
  try {
    Pickle pickle(path);
  } catch (const Failure &failure) {
    return std::string(failure.what()).substr(path.size() + 2);
  }
  return "";
}

TEST_F(Planetoid, programs_are_not_run) {
  EXPECT_EQ(pickleRefusal(folder, "cos\nsystem\n(S'true'\ntR."),
            "byte 0: class os.system is refused; expected numpy arrays, scipy CSR matrices, lists "
            "and dicts");
  EXPECT_EQ(pickleRefusal(folder, "(S'true'\nios\nsystem\n."),
            "byte 9: instruction 0x69 is not one that arrays, matrices, lists and dicts of "
            "protocol 0 to 2 are made of");
  EXPECT_EQ(pickleRefusal(folder, "\x80\x04N."),
            "byte 0: the pickle is of protocol 4, expected 0, 1 or 2");
  EXPECT_EQ(pickleRefusal(folder, "cnumpy\nndarray\n)R."),
            "byte 16: a call with 0 arguments that makes no array, matrix, list or dict");
}

TEST_F(Planetoid, pickles_that_are_not_sound) {
  EXPECT_EQ(pickleRefusal(folder, "t."),
            "byte 0: the instruction takes the values since a mark, there is none");
  EXPECT_EQ(pickleRefusal(folder, "]a."), "byte 1: the instruction takes a value, there is none");
  EXPECT_EQ(pickleRefusal(folder, "NNa."), "byte 2: found None, expected a list");
  EXPECT_EQ(pickleRefusal(folder, "h\x07."), "byte 0: value 7 is used before it is kept");
  EXPECT_EQ(pickleRefusal(folder, "NN."),
            "byte 2: the pickle ends with 2 values and 0 open marks, expected 1 and 0");
  EXPECT_EQ(pickleRefusal(folder, "N.x"),
            "byte 1: the pickle ends here, the file has 1 more bytes");
  EXPECT_EQ(pickleRefusal(folder, "}(Nu."),
            "byte 3: a dict gets 1 values, expected pairs of key and value");
  EXPECT_EQ(pickleRefusal(folder, "I12x\n."), "byte 0: '12x' is not a number of 64 bits");
  EXPECT_EQ(pickleRefusal(folder, "T\xff\xff\xff\x7fx."),
            "byte 0: the instruction needs 2147483647 bytes, the file has 2 more");
}

TEST_F(Planetoid, scalars_of_every_protocol) {
  std::string zeros(3, '\0');
  std::string all = "(I01\nI-3\nL5L\nJ\xfe\xff\xff\xff";
  all += std::string("\x8a\x02\x00\xff", 4) + "S'a\\x00\\n\\''\nVb\\u00e9\nX\x02" + zeros +
         "\xc3\xa9" + "G\x3f\xf8" + zeros + zeros + "F1.5\nt.";
  folder.write("p", all);
  Pickle pickle((folder.path / "p").string());
  const auto &items = pickle.root().items;
  ASSERT_EQ(items.size(), 10u);
  EXPECT_EQ(items[0]->kind, PickleValue::Kind::Bool);
  EXPECT_EQ(items[1]->integer, -3);
  EXPECT_EQ(items[2]->integer, 5);
  EXPECT_EQ(items[3]->integer, -2);
  EXPECT_EQ(items[4]->integer, -256);
  EXPECT_EQ(items[5]->text, std::string_view("a\0\n'", 4));
  EXPECT_EQ(items[6]->text, "b\xe9");
  EXPECT_EQ(items[7]->text, "\xe9");
  EXPECT_EQ(items[8]->number, 1.5);
  EXPECT_EQ(items[9]->number, 1.5);
}

TEST_F(Planetoid, a_list_that_holds_itself_is_freed) {
  EXPECT_EQ(pickleRefusal(folder, "]q\x01h\x01" + std::string("a.")), "");
}

} // namespace
