//===- CApi.cpp - The C API over the runtime core -------------------------===//
//
// Every function catches what might escape (memory for small things), so no
// exception crosses the border, and leaves one line for gnnc_last_error().
//
//===----------------------------------------------------------------------===//
#include "runtime/core/Session.h"

#include <algorithm>
#include <new>

using namespace gnnc::runtime;

struct gnnc_device {
  std::shared_ptr<Device> value;
};
struct gnnc_executable {
  std::shared_ptr<const Executable> value;
};
struct gnnc_graph {
  std::shared_ptr<const Graph> value;
};
struct gnnc_session {
  std::unique_ptr<Session> value;
};

namespace {

thread_local std::string lastError;

/// Runs a function that gives a Status; keeps the message of a failure.
template <class F>
gnnc_status guarded(F &&body) {
  Status status;
  try {
    status = body();
  } catch (const std::bad_alloc &) {
    status = {Code::OutOfMemory, "out of memory"};
  } catch (const std::exception &error) {
    status = {Code::Internal, std::string("internal: ") + error.what()};
  }
  if (!status)
    lastError = status.message();
  return static_cast<gnnc_status>(status.code());
}

Status null(const char *what) { return {Code::InvalidArgument, std::string(what) + " is null"}; }

/// Hands a result to the caller in an object of the API's type.
template <class Object, class T>
Status give(Expected<T> result, Object **out) {
  if (!result)
    return result.status();
  *out = new Object{std::move(*result)};
  return {};
}

} // namespace

extern "C" {

const char *gnnc_last_error(void) { return lastError.c_str(); }

const char *gnnc_version(void) { return GNNC_VERSION; }

gnnc_status gnnc_device_open(const char *name, gnnc_device **device) {
  return guarded([&]() -> Status {
    if (!name || !device)
      return null("name or device");
    return give(Device::open(name), device);
  });
}

void gnnc_device_close(gnnc_device *device) { delete device; }

int gnnc_cuda_available(void) {
  int available = 0;
  (void)guarded([&]() -> Status {
    available = Device::cudaAvailable();
    return {};
  });
  return available;
}

gnnc_status gnnc_executable_load(gnnc_device *device, const char *path,
                                 gnnc_executable **executable) {
  return guarded([&]() -> Status {
    if (!device || !path || !executable)
      return null("device, path or executable");
    return give(Executable::load(device->value, path), executable);
  });
}

void gnnc_executable_release(gnnc_executable *executable) { delete executable; }

gnnc_status gnnc_executable_guards(const gnnc_executable *executable, gnnc_guard *guards,
                                   int32_t capacity, int32_t *count) {
  return guarded([&]() -> Status {
    if (!executable || !count || (capacity > 0 && !guards))
      return null("executable, guards or count");
    const Guards &all = executable->value->guards();
    *count = static_cast<int32_t>(all.lines().size());
    for (int32_t i = 0; i < std::min(capacity, *count); ++i) {
      auto at = static_cast<std::size_t>(i);
      const gnnc::format::GuardLine &line = all.lines()[at];
      guards[i] = {gnnc::format::name(line.kind), line.of.c_str(), line.expects.c_str(),
                   all.failures(at)};
    }
    return {};
  });
}

gnnc_status gnnc_graph_create(const gnnc_graph_desc *desc, gnnc_graph **graph) {
  return guarded([&]() -> Status {
    if (!desc || !graph)
      return null("desc or graph");
    return give(Graph::create(*desc), graph);
  });
}

gnnc_status gnnc_graph_create_indexed(const gnnc_graph_desc *desc, const gnnc_tensor *index,
                                      int32_t numIndex, gnnc_graph **graph) {
  return guarded([&]() -> Status {
    if (!desc || !graph)
      return null("desc or graph");
    return give(Graph::create(*desc, index, numIndex), graph);
  });
}

void gnnc_graph_release(gnnc_graph *graph) { delete graph; }

void gnnc_graph_counts(const gnnc_graph *graph, int64_t *numDst, int64_t *numSrc,
                       int64_t *numEdges) {
  if (numDst)
    *numDst = graph ? graph->value->dstNodes() : 0;
  if (numSrc)
    *numSrc = graph ? graph->value->srcNodes() : 0;
  if (numEdges)
    *numEdges = graph ? graph->value->edges() : 0;
}

gnnc_status gnnc_session_create(gnnc_executable *executable, gnnc_graph *graph,
                                gnnc_session **session) {
  return guarded([&]() -> Status {
    if (!executable || !graph || !session)
      return null("executable, graph or session");
    return give(Session::create(executable->value, graph->value), session);
  });
}

void gnnc_session_release(gnnc_session *session) { delete session; }

gnnc_status gnnc_session_rebind(gnnc_session *session, gnnc_graph *graph) {
  return guarded([&]() -> Status {
    if (!session || !graph)
      return null("session or graph");
    return session->value->rebind(graph->value);
  });
}

const char *gnnc_session_update_failure(const gnnc_session *session) {
  return session ? session->value->updateFailure().c_str() : "";
}

gnnc_status gnnc_session_run(gnnc_session *session, const gnnc_tensor *inputs, int32_t numInputs,
                             const gnnc_tensor *outputs, int32_t numOutputs) {
  return guarded([&]() -> Status {
    if (!session)
      return null("session");
    return session->value->run({inputs, numInputs, outputs, numOutputs});
  });
}

gnnc_status gnnc_session_time(gnnc_session *session, const gnnc_tensor *inputs, int32_t numInputs,
                              const gnnc_tensor *outputs, int32_t numOutputs, int32_t warmup,
                              int32_t repeats, int32_t inner, double *milliseconds) {
  return guarded([&]() -> Status {
    if (!session)
      return null("session");
    return session->value->time({inputs, numInputs, outputs, numOutputs}, warmup, repeats, inner,
                                milliseconds);
  });
}

gnnc_status gnnc_session_commands(const gnnc_session *session, const char **names, int32_t capacity,
                                  int32_t *count) {
  return guarded([&]() -> Status {
    if (!session || !count || (!names && capacity > 0))
      return null("session, names or count");
    *count = session->value->numCommands();
    for (int32_t i = 0; i < std::min(capacity, *count); ++i)
      names[i] = session->value->commandName(i).c_str();
    return {};
  });
}

gnnc_status gnnc_session_time_commands(gnnc_session *session, const gnnc_tensor *inputs,
                                       int32_t numInputs, const gnnc_tensor *outputs,
                                       int32_t numOutputs, int32_t warmup, int32_t repeats,
                                       double *milliseconds) {
  return guarded([&]() -> Status {
    if (!session)
      return null("session");
    return session->value->timeCommands({inputs, numInputs, outputs, numOutputs}, warmup, repeats,
                                        milliseconds);
  });
}

gnnc_status gnnc_session_stats(const gnnc_session *session, gnnc_stats *stats) {
  return guarded([&]() -> Status {
    if (!session || !stats)
      return null("session or stats");
    *stats = session->value->stats();
    return {};
  });
}

gnnc_status gnnc_session_profile(gnnc_session *session, const gnnc_tensor *inputs,
                                 int32_t numInputs, const gnnc_tensor *outputs, int32_t numOutputs,
                                 const char *path) {
  return guarded([&]() -> Status {
    if (!session || !path)
      return null("session or path");
    return session->value->profile({inputs, numInputs, outputs, numOutputs}, path);
  });
}

gnnc_status gnnc_session_output_shape(const gnnc_session *session, const char *name, int32_t *rank,
                                      int64_t *shape, gnnc_dtype *dtype) {
  return guarded([&]() -> Status {
    if (!session || !name || !rank || !shape || !dtype)
      return null("session, name, rank, shape or dtype");
    auto found = session->value->outputShape(name);
    if (!found)
      return found.status();
    *rank = static_cast<int32_t>(found->shape.size());
    std::copy(found->shape.begin(), found->shape.end(), shape);
    *dtype = static_cast<gnnc_dtype>(found->dtype);
    return {};
  });
}

} // extern "C"
