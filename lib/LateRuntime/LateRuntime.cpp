//===- LateRuntime.cpp - The runtime's C API, opened when first called ----===//
//
// The compiler's tools execute programs only when they tune, and do not load the runtime,
// nor its libraries of threads and products, before that. Benchmarks must not link it:
// libtorch_cpu.so exports MKL's sgemm_ and others, which the runtime's library of products
// must not resolve to (docs/decisions/libtorch.md). These functions of gnnc.h open
// libgnnc_runtime.so (in ../lib of the program, else where the build put it) and call what
// it has by that name. Open for the life of the process.
//
//===----------------------------------------------------------------------===//
#include "lib/LateRuntime/LateRuntime.h"

#include "gnnc/gnnc.h"

#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

namespace {

thread_local std::string lateError; ///< of this file; empty: ask the runtime

struct Library {
  void *handle = nullptr;
  std::string error;
};

/// The folder of the running program, with / at its end.
std::string programFolder() {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string text(path, length > 0 ? static_cast<size_t>(length) : 0);
  return text.substr(0, text.rfind('/') + 1);
}

// Deep: a name that the program's libraries have too is the runtime's own there.
Library open(const std::string &path) {
  Library result;
  result.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!result.handle)
    result.error = std::string("the gnnc runtime cannot be opened: ") + dlerror();
  return result;
}

/// The first call decides.
const Library &library(const std::string &given = "") {
  static const Library opened = [&] {
    if (!given.empty())
      return open(given);
    for (const std::string &folder : {programFolder() + "../lib/", std::string(GNNC_LIB_DIR "/")}) {
      std::string path = folder + "libgnnc_runtime.so";
      if (access(path.c_str(), F_OK) == 0)
        return open(path);
    }
    return Library{nullptr, "libgnnc_runtime.so is not in ../lib of this program, which runs what "
                            "is compiled; install the runtime beside it"};
  }();
  return opened;
}

template <class F>
F *find(const char *name) {
  const Library &runtime = library();
  if (!runtime.handle) {
    lateError = runtime.error;
    return nullptr;
  }
  auto *function = reinterpret_cast<F *>(dlsym(runtime.handle, name));
  lateError = function ? ""
                       : std::string("libgnnc_runtime.so has no function ") + name +
                             "; it is of another version than this program";
  return function;
}

} // namespace

bool gnnc::openRuntime(const std::string &path, std::string &error) {
  const Library &runtime = library(path);
  error = runtime.error;
  return runtime.handle != nullptr;
}

// Each is the function of its name; see gnnc.h.
#define GNNC_FORWARD(NAME, PARAMETERS, ARGUMENTS)                                                  \
  gnnc_status NAME PARAMETERS {                                                                    \
    static auto *const function = find<gnnc_status PARAMETERS>(#NAME);                             \
    return function ? function ARGUMENTS : GNNC_UNSUPPORTED;                                       \
  }
#define GNNC_RELEASE(NAME, TYPE)                                                                   \
  void NAME(TYPE *object) {                                                                        \
    static auto *const function = find<void(TYPE *)>(#NAME);                                       \
    if (function)                                                                                  \
      function(object);                                                                            \
  }

extern "C" {

const char *gnnc_last_error(void) {
  static auto *const function = find<const char *(void)>("gnnc_last_error");
  return function && lateError.empty() ? function() : lateError.c_str();
}

GNNC_FORWARD(gnnc_device_open, (const char *name, gnnc_device **device), (name, device))
GNNC_RELEASE(gnnc_device_close, gnnc_device)
GNNC_FORWARD(gnnc_executable_load,
             (gnnc_device * device, const char *path, gnnc_executable **executable),
             (device, path, executable))
GNNC_RELEASE(gnnc_executable_release, gnnc_executable)
GNNC_FORWARD(gnnc_executable_guards,
             (const gnnc_executable *executable, gnnc_guard *guards, int32_t capacity,
              int32_t *count),
             (executable, guards, capacity, count))
GNNC_FORWARD(gnnc_graph_create_indexed,
             (const gnnc_graph_desc *desc, const gnnc_tensor *index, int32_t numIndex,
              gnnc_graph **graph),
             (desc, index, numIndex, graph))
GNNC_RELEASE(gnnc_graph_release, gnnc_graph)

void gnnc_graph_counts(const gnnc_graph *graph, int64_t *numDst, int64_t *numSrc,
                       int64_t *numEdges) {
  static auto *const function = find<decltype(gnnc_graph_counts)>("gnnc_graph_counts");
  if (function)
    function(graph, numDst, numSrc, numEdges);
}

GNNC_FORWARD(gnnc_session_create,
             (gnnc_executable * executable, gnnc_graph *graph, gnnc_session **session),
             (executable, graph, session))
GNNC_RELEASE(gnnc_session_release, gnnc_session)
GNNC_FORWARD(gnnc_session_rebind, (gnnc_session * session, gnnc_graph *graph), (session, graph))
GNNC_FORWARD(gnnc_session_stats, (const gnnc_session *session, gnnc_stats *stats), (session, stats))

const char *gnnc_session_update_failure(const gnnc_session *session) {
  static auto *const function =
      find<decltype(gnnc_session_update_failure)>("gnnc_session_update_failure");
  return function ? function(session) : "";
}

GNNC_FORWARD(gnnc_session_run,
             (gnnc_session * session, const gnnc_tensor *inputs, int32_t numInputs,
              const gnnc_tensor *outputs, int32_t numOutputs),
             (session, inputs, numInputs, outputs, numOutputs))
GNNC_FORWARD(gnnc_session_time,
             (gnnc_session * session, const gnnc_tensor *inputs, int32_t numInputs,
              const gnnc_tensor *outputs, int32_t numOutputs, int32_t warmup, int32_t repeats,
              int32_t inner, double *milliseconds),
             (session, inputs, numInputs, outputs, numOutputs, warmup, repeats, inner,
              milliseconds))
GNNC_FORWARD(gnnc_session_commands,
             (const gnnc_session *session, const char **names, int32_t capacity, int32_t *count),
             (session, names, capacity, count))
GNNC_FORWARD(gnnc_session_time_commands,
             (gnnc_session * session, const gnnc_tensor *inputs, int32_t numInputs,
              const gnnc_tensor *outputs, int32_t numOutputs, int32_t warmup, int32_t repeats,
              double *milliseconds),
             (session, inputs, numInputs, outputs, numOutputs, warmup, repeats, milliseconds))
GNNC_FORWARD(gnnc_session_output_shape,
             (const gnnc_session *session, const char *name, int32_t *rank, int64_t *shape,
              gnnc_dtype *dtype),
             (session, name, rank, shape, dtype))

} // extern "C"
