// What a plan relies on: the list, its limits at their very edge, and its cost.
#include "TestFiles.h"
#include "TestProgram.h"
#include "runtime/core/Buffers.h"

#include <chrono>

using namespace gnnc;
using namespace gnnc::runtime;

namespace {

constexpr std::int64_t kMax32 = 2147483647;

format::Plan guardedPlan() {
  format::Plan plan = TestProgram().make().plan;
  plan.guards = {{"max", {0, {{0, 1}}}, kMax32, "nodes fit 32-bit indices"},
                 {"max", {0, {{1, 1}, {0, 1}}}, kMax32, "edges with self loops fit"},
                 {"equal", {0, {{0, 1}}}, 7, "the program was compiled for 7 nodes"}};
  return plan;
}

/// The message for a graph of so many nodes and edges, without the graph.
std::string complaint(const Guards &guards, const format::Plan &plan, std::int64_t nodes,
                      std::int64_t edges) {
  return guards.check(Symbols(plan, nodes, nodes, edges), /*afterPrepare=*/false).message();
}

TEST(Guards, HoldUpToTheLastValueThatFits) {
  format::Plan plan = guardedPlan();
  plan.guards.pop_back();
  Guards guards(plan);
  EXPECT_EQ(complaint(guards, plan, 0, 0), "");
  EXPECT_EQ(complaint(guards, plan, kMax32, 0), "");
  EXPECT_EQ(complaint(guards, plan, 1, kMax32 - 1), "");
  EXPECT_EQ(guards.failures(), 0);
  EXPECT_EQ(complaint(guards, plan, kMax32 + 1, 0),
            "bind: the program relies on: nodes fit 32-bit indices; found n = 2147483648, expected "
            "at most 2147483647; compile it with --index i64");
  EXPECT_EQ(complaint(guards, plan, 1, kMax32),
            "bind: the program relies on: edges with self loops fit; found e + n = 2147483648, "
            "expected at most 2147483647; compile it with --index i64");
  // What would wrap around in 64 bits too is saturated, so refused.
  EXPECT_NE(complaint(guards, plan, INT64_MAX, INT64_MAX), "");
  EXPECT_EQ(guards.failures(0), 2);
  EXPECT_EQ(guards.failures(1), 1);
  EXPECT_EQ(guards.failures(), 3);
}

TEST(Guards, AGraphWithoutEdgesStandsAtTheBoundary) {
  format::Plan plan = guardedPlan();
  plan.guards.pop_back();
  Guards guards(plan);
  for (std::int64_t nodes : {kMax32, kMax32 + 1}) {
    gnnc_graph_desc desc{nodes, nodes, 0, nullptr, nullptr, GNNC_I64, nullptr, 0};
    auto graph = Graph::create(desc); // takes no memory
    ASSERT_TRUE(graph) << graph.status().message();
    Status status = guards.check(Symbols(plan, **graph), false);
    EXPECT_EQ(bool(status), nodes == kMax32);
  }
}

TEST(Guards, ListNamesEveryAssumption) {
  format::Plan plan = guardedPlan();
  plan.ioAlignment = 16;
  plan.chip = "x86-64-v3";
  int pointer = static_cast<int>(plan.buffers.size());
  plan.buffers.push_back(
      {"ptr", format::Buffer::Kind::GraphData, format::DType::I64, {{1, {{0, 1}}}}, {}, false});
  format::Command make{format::Command::Kind::GraphCall, {}, {}, {}};
  make.call.callee = "make_graph";
  make.call.form = "segments";
  make.call.inputs = {pointer};
  make.call.edges = {0, {{1, 1}}};
  plan.prepare.push_back(make);
  EXPECT_EQ(format::guardTable(plan),
            "range      n                   <= 2147483647: nodes fit 32-bit indices\n"
            "range      e + n               <= 2147483647: edges with self loops fit\n"
            "extent     n                   = 7: the program was compiled for 7 nodes\n"
            "type       x                   F32\n"
            "width      x                   [n, 3]\n"
            "index      src                 ids below the node count, read as I64, edges in any "
            "order\n"
            "index      dst                 ids below the node count, read as I64, edges in any "
            "order\n"
            "type       out                 F32\n"
            "width      out                 [n, 2]\n"
            "type       ptr                 I64\n"
            "width      ptr                 [n + 1]\n"
            "sorted     ptr                 from 0 to e, never falling\n"
            "alignment  inputs and outputs  16 bytes; others are copied\n"
            "chip       cpu                 x86-64-v3\n");
  Guards guards(plan);
  guards.failed(format::GuardLine::Kind::Sorted, "ptr");
  guards.failed(format::GuardLine::Kind::Sorted, "no such tensor");
  EXPECT_EQ(guards.failures(), 1);
}

TEST(Guards, ACheckTakesFarLessThanAMicrosecond) {
  format::Plan plan = guardedPlan();
  Guards guards(plan);
  Symbols symbols(plan, 7, 7, 40);
  constexpr int kRounds = 20000;
  double best = 1e9; // of several: other work of the machine must not count
  for (int i = 0; i < 5; ++i) {
    auto start = std::chrono::steady_clock::now();
    for (int round = 0; round < kRounds; ++round)
      ASSERT_TRUE(guards.check(symbols, true));
    std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    best = std::min(best, spent.count() / (kRounds * 3.0));
  }
  RecordProperty("nanoseconds", std::to_string(best));
  EXPECT_LT(best, 1000) << "ns a guard";
}

} // namespace
