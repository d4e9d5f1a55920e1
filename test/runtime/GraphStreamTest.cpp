// Random sequences of graphs through sessions that are kept, of both modes, several in
// each of several threads, compared to the bit with a session made for each graph alone.
#include "GraphsForTests.h"
#include "TestFiles.h"
#include "TestProgram.h"
#include "gnnc/gnnc.hpp"

#include <cstring>
#include <thread>

using namespace gnnc;

// oneTBB is not built with ThreadSanitizer, which then takes what it hands from thread to
// thread for races. One thread a session leaves the sessions' own threads to be looked at.
#if __has_feature(thread_sanitizer)
static const char *const deviceName = "cpu:1";
#else
static const char *const deviceName = "cpu:2";
#endif

namespace {

struct Case {
  EdgeList list;
  std::vector<float> x, expected;
};

class GraphStream : public testing::Test {
protected:
  TestFolder folder;
  TestProgram program;
  std::vector<Case> cases;

  /// Runs `session` on a case; empty, or what went wrong.
  static std::string run(Session &session, const Case &one, std::vector<float> &out) {
    out.assign(static_cast<std::size_t>(one.list.nodes * 2), -1.0f);
    auto status = session.run({Tensor("x", one.x.data(), {one.list.nodes, 3})},
                              {Tensor("out", out.data(), {one.list.nodes, 2})});
    return status ? "" : status.error().message;
  }
  static Result<Graph> graphOf(const EdgeList &list) {
    return Graph::create<std::int64_t>(list.nodes, list.nodes, list.src, list.dst);
  }

  void makeCases(const Executable &executable) {
    std::mt19937_64 random(7); // NOLINT(bugprone-random-generator-seed): a failure repeats
    for (int i = 0; i < 24; ++i) {
      std::int64_t nodes =
          i == 0 ? 0 : 1 + static_cast<std::int64_t>(random() % (1 << (i / 2 + 1)));
      std::int64_t edges =
          i % 5 == 0 ? 0 : static_cast<std::int64_t>(random() % 4096) * (nodes > 0);
      Case &one = cases.emplace_back();
      one.list = nodes ? randomEdges("case " + std::to_string(i), nodes, edges)
                       : EdgeList{"no nodes", 0, {}, {}};
      for (std::int64_t k = 0; k < nodes * 3; ++k)
        one.x.push_back(static_cast<float>(random() % 1000) / 500 - 1);
      auto graph = graphOf(one.list);
      ASSERT_TRUE(graph) << graph.error().message;
      auto session = executable.bind(*graph);
      ASSERT_TRUE(session) << session.error().message;
      ASSERT_EQ(run(*session, one, one.expected), "");
    }
  }

  /// `steps` random cases, each through one of several sessions, which are of the
  /// executables in turn and now and then made anew; empty, or the first difference.
  std::string randomWalk(const std::vector<Executable> &executables, unsigned seed,
                         int steps) const {
    std::mt19937_64 random(seed);
    std::optional<Session> sessions[3];
    std::vector<float> out;
    for (int step = 0; step < steps; ++step) {
      const Case &one = cases[random() % cases.size()];
      std::size_t slot = random() % std::size(sessions);
      std::optional<Session> &session = sessions[slot];
      if (random() % 8 == 0)
        session.reset();
      auto graph = graphOf(one.list);
      if (!graph)
        return graph.error().message;
      if (session) {
        if (auto bound = session->rebind(*graph); !bound)
          return bound.error().message;
      } else {
        auto made = executables[slot % executables.size()].bind(*graph);
        if (!made)
          return made.error().message;
        session.emplace(std::move(*made));
      }
      for (int again = 0; again < 2; ++again) {
        if (std::string error = run(*session, one, out); !error.empty())
          return error;
        if (out.size() != one.expected.size() ||
            (!out.empty() && std::memcmp(out.data(), one.expected.data(), out.size() * 4) != 0))
          return "step " + std::to_string(step) + " (" + one.list.name + ") differs";
      }
    }
    return "";
  }
};

TEST_F(GraphStream, RandomSequencesGiveTheBitsOfFreshSessions) {
  auto device = Device::open(deviceName);
  ASSERT_TRUE(device);
  std::vector<Executable> executables;
  for (const char *mode : {"default", "reduce-overhead"}) {
    format::Artifact artifact = program.make();
    artifact.plan.mode = mode;
    std::string error;
    ASSERT_TRUE(format::writeArtifact(folder / "m.gnnx", artifact, error)) << error;
    auto loaded = device->load(folder / "m.gnnx");
    ASSERT_TRUE(loaded) << loaded.error().message;
    executables.push_back(std::move(*loaded));
  }
  makeCases(executables.front());
  constexpr int kThreads = 4, kSteps = 60;
  std::vector<std::string> found(kThreads);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] { found[i] = randomWalk(executables, i + 1, kSteps); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &what : found)
    EXPECT_EQ(what, "");
  for (const Executable &executable : executables) {
    auto guards = executable.guards();
    ASSERT_TRUE(guards);
    for (const gnnc_guard &guard : *guards)
      EXPECT_EQ(guard.failures, 0) << guard.kind << " " << guard.of;
  }
}

TEST_F(GraphStream, FailuresAreCountedByGuard) {
  format::Artifact artifact = program.make();
  artifact.plan.guards = {{"max", {0, {{0, 1}}}, 5, "few nodes"}};
  std::string error;
  ASSERT_TRUE(format::writeArtifact(folder / "m.gnnx", artifact, error)) << error;
  auto device = Device::open(deviceName);
  auto executable = device->load(folder / "m.gnnx");
  ASSERT_TRUE(executable) << executable.error().message;
  auto graph = graphOf(randomEdges("fits", 5, 9));
  auto session = executable->bind(*graph);
  ASSERT_TRUE(session) << session.error().message;
  for (std::int64_t nodes : {6, 7}) {
    auto refused = session->rebind(*graphOf(randomEdges("too many", nodes, 9)));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().status, GNNC_GUARD_FAILED);
  }
  std::vector<double> wrong(15);
  EXPECT_FALSE(session->run({Tensor("x", wrong.data(), {5, 3})}, {}));
  std::vector<float> narrow(10);
  EXPECT_FALSE(session->run({Tensor("x", narrow.data(), {5, 2})}, {}));
  std::string counted;
  auto guards = executable->guards();
  ASSERT_TRUE(guards);
  for (const gnnc_guard &guard : *guards)
    if (guard.failures > 0)
      counted +=
          std::string(guard.kind) + " " + guard.of + " " + std::to_string(guard.failures) + ";";
  EXPECT_EQ(counted, "range n 2;type x 1;width x 1;");
  EXPECT_EQ(session->stats()->guard_failures, 4);
  EXPECT_EQ(session->updateFailure(), "");
}

} // namespace
