//===- CublasLt.cpp - Finds and binds cuBLASLt ----------------------------===//
#include "runtime/cuda/CublasLt.h"

#include <cstdlib>
#include <dlfcn.h>
#include <vector>

using namespace gnnc::cuda;

namespace {

struct Loaded {
  CublasLt api;
  std::string reason;
};

void *open() {
  std::vector<std::string> folders = {""};
  if (const char *home = std::getenv("CUDA_HOME"))
    folders.push_back(std::string(home) + "/lib64/");
  folders.push_back("/usr/local/cuda/lib64/");
  // The functions above are the same in both; 13 goes with today's drivers.
  for (const char *name : {"libcublasLt.so.13", "libcublasLt.so.12"})
    for (const std::string &folder : folders)
      if (void *library = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL))
        return library;
  return nullptr;
}

Loaded load() {
  Loaded loaded;
  CublasLt &api = loaded.api;
  void *library = open();
  if (!library) {
    loaded.reason = "libcublasLt.so.13 cannot be opened; install CUDA's cuBLAS (libcublas, or the "
                    "Python package nvidia-cublas) and put its folder into LD_LIBRARY_PATH";
    return loaded;
  }
#define GNNC_BIND(member, symbol, parameters)                                                      \
  api.member = reinterpret_cast<decltype(api.member)>(dlsym(library, symbol));                     \
  if (!api.member)                                                                                 \
    loaded.reason = std::string("libcublasLt has no function ") + symbol +                         \
                    "; install cuBLAS of CUDA 12 or 13";
  GNNC_CUBLASLT_FUNCTIONS(GNNC_BIND)
#undef GNNC_BIND
  api.statusName =
      reinterpret_cast<decltype(api.statusName)>(dlsym(library, "cublasLtGetStatusName"));
  api.version = reinterpret_cast<decltype(api.version)>(dlsym(library, "cublasLtGetVersion"));
  return loaded;
}

} // namespace

const CublasLt *CublasLt::get(std::string &reason) {
  static const Loaded loaded = load();
  reason = loaded.reason;
  return loaded.reason.empty() ? &loaded.api : nullptr;
}

std::string CublasLt::describe(CublasStatus status) const {
  const char *name = statusName ? statusName(status) : nullptr;
  return name ? name : "cuBLASLt status " + std::to_string(status);
}
