/*===- gnnc.h - C API of the gnnc runtime -----------------------------------===*\
|*                                                                            *|
|* Load a compiled artefact (.gnnx), bind a graph, run. No function aborts or  *|
|* throws: each returns a status, and gnnc_last_error() gives one line that    *|
|* says what was wrong and what to do. Objects may be used from any thread;    *|
|* one session from one thread at a time. Release objects in any order: a      *|
|* session keeps what it needs alive.                                          *|
|*                                                                            *|
\*===------------------------------------------------------------------------===*/
#ifndef GNNC_GNNC_H
#define GNNC_GNNC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* C names here, LLVM names in the C++ below. NOLINTBEGIN(readability-identifier-naming) */

#define GNNC_API __attribute__((visibility("default")))

typedef enum {
  GNNC_OK = 0,
  GNNC_INVALID_ARGUMENT, /* a value the caller passed is wrong */
  GNNC_INVALID_FILE,     /* missing, short, corrupt or of another version */
  GNNC_INVALID_GRAPH,    /* an edge or extent of the graph is wrong */
  GNNC_GUARD_FAILED,     /* the program was compiled for something else */
  GNNC_UNSUPPORTED,      /* this device, processor or driver cannot run it */
  GNNC_OUT_OF_MEMORY,    /* the message says how much was needed */
  GNNC_DEVICE_ERROR,     /* the driver or a library reported an error */
  GNNC_INTERNAL
} gnnc_status;

/* C++ names the type below, so that any number from a caller can be looked at. */
#ifdef __cplusplus
#define GNNC_INT : int
#else
#define GNNC_INT
#endif

typedef enum GNNC_INT {
  GNNC_F32 = 0,
  GNNC_F64,
  GNNC_F16,
  GNNC_BF16,
  GNNC_I32,
  GNNC_I64,
  GNNC_U8
} gnnc_dtype;

typedef struct gnnc_device gnnc_device;
typedef struct gnnc_executable gnnc_executable;
typedef struct gnnc_graph gnnc_graph;
typedef struct gnnc_session gnnc_session;

/* A contiguous row-major tensor. `data` is host memory unless `on_device`. */
typedef struct {
  const char *name; /* "x", "out", "edge_weight" */
  void *data;
  gnnc_dtype dtype;
  int32_t rank;
  const int64_t *shape;
  int32_t on_device;
} gnnc_tensor;

/* Edge e runs from src[e] to dst[e]. Copied and validated when created. */
typedef struct {
  int64_t num_dst, num_src, num_edges;
  const void *src, *dst;        /* host memory, num_edges entries each */
  gnnc_dtype index_dtype;       /* GNNC_I32 or GNNC_I64 */
  const gnnc_tensor *edge_data; /* edge_weight and the like; num_edges rows each */
  int32_t num_edge_data;
} gnnc_graph_desc;

/* Memory and counts of a session; known before its first run. Peak device memory
 * is weight_bytes + graph_bytes + arena_bytes, and io_bytes from the first run on. */
typedef struct {
  int64_t weight_bytes, graph_bytes; /* weights; what `prepare` made and keeps */
  int64_t arena_bytes;               /* scratch: of a forward or of prepare, the larger */
  int64_t kernels_per_forward;       /* launches and products */
  int64_t captures, graph_launches;  /* cudaGraphs made, and replays */
  int64_t allocations;               /* device allocations of this session so far */
  int64_t guard_failures;            /* graphs that this executable refused */
  double load_ms, bind_ms;
  int64_t io_bytes; /* device copies of host inputs and outputs; 0 on the cpu */
  /* Of bind_ms, the work of `prepare` itself (CSR, degrees, partition) without copies
   * between host and device: device events for what ran there, wall time for the rest. */
  double prepare_ms;
  int64_t rebinds;        /* graphs bound to this session after its first */
  int64_t updates;        /* cudaGraphs changed in place to new sizes or addresses */
  int64_t failed_updates; /* captures that had to take the place of an earlier one */
  double update_ms;       /* host time of all `updates`, without what runs on the device */
} gnnc_stats;

/* Something that a compiled program relies on. The texts live as long as the executable. */
typedef struct {
  const char *kind;    /* extent, range, type, width, index, sorted, alignment, chip */
  const char *of;      /* a count or tensor: "n", "x" */
  const char *expects; /* "<= 2147483647: edges fit 32-bit indices" */
  int64_t failures;    /* how often it did not hold, over all sessions */
} gnnc_guard;

/* One line about the last failure on this thread; valid until the next call. */
GNNC_API const char *gnnc_last_error(void);
GNNC_API const char *gnnc_version(void);

/* `name`: "cpu", "cpu:4" (threads), "cuda", "cuda:1". */
GNNC_API gnnc_status gnnc_device_open(const char *name, gnnc_device **device);
GNNC_API void gnnc_device_close(gnnc_device *device);
/* True when a CUDA driver and device are there. Never fails. */
GNNC_API int gnnc_cuda_available(void);

GNNC_API gnnc_status gnnc_executable_load(gnnc_device *device, const char *path,
                                          gnnc_executable **executable);
GNNC_API void gnnc_executable_release(gnnc_executable *executable);
/* All guards of the program: `count` gets their number, `guards` the first `capacity`. */
GNNC_API gnnc_status gnnc_executable_guards(const gnnc_executable *executable, gnnc_guard *guards,
                                            int32_t capacity, int32_t *count);

GNNC_API gnnc_status gnnc_graph_create(const gnnc_graph_desc *desc, gnnc_graph **graph);
/* The same with index tensors: I32 or I64 of rank 1, with as many rows as the program
 * has use for (a batch vector, a row pointer). What they say is checked when a session
 * is created. Names are unique among edge data and index tensors. */
GNNC_API gnnc_status gnnc_graph_create_indexed(const gnnc_graph_desc *desc,
                                               const gnnc_tensor *index, int32_t num_index,
                                               gnnc_graph **graph);
GNNC_API void gnnc_graph_release(gnnc_graph *graph);
/* What the graph was made with. A pointer may be null; without a graph all are 0. */
GNNC_API void gnnc_graph_counts(const gnnc_graph *graph, int64_t *num_dst, int64_t *num_src,
                                int64_t *num_edges);

/* Checks the guards, prepares the graph and allocates: a run allocates nothing,
 * but for the first one that is given host tensors on a cuda device, which makes
 * room for their copies. */
GNNC_API gnnc_status gnnc_session_create(gnnc_executable *executable, gnnc_graph *graph,
                                         gnnc_session **session);
GNNC_API void gnnc_session_release(gnnc_session *session);
/* Binds another graph instead. Device memory is kept and grows only where the graph
 * needs more than every one before it; a cudaGraph is changed in place if the device
 * allows. A graph that fails a guard on its counts leaves the session as it was; after
 * any other failure it has no graph until one is bound. */
GNNC_API gnnc_status gnnc_session_rebind(gnnc_session *session, gnnc_graph *graph);
/* Why a cudaGraph could not be changed in place, the last time; empty if it always
 * could. Valid until the next call on this session. */
GNNC_API const char *gnnc_session_update_failure(const gnnc_session *session);

/* Runs one forward; returns when the outputs can be read. Tensors are found by
 * name; every input must be given, outputs may be left out. Host tensors are copied
 * to a cuda device and back; device tensors, and all tensors on the cpu, are used
 * in place: an output must not overlap an input. */
GNNC_API gnnc_status gnnc_session_run(gnnc_session *session, const gnnc_tensor *inputs,
                                      int32_t num_inputs, const gnnc_tensor *outputs,
                                      int32_t num_outputs);

/* Times `repeats` forwards, each sample the mean over `inner` back-to-back
 * forwards, with device events (cuda) or a steady clock (cpu). Inputs and outputs
 * as in gnnc_session_run; transfers are outside of the time. `milliseconds` gets
 * `repeats` values. */
GNNC_API gnnc_status gnnc_session_time(gnnc_session *session, const gnnc_tensor *inputs,
                                       int32_t num_inputs, const gnnc_tensor *outputs,
                                       int32_t num_outputs, int32_t warmup, int32_t repeats,
                                       int32_t inner, double *milliseconds);

/* Kernel launches and products of a forward in their order; `names` gets the first
 * `capacity` of them (owned by the session: a kernel's name, or "gemm MxKxN"), `count`
 * how many there are. */
GNNC_API gnnc_status gnnc_session_commands(const gnnc_session *session, const char **names,
                                           int32_t capacity, int32_t *count);

/* Times each command of `repeats` forwards, queued one behind the other after `warmup`
 * others, whatever the mode, with device events (cuda) or a steady clock (cpu).
 * `milliseconds` gets `repeats` rows of one value for each command. */
GNNC_API gnnc_status gnnc_session_time_commands(gnnc_session *session, const gnnc_tensor *inputs,
                                                int32_t num_inputs, const gnnc_tensor *outputs,
                                                int32_t num_outputs, int32_t warmup,
                                                int32_t repeats, double *milliseconds);

GNNC_API gnnc_status gnnc_session_stats(const gnnc_session *session, gnnc_stats *stats);

/* Writes a Chrome trace of one forward (one event per command). */
GNNC_API gnnc_status gnnc_session_profile(gnnc_session *session, const gnnc_tensor *inputs,
                                          int32_t num_inputs, const gnnc_tensor *outputs,
                                          int32_t num_outputs, const char *path);

/* Shape of an output of this session by name; `shape` has room for 8 extents. */
GNNC_API gnnc_status gnnc_session_output_shape(const gnnc_session *session, const char *name,
                                               int32_t *rank, int64_t *shape, gnnc_dtype *dtype);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* GNNC_GNNC_H */
