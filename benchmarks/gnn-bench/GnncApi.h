//===- GnncApi.h - The runtime's C API, opened at run time ----------------===//
//
// Input: the path of libgnnc_runtime.so. Output: the functions of
// include/gnnc/gnnc.h, as a table and under their own names (GnncFunctions.cpp), so that
// include/gnnc/gnnc.hpp can be used too. Opened, not linked: libtorch_cpu.so exports MKL's sgemm_
// and others, which the runtime's library of matrix products must not resolve to
// (docs/decisions/libtorch.md).
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_GNNCAPI_H
#define GNNC_BENCHMARKS_GNN_BENCH_GNNCAPI_H

#include "gnnc/gnnc.h"

#include <string>

namespace gnnc::bench {

struct GnncApi {
  decltype(&gnnc_last_error) lastError;
  decltype(&gnnc_device_open) deviceOpen;
  decltype(&gnnc_device_close) deviceClose;
  decltype(&gnnc_executable_load) executableLoad;
  decltype(&gnnc_executable_release) executableRelease;
  decltype(&gnnc_executable_guards) executableGuards;
  decltype(&gnnc_graph_create) graphCreate;
  decltype(&gnnc_graph_create_indexed) graphCreateIndexed;
  decltype(&gnnc_graph_counts) graphCounts;
  decltype(&gnnc_graph_release) graphRelease;
  decltype(&gnnc_session_create) sessionCreate;
  decltype(&gnnc_session_rebind) sessionRebind;
  decltype(&gnnc_session_update_failure) sessionUpdateFailure;
  decltype(&gnnc_session_release) sessionRelease;
  decltype(&gnnc_session_run) sessionRun;
  decltype(&gnnc_session_time) sessionTime;
  decltype(&gnnc_session_stats) sessionStats;
  decltype(&gnnc_session_output_shape) sessionOutputShape;
};

/// The library stays open for the life of the process. `path` empty: beside the
/// program (../lib), else where the build found it. The first call decides. Throws
/// Failure.
const GnncApi &gnncApi(const std::string &path);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_GNNCAPI_H
