//===- RowTest.cpp - Rows have the promised members -----------------------===//
#include "benchmarks/gnn-bench/Row.h"

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace gnnc::bench;
using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> keys(const Json &json) {
  std::vector<std::string> names;
  for (const auto &[name, value] : json.items())
    names.push_back(name);
  return names;
}

TEST(Row, members_and_their_order) {
  std::vector<std::string> wanted = {
      "system",          "model",          "data",         "nodes",
      "edges",           "dtype",          "mode",         "dynamic",
      "fixes",           "device",         "real_data",    "ok",
      "error",           "latency_ms",     "wall_ms",      "first_ms",
      "compile_ms",      "peak_mib",       "kernels",      "recompilations",
      "captures",        "bytes",          "flops",        "share_of_limit",
      "max_rel_err",     "in_bound",       "commit",       "env",
      "test_accuracy",   "bit_identical",  "inner",        "order",
      "precision",       "prepare_ms",     "pays_after",   "data_checksum",
      "second_ms",       "nodes_per_s",    "edges_per_s",  "status",
      "peak_device_mib", "edge_list_hash", "weights_hash", "noise_floor"};
  EXPECT_EQ(keys(Json::parse(toJson(Row()))), wanted);
}

TEST(Row, unknown_is_null) {
  Json json = Json::parse(toJson(Row()));
  for (const char *name :
       {"mode",           "dynamic",      "fixes",       "error",       "latency_ms",
        "wall_ms",        "first_ms",     "compile_ms",  "peak_mib",    "kernels",
        "recompilations", "captures",     "bytes",       "flops",       "share_of_limit",
        "max_rel_err",    "in_bound",     "commit",      "env",         "test_accuracy",
        "bit_identical",  "inner",        "precision",   "prepare_ms",  "pays_after",
        "data_checksum",  "second_ms",    "nodes_per_s", "edges_per_s", "peak_device_mib",
        "edge_list_hash", "weights_hash", "noise_floor"})
    EXPECT_TRUE(json[name].is_null()) << name;
}

TEST(Row, an_infinite_error_is_null_and_out_of_bound) {
  Row row;
  row.maxRelErr = INFINITY;
  row.inBound = false;
  Json json = Json::parse(toJson(row));
  EXPECT_TRUE(json["max_rel_err"].is_null());
  EXPECT_EQ(json["in_bound"], false);
}

TEST(Row, status_says_what_became_of_it) {
  Row row;
  row.error = "convs.0: no";
  EXPECT_EQ(statusOf(row), "error");
  row.error = "out of memory: CUDA out of memory";
  EXPECT_EQ(statusOf(row), "oom");
  row.error.reset();
  row.ok = true;
  row.inBound = true;
  EXPECT_EQ(statusOf(row), "ok");
  row.inBound = false;
  EXPECT_EQ(statusOf(row), "out-of-bound");
  row.status = "fallback";
  EXPECT_EQ(Json::parse(toJson(row))["status"], "fallback");
}

TEST(Row, prepare_pays_against_eager_without_fixes) {
  std::vector<Row> rows(4);
  rows[0].system = rows[1].system = "libtorch-eager";
  rows[0].fixes = true;
  rows[0].latency = {1};
  rows[1].fixes = false;
  rows[1].latency = {5};
  rows[2].latency = {2};
  rows[2].prepareMs = 7;
  rows[3].latency = {6}; // slower: never
  rows[3].prepareMs = 7;
  fillPaysAfter(rows);
  EXPECT_EQ(rows[2].paysAfter, 3);
  for (int i : {0, 1, 3})
    EXPECT_FALSE(rows[i].paysAfter) << i;
  rows[2].paysAfter.reset();
  rows.erase(rows.begin() + 1);
  fillPaysAfter(rows);
  EXPECT_FALSE(rows[1].paysAfter);
}

TEST(Row, share_of_limit_where_limits_are_measured) {
  Row row;
  row.device = "cuda";
  row.env = R"({"gpu": "NVIDIA H200"})";
  row.latency = {2};
  row.bytes = 13'170'000'000; // 1 ms
  row.flops = 21'500'000'000; // 0.5 ms
  fillShareOfLimit(row);
  EXPECT_DOUBLE_EQ(row.shareOfLimit.value(), 0.5);
  row.flops = 64'500'000'000; // 1.5 ms
  fillShareOfLimit(row);
  EXPECT_DOUBLE_EQ(row.shareOfLimit.value(), 0.75);
  for (const char *env : {R"({"gpu": "another"})", R"({"gpu": null})", ""}) {
    Row other = row;
    other.shareOfLimit.reset();
    other.env = env;
    fillShareOfLimit(other);
    EXPECT_FALSE(other.shareOfLimit) << env;
  }
  Row failed = row;
  failed.shareOfLimit.reset();
  failed.latency.clear();
  fillShareOfLimit(failed);
  EXPECT_FALSE(failed.shareOfLimit);
}

TEST(Row, latency) {
  Row row;
  row.latency = {5, 1, 3, 2, 9};
  Json latency = Json::parse(toJson(row))["latency_ms"];
  EXPECT_EQ(keys(latency), (std::vector<std::string>{"q1", "median", "q3", "min", "mean", "n"}));
  EXPECT_EQ(latency["q1"], 2.0);
  EXPECT_EQ(latency["median"], 3.0);
  EXPECT_EQ(latency["q3"], 5.0);
  EXPECT_EQ(latency["min"], 1.0);
  EXPECT_EQ(latency["mean"], 4.0);
  EXPECT_EQ(latency["n"], 5);
}

TEST(Row, throughput_is_that_of_the_median) {
  Row row;
  row.nodes = 10;
  row.edges = 40;
  row.latency = {2, 4, 100};
  Json json = Json::parse(toJson(row));
  EXPECT_EQ(json["nodes_per_s"], 2500.0);
  EXPECT_EQ(json["edges_per_s"], 10000.0);
}

TEST(Row, quartiles_between_values) {
  Quartiles q = quartiles({1, 2});
  EXPECT_EQ(q.q1, 1.25);
  EXPECT_EQ(q.median, 1.5);
  EXPECT_EQ(quartiles({7}).q3, 7);
}

TEST(Row, one_line_whatever_the_error_says) {
  Row row;
  row.error = "first\nsecond \xff";
  EXPECT_EQ(toJson(row).find('\n'), std::string::npos);
}

TEST(Table, failed_rows_are_shown) {
  Row good, bad;
  good.system = "libtorch-csr";
  good.device = bad.device = "cpu";
  good.latency = {1.5};
  good.peakMib = 12.25;
  good.maxRelErr = 2e-7;
  good.testAccuracy = 0.815;
  bad.system = "gnnc";
  bad.error = "out of memory: 7 GiB were needed";
  std::string text = table({good, bad});
  EXPECT_NE(text.find("1.500  [1.500, 1.500]      12.2    2.0e-07          0.815"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("failed"), std::string::npos) << text;
  EXPECT_NE(text.find("gnnc (cpu): out of memory: 7 GiB were needed"), std::string::npos) << text;
}

} // namespace
