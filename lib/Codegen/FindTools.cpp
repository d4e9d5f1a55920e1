//===- FindTools.cpp - What this machine is and has, without MLIR ---------===//
#include "lib/Codegen/FindTools.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

std::string gnnc::hostChip() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4"))
    return "x86-64-v4";
  if (__builtin_cpu_supports("x86-64-v3"))
    return "x86-64-v3";
  if (__builtin_cpu_supports("x86-64-v2"))
    return "x86-64-v2";
#endif
  return "generic";
}

/// `folder`/ptxas where that is a program; empty: it is not.
static std::string ptxasIn(const fs::path &folder) {
  fs::path file = folder / "ptxas";
  std::error_code gone;
  bool isProgram = fs::is_regular_file(file, gone) && access(file.c_str(), R_OK | X_OK) == 0;
  return isProgram ? file.string() : std::string();
}

std::string gnnc::findPtxas() {
  if (const char *path = std::getenv("PATH")) {
    std::string folders = path;
    for (size_t at = 0; at < folders.size();) {
      size_t end = std::min(folders.find(':', at), folders.size());
      if (end > at)
        if (std::string found = ptxasIn(folders.substr(at, end - at)); !found.empty())
          return found;
      at = end + 1;
    }
  }
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *root = std::getenv(variable))
      if (std::string found = ptxasIn(fs::path(root) / "bin"); !found.empty())
        return found;
  return {};
}
