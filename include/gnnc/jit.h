/*===- jit.h - C API for programs that are compiled as graphs come -----------===*\
|*                                                                            *|
|* libgnnc_jit.so: a program is held as text and compiled, by gnn-compile as a *|
|* process of its own, when a graph needs it. Graphs, tensors and statuses are *|
|* those of gnnc.h, and so are the rules: nothing aborts or throws, objects    *|
|* are released in any order, a session is used from one thread at a time and  *|
|* a program from any.                                                         *|
|*                                                                            *|
\*===------------------------------------------------------------------------===*/
#ifndef GNNC_JIT_H
#define GNNC_JIT_H

#include "gnnc/gnnc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* C names here, LLVM names in the C++ below. NOLINTBEGIN(readability-identifier-naming) */

typedef struct gnnc_jit_program gnnc_jit_program;
typedef struct gnnc_jit_session gnnc_jit_session;

/* All but `program` may be null or 0. Texts are copied. */
typedef struct {
  const char *program;      /* file, .mlir */
  const char *weights;      /* safetensors; null: the program has none */
  const char *device;       /* as gnnc_device_open; null: "cpu" */
  const char *mode;         /* default (null), reduce-overhead, max-autotune, ... */
  const char *dynamic;      /* auto (null), true, false */
  const char *keep_dynamic; /* counts that are run-time values: "nodes", "edges", "nodes,edges" */
  const char *keep_static;  /* counts that are constants, likewise */
  const char *cache_folder; /* for artefacts of earlier processes; null: GNNC_CACHE_DIR, if set */
  const char *compiler;     /* gnn-compile; null: in ../bin of this library, else in PATH */
  /* Flags of gnn-compile as they are there, {"--precision", "tf32", NULL}; the max-autotune
   * modes need {"--graph", FILE}, the graph they measure on. */
  const char *const *flags;
  int32_t keep;       /* specialised executables that are kept; 0: 64 */
  int32_t background; /* shapes compiled at a time while graphs go on; 0: a graph waits */
} gnnc_jit_options;

/* Of a program, over all of its sessions. Each graph that is bound is a hit or a miss.
 * Captures, updates in place and allocations are a session's: gnnc_jit_session_stats. */
typedef struct {
  int64_t compilations;
  int64_t disk_hits;    /* artefacts of the cache folder in place of a compilation */
  int64_t hits, misses; /* of shapes */
  int64_t evictions;    /* executables that went because there were too many */
  int64_t stand_ins;    /* graphs that ran before their own shape was compiled */
  int64_t failures;     /* of compiling and loading, in the background or not */
  int64_t guard_failures;
  int64_t tuning_runs; /* candidates that a max-autotune mode measured */
  double compile_ms;   /* with loading */
} gnnc_jit_counters;

/* One line about the last failure of a function below on this thread. */
GNNC_API const char *gnnc_jit_last_error(void);

/* Compiles nothing yet. */
GNNC_API gnnc_status gnnc_jit_create(const gnnc_jit_options *options, gnnc_jit_program **program);
GNNC_API void gnnc_jit_release(gnnc_jit_program *program);
GNNC_API gnnc_status gnnc_jit_count(const gnnc_jit_program *program, gnnc_jit_counters *counters);
/* Guards that failed, over all executables so far: `count` gets how many there are, `guards`
 * the first `capacity`. Texts are valid until the next call on this program. */
GNNC_API gnnc_status gnnc_jit_guards(gnnc_jit_program *program, gnnc_guard *guards,
                                     int32_t capacity, int32_t *count);
/* Waits for all that is compiled in the background. */
GNNC_API gnnc_status gnnc_jit_finish_background(gnnc_jit_program *program);
/* Why something could not be compiled in the background, the last time, else empty; valid
 * until the next call on this program. */
GNNC_API const char *gnnc_jit_background_failure(gnnc_jit_program *program);

/* A session takes one graph after the other; the program lives as long as it needs it. */
GNNC_API gnnc_status gnnc_jit_session_create(gnnc_jit_program *program, gnnc_jit_session **session);
GNNC_API void gnnc_jit_session_release(gnnc_jit_session *session);
/* Compiles where it must. After a failure no graph is bound. */
GNNC_API gnnc_status gnnc_jit_session_bind(gnnc_jit_session *session, gnnc_graph *graph);
/* As gnnc_session_run, gnnc_session_output_shape; counts of stats are over all graphs. */
GNNC_API gnnc_status gnnc_jit_session_run(gnnc_jit_session *session, const gnnc_tensor *inputs,
                                          int32_t num_inputs, const gnnc_tensor *outputs,
                                          int32_t num_outputs);
GNNC_API gnnc_status gnnc_jit_session_output_shape(const gnnc_jit_session *session,
                                                   const char *name, int32_t *rank, int64_t *shape,
                                                   gnnc_dtype *dtype);
GNNC_API gnnc_status gnnc_jit_session_stats(const gnnc_jit_session *session, gnnc_stats *stats);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* GNNC_JIT_H */
