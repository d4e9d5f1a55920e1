//===- JitApiTest.cpp - libgnnc_jit.so as its users see it ----------------===//
//
// What the C API counts and refuses, by way of the C++ one; the compiler is a process.
//
//===----------------------------------------------------------------------===//
#include "gnnc/jit.hpp"
#include "test/runtime/TestFiles.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <numeric>
#include <unistd.h>

using namespace gnnc;

namespace {

constexpr const char *kProgram = GNNC_TEST_DATA "/../lib/Inputs/mean.mlir";

gnnc_jit_options optionsOf(const char *dynamic) {
  gnnc_jit_options options = {};
  options.program = kProgram;
  options.dynamic = dynamic;
  options.device = "cpu:1";
  options.compiler = GNNC_TEST_COMPILER;
  return options;
}

/// Each node of a ring gets its own row and the one before it.
std::string runRing(JitSession &session, std::int64_t nodes) {
  std::vector<std::int64_t> src(static_cast<std::size_t>(nodes)), dst(src);
  std::iota(src.begin(), src.end(), 0);
  for (std::size_t i = 0; i < dst.size(); ++i)
    dst[i] = (src[i] + 1) % nodes;
  auto graph = Graph::create<std::int64_t>(nodes, nodes, src, dst);
  if (!graph)
    return graph.error().message;
  if (auto bound = session.bind(*graph); !bound)
    return bound.error().message;
  std::vector<float> x(src.size() * 3), out(x.size());
  std::iota(x.begin(), x.end(), 1.0f);
  if (auto ran =
          session.run({Tensor("x", x.data(), {nodes, 3})}, {Tensor("out", out.data(), {nodes, 3})});
      !ran)
    return ran.error().message;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out[i] != x[i] + x[(i + x.size() - 3) % x.size()])
      return "entry " + std::to_string(i) + " is " + std::to_string(out[i]);
  return "";
}

class JitApi : public testing::Test {
protected:
  void SetUp() override {
    if (access(GNNC_TEST_COMPILER, X_OK) != 0)
      GTEST_SKIP() << "no compiler: " GNNC_TEST_COMPILER;
    unsetenv("GNNC_CACHE_DIR");
  }
};

TEST_F(JitApi, CountsEachKindOfDynamic) {
  struct {
    const char *dynamic;
    std::int64_t compilations, hits;
  } cases[] = {{"true", 1, 3}, {"auto", 2, 2}, {"false", 3, 1}};
  for (auto [dynamic, compilations, hits] : cases) {
    SCOPED_TRACE(dynamic);
    auto program = JitProgram::create(optionsOf(dynamic));
    ASSERT_TRUE(program) << program.error().message;
    auto session = program->session();
    for (std::int64_t nodes : {3, 4, 6, 4})
      ASSERT_EQ(runRing(*session, nodes), "");
    gnnc_jit_counters counted = program->counters();
    EXPECT_EQ(counted.compilations, compilations);
    EXPECT_EQ(counted.hits, hits);
    EXPECT_EQ(counted.misses, compilations);
    EXPECT_EQ(counted.guard_failures, 0);
    EXPECT_EQ(counted.failures, 0);
    EXPECT_EQ(counted.tuning_runs, 0);
    EXPECT_GT(counted.compile_ms, 0);
    EXPECT_EQ(session->stats()->rebinds, 3);
    EXPECT_EQ(session->outputShape("out")->shape, (std::vector<std::int64_t>{4, 3}));
  }
}

TEST_F(JitApi, DiskAndBackgroundAreCounted) {
  TestFolder folder;
  gnnc_jit_options options = optionsOf("false");
  options.cache_folder = folder.path.c_str();
  for (int round = 0; round < 2; ++round) {
    options.background = round; // the second time
    auto program = JitProgram::create(options);
    ASSERT_TRUE(program) << program.error().message;
    auto session = program->session();
    ASSERT_EQ(runRing(*session, 3), "");
    ASSERT_EQ(runRing(*session, 5), "");
    program->finishBackground();
    ASSERT_EQ(runRing(*session, 5), "");
    EXPECT_EQ(program->backgroundFailure(), "");
    gnnc_jit_counters counted = program->counters();
    EXPECT_EQ(counted.compilations, round == 0 ? 2 : 1); // then the stand-in alone
    EXPECT_EQ(counted.disk_hits, round == 0 ? 0 : 2);
    EXPECT_LE(counted.stand_ins, 2);
  }
}

TEST_F(JitApi, GuardsThatFailAreNamed) {
  auto program = JitProgram::create(optionsOf("true"));
  ASSERT_TRUE(program) << program.error().message;
  auto session = program->session();
  ASSERT_EQ(runRing(*session, 3), "");
  EXPECT_TRUE(program->guards().empty());
  std::vector<double> wide(9);
  std::vector<float> out(9);
  for (int i = 0; i < 2; ++i)
    EXPECT_FALSE(
        session->run({Tensor("x", wide.data(), {3, 3})}, {Tensor("out", out.data(), {3, 3})}));
  std::vector<JitGuard> failed = program->guards();
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed[0].kind, "type");
  EXPECT_EQ(failed[0].of, "x");
  EXPECT_EQ(failed[0].failures, 2);
  EXPECT_EQ(program->counters().guard_failures, 2);
}

TEST_F(JitApi, WhatIsWrongIsSaid) {
  auto messageOf = [](const gnnc_jit_options &options) {
    auto made = JitProgram::create(options);
    return made ? "" : made.error().message;
  };
  EXPECT_EQ(messageOf({}), "jit: a program is needed: the path of its .mlir");
  gnnc_jit_options options = optionsOf("maybe");
  EXPECT_EQ(messageOf(options), "jit: dynamic is one of true, false, auto; found 'maybe'");
  options = optionsOf("auto");
  options.keep_static = "edges,features";
  EXPECT_EQ(messageOf(options),
            "jit: nodes and edges are what can be kept dynamic or static; found 'features'");
  options = optionsOf("auto");
  options.keep = -1;
  EXPECT_EQ(messageOf(options), "jit: keep and background are counts, found -1 and 0");
  options = optionsOf("auto");
  options.program = "/absent.mlir";
  EXPECT_EQ(messageOf(options), "jit: /absent.mlir: cannot be read");
  options = optionsOf("auto");
  options.compiler = "/absent/gnn-compile";
  auto program = JitProgram::create(options);
  ASSERT_TRUE(program);
  auto session = program->session();
  auto early = session->run({}, {});
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().message, "jit: no graph is bound; call bind first");
  EXPECT_EQ(runRing(*session, 3), "cannot start /absent/gnn-compile: No such file or directory");
  EXPECT_EQ(program->counters().failures, 1);
  EXPECT_EQ(gnnc_jit_session_bind(nullptr, nullptr), GNNC_INVALID_ARGUMENT);
  EXPECT_EQ(gnnc_jit_count(nullptr, nullptr), GNNC_INVALID_ARGUMENT);
}

TEST_F(JitApi, FlagsReachTheCompiler) {
  gnnc_jit_options options = optionsOf("auto");
  const char *flags[] = {"--precision", "none", nullptr};
  options.flags = flags;
  auto program = JitProgram::create(options);
  ASSERT_TRUE(program);
  auto session = program->session();
  std::string what = runRing(*session, 3);
  EXPECT_EQ(what.find("gnn-compile failed (exit 2): gnn-compile: --precision is one of "), 0U)
      << what;
}

} // namespace
