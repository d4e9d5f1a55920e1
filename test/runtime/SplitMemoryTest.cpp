// Sessions on a device whose memory is not the host's: copies, recordings, what
// is freed, and every allocation failing in turn.
#include "GraphsForTests.h"
#include "SplitBackend.h"
#include "TestFiles.h"
#include "TestProgram.h"
#include "runtime/core/Session.h"

#include <cmath>

using namespace gnnc;
using namespace gnnc::runtime;

namespace {

class SplitMemory : public testing::Test {
protected:
  TestFolder folder;
  TestProgram program;
  SplitCounters counters;

  std::shared_ptr<const Executable> load(const format::Artifact &artifact, std::string &error) {
    if (!format::writeArtifact(folder / "m.gnnx", artifact, error))
      return nullptr;
    auto device = Device::wrap(std::make_unique<SplitBackend>(counters));
    auto executable = Executable::load(device, folder / "m.gnnx");
    if (executable)
      return *executable;
    error = executable.status().message();
    return nullptr;
  }
  static std::shared_ptr<const runtime::Graph> bindable(const EdgeList &list) {
    gnnc_graph_desc desc{list.nodes,      list.nodes, list.edges(), list.src.data(),
                         list.dst.data(), GNNC_I64,   nullptr,      0};
    return *runtime::Graph::create(desc);
  }

  /// One run with host tensors, compared with plain code.
  void check(Session &session, const EdgeList &graph, float scale) {
    std::vector<float> x, out(static_cast<std::size_t>(graph.nodes * 2), -7.0f);
    for (std::int64_t i = 0; i < graph.nodes * 3; ++i)
      x.push_back(scale * static_cast<float>(i % 11));
    std::vector<double> expected = program.expected(graph.nodes, graph.src, graph.dst, x);
    std::int64_t inShape[2] = {graph.nodes, 3}, outShape[2] = {graph.nodes, 2};
    gnnc_tensor in{"x", x.data(), GNNC_F32, 2, inShape, 0};
    gnnc_tensor to{"out", out.data(), GNNC_F32, 2, outShape, 0};
    Status status = session.run({&in, 1, &to, 1});
    ASSERT_TRUE(status) << status.message();
    double largest = 1;
    for (double value : expected)
      largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_NEAR(out[i], expected[i], 1e-5 * largest) << i;
  }
};

TEST_F(SplitMemory, MatchesPlainCodeWithAndWithoutRecordings) {
  for (const char *mode : {"default", "reduce-overhead"}) {
    format::Artifact artifact = program.make();
    artifact.plan.mode = mode;
    std::string error;
    auto executable = load(artifact, error);
    ASSERT_TRUE(executable) << error;
    for (const EdgeList &graph : hardGraphs()) {
      SCOPED_TRACE(graph.name + " " + mode);
      auto session = Session::create(executable, bindable(graph));
      ASSERT_TRUE(session) << session.status().message();
      for (float scale : {0.5f, 2.0f, 3.0f})
        check(**session, graph, scale);
      gnnc_stats stats = (*session)->stats();
      bool records = artifact.plan.mode != "default";
      EXPECT_EQ(stats.captures, records ? 1 : 0);
      EXPECT_EQ(stats.graph_launches, records ? 3 : 0);
    }
  }
  EXPECT_EQ(counters.live, 0);
}

TEST_F(SplitMemory, GraphCallsOnTheDeviceAndThoseItLeavesToTheHost) {
  std::string error;
  auto executable = load(program.make(), error);
  ASSERT_TRUE(executable) << error;
  for (auto calls : {SplitCounters::Calls::Done, SplitCounters::Calls::LeftToHost})
    for (const EdgeList &graph : hardGraphs()) {
      SCOPED_TRACE(graph.name);
      counters.calls = calls;
      counters.graphCalls = 0;
      auto session = Session::create(executable, bindable(graph));
      ASSERT_TRUE(session) << session.status().message();
      check(**session, graph, 2.0f);
      EXPECT_GT(counters.graphCalls, 0);
      gnnc_stats stats = (*session)->stats();
      EXPECT_GE(stats.prepare_ms, 0);
      EXPECT_LE(stats.prepare_ms, stats.bind_ms);
      EXPECT_GE(stats.graph_bytes + stats.arena_bytes, 1 << 20); // scratch of a call counts
    }
}

TEST_F(SplitMemory, OnlyInputsAndOutputsTravelInARun) {
  std::string error;
  auto executable = load(program.make(), error);
  ASSERT_TRUE(executable) << error;
  EdgeList graph = randomEdges("g", 500, 2000);
  auto session = Session::create(executable, bindable(graph));
  ASSERT_TRUE(session);
  EXPECT_EQ(counters.toHost, 0) << "prepare's graph calls read nothing from the device here";
  check(**session, graph, 1);
  gnnc_stats first = (*session)->stats();
  EXPECT_EQ(first.io_bytes, 500 * 3 * 4 + 500 * 2 * 4);
  std::int64_t toDevice = counters.toDevice, toHost = counters.toHost;
  check(**session, graph, 2);
  EXPECT_EQ(counters.toDevice, toDevice + 1);
  EXPECT_EQ(counters.toHost, toHost + 1);
  EXPECT_EQ((*session)->stats().allocations, first.allocations);
}

TEST_F(SplitMemory, WhatIsWrittenOnceIsPackedOncePerBinding) {
  using Kind = format::Buffer::Kind;
  EdgeList graph = randomEdges("g", 100, 300);
  for (bool isPrepared : {false, true}) {
    SCOPED_TRACE(isPrepared ? "made by prepare" : "a weight");
    format::Artifact artifact = program.make();
    format::Plan &plan = artifact.plan;
    format::Gemm &product = plan.forward[0].gemm;
    if (isPrepared) {
      format::Command slice{format::Command::Kind::GraphCall, {}, {}, {}};
      slice.call.callee = "slice";
      slice.call.inputs = {product.b};
      slice.call.outputs = {static_cast<int>(plan.buffers.size())};
      slice.call.offsets = {0, 0};
      slice.call.sizes = {2, 3};
      plan.buffers.push_back(
          {"part", Kind::Persistent, format::DType::F32, {{2, {}}, {3, {}}}, {}});
      product.b = slice.call.outputs.front();
      plan.prepare.push_back(slice);
    }
    std::string error;
    auto executable = load(artifact, error);
    ASSERT_TRUE(executable) << error;
    for (int binding = 0; binding < 2; ++binding) {
      counters.packings = 0;
      auto session = Session::create(executable, bindable(graph));
      ASSERT_TRUE(session) << session.status().message();
      EXPECT_EQ(counters.packings, 1);
      for (float scale : {0.5f, 2.0f, 3.0f})
        check(**session, graph, scale);
      EXPECT_EQ(counters.packings, 1);
    }
  }
}

TEST_F(SplitMemory, DeviceTensorsAreUsedInPlaceAndRerecorded) {
  format::Artifact artifact = program.make();
  artifact.plan.mode = "reduce-overhead";
  std::string error;
  auto executable = load(artifact, error);
  ASSERT_TRUE(executable) << error;
  Backend &backend = executable->device().backend();
  auto stream = backend.createStream();
  EdgeList graph = randomEdges("g", 100, 300);
  auto session = Session::create(executable, bindable(graph));
  ASSERT_TRUE(session);
  std::vector<float> x(300, 1.0f), out(200);
  std::vector<double> expected = program.expected(100, graph.src, graph.dst, x);
  std::int64_t inShape[2] = {100, 3}, outShape[2] = {100, 2};
  void *deviceX[2], *deviceOut = *backend.allocate(800);
  for (void *&address : deviceX) {
    address = *backend.allocate(1200);
    ASSERT_TRUE(backend.copyToDevice(address, x.data(), 1200, **stream));
  }
  for (int round : {0, 1, 0, 0}) {
    gnnc_tensor in{"x", deviceX[round], GNNC_F32, 2, inShape, 1};
    gnnc_tensor to{"out", deviceOut, GNNC_F32, 2, outShape, 1};
    Status status = (*session)->run({&in, 1, &to, 1});
    ASSERT_TRUE(status) << status.message();
    ASSERT_TRUE(backend.copyToHost(out.data(), deviceOut, 800, **stream));
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_NEAR(out[i], expected[i], 1e-4);
  }
  EXPECT_EQ((*session)->stats().captures, 1);
  EXPECT_EQ((*session)->stats().updates, 2);
  EXPECT_EQ((*session)->stats().failed_updates, 0);
  EXPECT_EQ((*session)->stats().io_bytes, 0);
  gnnc_tensor hostTensor{"x", x.data(), GNNC_F32, 2, inShape, 1};
  EXPECT_EQ((*session)->run({&hostTensor, 1, nullptr, 0}).message(),
            "run: input 'x': data is not device memory");
  for (void *address : {deviceX[0], deviceX[1], deviceOut})
    backend.release(address);
}

TEST_F(SplitMemory, DeviceTensorsBesideVectorBoundariesGoThroughOurMemory) {
  format::Artifact artifact = program.make();
  artifact.plan.ioAlignment = 16;
  std::string error;
  auto executable = load(artifact, error);
  ASSERT_TRUE(executable) << error;
  Backend &backend = executable->device().backend();
  auto stream = backend.createStream();
  EdgeList graph = randomEdges("g", 100, 300);
  auto session = Session::create(executable, bindable(graph));
  ASSERT_TRUE(session);
  std::vector<float> x(300, 1.0f), out(200);
  std::vector<double> expected = program.expected(100, graph.src, graph.dst, x);
  std::int64_t inShape[2] = {100, 3}, outShape[2] = {100, 2};
  char *deviceX = static_cast<char *>(*backend.allocate(1204));
  char *deviceOut = static_cast<char *>(*backend.allocate(804));
  ASSERT_TRUE(backend.copyToDevice(deviceX + 4, x.data(), 1200, **stream));
  gnnc_tensor in{"x", deviceX + 4, GNNC_F32, 2, inShape, 1};
  gnnc_tensor to{"out", deviceOut + 4, GNNC_F32, 2, outShape, 1};
  Status status = (*session)->run({&in, 1, &to, 1});
  ASSERT_TRUE(status) << status.message();
  EXPECT_GT((*session)->stats().io_bytes, 0);
  ASSERT_TRUE(backend.copyToHost(out.data(), deviceOut + 4, 800, **stream));
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_NEAR(out[i], expected[i], 1e-4);
  backend.release(deviceX);
  backend.release(deviceOut);
}

TEST_F(SplitMemory, HostReadsWhatTheDeviceMadeAndWritesBesideZeros) {
  // col is written by a kernel-made edge order: inverse (device) is an edge tensor of
  // nobody, so let to_csr permute what inverse_degree wrote for a graph of n edges.
  format::Artifact artifact = program.make();
  format::Plan &plan = artifact.plan;
  const format::Formula n{0, {{0, 1}}};
  plan.buffers.push_back(
      {"sorted", format::Buffer::Kind::Persistent, format::DType::F32, {n}, {}, true});
  format::Command again = plan.prepare[1];
  again.call.inputs = {1, 2, 9};
  again.call.outputs = {7, 8, 13};
  again.call.edges = {0, {{1, 1}}};
  plan.buffers[8].shape = {n};
  plan.prepare[1].call.outputs[1] = 8;
  // First csr of the edges as they are, then of the same with `inverse` beside.
  plan.prepare = {again, plan.prepare[2], again};
  plan.prepare[0].call.inputs = {1, 2};
  plan.prepare[0].call.outputs = {7, 8};
  plan.forward = {plan.forward[2]};
  plan.forward[0].launch.arguments[0].buffer = 13;
  std::string error;
  auto executable = load(artifact, error);
  ASSERT_TRUE(executable) << error;
  // Every node has one edge into it; node v's comes as edge 2 - v.
  EdgeList graph{"g", 3, {0, 0, 0}, {2, 1, 0}};
  auto session = Session::create(executable, bindable(graph));
  ASSERT_TRUE(session) << session.status().message();
  EXPECT_GT(counters.toHost, 0);
  std::vector<float> x(9);
  std::int64_t inShape[2] = {3, 3};
  gnnc_tensor in{"x", x.data(), GNNC_F32, 2, inShape, 0};
  EXPECT_TRUE((*session)->run({&in, 1, nullptr, 0}));
}

TEST_F(SplitMemory, AnotherGraphTakesTheMemoryThatIsThere) {
  for (const char *mode : {"default", "reduce-overhead"}) {
    SCOPED_TRACE(mode);
    format::Artifact artifact = program.make();
    artifact.plan.mode = mode;
    std::string error;
    auto executable = load(artifact, error);
    ASSERT_TRUE(executable) << error;
    EdgeList largest = randomEdges("largest", 3000, 9000), small = randomEdges("small", 70, 200);
    auto session = Session::create(executable, bindable(largest));
    ASSERT_TRUE(session) << session.status().message();
    check(**session, largest, 1);
    // The first graph to follow may need what prepare let go.
    Status status = (*session)->rebind(bindable(largest));
    ASSERT_TRUE(status) << status.message();
    check(**session, largest, 2);
    gnnc_stats full = (*session)->stats();
    for (const EdgeList &graph : hardGraphs()) {
      SCOPED_TRACE(graph.name);
      if (graph.nodes > largest.nodes || graph.edges() > largest.edges())
        continue;
      for (const EdgeList &next : {graph, small, largest}) {
        status = (*session)->rebind(bindable(next));
        ASSERT_TRUE(status) << status.message();
        check(**session, next, 1);
        check(**session, next, 3);
      }
    }
    gnnc_stats stats = (*session)->stats();
    EXPECT_EQ(stats.allocations, full.allocations) << "nothing after the largest";
    EXPECT_EQ(stats.graph_bytes, full.graph_bytes);
    EXPECT_GT(stats.rebinds, 10);
    bool records = artifact.plan.mode != "default";
    EXPECT_EQ(stats.captures, records ? 1 + stats.failed_updates : 0);
    EXPECT_EQ(stats.updates > 5, records);
    EXPECT_EQ((*session)->updateFailure(), stats.failed_updates ? "another number of calls" : "");
  }
  EXPECT_EQ(counters.live, 0);
}

TEST_F(SplitMemory, ARefusedGraphLeavesTheSessionAndAFailedOneCanBeFollowed) {
  std::string error;
  format::Artifact artifact = program.make();
  artifact.plan.guards = {{"max", {0, {{0, 1}}}, 100, "few nodes"}};
  auto executable = load(artifact, error);
  ASSERT_TRUE(executable) << error;
  EdgeList graph = randomEdges("g", 60, 200), larger = randomEdges("larger", 100, 900),
           refused = randomEdges("refused", 101, 100);
  auto session = Session::create(executable, bindable(graph));
  ASSERT_TRUE(session);
  Status status = (*session)->rebind(bindable(refused));
  EXPECT_EQ(status.code(), Code::GuardFailed);
  EXPECT_EQ((*session)->stats().guard_failures, 1);
  check(**session, graph, 1);
  // Out of memory half way, at each allocation in turn.
  int failures = 0;
  for (std::int64_t number = 0;; ++number, ++failures) {
    counters.failAllocation = counters.allocations + number;
    status = (*session)->rebind(bindable(larger));
    if (status)
      break;
    EXPECT_EQ(status.code(), Code::OutOfMemory);
    std::vector<float> x(300);
    std::int64_t shape[2] = {100, 3};
    gnnc_tensor in{"x", x.data(), GNNC_F32, 2, shape, 0};
    std::string message = (*session)->run({&in, 1, nullptr, 0}).message();
    EXPECT_NE(
        message.find("run: the session has no graph, its last one could not be bound (bind: "),
        std::string::npos)
        << message;
    counters.failAllocation = -1;
    ASSERT_TRUE((*session)->rebind(bindable(graph)));
    check(**session, graph, 1);
  }
  counters.failAllocation = -1;
  EXPECT_GT(failures, 0);
  check(**session, larger, 1);
}

TEST_F(SplitMemory, EveryFailedAllocationIsAnErrorAndLeaksNothing) {
  std::string error;
  EdgeList graph = randomEdges("g", 50, 200);
  int failures = 0;
  for (std::int64_t number = 0;; ++number) {
    counters = {};
    counters.failAllocation = number;
    auto executable = load(program.make(), error);
    if (!executable) {
      EXPECT_NE(error.find("out of memory: "), std::string::npos) << error;
      EXPECT_NE(error.find("m.gnnx: weights: "), std::string::npos) << error;
      EXPECT_EQ(counters.live, 0);
      ++failures;
      continue;
    }
    auto session = Session::create(executable, bindable(graph));
    if (!session) {
      EXPECT_EQ(session.status().code(), Code::OutOfMemory);
      EXPECT_NE(session.status().message().find("bytes of weights"), std::string::npos)
          << session.status().message();
      executable.reset();
      EXPECT_EQ(counters.live, 0);
      ++failures;
      continue;
    }
    break;
  }
  EXPECT_GE(failures, 6); // weights, arena of prepare, rowptr, col, inverse, arena
}

} // namespace
