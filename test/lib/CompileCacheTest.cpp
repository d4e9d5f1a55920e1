//===- CompileCacheTest.cpp - The cache's key, without a compiler ---------===//
#include "lib/Driver/CacheKey.h"
#include "lib/Driver/FindCompiled.h"
#include "lib/Driver/KnownCompiler.h"
#include "lib/Driver/Sha256.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

using namespace gnnc;

namespace {

TEST(Sha256Test, KnownDigests) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  // Around the lengths at which the last block becomes two.
  std::set<std::string> digests;
  for (size_t size = 50; size < 70; ++size)
    EXPECT_TRUE(digests.insert(sha256(std::string(size, 'x'))).second) << size;
}

TEST(CacheKeyTest, EveryPartCounts) {
  const CacheParts parts = {{"program", "p"}, {"pipeline", "q"}, {"chip", "c"}, {"compiler", "d"}};
  std::set<std::string> keys = {cacheKey(parts)};
  EXPECT_EQ(keys.begin()->size(), 64u);
  EXPECT_EQ(cacheKey(parts), *keys.begin());
  for (size_t i = 0; i < parts.size(); ++i) {
    CacheParts other = parts;
    other[i].second += "x";
    EXPECT_TRUE(keys.insert(cacheKey(other)).second) << other[i].first;
  }
  // What one part ends with is not what the next begins with.
  EXPECT_NE(cacheKey({{"a", "xb 1\ny\n"}}), cacheKey({{"a", "x"}, {"b", "y"}}));
}

TEST(CacheKeyTest, CompilerIsVersionsAndBuildIds) {
  std::string identity = compilerIdentity();
  EXPECT_EQ(identity.find("gnnc " GNNC_VERSION ", LLVM 22"), 0u) << identity;
  // This program's id alone has 16 digits at least.
  EXPECT_GT(identity.size(), 40u) << identity;
  EXPECT_EQ(identity, compilerIdentity());
}

TEST(CacheKeyTest, ProgramsAreTheirFiles) {
  std::string path = ::testing::TempDir() + "/cache-key-program";
  EXPECT_EQ(programIdentity(""), "none");
  EXPECT_EQ(programIdentity(path + "-missing"), "none");
  std::ofstream(path) << "one";
  std::string first = programIdentity(path);
  std::ofstream(path) << "other";
  EXPECT_NE(programIdentity(path), first);
  std::filesystem::remove(path);
}

TEST(CacheKeyTest, OptionsThatDecideCount) {
  const CompileOptions plain;
  std::set<std::string> keys = {cacheKeyOf(plain, "c", "d", "p")};
  auto differs = [&](auto change) {
    CompileOptions options;
    change(options);
    return keys.insert(cacheKeyOf(options, "c", "d", "p")).second;
  };
  EXPECT_TRUE(differs([](CompileOptions &o) { o.target = "cuda"; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.target = "cuda", o.cubin = false; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.mode = "reduce-overhead"; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.dynamic = "false"; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.shape.dst = 3; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.shape.src = 3; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.shape.edges = 3; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.precision = "fp32"; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.index = "i64"; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.order = "transform-first"; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.maxResults = 1; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.selfLoops = "all"; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.normalize = "row"; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.fixes = "off"; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.loopEdges = true; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.schedules = {"a:tile=16"}; }));
  EXPECT_TRUE(differs([](CompileOptions &o) { o.schedules = {"a:tile=16", "b:tile=16"}; }));
  // Names of files are none of it.
  EXPECT_FALSE(differs([](CompileOptions &o) { o.input = "i", o.output = "o", o.weights = "w"; }));
  EXPECT_NE(cacheKeyOf(plain, "c", "d", "other"), cacheKeyOf(plain, "c", "d", "p"));
  EXPECT_NE(cacheKeyOf(plain, "other", "d", "p"), cacheKeyOf(plain, "c", "d", "p"));
  EXPECT_NE(cacheKeyOf(plain, "c", "other", "p"), cacheKeyOf(plain, "c", "d", "p"));
}

TEST(KnownCompilerTest, IsItsFilesAndWhatTheLoaderIsTold) {
  std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "known-compiler";
  std::filesystem::remove_all(folder);
  std::string self = loadedFiles().front().path;
  EXPECT_EQ(recallCompiler(folder.string(), self), ""); // there is no such folder
  std::filesystem::create_directories(folder);
  EXPECT_EQ(recallCompiler(folder.string(), self), "");
  rememberCompiler(folder.string(), compilerIdentity());
  EXPECT_EQ(recallCompiler(folder.string(), self), compilerIdentity());
  EXPECT_EQ(recallCompiler(folder.string(), self + "2"), "");
  ASSERT_EQ(setenv("LD_AUDIT", "other", 1), 0);
  EXPECT_EQ(recallCompiler(folder.string(), self), "");
  ASSERT_EQ(unsetenv("LD_AUDIT"), 0);
  // A file that is not what it was, or a list that was cut short, is no compiler.
  std::filesystem::path list = *std::filesystem::directory_iterator(folder);
  std::ifstream file(list);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  size_t size = text.rfind(' ');
  std::ofstream(list) << text.substr(0, size) + "1" + text.substr(size);
  EXPECT_EQ(recallCompiler(folder.string(), self), "");
  std::ofstream(list) << text.substr(0, text.find("end\n"));
  EXPECT_EQ(recallCompiler(folder.string(), self), "");
  rememberCompiler(folder.string(), compilerIdentity());
  EXPECT_EQ(recallCompiler(folder.string(), self), compilerIdentity());
  std::filesystem::remove_all(folder);
}

} // namespace
