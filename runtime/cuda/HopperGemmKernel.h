//===- HopperGemmKernel.h - What the kernels of HopperGemm.h work on ------===//
//
// The weight of a product as the kernel's Tensor Core instructions read it: tiles of
// kTileColumns columns of the result by kTileDepth entries of the sum, one after the
// other, each first the high and then the low parts (HalfParts.h) of its entries, scaled
// by a power of two of the tile's own that stands behind all tiles. A part is
// kTileColumns rows of 128 bytes whose 16-byte chunks are permuted by the row (the
// 128-byte swizzle of wgmma's shared-memory matrices), so that a tile is copied to
// shared memory as it is.
//
// Sixteen entries of the sum are stored in the order in which a thread holds them: its
// four entries of `a` are neighbours in memory, though the instruction wants
// {2q, 2q+1, 2q+8, 2q+9}. The order of a sum is free as long as both sides agree.
//
// Read by the kernels (HopperGemmKernel.cu) and by their stand-ins in
// test/runtime/fake.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_HOPPERGEMMKERNEL_H
#define GNNC_RUNTIME_CUDA_HOPPERGEMMKERNEL_H

#include "runtime/cuda/HalfParts.h"

namespace gnnc::cuda {

inline constexpr unsigned kTileRows = 128, kTileColumns = 128, kTileDepth = 64;
/// Bytes of a tile of the weight: two parts in f16.
inline constexpr unsigned kTileBytes = kTileColumns * kTileDepth * 2 * 2;
/// Tiles of the weight that are in shared memory or on their way.
inline constexpr unsigned kStages = 3;
/// Depth of `a` that is kept in shared memory, in tiles.
inline constexpr unsigned kDepthInShared = 4;
/// Eight warps multiply, one copies; registers are given out to groups of four.
inline constexpr unsigned kMultiplyingThreads = 256, kHopperThreads = kMultiplyingThreads + 128;
/// Shared memory: stages (aligned to 1024 bytes), both parts of `a`, barriers.
inline constexpr unsigned kLeftBytes = kTileRows * kTileDepth * kDepthInShared * 2 * 2;
inline constexpr unsigned kBarrierBytes = kStages * 2 * 8;
inline constexpr unsigned kHopperShared = 1024 + kStages * kTileBytes + kLeftBytes + kBarrierBytes;

/// Argument of the kernel gnnc_pack_weight: one block of threads for a tile.
struct PackWeight {
  const float *from;  ///< entry (column, l) at column * columnStep + l * depthStep
  unsigned short *to; ///< f16, the tiles
  float *unscale;     ///< [tiles]: what products with a tile are multiplied by
  long long columnStep, depthStep;
  unsigned columns, depth;          ///< of the weight; beyond them zeros
  unsigned tileColumns, tileDepths; ///< number of tiles both ways
};
inline constexpr unsigned kPackBlock = 256, kPackEntries = 8;
/// Chunks of eight entries in a tile, a thread has every kPackBlock-th.
inline constexpr unsigned kPackChunks = kTileColumns * kTileDepth / kPackEntries;

/// Argument of the kernel gnnc_hopper_gemm: c = activation(a * b + bias + residual).
struct HopperProduct {
  const float *a;               ///< [rows, depth]
  const unsigned short *weight; ///< the tiles
  const float *unscale;         ///< PackWeight's
  const float *bias;            ///< [columns] or null
  const float *residual;        ///< as c, or null
  float *c;                     ///< [rows, columns]
  long long leftStep, step;     ///< elements between rows of a, and of c and residual
  unsigned rows, columns, depth;
  unsigned tileColumns, tileDepths; ///< number of tiles both ways
  unsigned columnTilesAtOnce;       ///< of one work item; a row tile has several items
  unsigned items;
  unsigned isAligned; ///< rows of `a` begin at 16 bytes and have full quads
  unsigned isPaired;  ///< so have pairs of c and residual at 8 bytes
  unsigned hasRelu;
};

/// Place in the sum of the entry that is stored at `place` of a tile.
GNNC_DEVICE inline unsigned depthOfPlace(unsigned place) {
  unsigned in = place % 16, pair = in % 8;
  return place - in + pair / 2 * 4 + pair % 2 + (in < 8 ? 0 : 2);
}

/// Element of the high part, in its tile, of 16-byte chunk `chunk` of a column.
GNNC_DEVICE inline unsigned chunkInTile(unsigned column, unsigned chunk) {
  return column * kTileDepth + (chunk ^ (column % 8)) * kPackEntries;
}
inline constexpr unsigned kLowPart = kTileColumns * kTileDepth; ///< elements behind the high one

GNNC_DEVICE inline unsigned packTiles(const PackWeight &pack) {
  return pack.tileColumns * pack.tileDepths;
}

/// Entry `i` of a chunk of a tile, 0 beyond the weight.
GNNC_DEVICE inline float weightEntry(const PackWeight &pack, unsigned tile, unsigned chunk,
                                     unsigned i) {
  constexpr unsigned chunks = kTileDepth / kPackEntries;
  unsigned column = tile / pack.tileDepths * kTileColumns + chunk / chunks;
  unsigned depth =
      tile % pack.tileDepths * kTileDepth + depthOfPlace(chunk % chunks * kPackEntries + i);
  bool isInside = column < pack.columns && depth < pack.depth;
  return isInside ? pack.from[column * pack.columnStep + depth * pack.depthStep] : 0.0f;
}

/// The largest of a chunk of a tile.
GNNC_DEVICE inline unsigned sizeOfChunk(const PackWeight &pack, unsigned tile, unsigned chunk) {
  unsigned size = 0;
  for (unsigned i = 0; i < kPackEntries; ++i) {
    unsigned other = sizeBits(weightEntry(pack, tile, chunk, i));
    size = other > size ? other : size;
  }
  return size;
}

/// `exponent`: of the whole tile.
GNNC_DEVICE inline void packChunk(const PackWeight &pack, unsigned tile, unsigned chunk,
                                  unsigned exponent) {
  constexpr unsigned chunks = kTileDepth / kPackEntries;
  unsigned short *to =
      pack.to + 2ull * kLowPart * tile + chunkInTile(chunk / chunks, chunk % chunks);
  for (unsigned i = 0; i < kPackEntries; ++i) {
    HalfParts parts = halfParts(weightEntry(pack, tile, chunk, i) * scaleOf(exponent));
    to[i] = parts.high;
    to[kLowPart + i] = parts.low;
  }
  if (chunk == 0)
    pack.unscale[tile] = unscaleOf(exponent);
}

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_HOPPERGEMMKERNEL_H
