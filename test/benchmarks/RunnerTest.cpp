//===- RunnerTest.cpp - Systems take turns, and wrong numbers are caught --===//
#include "benchmarks/gnn-bench/Runner.h"
#include "benchmarks/gnn-bench/MemoryMeter.h"
#include "benchmarks/gnn-bench/SelfCheck.h"

#include <gtest/gtest.h>

using namespace gnnc::bench;

namespace {

/// Gives a fixed output; notes its runs in a shared list.
class Scripted final : public System {
public:
  Scripted(std::string name, at::Tensor out, std::vector<std::string> &log, int failAt = -1)
      : name(std::move(name)), out(std::move(out)), log(log), failAt(failAt) {}
  void describe(Row &row) const override { row.system = name; }
  void setUp() override {}
  double time(int inner) override {
    if (samples++ == failAt)
      throw Failure("broke on purpose\nbacktrace");
    log.push_back(name);
    return 1.0 * inner;
  }
  double wallTime() override {
    ++warmups;
    return 1.0;
  }
  at::Tensor output() override { return out; }
  void finish(Row &row) override { row.kernels = warmups; }

private:
  std::string name;
  at::Tensor out;
  std::vector<std::string> &log;
  int failAt, samples = 0, warmups = 0;
};

class Runner : public testing::Test {
protected:
  Runner() {
    work.data.numNodes = 2;
    work.data.y = {1, 1};
    work.data.testMask = {1, 1};
  }

  std::vector<Row> run(double error, int failAt = -1) {
    at::Tensor wrong = reference.to(at::kFloat).clone();
    wrong[0][0] += error;
    std::vector<std::unique_ptr<System>> systems;
    systems.push_back(std::make_unique<Scripted>("a", reference.to(at::kFloat), log));
    systems.push_back(std::make_unique<Scripted>("b", wrong, log, failAt));
    RunOptions options;
    options.repeats = 3;
    options.warmup = 2;
    return measure(work, std::move(systems), reference, Row(), options, [](const std::string &) {});
  }

  Workload work;
  at::Tensor reference = torch::tensor({{1.0, 2.0}, {3.0, 1.0}}, at::kDouble);
  std::vector<std::string> log;
};

TEST_F(Runner, systems_take_turns) {
  std::vector<Row> rows = run(0);
  EXPECT_EQ(log, (std::vector<std::string>{"a", "b", "a", "b", "a", "b"}));
  EXPECT_TRUE(rows[0].ok && rows[1].ok);
  EXPECT_EQ(rows[0].latency.size(), 3u);
  EXPECT_GE(rows[0].kernels, 2); // warm-ups
  EXPECT_EQ(rows[0].testAccuracy, 0.5);
  EXPECT_EQ(rows[0].bitIdentical, true);
}

TEST_F(Runner, an_error_over_the_bound_shows) {
  std::vector<Row> rows = run(1e-3);
  EXPECT_EQ(rows[0].inBound, true);
  EXPECT_EQ(rows[1].inBound, false);
  EXPECT_NEAR(*rows[1].maxRelErr, 1e-3 / 3, 1e-6);
}

TEST_F(Runner, a_failure_is_a_row_and_the_others_go_on) {
  std::vector<Row> rows = run(0, /*failAt=*/1);
  EXPECT_TRUE(rows[0].ok);
  EXPECT_EQ(rows[0].latency.size(), 3u);
  EXPECT_FALSE(rows[1].ok);
  EXPECT_EQ(rows[1].error, "broke on purpose");
  EXPECT_TRUE(rows[1].latency.empty());
}

TEST(SelfCheck, the_difference_of_copies_is_the_noise_floor) {
  std::vector<Row> rows(4);
  const char *systems[] = {"a", "b", "a", "b"};
  for (int i = 0; i < 4; ++i) {
    rows[i].system = systems[i];
    rows[i].ok = true;
    rows[i].latency = {10, 10, 10};
    rows[i].maxRelErr = 1e-7;
    rows[i].inBound = rows[i].bitIdentical = true;
  }
  rows[2].latency = {10, 10, 12}; // q3 is 11
  rows[2].maxRelErr = 1e-3;
  rows[2].inBound = false;
  std::vector<Row> folded = foldSelfCheck(rows);
  ASSERT_EQ(folded.size(), 2u);
  EXPECT_EQ(folded[0].system, "a");
  EXPECT_NEAR(folded[0].noiseFloor.value(), 0.1, 1e-12);
  EXPECT_EQ(folded[0].maxRelErr, 1e-3);
  EXPECT_EQ(folded[0].inBound, false);
  EXPECT_EQ(folded[1].system, "b");
  EXPECT_EQ(folded[1].noiseFloor, 0.0);
  EXPECT_EQ(folded[1].inBound, true);
}

TEST(SelfCheck, either_failure_is_the_systems) {
  std::vector<Row> rows(4);
  rows[0].error = "no memory";
  rows[1].ok = rows[2].ok = true;
  rows[1].latency = rows[2].latency = {1};
  rows[3].error = "crashed";
  std::vector<Row> folded = foldSelfCheck(rows);
  EXPECT_EQ(folded[0].error, "no memory");
  EXPECT_EQ(folded[1].error, "self-check: the second of two failed: crashed");
  for (const Row &row : folded)
    EXPECT_FALSE(row.ok || row.noiseFloor || !row.latency.empty());
}

TEST(MemoryMeter, counts_what_tensors_hold) {
  installMemoryMeter();
  std::int64_t before = memoryUse(at::kCPU).current;
  {
    at::Tensor kept = at::empty({1 << 20}, at::kFloat);
    resetMemoryPeak(at::kCPU);
    at::empty({1 << 20}, at::kFloat);
    MemoryUse use = memoryUse(at::kCPU);
    EXPECT_NEAR(double(use.current - before), double(4 << 20), 4096);
    EXPECT_NEAR(double(use.peak - before), double(8 << 20), 8192);
  }
  EXPECT_EQ(memoryUse(at::kCPU).current, before);
}

TEST(EagerSystem, peak_memory_holds_the_messages_of_all_edges) {
  installMemoryMeter();
  Workload work;
  work.data.numNodes = 100;
  work.data.numEdges = 10000;
  work.data.edgeIndex.resize(20000);
  for (int i = 0; i < 20000; ++i)
    work.data.edgeIndex[i] = (i * 37 + i / 10000) % 100;
  work.spec.inChannels = 4;
  work.spec.hiddenChannels = 64;
  work.spec.outChannels = 3;
  work.weights = randomWeights(work.spec, 0);
  work.x = at::rand({100, 4});
  auto peak = [&](Aggregation aggregation) {
    auto system = makeEagerSystem(work, aggregation, true);
    system->setUp();
    Row row;
    system->finish(row);
    EXPECT_GT(row.secondMs.value(), 0);
    return *row.peakMib;
  };
  double messages = 10000 * 64 * 4 / double(1 << 20);
  EXPECT_GT(peak(Aggregation::GatherScatter), messages);
  EXPECT_LT(peak(Aggregation::Csr), messages);
}

} // namespace
