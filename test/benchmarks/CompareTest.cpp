//===- CompareTest.cpp - What counts as slower, and what is noise ---------===//
#include "benchmarks/gnn-bench/Compare.h"

#include "benchmarks/data/GraphData.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace gnnc::bench;

namespace {

ResultRow rowOf(double median, double spread = 0.01, std::int64_t n = 30) {
  ResultRow row;
  row.system = "gnnc";
  row.model = "gcn";
  row.data = "cora";
  row.device = "cpu";
  row.dtype = "f32";
  row.mode = "default";
  row.ok = row.inBound.emplace(true);
  row.latency = {median * (1 - spread / 2), median, median * (1 + spread / 2), n};
  row.peakMib = 100;
  row.machine = "a processor, 2 threads";
  row.line = 1;
  return row;
}

Verdict verdictOf(const ResultRow &before, const ResultRow &after) {
  return judge(before, after, CompareRule()).verdict;
}

TEST(Judge, equal_is_the_same) { EXPECT_EQ(verdictOf(rowOf(1), rowOf(1)), Verdict::Same); }

TEST(Judge, slower_and_faster_beyond_noise) {
  Comparison slower = judge(rowOf(1), rowOf(1.1), CompareRule());
  EXPECT_EQ(slower.verdict, Verdict::Slower);
  EXPECT_NEAR(*slower.change, 0.1, 1e-12);
  EXPECT_NEAR(*slower.noise, 0.05, 1e-12);
  EXPECT_EQ(verdictOf(rowOf(1.1), rowOf(1)), Verdict::Faster);
}

TEST(Judge, less_than_the_floor_is_noise_however_narrow_the_quartiles) {
  EXPECT_EQ(verdictOf(rowOf(1, 1e-6), rowOf(1.049, 1e-6)), Verdict::Same);
  CompareRule strict;
  strict.floorPercent = 1;
  EXPECT_EQ(judge(rowOf(1, 1e-6), rowOf(1.049, 1e-6), strict).verdict, Verdict::Slower);
}

TEST(Judge, a_short_cell_may_change_by_two_microseconds) {
  EXPECT_EQ(verdictOf(rowOf(0.010), rowOf(0.0119)), Verdict::Same);
  EXPECT_EQ(verdictOf(rowOf(0.010), rowOf(0.0122)), Verdict::Slower);
}

TEST(Judge, a_measured_noise_floor_counts_in_either_row) {
  ResultRow before = rowOf(1), after = rowOf(1.1);
  before.noiseFloor = 0.02; // under the rule's floor
  EXPECT_EQ(verdictOf(before, after), Verdict::Slower);
  after.noiseFloor = 0.2;
  EXPECT_EQ(verdictOf(before, after), Verdict::Same);
  EXPECT_EQ(verdictOf(after, before), Verdict::Same);
}

TEST(Judge, quartiles_that_overlap_are_noise) {
  EXPECT_EQ(verdictOf(rowOf(1, 0.3, 10000), rowOf(1.2, 0.3, 10000)), Verdict::Same);
  EXPECT_EQ(verdictOf(rowOf(1, 0.1, 10000), rowOf(1.2, 0.1, 10000)), Verdict::Slower);
}

TEST(Judge, few_samples_need_a_larger_change) {
  // Quartiles are apart in both; three standard errors are 0.15 for 5 samples.
  EXPECT_EQ(verdictOf(rowOf(1, 0.08, 5), rowOf(1.12, 0.08, 5)), Verdict::Same);
  EXPECT_EQ(verdictOf(rowOf(1, 0.08, 50), rowOf(1.12, 0.08, 50)), Verdict::Slower);
  Comparison few = judge(rowOf(1), rowOf(9, 0.01, 4), CompareRule());
  EXPECT_EQ(few.verdict, Verdict::Undecided);
  EXPECT_EQ(few.note, "4 samples, needs 5");
}

TEST(Judge, failures_and_bounds) {
  ResultRow well = rowOf(1), failed = rowOf(1), over = rowOf(0.5);
  failed.ok = false;
  failed.error = "out of memory";
  failed.latency.reset();
  over.inBound = false;
  EXPECT_EQ(verdictOf(well, failed), Verdict::Failed);
  EXPECT_EQ(judge(well, failed, CompareRule()).note, "out of memory");
  EXPECT_EQ(verdictOf(well, over), Verdict::OverBound); // however fast
  EXPECT_EQ(verdictOf(over, failed), Verdict::Failed);
  EXPECT_EQ(verdictOf(failed, over), Verdict::StillBad);
  EXPECT_EQ(verdictOf(failed, failed), Verdict::StillBad);
  EXPECT_EQ(verdictOf(over, over), Verdict::StillBad);
  EXPECT_EQ(verdictOf(failed, well), Verdict::Mended);
  EXPECT_EQ(verdictOf(over, well), Verdict::Mended);
  over.ok = false; // as a stream says it
  EXPECT_EQ(verdictOf(well, over), Verdict::OverBound);
}

TEST(Judge, memory) {
  auto memoryOf = [](std::optional<double> mib) {
    ResultRow after = rowOf(1);
    after.peakMib = mib;
    return judge(rowOf(1), after, CompareRule()).memory;
  };
  EXPECT_EQ(memoryOf(101.9), Memory::Same);
  EXPECT_EQ(memoryOf(103), Memory::More);
  EXPECT_EQ(memoryOf(97), Memory::Less);
  EXPECT_EQ(memoryOf(std::nullopt), Memory::Unknown);
}

TEST(Compare, the_worst_comes_first) {
  std::vector<ResultRow> before(4, rowOf(1)), after(4, rowOf(1));
  for (int i = 0; i < 4; ++i)
    before[i].data = after[i].data = std::string(1, static_cast<char>('a' + i));
  after[1].latency = rowOf(2).latency;
  after[2].data = "new";
  std::vector<Comparison> cells = compare(before, after, CompareRule());
  std::vector<std::string> found;
  for (const Comparison &cell : cells)
    found.push_back(std::string(nameOf(cell.verdict)) + " " + cell.row().data);
  EXPECT_EQ(found, (std::vector<std::string>{"slower b", "vanished c", "appeared new", "same a",
                                             "same d"}));
}

TEST(Compare, every_part_of_the_key_counts) {
  ResultRow row = rowOf(1);
  std::vector<ResultRow> before = {row};
  auto apart = [&](auto &&change) {
    std::vector<ResultRow> after = {row, row};
    change(after[1]);
    return compare(before, after, CompareRule()).front().verdict == Verdict::Appeared;
  };
  EXPECT_TRUE(apart([](ResultRow &other) { other.system = "libtorch-csr"; }));
  EXPECT_TRUE(apart([](ResultRow &other) { other.model = "gat"; }));
  EXPECT_TRUE(apart([](ResultRow &other) { other.data = "pubmed"; }));
  EXPECT_TRUE(apart([](ResultRow &other) { other.mode = "max-autotune"; }));
  EXPECT_TRUE(apart([](ResultRow &other) { other.dynamic = "false"; }));
  EXPECT_TRUE(apart([](ResultRow &other) { other.fixes = false; }));
  EXPECT_TRUE(apart([](ResultRow &other) { other.device = "cuda"; }));
  EXPECT_TRUE(apart([](ResultRow &other) { other.dtype = "bf16"; }));
  EXPECT_TRUE(apart([](ResultRow &other) { other.nodes = 7; }));
}

TEST(Compare, rows_of_one_cell_are_told_apart_by_their_work) {
  std::vector<ResultRow> before = {rowOf(1), rowOf(9)};
  before[0].flops = 10;
  before[1].flops = 90;
  std::vector<ResultRow> after = {before[1], before[0]};
  for (const Comparison &cell : compare(before, after, CompareRule()))
    EXPECT_EQ(cell.verdict, Verdict::Same);
  after.pop_back();
  std::vector<Comparison> cells = compare(before, after, CompareRule());
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].verdict, Verdict::Vanished);
  EXPECT_EQ(cells[0].before->flops, 10);
}

TEST(Compare, different_machines_are_refused) {
  std::vector<ResultRow> before = {rowOf(1)}, after = {rowOf(1)};
  after[0].machine = "another, 2 threads";
  after[0].line = 7;
  try {
    compare(before, after, CompareRule());
    FAIL() << "no failure";
  } catch (const Failure &error) {
    EXPECT_STREQ(error.what(), "line 1 of the first file was measured on a processor, 2 threads, "
                               "line 7 of the second on another, 2 threads; --force compares them "
                               "all the same");
  }
  CompareRule rule;
  rule.acrossMachines = true;
  EXPECT_EQ(compare(before, after, rule).front().verdict, Verdict::Same);
  after[0].machine.clear(); // unknown is no difference
  EXPECT_EQ(compare(before, after, CompareRule()).front().verdict, Verdict::Same);
}

TEST(Compare, files_without_a_common_cell_are_refused) {
  std::vector<ResultRow> before = {rowOf(1)}, after = {rowOf(1)};
  after[0].data = "pubmed";
  EXPECT_THROW(compare(before, after, CompareRule()), Failure);
}

class ResultFile : public testing::Test {
protected:
  ~ResultFile() override { std::remove(path.c_str()); }

  std::string messageOf(const std::string &text) {
    std::ofstream(path) << text;
    try {
      readResults(path);
    } catch (const Failure &error) {
      return std::string(error.what()).substr(path.size());
    }
    return "";
  }

  std::string path =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".jsonl";
  const std::string start = R"({"system":"gnnc","model":"gcn","data":"cora","device":"cpu")";
};

TEST_F(ResultFile, the_least_that_a_row_has) {
  EXPECT_EQ(messageOf(start + ",\"ok\":true}\n\n" + start + ",\"ok\":false}"), "");
  std::vector<ResultRow> rows = readResults(path);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].line, 3u);
  EXPECT_FALSE(rows[0].latency || rows[0].fixes || rows[0].peakMib);
}

TEST_F(ResultFile, kept_rows) {
  for (const char *name : {"host.jsonl", "gpu.jsonl"})
    for (const ResultRow &row :
         readResults(GNNC_TEST_DATA "/../../benchmarks/results/" + std::string(name)))
      EXPECT_FALSE(row.machine.empty()) << name << ":" << row.line;
}

TEST_F(ResultFile, damaged_lines_are_named) {
  EXPECT_EQ(messageOf(start + ",\"ok\":true}\n" + start + ",\"o"),
            ":2: is no JSON object; was the line cut short?");
  EXPECT_EQ(messageOf("[]"), ":1: is no JSON object; was the line cut short?");
  EXPECT_EQ(messageOf(""), ": has no rows");
  EXPECT_EQ(messageOf("\n \n"), ": has no rows");
  EXPECT_EQ(messageOf(R"({"suite":"tuning"})"), ":1: has no 'system'; is it a row of gnn-bench?");
  EXPECT_EQ(messageOf(start + "}"), ":1: has no 'ok'; is it a row of gnn-bench?");
  EXPECT_EQ(messageOf(start + R"(,"ok":true,"mode":3})"), ":1: 'mode' is 3, expected a string");
  EXPECT_EQ(messageOf(start + R"(,"ok":true,"nodes":-1})"), ":1: 'nodes' is -1, expected a count");
  EXPECT_EQ(messageOf(start + R"(,"ok":true,"latency_ms":{"median":1}})"),
            ":1: 'latency_ms' lacks one of 'q1', 'median', 'q3', 'n'");
  EXPECT_EQ(messageOf(start + R"(,"ok":true,"latency_ms":{"q1":2,"median":1,"q3":3,"n":9}})"),
            ":1: 'latency_ms' has no quartiles of samples: 'q1', 'median', 'q3' must rise, "
            "'median' and 'n' be above 0");
}

TEST(Report, json_has_every_cell_and_the_table_the_changed_ones) {
  std::vector<ResultRow> before = {rowOf(1), rowOf(1)}, after = {rowOf(1), rowOf(2)};
  before[1].data = after[1].data = "pubmed";
  std::vector<Comparison> cells = compare(before, after, CompareRule());
  auto json = nlohmann::json::parse(comparisonJson(cells, CompareRule()));
  EXPECT_EQ(json["worse"], true);
  EXPECT_EQ(json["counts"]["slower"], 1);
  EXPECT_EQ(json["counts"]["failed"], 0);
  ASSERT_EQ(json["cells"].size(), 2u);
  EXPECT_EQ(json["cells"][0]["data"], "pubmed");
  EXPECT_EQ(json["cells"][0]["change"], 1.0);
  EXPECT_TRUE(json["cells"][0]["dynamic"].is_null());
  std::string text = comparisonTable(cells, /*all=*/false);
  EXPECT_NE(text.find("slower   gnnc gcn pubmed default cpu f32  1.0000  2.0000  +100.0 %"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("cora"), std::string::npos) << text;
  EXPECT_NE(comparisonTable(cells, /*all=*/true).find("cora"), std::string::npos);
  EXPECT_NE(text.find("2 cells: 1 slower, 1 same\n"), std::string::npos) << text;
}

} // namespace
