//===- CApi.cpp - The C API of jit.h --------------------------------------===//
//
// In: options and graphs of a caller. Out: what lib/Jit makes of them, with gnn-compile as
// a process; nothing that is thrown leaves.
//
//===----------------------------------------------------------------------===//
#include "gnnc/jit.h"
#include "lib/Jit/CompilerProcess.h"
#include "lib/Jit/Session.h"

#include <algorithm>
#include <dlfcn.h>
#include <exception>
#include <sstream>
#include <unistd.h>

using namespace gnnc;

struct gnnc_jit_program {
  std::shared_ptr<jit::Program> program;
  std::mutex mutex; ///< of what callers look at
  std::vector<jit::GuardFailure> guards;
  std::string failure;
};

struct gnnc_jit_session {
  jit::Session session;
};

static thread_local std::string lastError;

static gnnc_status refuse(gnnc_status status, std::string message) {
  lastError = std::move(message);
  return status;
}

/// The status of a Result, or of what was thrown instead.
template <class F>
static gnnc_status guarded(const F &call) {
  try {
    Result<void> result = call();
    return result ? GNNC_OK : refuse(result.error().status, result.error().message);
  } catch (const std::bad_alloc &) {
    return refuse(GNNC_OUT_OF_MEMORY, "jit: out of host memory");
  } catch (const std::exception &error) {
    return refuse(GNNC_INTERNAL, std::string("jit: ") + error.what());
  }
}

static Error wrong(std::string message) {
  return {GNNC_INVALID_ARGUMENT, "jit: " + std::move(message)};
}

/// `call` on the runtime's session that the graph is bound to.
template <class F>
static gnnc_status onBound(const gnnc_jit_session *session, const F &call) {
  return guarded([&]() -> Result<void> {
    if (!session)
      return wrong("a session is needed, found a null pointer");
    auto bound = session->session.current();
    if (!bound)
      return bound.error();
    if (gnnc_status status = call(*bound))
      return Error{status, gnnc_last_error()};
    return {};
  });
}

static std::string textOr(const char *text, const char *otherwise) {
  return text && *text ? text : otherwise;
}

static std::vector<std::string> listOf(const char *text) {
  std::vector<std::string> out;
  std::istringstream parts(textOr(text, ""));
  for (std::string part; std::getline(parts, part, ',');)
    out.push_back(part);
  return out;
}

/// The compiler that belongs to this library, else that of PATH.
static std::string findCompiler() {
  Dl_info self = {};
  if (dladdr(reinterpret_cast<const void *>(&gnnc_jit_last_error), &self) && self.dli_fname) {
    std::string path = self.dli_fname;
    path = path.substr(0, path.rfind('/') + 1) + "../bin/gnn-compile";
    if (access(path.c_str(), X_OK) == 0)
      return path;
  }
  return "gnn-compile";
}

static std::vector<std::string> commandOf(const gnnc_jit_options &options) {
  std::string compiler = textOr(options.compiler, "");
  if (compiler.empty())
    compiler = findCompiler();
  bool isHost = textOr(options.device, "cpu").starts_with("cpu");
  std::vector<std::string> command = {compiler,   options.program,
                                      "--target", isHost ? "cpu" : "cuda",
                                      "--mode",   textOr(options.mode, "default"),
                                      "--quiet"};
  for (auto [flag, value] :
       {std::pair("--weights", options.weights), {"--cache-dir", options.cache_folder}})
    if (value && *value)
      command.insert(command.end(), {flag, value});
  for (const char *const *flag = options.flags; flag && *flag; ++flag)
    command.push_back(*flag);
  return command;
}

static Result<std::shared_ptr<jit::Program>> make(const gnnc_jit_options &given) {
  if (!given.program || !*given.program)
    return wrong("a program is needed: the path of its .mlir");
  for (const char *path : {given.program, given.weights})
    if (path && *path && access(path, R_OK) != 0)
      return Error{GNNC_INVALID_FILE, std::string("jit: ") + path + ": cannot be read"};
  if (given.keep < 0 || given.background < 0)
    return wrong("keep and background are counts, found " + std::to_string(given.keep) + " and " +
                 std::to_string(given.background));
  jit::Options options;
  options.dynamic = textOr(given.dynamic, "auto");
  options.keepDynamic = listOf(given.keep_dynamic);
  options.keepStatic = listOf(given.keep_static);
  options.device = textOr(given.device, "cpu");
  if (given.keep > 0)
    options.keep = static_cast<std::size_t>(given.keep);
  options.background = static_cast<std::size_t>(given.background);
  return jit::Program::create(jit::compileByCommand(commandOf(given)), options);
}

extern "C" {

const char *gnnc_jit_last_error(void) { return lastError.c_str(); }

gnnc_status gnnc_jit_create(const gnnc_jit_options *options, gnnc_jit_program **program) {
  return guarded([&]() -> Result<void> {
    if (!options || !program)
      return wrong("options and a place for the program are needed, found a null pointer");
    auto made = make(*options);
    if (!made)
      return made.error();
    *program = new gnnc_jit_program{std::move(*made), {}, {}, {}};
    return {};
  });
}

void gnnc_jit_release(gnnc_jit_program *program) { delete program; }

gnnc_status gnnc_jit_count(const gnnc_jit_program *program, gnnc_jit_counters *counters) {
  return guarded([&]() -> Result<void> {
    if (!program || !counters)
      return wrong("a program and a place for its counters are needed, found a null pointer");
    jit::Counters all = program->program->counters();
    *counters = {all.compilations, all.diskHits, all.hits,          all.misses,     all.evictions,
                 all.standIns,     all.failures, all.guardFailures, all.tuningRuns, all.compileMs};
    return {};
  });
}

gnnc_status gnnc_jit_guards(gnnc_jit_program *program, gnnc_guard *guards, int32_t capacity,
                            int32_t *count) {
  return guarded([&]() -> Result<void> {
    if (!program || !count || capacity < 0 || (capacity > 0 && !guards))
      return wrong("a program, a place for the count and one for each guard are needed");
    std::scoped_lock lock(program->mutex);
    program->guards = program->program->failedGuards();
    *count = static_cast<int32_t>(program->guards.size());
    for (int32_t i = 0; i < std::min(capacity, *count); ++i) {
      const jit::GuardFailure &guard = program->guards[static_cast<std::size_t>(i)];
      guards[i] = {guard.kind.c_str(), guard.of.c_str(), guard.expects.c_str(), guard.failures};
    }
    return {};
  });
}

gnnc_status gnnc_jit_finish_background(gnnc_jit_program *program) {
  return guarded([&]() -> Result<void> {
    if (!program)
      return wrong("a program is needed, found a null pointer");
    program->program->finishBackground();
    return {};
  });
}

const char *gnnc_jit_background_failure(gnnc_jit_program *program) {
  if (!program)
    return "";
  std::scoped_lock lock(program->mutex);
  program->failure = program->program->backgroundFailure();
  return program->failure.c_str();
}

gnnc_status gnnc_jit_session_create(gnnc_jit_program *program, gnnc_jit_session **session) {
  return guarded([&]() -> Result<void> {
    if (!program || !session)
      return wrong("a program and a place for the session are needed, found a null pointer");
    *session = new gnnc_jit_session{jit::Session(program->program)};
    return {};
  });
}

void gnnc_jit_session_release(gnnc_jit_session *session) { delete session; }

gnnc_status gnnc_jit_session_bind(gnnc_jit_session *session, gnnc_graph *graph) {
  return guarded([&]() -> Result<void> {
    if (!session || !graph)
      return wrong("a session and a graph are needed, found a null pointer");
    return session->session.bind(graph);
  });
}

gnnc_status gnnc_jit_session_run(gnnc_jit_session *session, const gnnc_tensor *inputs,
                                 int32_t num_inputs, const gnnc_tensor *outputs,
                                 int32_t num_outputs) {
  return onBound(session, [&](gnnc_session *bound) {
    return gnnc_session_run(bound, inputs, num_inputs, outputs, num_outputs);
  });
}

gnnc_status gnnc_jit_session_output_shape(const gnnc_jit_session *session, const char *name,
                                          int32_t *rank, int64_t *shape, gnnc_dtype *dtype) {
  return onBound(session, [&](gnnc_session *bound) {
    return gnnc_session_output_shape(bound, name, rank, shape, dtype);
  });
}

gnnc_status gnnc_jit_session_stats(const gnnc_jit_session *session, gnnc_stats *stats) {
  return guarded([&]() -> Result<void> {
    if (!session || !stats)
      return wrong("a session and a place for its stats are needed, found a null pointer");
    auto found = session->session.stats();
    if (!found)
      return found.error();
    *stats = *found;
    return {};
  });
}

} // extern "C"
