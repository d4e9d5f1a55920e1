/* Host kernels of the hand-written test programs, in the form that the compiler
   gives them: one 8-byte slot an argument, a range of rows. */
#include <stdint.h>

/* The names are symbols of an artefact, in the compiler's case.
   NOLINTBEGIN(readability-identifier-naming) */

typedef union {
  void *address;
  int64_t number;
} Slot;

/* out[v] = bias + sum of h[u] over edges u -> v; arguments rowptr, col, h, bias, out, width */
void sum_rows(Slot *arguments, int64_t begin, int64_t end) {
  const int32_t *rowptr = arguments[0].address, *col = arguments[1].address;
  const float *h = arguments[2].address, *bias = arguments[3].address;
  float *out = arguments[4].address;
  int64_t width = arguments[5].number;
  for (int64_t v = begin; v < end; ++v) {
    for (int64_t f = 0; f < width; ++f)
      out[v * width + f] = bias[f];
    for (int32_t e = rowptr[v]; e < rowptr[v + 1]; ++e)
      for (int64_t f = 0; f < width; ++f)
        out[v * width + f] += h[col[e] * width + f];
  }
}

/* inverse[v] = 1 / number of edges into v; made once by prepare */
void inverse_degree(Slot *arguments, int64_t begin, int64_t end) {
  const int32_t *rowptr = arguments[0].address;
  float *inverse = arguments[1].address;
  for (int64_t v = begin; v < end; ++v)
    inverse[v] = 1.0f / (float)(rowptr[v + 1] - rowptr[v]);
}

/* out[v] *= inverse[v]; counts[v] += 1 shows that counts is zeroed in each run */
void scale_rows(Slot *arguments, int64_t begin, int64_t end) {
  const float *inverse = arguments[0].address;
  float *counts = arguments[1].address, *out = arguments[2].address;
  int64_t width = arguments[3].number;
  for (int64_t v = begin; v < end; ++v) {
    counts[v] += 1;
    for (int64_t f = 0; f < width; ++f)
      out[v * width + f] *= inverse[v] * counts[v];
  }
}
/* NOLINTEND(readability-identifier-naming) */
