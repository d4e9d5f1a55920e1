//===- JitTest.cpp - Programs that are compiled as graphs come ------------===//
//
// How often each kind of dynamic compiles, what is kept, and that sessions and threads
// that share a program compute what a plain loop does.
//
//===----------------------------------------------------------------------===//
#include "lib/Jit/InProcess.h"
#include "lib/Jit/Session.h"

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <future>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <unistd.h>

using namespace gnnc;

namespace {

constexpr std::int64_t kWidth = 3;

const char *const kProgram = R"(
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x3xf32> {gnn.input = "x"})
    -> (tensor<?x3xf32> {gnn.output = "out"}) {
  %m = gnn.gather %x, %g at src : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %s = gnn.scatter mean %m, %g at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %r = arith.addf %s, %x : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
)";

/// A graph, what goes in and what must come out.
struct Case {
  std::int64_t nodes = 0;
  std::vector<std::int64_t> src, dst;
  std::vector<float> x, expected;

  Result<Graph> graph() const { return Graph::create<std::int64_t>(nodes, nodes, src, dst); }
  /// Empty, or what is wrong.
  std::string runOn(jit::Session &session) const {
    auto bindable = graph();
    if (!bindable)
      return bindable.error().message;
    if (auto bound = session.bind(*bindable); !bound)
      return bound.error().message;
    std::vector<float> out(x.size(), -5.0f);
    auto ran = session.run({Tensor("x", x.data(), {nodes, kWidth})},
                           {Tensor("out", out.data(), {nodes, kWidth})});
    if (!ran)
      return ran.error().message;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (!(std::fabs(out[i] - expected[i]) < 1e-5f))
        return std::to_string(nodes) + " nodes, " + std::to_string(src.size()) + " edges: entry " +
               std::to_string(i) + " is " + std::to_string(out[i]) + ", expected " +
               std::to_string(expected[i]);
    return "";
  }
};

Case makeCase(std::int64_t nodes, std::int64_t edges, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  Case made;
  made.nodes = nodes;
  auto rows = static_cast<std::size_t>(nodes);
  for (std::int64_t e = 0; e < edges; ++e) {
    made.src.push_back(static_cast<std::int64_t>(random() % rows));
    made.dst.push_back(static_cast<std::int64_t>(random() % rows));
  }
  for (std::size_t i = 0; i < rows * kWidth; ++i)
    made.x.push_back(static_cast<float>(random() % 1000) / 500 - 1);
  std::vector<double> sums(rows * kWidth), count(rows);
  for (std::size_t e = 0; e < made.src.size(); ++e) {
    auto from = static_cast<std::size_t>(made.src[e]), to = static_cast<std::size_t>(made.dst[e]);
    count[to] += 1;
    for (std::size_t f = 0; f < kWidth; ++f)
      sums[to * kWidth + f] += made.x[from * kWidth + f];
  }
  for (std::size_t i = 0; i < made.x.size(); ++i)
    made.expected.push_back(
        static_cast<float>(sums[i] / std::max(count[i / kWidth], 1.0) + made.x[i]));
  return made;
}

Result<jit::Compiled> noLuck() { return Error{GNNC_INVALID_FILE, "no luck"}; }

/// `count` graphs whose node and edge counts all differ; every seventh has no edges.
std::vector<Case> stream(int count) {
  std::vector<Case> cases;
  for (int i = 0; i < count; ++i) {
    std::int64_t nodes = 1 + 7 * ((i * 37) % count);
    cases.push_back(makeCase(nodes, i % 7 == 3 ? 0 : nodes * 3 + i, static_cast<unsigned>(i)));
  }
  return cases;
}

constexpr int kThreads = 4, kSteps = 12;

/// Each thread with a session of its own, on cases in an order of its own.
void runThreads(const std::shared_ptr<jit::Program> &program, const std::vector<Case> &cases) {
  std::vector<std::string> found(kThreads);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      std::mt19937_64 random(i);
      jit::Session session(program);
      for (int step = 0; step < kSteps && found[i].empty(); ++step)
        found[i] = cases[random() % cases.size()].runOn(session);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &what : found)
    EXPECT_EQ(what, "");
}

class Jit : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "gnnc-jit-test-XXXXXX").string();
    ASSERT_TRUE(mkdtemp(name.data()));
    folder = name;
    compile.input = (folder / "program.mlir").string();
    std::ofstream(compile.input) << kProgram;
    options.device = "cpu:1";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::shared_ptr<jit::Program> make() {
    auto program = jit::Program::create(jit::compileInProcess(compile), options);
    EXPECT_TRUE(program) << program.error().message;
    return *program;
  }

  std::filesystem::path folder;
  CompileOptions compile;
  jit::Options options;
};

TEST_F(Jit, SymbolicCompilesOnceForAStream) {
  options.dynamic = "true";
  auto program = make();
  jit::Session session(program);
  std::vector<Case> cases = stream(100);
  cases.push_back(makeCase(1, 0));
  for (const Case &one : cases)
    ASSERT_EQ(one.runOn(session), "");
  jit::Counters counted = program->counters();
  EXPECT_EQ(counted.compilations, 1);
  EXPECT_EQ(counted.misses, 1);
  EXPECT_EQ(counted.hits, 100);
  EXPECT_EQ(counted.guardFailures, 0);
  EXPECT_EQ(session.stats()->rebinds, 100);
}

TEST_F(Jit, AutoCompilesTwiceForAStream) {
  options.dynamic = "auto";
  auto program = make();
  jit::Session session(program);
  for (const Case &one : stream(100))
    ASSERT_EQ(one.runOn(session), "");
  EXPECT_EQ(program->counters().compilations, 2);
  EXPECT_EQ(program->counters().guardFailures, 0);
}

TEST_F(Jit, SpecialisedCompilesEveryShapeAndFindsItAgain) {
  options.dynamic = "false";
  options.keep = 100;
  auto program = make();
  jit::Session session(program);
  std::vector<Case> cases = stream(100);
  for (int pass = 0; pass < 2; ++pass)
    for (const Case &one : cases)
      ASSERT_EQ(one.runOn(session), "");
  // The same counts, other edges.
  ASSERT_EQ(
      makeCase(cases[1].nodes, static_cast<std::int64_t>(cases[1].src.size()), 77).runOn(session),
      "");
  jit::Counters counted = program->counters();
  EXPECT_EQ(counted.compilations, 100);
  EXPECT_EQ(counted.hits, 101);
  EXPECT_EQ(counted.evictions, 0);
  EXPECT_EQ(counted.guardFailures, 0);
  EXPECT_EQ(session.stats()->rebinds, 200);
}

TEST_F(Jit, WhatWasNotUsedForLongestGoes) {
  options.dynamic = "false";
  options.keep = 2;
  auto program = make();
  jit::Session session(program);
  Case a = makeCase(5, 9), b = makeCase(6, 9), c = makeCase(7, 9);
  for (const Case *one : {&a, &b, &a, &c, &a, &b}) // c evicts b, b evicts c
    ASSERT_EQ(one->runOn(session), "");
  jit::Counters counted = program->counters();
  EXPECT_EQ(counted.compilations, 4);
  EXPECT_EQ(counted.hits, 2);
  EXPECT_EQ(counted.misses, 4);
  EXPECT_EQ(counted.evictions, 2);
}

TEST_F(Jit, CountsThatDoNotChangeStayConstants) {
  options.dynamic = "auto";
  std::vector<ShapeOptions> asked;
  auto inner = jit::compileInProcess(compile);
  auto program = jit::Program::create(
      [&](const ShapeOptions &shape, const std::string &output) {
        asked.push_back(shape);
        return inner(shape, output);
      },
      options);
  ASSERT_TRUE(program);
  jit::Session session(*program);
  for (std::int64_t edges : {10, 20, 30, 10})
    ASSERT_EQ(makeCase(8, edges).runOn(session), "");
  ASSERT_EQ(makeCase(9, 10).runOn(session), "");
  ASSERT_EQ(asked.size(), 3U);
  EXPECT_EQ(asked[0], (ShapeOptions{8, 8, 10}));
  EXPECT_EQ(asked[1], (ShapeOptions{8, 8, -1}));
  EXPECT_EQ(asked[2], (ShapeOptions{-1, -1, -1}));
}

TEST_F(Jit, HintsMarkCounts) {
  auto shapes = [](const jit::DynamicOptions &dynamic) {
    jit::ShapePolicy policy(dynamic);
    std::vector<ShapeOptions> out;
    for (std::int64_t nodes : {4, 5})
      out.push_back(policy.shapeFor({nodes, nodes, 7 * nodes}));
    return out;
  };
  using Shapes = std::vector<ShapeOptions>;
  EXPECT_EQ(shapes({"false", {"edges"}, {}}), (Shapes{{4, 4, -1}, {5, 5, -1}}));
  EXPECT_EQ(shapes({"true", {}, {"nodes"}}), (Shapes{{4, 4, -1}, {5, 5, -1}}));
  EXPECT_EQ(shapes({"auto", {"edges"}, {}}), (Shapes{{4, 4, -1}, {-1, -1, -1}}));
  EXPECT_EQ(shapes({"auto", {}, {"edges"}}), (Shapes{{4, 4, 28}, {-1, -1, 35}}));
  EXPECT_EQ(shapes({"true", {}, {}}), (Shapes{{-1, -1, -1}, {-1, -1, -1}}));
}

TEST_F(Jit, SessionsAndThreadsShareAProgram) {
  std::vector<Case> cases = stream(9);
  for (const char *dynamic : {"true", "auto", "false"}) {
    SCOPED_TRACE(dynamic);
    options.dynamic = dynamic;
    options.keep = 4;
    auto program = make();
    runThreads(program, cases);
    jit::Counters counted = program->counters();
    EXPECT_EQ(counted.hits + counted.misses, kThreads * kSteps);
    EXPECT_EQ(counted.compilations, counted.misses);
    EXPECT_EQ(counted.guardFailures, 0);
  }
}

TEST_F(Jit, WhatFailsIsToldAndTriedAgain) {
  options.dynamic = "false";
  auto inner = jit::compileInProcess(compile);
  int asked = 0;
  auto program = jit::Program::create(
      [&](const ShapeOptions &shape, const std::string &output) {
        return asked++ > 0 ? inner(shape, output) : noLuck();
      },
      options);
  ASSERT_TRUE(program);
  jit::Session session(*program);
  Case one = makeCase(4, 6);
  auto none = session.run({}, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "jit: no graph is bound; call bind first");
  EXPECT_EQ(one.runOn(session), "no luck");
  EXPECT_FALSE(session.run({}, {}));
  EXPECT_EQ(one.runOn(session), "");
  EXPECT_EQ((*program)->counters().compilations, 1);
  EXPECT_EQ((*program)->counters().failures, 1);
  // A guard of the run's.
  std::vector<double> wide(12);
  EXPECT_FALSE(session.run({Tensor("x", wide.data(), {4, kWidth})}, {}));
  EXPECT_EQ((*program)->counters().guardFailures, 1);
}

/// Holds compilations of constants back until it is opened.
class Gate {
public:
  jit::Compiler before(const jit::Compiler &inner) {
    return [this, inner](const ShapeOptions &shape, const std::string &output) {
      if (shape.any())
        opened.wait();
      return inner(shape, output);
    };
  }
  void open() { opening.set_value(); }

private:
  std::promise<void> opening;
  std::shared_future<void> opened = opening.get_future().share();
};

TEST_F(Jit, AStandInServesUntilTheShapeIsCompiled) {
  options.dynamic = "false";
  options.background = 2;
  Gate gate;
  auto program = jit::Program::create(gate.before(jit::compileInProcess(compile)), options);
  ASSERT_TRUE(program);
  jit::Session session(*program);
  std::vector<Case> cases = stream(6);
  for (int pass = 0; pass < 2; ++pass)
    for (const Case &one : cases)
      ASSERT_EQ(one.runOn(session), "");
  jit::Counters counted = (*program)->counters();
  EXPECT_EQ(counted.compilations, 1); // the stand-in
  EXPECT_EQ(counted.standIns, 12);
  EXPECT_EQ(counted.misses, 6);
  EXPECT_EQ(counted.hits, 6);

  gate.open();
  (*program)->finishBackground();
  EXPECT_EQ((*program)->counters().compilations, 7);
  std::int64_t rebinds = session.stats()->rebinds;
  for (const Case &one : cases)
    ASSERT_EQ(one.runOn(session), "");
  counted = (*program)->counters();
  EXPECT_EQ(counted.compilations, 7);
  EXPECT_EQ(counted.standIns, 12);
  EXPECT_EQ(counted.hits, 12);
  EXPECT_EQ(counted.guardFailures, 0);
  EXPECT_EQ((*program)->backgroundFailure(), "");
  EXPECT_EQ(session.stats()->rebinds, rebinds + 6);
}

TEST_F(Jit, AutoNeedsNoSecondStandIn) {
  options.dynamic = "auto";
  options.background = 1;
  Gate gate;
  auto program = jit::Program::create(gate.before(jit::compileInProcess(compile)), options);
  ASSERT_TRUE(program);
  jit::Session session(*program);
  for (const Case &one : stream(5))
    ASSERT_EQ(one.runOn(session), "");
  gate.open();
  (*program)->finishBackground();
  jit::Counters counted = (*program)->counters();
  EXPECT_EQ(counted.compilations, 2);
  EXPECT_EQ(counted.standIns, 1);
}

TEST_F(Jit, WhatFailsInTheBackgroundIsToldAndNotFatal) {
  options.dynamic = "false";
  options.background = 1;
  int asked = 0;
  auto inner = jit::compileInProcess(compile);
  auto program = jit::Program::create(
      [&](const ShapeOptions &shape, const std::string &output) {
        return shape.any() && ++asked ? noLuck() : inner(shape, output);
      },
      options);
  ASSERT_TRUE(program);
  jit::Session session(*program);
  Case one = makeCase(4, 6);
  for (int pass = 0; pass < 3; ++pass) {
    ASSERT_EQ(one.runOn(session), "");
    (*program)->finishBackground();
  }
  EXPECT_EQ((*program)->backgroundFailure(), "no luck");
  jit::Counters counted = (*program)->counters();
  EXPECT_EQ(counted.failures, 1);
  EXPECT_EQ(counted.standIns, 3);
  EXPECT_EQ(asked, 1);
}

TEST_F(Jit, WhatWentBeforeItsTurnIsNotCompiled) {
  options.dynamic = "false";
  options.background = 1;
  options.keep = 2;
  Gate gate;
  auto program = jit::Program::create(gate.before(jit::compileInProcess(compile)), options);
  ASSERT_TRUE(program);
  jit::Session session(*program);
  std::vector<Case> cases = stream(8);
  for (const Case &one : cases)
    ASSERT_EQ(one.runOn(session), "");
  gate.open();
  (*program)->finishBackground();
  jit::Counters counted = (*program)->counters();
  EXPECT_EQ(counted.evictions, 6);
  // The stand-in, the two that stay and, where its turn came before it went, the first.
  EXPECT_GE(counted.compilations, 3);
  EXPECT_LE(counted.compilations, 4);
}

TEST_F(Jit, AProgramMayGoWhileItCompiles) {
  options.dynamic = "false";
  options.background = 2;
  auto program = make();
  jit::Session session(program);
  for (const Case &one : stream(5))
    ASSERT_EQ(one.runOn(session), "");
} // joins: the sanitizers see whether a thread outlives it

TEST_F(Jit, ThreadsShareWhatIsCompiledInTheBackground) {
  std::vector<Case> cases = stream(9);
  options.dynamic = "false";
  options.background = 2;
  auto program = make();
  runThreads(program, cases);
  program->finishBackground();
  jit::Counters counted = program->counters();
  EXPECT_EQ(counted.hits + counted.misses, kThreads * kSteps);
  EXPECT_EQ(counted.compilations, counted.misses + (counted.standIns > 0));
  EXPECT_EQ(counted.guardFailures, 0);
  EXPECT_EQ(counted.failures, 0);
}

TEST_F(Jit, ArtefactsOnDiskAreFound) {
  options.dynamic = "false";
  compile.cache.folder = (folder / "cache").string();
  std::vector<Case> cases = stream(3);
  for (int round = 0; round < 2; ++round) {
    auto program = make();
    jit::Session session(program);
    for (const Case &one : cases)
      ASSERT_EQ(one.runOn(session), "");
    jit::Counters counted = program->counters();
    EXPECT_EQ(counted.misses, 3);
    EXPECT_EQ(counted.compilations, round == 0 ? 3 : 0);
    EXPECT_EQ(counted.diskHits, round == 0 ? 0 : 3);
  }
}

TEST_F(Jit, GuardsOfExecutablesThatWentAreCounted) {
  options.dynamic = "false";
  options.keep = 1;
  auto program = make();
  std::optional<jit::Session> first(program);
  jit::Session second(program);
  ASSERT_EQ(makeCase(4, 6).runOn(*first), "");
  ASSERT_EQ(makeCase(5, 6).runOn(second), ""); // the program keeps the other no longer
  std::vector<double> wide(12);
  EXPECT_FALSE(first->run({Tensor("x", wide.data(), {4, kWidth})}, {}));
  EXPECT_EQ(program->counters().guardFailures, 1);
  first.reset();
  auto failed = program->failedGuards();
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed[0].kind, "type");
  EXPECT_EQ(failed[0].failures, 1);
}

TEST_F(Jit, OptionsAreChecked) {
  auto messageOf = [](const jit::Options &options) {
    auto made = jit::Program::create(
        [](const ShapeOptions &, const std::string &) { return noLuck(); }, options);
    return made ? "" : made.error().message;
  };
  jit::Options bad;
  bad.dynamic = "maybe";
  EXPECT_EQ(messageOf(bad), "jit: dynamic is one of true, false, auto; found 'maybe'");
  bad = {};
  bad.keepStatic = {"features"};
  EXPECT_EQ(messageOf(bad),
            "jit: nodes and edges are what can be kept dynamic or static; found 'features'");
  bad.keepStatic = bad.keepDynamic = {"edges"};
  EXPECT_EQ(messageOf(bad), "jit: edges cannot be kept both dynamic and static");
  bad = {};
  bad.keep = 0;
  EXPECT_EQ(messageOf(bad), "jit: at least 1 executable has to be kept, found 0");
  EXPECT_EQ(messageOf({}), "");
  auto none = jit::Program::create(nullptr, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "jit: there is no compiler");
}

} // namespace
