// The public API from load to profile with a program written by hand.
#include "GraphsForTests.h"
#include "SessionFixture.h"

#include <cmath>
#include <cstring>
#include <thread>

using namespace gnnc;

namespace {

class SessionTest : public SessionFixture {};

TEST_F(SessionTest, MatchesPlainCodeOnHardGraphs) {
  for (const char *device : {"cpu", "cpu:1", "cpu:4"}) {
    for (std::int64_t width : {1, 2, 33}) {
      program.out = width;
      Executable executable = must(load(program.make(), device));
      for (const EdgeList &graph : hardGraphs()) {
        SCOPED_TRACE(graph.name + " " + device);
        Session session = must(executable.bind(
            must(Graph::create<std::int64_t>(graph.nodes, graph.nodes, graph.src, graph.dst))));
        OutputShape shape = must(session.outputShape("out"));
        EXPECT_EQ(shape.shape, (std::vector<std::int64_t>{graph.nodes, width}));
        std::vector<float> x = features(graph.nodes * 3);
        std::vector<float> out(static_cast<std::size_t>(graph.nodes * width), -77.0f), first;
        std::vector<double> expected = program.expected(graph.nodes, graph.src, graph.dst, x);
        double largest = 1;
        for (double value : expected)
          largest = std::max(largest, std::abs(value));
        for (int run = 0; run < 3; ++run) {
          auto status = session.run({Tensor("x", x.data(), {graph.nodes, 3})},
                                    {Tensor("out", out.data(), {graph.nodes, width})});
          ASSERT_TRUE(status) << status.error().message;
          for (std::size_t i = 0; i < out.size(); ++i)
            ASSERT_NEAR(out[i], expected[i], 1e-5 * largest) << i;
          if (run == 0)
            first = out;
          ASSERT_TRUE(out.empty() ||
                      std::memcmp(first.data(), out.data(), out.size() * sizeof(float)) == 0);
        }
      }
    }
  }
}

TEST_F(SessionTest, IndexTypesMix) {
  std::vector<std::int32_t> src32 = {0, 1, 2}, dst32 = {1, 2, 0};
  std::vector<std::int64_t> src64 = {0, 1, 2}, dst64 = {1, 2, 0};
  std::vector<float> x = features(9), out[4];
  int i = 0;
  for (auto index : {format::DType::I32, format::DType::I64}) {
    program.graphIndex = index;
    Executable executable = must(load(program.make()));
    for (bool narrow : {true, false}) {
      Graph graph = narrow ? must(Graph::create<std::int32_t>(3, 3, src32, dst32))
                           : must(Graph::create<std::int64_t>(3, 3, src64, dst64));
      Session session = must(executable.bind(graph));
      out[i].resize(6);
      auto status =
          session.run({Tensor("x", x.data(), {3, 3})}, {Tensor("out", out[i].data(), {3, 2})});
      ASSERT_TRUE(status) << status.error().message;
      EXPECT_EQ(out[i], out[0]);
      ++i;
    }
  }
}

TEST_F(SessionTest, NanFeaturesReachTheirNeighboursOnly) {
  Executable executable = must(load(program.make()));
  std::vector<std::int64_t> src = {0}, dst = {1};
  Session session = must(executable.bind(must(Graph::create<std::int64_t>(3, 3, src, dst))));
  std::vector<float> x = features(9), out(6);
  x[0] = NAN;
  ASSERT_TRUE(session.run({Tensor("x", x.data(), {3, 3})}, {Tensor("out", out.data(), {3, 2})}));
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(std::isnan(out[static_cast<std::size_t>(i)]), i < 4) << i;
}

TEST_F(SessionTest, RunsAllocateNothingAndMemoryIsKnownBefore) {
  Executable executable = must(load(program.make()));
  EdgeList graph = randomEdges("g", 1000, 5000);
  Session session =
      must(executable.bind(must(Graph::create<std::int64_t>(1000, 1000, graph.src, graph.dst))));
  gnnc_stats before = must(session.stats());
  EXPECT_EQ(before.weight_bytes, 512); // 24 and 8 bytes, each rounded up to 256
  EXPECT_GE(before.arena_bytes, 8192 + 4096);
  EXPECT_GE(before.graph_bytes, 1001 * 4 + 1000 * 4 + 5990 * 4);
  EXPECT_EQ(before.kernels_per_forward, 3);
  EXPECT_GT(before.bind_ms, 0);
  EXPECT_GT(before.prepare_ms, 0);
  EXPECT_LE(before.prepare_ms, before.bind_ms);
  EXPECT_GT(before.load_ms, 0);
  std::vector<float> x = features(3000), out(2000);
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(
        session.run({Tensor("x", x.data(), {1000, 3})}, {Tensor("out", out.data(), {1000, 2})}));
  gnnc_stats after = must(session.stats());
  EXPECT_EQ(after.allocations, before.allocations);
  EXPECT_EQ(after.io_bytes, 0);
}

TEST_F(SessionTest, TimesAndProfiles) {
  Executable executable = must(load(program.make()));
  std::vector<std::int64_t> src = {0, 1}, dst = {1, 2};
  Session session = must(executable.bind(must(Graph::create<std::int64_t>(3, 3, src, dst))));
  std::vector<float> x = features(9), out(6);
  std::vector<Tensor> in = {Tensor("x", x.data(), {3, 3})},
                      to = {Tensor("out", out.data(), {3, 2})};
  std::vector<double> samples = must(session.time(in, to, 2, 5, 3));
  ASSERT_EQ(samples.size(), 5u);
  for (double sample : samples)
    EXPECT_GT(sample, 0);
  auto status = session.profile(in, to, folder / "t.json");
  ASSERT_TRUE(status) << status.error().message;
  std::string trace = slurp(folder / "t.json");
  for (const char *text : {"\"traceEvents\"", "gemm 3x3x2", "sum_rows", "scale_rows", "to_csr",
                           "\"flops\": 36", "\"bytes\""})
    EXPECT_NE(trace.find(text), std::string::npos) << text;
  EXPECT_FALSE(session.profile(in, to, folder / "no/such/t.json"));
  EXPECT_FALSE(session.time(in, to, 0, 1, 0));
  EXPECT_EQ(folder.files(), 2u); // the artefact and the trace
}

TEST_F(SessionTest, ObjectsMayGoInAnyOrderAndSessionsRunInParallel) {
  std::vector<Session> sessions;
  EdgeList graph = randomEdges("g", 2000, 30000, 5000);
  {
    Device device = must(Device::open("cpu"));
    Executable executable = must(device.load(write(program.make())));
    Graph bound = must(Graph::create<std::int64_t>(2000, 2000, graph.src, graph.dst));
    for (int i = 0; i < 4; ++i)
      sessions.push_back(must(executable.bind(bound)));
  }
  std::filesystem::remove(folder / "m.gnnx");
  std::vector<float> x = features(6000);
  std::vector<std::vector<float>> out(4, std::vector<float>(4000));
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (std::size_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int run = 0; run < 20; ++run)
        EXPECT_TRUE(sessions[i].run({Tensor("x", x.data(), {2000, 3})},
                                    {Tensor("out", out[i].data(), {2000, 2})}));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (std::size_t i = 1; i < 4; ++i)
    EXPECT_EQ(out[i], out[0]);
}

} // namespace
