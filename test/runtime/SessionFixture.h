// What tests of sessions begin with: a program written by hand, in a file, loaded.
#ifndef GNNC_TEST_RUNTIME_SESSIONFIXTURE_H
#define GNNC_TEST_RUNTIME_SESSIONFIXTURE_H

#include "TestFiles.h"
#include "TestProgram.h"
#include "gnnc/gnnc.hpp"

namespace gnnc {

template <class T>
T must(Result<T> result) {
  EXPECT_TRUE(result) << result.error().message;
  return std::move(*result);
}

inline std::vector<float> features(std::int64_t count) {
  std::vector<float> x;
  x.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    x.push_back(static_cast<float>(i * 37 % 101) / 50.0f - 1.0f);
  return x;
}

class SessionFixture : public testing::Test {
protected:
  TestFolder folder;
  TestProgram program;

  std::string write(const format::Artifact &artifact, const std::string &name = "m.gnnx") {
    std::string error;
    EXPECT_TRUE(format::writeArtifact(folder / name, artifact, error)) << error;
    return folder / name;
  }
  Result<Executable> load(const format::Artifact &artifact, const char *device = "cpu") {
    return must(Device::open(device)).load(write(artifact));
  }
  /// What binding or running says about this artefact on a small graph.
  std::string complaint(const format::Artifact &artifact) {
    auto executable = load(artifact);
    if (!executable)
      return executable.error().message;
    std::vector<std::int64_t> src = {0, 1}, dst = {1, 0};
    auto session = executable->bind(must(Graph::create<std::int64_t>(2, 2, src, dst)));
    return session ? "" : session.error().message;
  }
};

} // namespace gnnc

#endif // GNNC_TEST_RUNTIME_SESSIONFIXTURE_H
