/* Run a program on rings of several sizes, compiled as they come: example-jit MODEL.mlir FEATURES */
#include <gnnc/jit.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call, why) if ((call) != GNNC_OK) return fprintf(stderr, "%s\n", why()), 1
#define TRY_JIT(call) TRY(call, gnnc_jit_last_error)
int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: example-jit MODEL.mlir FEATURES\n"), 2;
  gnnc_jit_options options = {.program = argv[1], .dynamic = "auto"};
  gnnc_jit_program *program; gnnc_jit_session *session; gnnc_jit_counters counted;
  TRY_JIT(gnnc_jit_create(&options, &program));
  TRY_JIT(gnnc_jit_session_create(program, &session));
  for (int64_t n = 3; n <= 5; ++n) {
    int64_t src[5], dst[5], x_shape[] = {n, atoll(argv[2])}, shape[8];
    for (int64_t i = 0; i < n; ++i) src[i] = i, dst[i] = (i + 1) % n;
    float *x = calloc(n * x_shape[1], sizeof *x), *out;
    for (int64_t i = 0; i < n * x_shape[1]; ++i) x[i] = (float)(i + 1);
    gnnc_graph *graph; gnnc_graph_desc desc = {n, n, n, src, dst, GNNC_I64, NULL, 0};
    int32_t rank; gnnc_dtype dtype;
    TRY(gnnc_graph_create(&desc, &graph), gnnc_last_error);
    TRY_JIT(gnnc_jit_session_bind(session, graph)); /* compiles for 3, then for any size */
    TRY_JIT(gnnc_jit_session_output_shape(session, "out", &rank, shape, &dtype));
    out = calloc(shape[0] * shape[1], sizeof *out);
    gnnc_tensor in = {"x", x, GNNC_F32, 2, x_shape, 0}, result = {"out", out, dtype, rank, shape, 0};
    TRY_JIT(gnnc_jit_session_run(session, &in, 1, &result, 1));
    printf("%lld nodes: %g ... %g\n", (long long)n, out[0], out[shape[0] * shape[1] - 1]);
    gnnc_graph_release(graph), free(x), free(out);
  }
  TRY_JIT(gnnc_jit_count(program, &counted));
  printf("%lld compilations\n", (long long)(counted.compilations + counted.disk_hits));
  return gnnc_jit_session_release(session), gnnc_jit_release(program), 0;
}
