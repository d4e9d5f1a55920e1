//===- GnncFunctions.cpp - The C API under its own names ------------------===//
//
// What inline functions of include/gnnc/gnnc.hpp call. Each passes its arguments on to
// the library that GnncApi.h opened; a name that only this file uses would be looked up
// in vain, for nothing here links the runtime.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/gnn-bench/GnncApi.h"

using gnnc::bench::gnncApi;

const char *gnnc_last_error() { return gnncApi("").lastError(); }

gnnc_status gnnc_device_open(const char *name, gnnc_device **device) {
  return gnncApi("").deviceOpen(name, device);
}

void gnnc_device_close(gnnc_device *device) { gnncApi("").deviceClose(device); }

gnnc_status gnnc_executable_load(gnnc_device *device, const char *path,
                                 gnnc_executable **executable) {
  return gnncApi("").executableLoad(device, path, executable);
}

void gnnc_executable_release(gnnc_executable *executable) {
  gnncApi("").executableRelease(executable);
}

gnnc_status gnnc_executable_guards(const gnnc_executable *executable, gnnc_guard *guards,
                                   int32_t capacity, int32_t *count) {
  return gnncApi("").executableGuards(executable, guards, capacity, count);
}

gnnc_status gnnc_graph_create_indexed(const gnnc_graph_desc *desc, const gnnc_tensor *index,
                                      int32_t numIndex, gnnc_graph **graph) {
  return gnncApi("").graphCreateIndexed(desc, index, numIndex, graph);
}

void gnnc_graph_release(gnnc_graph *graph) { gnncApi("").graphRelease(graph); }

void gnnc_graph_counts(const gnnc_graph *graph, int64_t *numDst, int64_t *numSrc,
                       int64_t *numEdges) {
  gnncApi("").graphCounts(graph, numDst, numSrc, numEdges);
}

gnnc_status gnnc_session_create(gnnc_executable *executable, gnnc_graph *graph,
                                gnnc_session **session) {
  return gnncApi("").sessionCreate(executable, graph, session);
}

void gnnc_session_release(gnnc_session *session) { gnncApi("").sessionRelease(session); }

gnnc_status gnnc_session_rebind(gnnc_session *session, gnnc_graph *graph) {
  return gnncApi("").sessionRebind(session, graph);
}

const char *gnnc_session_update_failure(const gnnc_session *session) {
  return gnncApi("").sessionUpdateFailure(session);
}

gnnc_status gnnc_session_run(gnnc_session *session, const gnnc_tensor *inputs, int32_t numInputs,
                             const gnnc_tensor *outputs, int32_t numOutputs) {
  return gnncApi("").sessionRun(session, inputs, numInputs, outputs, numOutputs);
}

gnnc_status gnnc_session_stats(const gnnc_session *session, gnnc_stats *stats) {
  return gnncApi("").sessionStats(session, stats);
}

gnnc_status gnnc_session_output_shape(const gnnc_session *session, const char *name, int32_t *rank,
                                      int64_t *extents, gnnc_dtype *dtype) {
  return gnncApi("").sessionOutputShape(session, name, rank, extents, dtype);
}
