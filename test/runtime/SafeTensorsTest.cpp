// safetensors: round trip, plain and packed, and every check of the reader.
#include "runtime/format/SafeTensors.h"
#include "TestFiles.h"

#include <cmath>
#include <cstring>

using namespace gnnc::format;

namespace {

/// A file with this header and so many bytes of data.
std::string fileOf(const std::string &header, std::size_t dataBytes) {
  std::string out;
  for (int i = 0; i < 8; ++i)
    out.push_back(static_cast<char>(header.size() >> (8 * i) & 0xff));
  return out + header + std::string(dataBytes, '\0');
}

/// The complaint about such a file; empty if it is read.
std::string complaint(const std::string &text) {
  TensorFile file;
  std::string error;
  return parseTensors("f", Bytes::fromString(text), file, error) ? "" : error;
}

TEST(SafeTensors, RoundTripKeepsEverything) {
  TestFolder folder;
  float x[6] = {1, 2, NAN, -INFINITY, 5, 6};
  std::int64_t ids[3] = {-1, 0, INT64_MAX};
  std::uint8_t mask[3] = {0, 1, 1};
  TensorFile file;
  file.metadata = {{"num_nodes", "3"}, {"name", "a \"b\""}};
  file.tensors = {Tensor::view("x", DType::F32, {2, 3}, x),
                  Tensor::view("mask", DType::U8, {3}, mask), // leaves the next one unaligned
                  Tensor::view("ids", DType::I64, {3}, ids),
                  Tensor::view("none", DType::F32, {0, 7}, nullptr),
                  Tensor::view("scalar", DType::I64, {}, ids + 2)};
  for (const char *name : {"a.safetensors", "a.safetensors.gz"}) {
    std::string error;
    ASSERT_TRUE(writeTensors(folder / name, file, error)) << error;
    TensorFile back;
    ASSERT_TRUE(readTensors(folder / name, back, error)) << error;
    EXPECT_EQ(back.metadata, file.metadata);
    ASSERT_EQ(back.tensors.size(), file.tensors.size());
    for (const Tensor &tensor : file.tensors) {
      const Tensor *found = back.find(tensor.name);
      ASSERT_NE(found, nullptr) << tensor.name;
      EXPECT_EQ(found->dtype, tensor.dtype);
      EXPECT_EQ(found->shape, tensor.shape);
      ASSERT_EQ(found->bytes.size, tensor.bytes.size);
      if (tensor.bytes.size)
        EXPECT_EQ(std::memcmp(found->bytes.data, tensor.bytes.data, tensor.bytes.size), 0);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found->bytes.data) % sizeOf(tensor.dtype), 0u);
    }
    EXPECT_EQ(back.find("ids")->as<std::int64_t>()[2], INT64_MAX);
    EXPECT_EQ(back.find("absent"), nullptr);
  }
  EXPECT_EQ(folder.files(), 2u);
  EXPECT_EQ(slurp(folder / "a.safetensors.gz").substr(0, 2), "\x1f\x8b");
}

TEST(SafeTensors, ReadsCora) {
  TensorFile file;
  std::string error;
  ASSERT_TRUE(readTensors(GNNC_TEST_DATA "/cora/cora.safetensors.gz", file, error)) << error;
  ASSERT_NE(file.find("x"), nullptr);
  EXPECT_EQ(file.find("x")->shape, (std::vector<std::int64_t>{2708, 1433}));
  EXPECT_EQ(file.find("edge_index")->dtype, DType::I64);
  EXPECT_EQ(file.metadata.at("num_nodes"), "2708");
}

TEST(SafeTensors, RefusesBadFiles) {
  auto entry = [](const char *dtype, const char *shape, const char *offsets) {
    return std::string("{\"t\":{\"dtype\":\"") + dtype + "\",\"shape\":" + shape +
           ",\"data_offsets\":" + offsets + "}}";
  };
  EXPECT_EQ(complaint(fileOf(entry("F32", "[2]", "[0,8]"), 8)), "");
  EXPECT_EQ(complaint(""), "f: not a safetensors file: 0 bytes, a header needs at least 8");
  EXPECT_EQ(complaint(std::string(8, '\xff')),
            "f: not a safetensors file: header length 18446744073709551615 is above the limit of "
            "100000000");
  EXPECT_EQ(complaint(fileOf("{}", 0).substr(0, 9)),
            "f: short file: the header has 2 bytes, the file 1 after its first 8");
  EXPECT_EQ(complaint(fileOf("{\"t\":", 0)), "f: the header is not a JSON object");
  EXPECT_EQ(complaint(fileOf("[1]", 0)), "f: the header is not a JSON object");
  EXPECT_EQ(complaint(fileOf("{\"t\":1}", 0)),
            "f: tensor 't': header entry lacks dtype, shape or data_offsets");
  EXPECT_EQ(complaint(fileOf(entry("F33", "[2]", "[0,8]"), 8)),
            "f: tensor 't': element type \"F33\" is not known");
  EXPECT_EQ(complaint(fileOf(entry("F32", "[-2]", "[0,8]"), 8)),
            "f: tensor 't': shape is not a list of non-negative integers");
  EXPECT_EQ(complaint(fileOf(entry("F32", "[2]", "[8,0]"), 8)),
            "f: tensor 't': data_offsets is not a pair [begin, end] with begin <= end");
  EXPECT_EQ(complaint(fileOf(entry("F32", "[3]", "[0,8]"), 8)),
            "f: tensor 't': F32[3] needs 12 bytes, data_offsets give 8");
  EXPECT_EQ(complaint(fileOf(entry("F32", "[4294967296,4294967296]", "[0,8]"), 8)),
            "f: tensor 't': F32[4294967296, 4294967296] is larger than 2^63 bytes");
  EXPECT_EQ(complaint(fileOf(entry("F32", "[2]", "[0,8]"), 7)),
            "f: tensor 't': data end at byte 8, the file has 7");
  EXPECT_EQ(complaint(fileOf(entry("F32", "[2]", "[0,8]"), 9)),
            "f: 1 bytes follow the last tensor; the header names none there");
  EXPECT_EQ(complaint(fileOf(entry("F32", "[2]", "[4,12]"), 12)),
            "f: tensor 't': data begin at byte 4, expected at 0 (a gap)");
  std::string two = "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
                    "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[2,6]}}";
  EXPECT_EQ(complaint(fileOf(two, 6)),
            "f: tensor 'b': data begin at byte 2, expected at 4 (they overlap)");
  std::string twice = "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
                      "\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[2,4]}}";
  EXPECT_EQ(complaint(fileOf(twice, 4)), "f: tensor 'a' is in the header twice");
  EXPECT_EQ(complaint(fileOf("{\"__metadata__\":{\"n\":3}}", 0)),
            "f: __metadata__ is not an object of strings");
}

TEST(SafeTensors, RefusesMissingAndDamagedPackedFiles) {
  TestFolder folder;
  TensorFile file;
  std::string error;
  EXPECT_FALSE(readTensors(folder / "no.safetensors", file, error));
  EXPECT_EQ(error, folder / "no.safetensors" + ": cannot open: No such file or directory");
  EXPECT_FALSE(readTensors(folder.path.string(), file, error));
  EXPECT_EQ(error, folder.path.string() + ": is a folder, a file was expected");
  std::string packed = slurp(GNNC_TEST_DATA "/cora/cora.safetensors.gz");
  spill(folder / "short.gz", packed.substr(0, packed.size() / 2));
  EXPECT_FALSE(readTensors(folder / "short.gz", file, error));
  EXPECT_NE(error.find("gzip data end early"), std::string::npos) << error;
  packed[packed.size() / 2] ^= 0x40;
  spill(folder / "flipped.gz", packed);
  EXPECT_FALSE(readTensors(folder / "flipped.gz", file, error));
  EXPECT_NE(error.find("gzip data"), std::string::npos) << error;
}

TEST(SafeTensors, UnwritableOutputLeavesNothing) {
  TestFolder folder;
  std::string error;
  EXPECT_FALSE(writeTensors(folder / "no/such/t.safetensors", {}, error));
  EXPECT_EQ(error, folder / "no/such/t.safetensors" + ": cannot write: No such file or directory");
  std::filesystem::create_directory(folder.path / "d");
  EXPECT_FALSE(writeTensors(folder / "d", {}, error));
  EXPECT_EQ(error, folder / "d" + ": cannot write: is a folder");
  EXPECT_EQ(folder.files(), 1u);
}

} // namespace
