//===- CompileCacheTest.cpp - The cache's key, without a compiler ---------===//
#include "lib/Driver/CacheKey.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

using namespace gnnc;

namespace {

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

} // namespace
