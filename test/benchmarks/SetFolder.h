//===- SetFolder.h - A folder with the files of a set, for one test -------===//
#ifndef GNNC_TEST_BENCHMARKS_SETFOLDER_H
#define GNNC_TEST_BENCHMARKS_SETFOLDER_H

#include "benchmarks/data/GraphSource.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace gnnc::bench {

/// As they lie in memory, and in files of arrays.
template <class T>
std::string bytesOf(const std::vector<T> &values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

class SetFolder {
public:
  explicit SetFolder(const std::string &name)
      : path(std::filesystem::temp_directory_path() /
             ("bench_data_test_" + std::to_string(::getpid()) + "_" + name)) {
    std::filesystem::create_directories(path);
  }
  ~SetFolder() { std::filesystem::remove_all(path); }
  SetFolder(const SetFolder &) = delete;

  void write(const std::string &name, const std::string &content) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << content;
  }
  void remove(const std::string &name) const { std::filesystem::remove(path / name); }

  /// The message of the refusal to read `name` (the folder where empty), with the folder's
  /// path left out.
  std::string refusal(const std::string &name = "") const {
    std::string message;
    try {
      readAnyGraph(name.empty() ? path.string() : (path / name).string());
    } catch (const Failure &failure) {
      message = failure.what();
    }
    const std::string prefix = path.string() + "/";
    for (std::size_t at = 0; (at = message.find(prefix, at)) != std::string::npos;)
      message.erase(at, prefix.size());
    return message;
  }

  const std::filesystem::path path;
};

} // namespace gnnc::bench

#endif // GNNC_TEST_BENCHMARKS_SETFOLDER_H
