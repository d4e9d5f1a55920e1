//===- NpzTest.cpp - Archives of arrays are read as they are, or refused --===//
#include "SetFolder.h"

#include <map>
#include <zip.h>

using namespace gnnc::bench;

namespace {

using Integers = std::vector<std::int64_t>;

std::string withHeader(const std::string &type, const std::string &shape, const std::string &bytes,
                       const std::string &order = "False") {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': (" + shape + "), }\n";
  std::string size = {static_cast<char>(header.size()), 0};
  return "\x93NUMPY" + std::string("\x01\0", 2) + size + header + bytes;
}

template <class T>
std::string vectorOf(const std::string &type, const std::vector<T> &values) {
  return withHeader(type, std::to_string(values.size()) + ",", bytesOf(values));
}

/// Three nodes: 0-1, 1-1 and 1-2, one direction of each; sparse features.
class Npz : public testing::Test {
protected:
  Npz() : folder(testing::UnitTest::GetInstance()->current_test_info()->name()) {
    members["adj_data"] = vectorOf<float>("<f4", {1, 1, 1});
    members["adj_indices"] = vectorOf<std::int32_t>("<i4", {1, 1, 2});
    members["adj_indptr"] = vectorOf<std::int32_t>("<i4", {0, 1, 3, 3});
    members["adj_shape"] = vectorOf<std::int64_t>("<i8", {3, 3});
    members["attr_data"] = vectorOf<float>("<f4", {0.5, 2});
    members["attr_indices"] = vectorOf<std::int64_t>("<i8", {1, 0});
    members["attr_indptr"] = vectorOf<std::int64_t>("<i8", {0, 1, 1, 2});
    members["attr_shape"] = vectorOf<std::int64_t>("<i8", {3, 2});
    members["labels"] = vectorOf<std::int16_t>("<i2", {2, 0, 1});
    members["class_names"] = withHeader("|O", "1,", "pickled"); // not looked at
  }
  /// Half of the members are compressed, as numpy.savez_compressed does it.
  void write() const {
    int code = 0;
    zip_t *archive = zip_open((folder.path / "set.npz").c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    ASSERT_NE(archive, nullptr);
    for (const auto &[name, content] : members) {
      zip_source_t *source = zip_source_buffer(archive, content.data(), content.size(), 0);
      zip_int64_t index = zip_file_add(archive, (name + ".npy").c_str(), source, 0);
      ASSERT_GE(index, 0);
      zip_set_file_compression(archive, static_cast<zip_uint64_t>(index),
                               index % 2 ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
    }
    ASSERT_EQ(zip_close(archive), 0);
  }
  GraphData read() const {
    write();
    return readAnyGraph(folder.path.string());
  }
  /// With one member replaced, which is put back.
  std::string refusal(const std::string &member, const std::string &content) {
    std::string before = std::exchange(members[member], content);
    write();
    members[member] = before;
    return folder.refusal("set.npz");
  }
  SetFolder folder;
  std::map<std::string, std::string> members;
};

TEST_F(Npz, whole_set) {
  GraphData graph = read();
  EXPECT_EQ(graph.name, "set");
  EXPECT_TRUE(graph.realData);
  EXPECT_EQ(graph.numNodes, 3);
  EXPECT_EQ(graph.edgeIndex, (Integers{0, 1, 1, 2, 1, 0, 2, 1}));
  EXPECT_EQ(graph.numFeatures, 2);
  EXPECT_EQ(graph.x, (std::vector<float>{0, 0.5, 0, 0, 2, 0}));
  EXPECT_EQ(graph.y, (Integers{2, 0, 1}));
  EXPECT_EQ(graph.numClasses, 3);
}

TEST_F(Npz, dense_features_in_both_orders) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};
  members["attr_matrix"] = withHeader("<f8", "3, 2", bytesOf(values));
  EXPECT_EQ(read().x, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  members["attr_matrix"] = withHeader("<f8", "3, 2", bytesOf(values), "True");
  EXPECT_EQ(read().x, (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

TEST_F(Npz, features_and_labels_may_be_missing) {
  members.erase("attr_data");
  members.erase("labels");
  GraphData graph = read();
  EXPECT_EQ(graph.numFeatures, 0);
  EXPECT_TRUE(graph.y.empty());
}

TEST_F(Npz, matrices_that_are_not_sound) {
  EXPECT_EQ(refusal("adj_indices", vectorOf<std::int32_t>("<i4", {1, 3, 2})),
            "set.npz: adj: indices[1] is 3, not in [0, 3)");
  EXPECT_EQ(refusal("adj_indices", vectorOf<std::int32_t>("<i4", {1, 2})),
            "set.npz: adj: 2 indices and 3 values");
  EXPECT_EQ(refusal("adj_indptr", vectorOf<std::int32_t>("<i4", {0, 3})),
            "set.npz: adj: indptr has 2 entries, 3 rows need one more than rows");
  EXPECT_EQ(refusal("adj_indptr", vectorOf<std::int32_t>("<i4", {0, 4, 3, 3})),
            "set.npz: adj: indptr[2] is 3, after 4, with 3 values");
  EXPECT_EQ(refusal("adj_shape", vectorOf<std::int64_t>("<i8", {3, 4})),
            "set.npz: adj is 3x4, expected a square matrix");
  EXPECT_EQ(refusal("adj_shape", vectorOf<std::int64_t>("<i8", {3})),
            "set.npz: adj_shape has 1 numbers, expected two counts");
  EXPECT_EQ(refusal("labels", vectorOf<std::int16_t>("<i2", {1, 2})),
            "set.npz: labels: has 2 rows, adj has 3");
  EXPECT_NE(refusal("attr_shape", vectorOf<std::int64_t>("<i8", {3, 1LL << 60}))
                .find("3 nodes with 1152921504606846976 features each are more than"),
            std::string::npos);
}

TEST_F(Npz, arrays_that_are_not_sound) {
  EXPECT_EQ(refusal("labels", withHeader("<i2", "3,", "12345")),
            "set.npz: labels: holds a numpy array of shape [3] and type i2 with 5 bytes, "
            "expected 6");
  EXPECT_EQ(refusal("labels", withHeader("|O", "3,", "")),
            "set.npz: labels: an array of type '|O', expected little-endian bool, integers or "
            "floats of 32 or 64 bits");
  EXPECT_EQ(refusal("labels", withHeader("<i2", "-3,", "")),
            "set.npz: labels: the array's shape has '-3,', expected a count");
  EXPECT_EQ(refusal("labels", "no array at all"), "set.npz: labels: not an array of numpy");
  EXPECT_EQ(refusal("labels", withHeader("<i2", "3,", "").substr(0, 20)),
            "set.npz: labels: the array's header has 58 bytes, there are 10");
  members.erase("adj_indptr");
  write();
  EXPECT_EQ(folder.refusal(), "set.npz: has no array 'adj_indptr'");
}

TEST_F(Npz, a_damaged_archive) {
  write();
  auto path = folder.path / "set.npz";
  auto size = std::filesystem::file_size(path);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  std::string whole(size, '\0');
  file.read(whole.data(), static_cast<std::streamsize>(size));
  // One bit of the stored data of adj_data.
  std::size_t at = whole.find("'shape': (3,), }\n") + 17;
  file.seekp(static_cast<std::streamoff>(at));
  file.put(static_cast<char>(whole[at] ^ 1));
  file.close();
  EXPECT_NE(folder.refusal().find("set.npz: adj_data: damaged, "), std::string::npos)
      << folder.refusal();
  std::filesystem::resize_file(path, size / 2);
  EXPECT_EQ(folder.refusal().find("set.npz: not an archive of arrays: "), 0u) << folder.refusal();
}

} // namespace
