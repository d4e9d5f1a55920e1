//===- GnncApi.cpp - The runtime's C API, opened at run time --------------===//
#include "benchmarks/gnn-bench/GnncApi.h"

#include "benchmarks/data/GraphData.h"
#include "benchmarks/gnn-bench/Process.h"

#include <dlfcn.h>

namespace gnnc::bench {
namespace {

GnncApi open(const std::string &given) {
  std::string path = given;
  if (path.empty())
    path = findBeside("libgnnc_runtime.so", {"../lib", GNNC_BENCH_LIB_DIR});
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!library)
    throw Failure(std::string("cannot open the gnnc runtime: ") + dlerror() +
                  "; name it with --runtime");
  auto bind = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (!function)
      throw Failure(path + ": has no function " + name +
                    "; it is of another version than gnn-bench");
  };
  GnncApi api;
  bind(api.lastError, "gnnc_last_error");
  bind(api.deviceOpen, "gnnc_device_open");
  bind(api.deviceClose, "gnnc_device_close");
  bind(api.executableLoad, "gnnc_executable_load");
  bind(api.executableRelease, "gnnc_executable_release");
  bind(api.executableGuards, "gnnc_executable_guards");
  bind(api.graphCreate, "gnnc_graph_create");
  bind(api.graphCreateIndexed, "gnnc_graph_create_indexed");
  bind(api.graphCounts, "gnnc_graph_counts");
  bind(api.graphRelease, "gnnc_graph_release");
  bind(api.sessionCreate, "gnnc_session_create");
  bind(api.sessionRebind, "gnnc_session_rebind");
  bind(api.sessionUpdateFailure, "gnnc_session_update_failure");
  bind(api.sessionRelease, "gnnc_session_release");
  bind(api.sessionRun, "gnnc_session_run");
  bind(api.sessionTime, "gnnc_session_time");
  bind(api.sessionStats, "gnnc_session_stats");
  bind(api.sessionOutputShape, "gnnc_session_output_shape");
  return api;
}

} // namespace

const GnncApi &gnncApi(const std::string &path) {
  static const GnncApi api = open(path);
  return api;
}

} // namespace gnnc::bench
