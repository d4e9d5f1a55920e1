//===- SplitOperand.h - An fp32 matrix as parts of bf16 -------------------===//
//
// A product of two matrices of such parts (Bf16Parts.h) on Tensor Cores is one product
// of matrices with three times the columns,
//
//   [low_a  high_a  high_a] * [high_b  low_b  high_b]^T
//
// without low_a * low_b. The small terms come first: a Tensor Core truncates when
// it adds to its accumulator, so terms of 2^-8 of the result are added while the
// accumulator is of that size too, and only the last third is truncated at full
// size. The method is that of Henry, Tang, Heinecke, "Leveraging the bfloat16
// artificial intelligence datatype for higher-precision computations", ARITH 2019.
//
// Read by the kernel (SplitOperand.cu, compiled for the device) and by its stand-in
// in test/runtime/fake, so plain C++ without a library.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_SPLITOPERAND_H
#define GNNC_RUNTIME_CUDA_SPLITOPERAND_H

#include "runtime/cuda/Bf16Parts.h"

namespace gnnc::cuda {

/// Argument of the kernel gnnc_split_operand.
struct SplitOperand {
  const float *from;  ///< element (r, c) at r * rowStep + c * columnStep
  unsigned short *to; ///< bf16, rows x 3 x padded; from columns to padded zeros
  long long rowStep, columnStep;
  unsigned rows, columns, padded; ///< padded: a multiple of kSplitQuad
  unsigned isLeft;                ///< 1: [low high high], 0: [high low high]
};

/// Columns of one thread; a store of 8 bytes to each part.
inline constexpr unsigned kSplitQuad = 4;
inline constexpr unsigned kSplitBlock = 256;

/// Thread `index` of rows * padded / kSplitQuad.
GNNC_DEVICE inline void splitQuad(const SplitOperand &split, unsigned index) {
  using Quad = unsigned short __attribute__((ext_vector_type(kSplitQuad)));
  using Floats = float __attribute__((ext_vector_type(kSplitQuad)));
  unsigned perRow = split.padded / kSplitQuad;
  unsigned row = index / perRow, column = (index - row * perRow) * kSplitQuad;
  // Behind the last column there is nothing to point at: of no columns, not even memory.
  bool isInside = column < split.columns;
  const float *from =
      isInside ? split.from + row * split.rowStep + column * split.columnStep : split.from;
  Floats x = 0.0f;
  bool whole = column + kSplitQuad <= split.columns && split.columnStep == 1;
  if (whole && reinterpret_cast<unsigned long long>(from) % sizeof(Floats) == 0) {
    x = *reinterpret_cast<const Floats *>(from);
  } else {
    for (unsigned i = 0; i < kSplitQuad; ++i)
      if (column + i < split.columns)
        x[i] = from[i * split.columnStep];
  }
  Quad high, low;
  for (unsigned i = 0; i < kSplitQuad; ++i) {
    Bf16Parts parts = bf16Parts(x[i]);
    high[i] = parts.high;
    low[i] = parts.low;
  }
  auto *to = reinterpret_cast<Quad *>(split.to + 3ull * row * split.padded + column);
  to[0] = split.isLeft ? low : high;
  to[perRow] = split.isLeft ? high : low;
  to[2ull * perRow] = high;
}

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_SPLITOPERAND_H
