//===- HalfParts.h - An fp32 number as a sum of two in f16 ----------------===//
//
// x = high + low + (a rest below 2^-22 |x|), high = f16(x), low = f16(x - high), as long
// as f16 has numbers of that size. So numbers that are multiplied by one another's are
// first scaled by a power of two that brings the largest of them into [2^14, 2^15):
// those 2^-17 of it and larger keep the bound, smaller ones a rest of 2^-40 of it.
// Read by kernels and by their stand-ins on the host, so plain C++ without a library.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_HALFPARTS_H
#define GNNC_RUNTIME_CUDA_HALFPARTS_H

#include "runtime/cuda/DeviceCode.h"

namespace gnnc::cuda {

/// The bits of f16(x), rounded to nearest even.
GNNC_DEVICE inline unsigned short roundToHalf(float x) {
#ifdef __CUDA__
  return __builtin_bit_cast(unsigned short, static_cast<_Float16>(x));
#else
  // The compiler calls a function for it that not every libgcc has.
  constexpr unsigned infinity = 0x7c00, least = 0x38800000, rebias = 0x38000000;
  unsigned bits = __builtin_bit_cast(unsigned, x), size = bits & 0x7fffffff;
  unsigned half = 0;
  if (size > 0x7f800000)
    half = 0x7fff;
  else if (size < least) // the last place of 0.5 is the step between such numbers
    half = __builtin_bit_cast(unsigned, __builtin_bit_cast(float, size) + 0.5f) - 0x3f000000;
  else
    half = (size + 0xfff + (size >> 13 & 1) - rebias) >> 13;
  if (half > infinity && half != 0x7fff)
    half = infinity;
  return static_cast<unsigned short>((bits >> 16 & 0x8000) | half);
#endif
}

GNNC_DEVICE inline float fromHalf(unsigned short bits) {
#ifdef __CUDA__
  return static_cast<float>(__builtin_bit_cast(_Float16, bits));
#else
  unsigned size = static_cast<unsigned>(bits & 0x7fff) << 13, sign = (bits & 0x8000u) << 16;
  float value = size >= 0x0f800000 ? __builtin_bit_cast(float, size | 0x7f800000)
                                   : __builtin_bit_cast(float, size) * 0x1p112f;
  return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, value) | sign);
#endif
}

struct HalfParts {
  unsigned short high, low;
};

GNNC_DEVICE inline HalfParts halfParts(float x) {
  unsigned short high = roundToHalf(x);
  return {high, roundToHalf(x - fromHalf(high))};
}

/// |x| without its sign as an integer: larger for larger numbers, largest for a NaN.
GNNC_DEVICE inline unsigned sizeBits(float x) {
  return __builtin_bit_cast(unsigned, x) & 0x7fffffffu;
}

/// What exponentOf() returns of zeros: the least, so that both factors are normal numbers.
inline constexpr unsigned kLeastExponent = 15;

/// The exponent, as fp32 stores it, that numbers of at most these sizeBits() are scaled
/// by; a NaN and infinity stay what they are.
GNNC_DEVICE inline unsigned exponentOf(unsigned size) {
  unsigned exponent = size >> 23;
  exponent = exponent < kLeastExponent ? kLeastExponent : exponent;
  return exponent > 254 ? 254 : exponent;
}

/// 2^(141 - exponent): the factor that scales numbers before they are split.
GNNC_DEVICE inline float scaleOf(unsigned exponent) {
  return __builtin_bit_cast(float, (268 - exponent) << 23);
}

/// 1 / scaleOf(exponent).
GNNC_DEVICE inline float unscaleOf(unsigned exponent) {
  return __builtin_bit_cast(float, (exponent - 14) << 23);
}

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_HALFPARTS_H
