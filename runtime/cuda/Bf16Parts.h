//===- Bf16Parts.h - An fp32 number as a sum of two in bf16 ---------------===//
//
// x = high + low + (a rest below 2^-17 |x|), high = bf16(x), low = bf16(x - high).
// Read by kernels and by their stand-ins on the host, so plain C++ without a library.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_BF16PARTS_H
#define GNNC_RUNTIME_CUDA_BF16PARTS_H

#include "runtime/cuda/DeviceCode.h"

namespace gnnc::cuda {

/// The bits of bf16(x), rounded to nearest even.
GNNC_DEVICE inline unsigned short roundToBf16(float x) {
#ifdef __CUDA__
  return __builtin_bit_cast(unsigned short, static_cast<__bf16>(x));
#else
  // The compiler calls a function for it that not every libgcc has.
  unsigned bits = __builtin_bit_cast(unsigned, x);
  return static_cast<unsigned short>(x == x ? (bits + 0x7fff + (bits >> 16 & 1)) >> 16 : 0x7fc0);
#endif
}

GNNC_DEVICE inline float fromBf16(unsigned short bits) {
  return __builtin_bit_cast(float, unsigned(bits) << 16);
}

struct Bf16Parts {
  unsigned short high, low;
};

GNNC_DEVICE inline Bf16Parts bf16Parts(float x) {
  unsigned short high = roundToBf16(x);
  // Infinity has no rest; infinity minus itself would make it a NaN.
  float rest = x - fromBf16(high);
  return {high, roundToBf16(__builtin_isfinite(rest) ? rest : 0.0f)};
}

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_BF16PARTS_H
