/* Run a compiled program on a triangle graph: example MODEL.gnnx FEATURES */
#include <gnnc/gnnc.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call) if ((call) != GNNC_OK) return fprintf(stderr, "%s\n", gnnc_last_error()), 1
int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: example MODEL.gnnx FEATURES\n"), 2;
  int64_t src[] = {0, 1, 2}, dst[] = {1, 2, 0}, x_shape[] = {3, atoll(argv[2])}, shape[8];
  float *x = calloc(3 * x_shape[1], sizeof *x), *out;
  for (int64_t i = 0; i < 3 * x_shape[1]; ++i) x[i] = (float)(i + 1);
  gnnc_device *device; gnnc_executable *program; gnnc_graph *graph; gnnc_session *session;
  gnnc_graph_desc desc = {3, 3, 3, src, dst, GNNC_I64, NULL, 0};
  int32_t rank; gnnc_dtype dtype;
  TRY(gnnc_device_open("cpu", &device));
  TRY(gnnc_executable_load(device, argv[1], &program));
  TRY(gnnc_graph_create(&desc, &graph));
  TRY(gnnc_session_create(program, graph, &session));
  TRY(gnnc_session_output_shape(session, "out", &rank, shape, &dtype));
  out = calloc(shape[0] * shape[1], sizeof *out);
  gnnc_tensor in = {"x", x, GNNC_F32, 2, x_shape, 0}, result = {"out", out, dtype, rank, shape, 0};
  TRY(gnnc_session_run(session, &in, 1, &result, 1));
  for (int64_t i = 0; i < shape[0] * shape[1]; ++i)
    printf("%g%c", out[i], (i + 1) % shape[1] ? ' ' : '\n');
  gnnc_session_release(session); gnnc_graph_release(graph);
  gnnc_executable_release(program); gnnc_device_close(device);
  return free(x), free(out), 0;
}
