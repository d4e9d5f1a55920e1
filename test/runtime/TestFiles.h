// Helpers for tests that write files: a folder that goes away, bytes in and out.
#ifndef GNNC_TEST_RUNTIME_TESTFILES_H
#define GNNC_TEST_RUNTIME_TESTFILES_H

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <unistd.h>

struct TestFolder {
  std::filesystem::path path;

  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "gnnc-test-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path); }

  std::string operator/(const std::string &name) const { return (path / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path), {}));
  }
};

inline std::string slurp(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void spill(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

#endif
