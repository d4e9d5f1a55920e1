//===- Process.cpp - Other programs: find them, run them, time them -------===//
#include "benchmarks/gnn-bench/Process.h"

#include "benchmarks/data/GraphData.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace gnnc::bench {

namespace fs = std::filesystem;

std::string programFolder() {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? std::string(".") : self.parent_path().string();
}

std::string findBeside(const std::string &name, const std::vector<std::string> &folders) {
  for (const std::string &folder : folders) {
    if (folder.empty())
      continue;
    fs::path candidate = fs::path(programFolder()) / folder / name;
    std::error_code error;
    if (fs::exists(candidate, error))
      return candidate.lexically_normal().string();
  }
  return name;
}

ProcessResult runProcess(const std::vector<std::string> &arguments) {
  ProcessResult result;
  if (std::string error; !gnnc::runProcess(arguments, result, error))
    throw Failure(error);
  return result;
}

ProcessResult mustRun(const std::vector<std::string> &arguments) {
  ProcessResult result = runProcess(arguments);
  if (std::string error = failureOf(arguments[0], result); !error.empty())
    throw Failure(error);
  return result;
}

ScratchFolder::ScratchFolder() {
  path = (fs::temp_directory_path() / "gnn-bench-XXXXXX").string();
  if (!mkdtemp(path.data()))
    throw Failure(path + ": cannot make a temporary folder: " + std::strerror(errno));
}

ScratchFolder::ScratchFolder(const std::string &path) : path(path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (!error)
    fs::create_directory(path, error);
  if (error)
    throw Failure(path + ": cannot make a folder: " + error.message());
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

} // namespace gnnc::bench
