//===- JitSequenceTest.cpp - Random sequences of graphs on many threads ---===//
//
// Graphs of random sizes through sessions of every mode and every kind of dynamic, which
// threads share the programs of: each result is compared to the bit with that of a program
// that was compiled for this graph alone.
//
//===----------------------------------------------------------------------===//
#include "gnnc/jit.hpp"
#include "test/runtime/TestFiles.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <unistd.h>

// As in GraphStreamTest: oneTBB's own threads are not what ThreadSanitizer looks at here. Nor
// is the C library's lock around the time zone, which it cannot see; libzip asks for local time.
#if __has_feature(thread_sanitizer)
constexpr const char *kDevice = "cpu:1";
extern "C" const char *__tsan_default_suppressions(); // NOLINT: the sanitizer's name
extern "C" const char *__tsan_default_suppressions() { return "race:tzset_internal\n"; }
#else
constexpr const char *kDevice = "cpu:2";
#endif

using namespace gnnc;

namespace {

constexpr int kThreads = 4, kSteps = 150;

struct Case {
  std::int64_t nodes = 0;
  std::vector<std::int64_t> src, dst;
  std::vector<float> x;
  std::vector<std::vector<float>> expected; ///< for each program's text
};

Case makeCase(std::int64_t nodes, std::int64_t edges, unsigned seed) {
  std::mt19937_64 random(seed);
  Case made;
  made.nodes = nodes;
  auto id = [&] { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(nodes)); };
  for (std::int64_t e = 0; e < edges; ++e) {
    made.src.push_back(id());
    made.dst.push_back(id());
  }
  for (std::int64_t i = 0; i < nodes * 3; ++i)
    made.x.push_back(static_cast<float>(random() % 2000) / 700 - 1);
  return made;
}

/// Empty with the output in `out`, or what is wrong.
std::string forward(JitSession &session, const Case &one, std::vector<float> &out) {
  auto graph = Graph::create<std::int64_t>(one.nodes, one.nodes, one.src, one.dst);
  if (!graph)
    return graph.error().message;
  if (auto bound = session.bind(*graph); !bound)
    return bound.error().message;
  out.assign(one.x.size(), -7);
  auto ran = session.run({Tensor("x", one.x.data(), {one.nodes, 3})},
                         {Tensor("out", out.data(), {one.nodes, 3})});
  return ran ? "" : ran.error().message;
}

bool sameBits(const std::vector<float> &a, const std::vector<float> &b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// A program that all threads use, and how it is held.
struct Shared {
  std::string label;
  std::size_t text = 0; ///< of kTexts
  std::optional<JitProgram> program;
  std::atomic<std::int64_t> binds = 0, refused = 0;
};

const std::string kTexts[] = {GNNC_TEST_DATA "/../lib/Inputs/mean.mlir",
                              GNNC_TEST_DATA "/../lib/Inputs/two-sums.mlir"};

class JitSequence : public testing::Test {
protected:
  void SetUp() override {
    if (access(GNNC_TEST_COMPILER, X_OK) != 0)
      GTEST_SKIP() << "no compiler: " GNNC_TEST_COMPILER;
    unsetenv("GNNC_CACHE_DIR");
    cases.push_back(makeCase(1, 0, 1));
    cases.push_back(makeCase(1, 3, 2));
    for (unsigned i = 0; i < 6; ++i) { // 3 to 700 nodes
      std::int64_t nodes = 3 + 2 * i + (i << (2 * i)) % 701;
      cases.push_back(makeCase(nodes, i == 2 ? 0 : nodes * (1 + i) + i, i + 3));
    }
    for (std::size_t text = 0; text < std::size(kTexts); ++text)
      for (Case &one : cases) { // each by a fresh compilation
        auto program = open(text, "default", "false", 0, "");
        ASSERT_TRUE(program) << program.error().message;
        auto session = program->session();
        ASSERT_EQ(forward(*session, one, one.expected.emplace_back()), "");
      }
  }
  static Result<JitProgram> open(std::size_t text, const char *mode, const char *dynamic,
                                 int background, const std::string &cache) {
    gnnc_jit_options options = {};
    options.program = kTexts[text].c_str();
    options.device = kDevice;
    options.mode = mode;
    options.dynamic = dynamic;
    options.background = background;
    options.compiler = GNNC_TEST_COMPILER;
    options.cache_folder = cache.c_str();
    options.keep = 3; // fewer than there are shapes
    return JitProgram::create(options);
  }

  /// Empty, or the first thing that is wrong. `seed`: of the order.
  std::string walk(std::vector<std::unique_ptr<Shared>> &programs, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<std::vector<JitSession>> sessions(programs.size()); // two of each
    for (std::size_t i = 0; i < programs.size(); ++i)
      for (int twice = 0; twice < 2; ++twice)
        sessions[i].push_back(std::move(*programs[i]->program->session()));
    std::vector<float> out;
    for (int step = 0; step < kSteps; ++step) {
      std::size_t which = random() % programs.size();
      Shared &shared = *programs[which];
      JitSession &session = sessions[which][random() % 2];
      const Case &one = cases[random() % cases.size()];
      std::string where = shared.label + ", step " + std::to_string(step) + ", " +
                          std::to_string(one.nodes) + " nodes: ";
      ++shared.binds;
      if (std::string wrong = forward(session, one, out); !wrong.empty())
        return where + wrong;
      if (!sameBits(out, one.expected[shared.text]))
        return where + "the result is not that of a fresh compilation";
      if (random() % 4 == 0) {
        ++shared.refused; // doubles where floats are expected
        std::vector<double> wide(one.x.size());
        if (session.run({Tensor("x", wide.data(), {one.nodes, 3})}, {}))
          return where + "an input of the wrong type is taken";
      }
    }
    return "";
  }

  TestFolder folder;
  std::vector<Case> cases;
};

TEST_F(JitSequence, ResultsAreThoseOfAFreshCompilation) {
  std::vector<std::unique_ptr<Shared>> programs;
  for (std::size_t text = 0; text < std::size(kTexts); ++text)
    for (const char *mode : {"default", "reduce-overhead"})
      for (auto [dynamic, background] :
           {std::pair("true", 0), {"auto", 0}, {"auto", 1}, {"false", 0}, {"false", 2}}) {
        auto &shared = programs.emplace_back(std::make_unique<Shared>());
        shared->label = kTexts[text].substr(kTexts[text].rfind('/') + 1) + " " + mode + " " +
                        dynamic + " background " + std::to_string(background);
        shared->text = text;
        auto made = open(text, mode, dynamic, background, folder.path);
        ASSERT_TRUE(made) << made.error().message;
        shared->program.emplace(std::move(*made));
      }
  std::vector<std::string> found(kThreads);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] { found[i] = walk(programs, i + 1); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &what : found)
    EXPECT_EQ(what, "");
  for (auto &shared : programs) {
    SCOPED_TRACE(shared->label);
    shared->program->finishBackground();
    EXPECT_EQ(shared->program->backgroundFailure(), "");
    gnnc_jit_counters counted = shared->program->counters();
    EXPECT_EQ(counted.hits + counted.misses, shared->binds);
    EXPECT_LE(counted.compilations + counted.disk_hits, counted.misses + 1);
    EXPECT_EQ(counted.failures, 0);
    EXPECT_EQ(counted.guard_failures, shared->refused);
    if (shared->label.find(" true ") != std::string::npos)
      EXPECT_EQ(counted.misses, shared->binds > 0);
  }
}

} // namespace
