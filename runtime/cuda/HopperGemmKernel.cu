//===- HopperGemmKernel.cu - fp32x3 products in one kernel, for sm_90a -----===//
//
// A block of threads takes 128 rows of `a`. Each warp loads its rows, splits them in
// registers and keeps both parts in shared memory, in the order in which its own
// threads hand them to the Tensor Cores: nobody else reads them, so nobody waits. Tiles
// of the weight stream through a ring in shared memory, filled by a warp of its own.
// A Tensor Core truncates when it adds. So it sums over the depth of a tile only, the
// small terms low * high and high * low first, and what it has summed is added in fp32;
// there each row's scale of that tile, and the weight's, is taken out.
//
// clang makes PTX of this when gnnc is built; no CUDA toolkit is needed. How the
// instructions want their operands: PTX ISA 8.0, "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate Instructions".
//
//===----------------------------------------------------------------------===//
#include "runtime/cuda/HopperGemmKernel.h"

using namespace gnnc::cuda;

#define GNNC_KERNEL extern "C" __attribute__((global))

using Floats = float __attribute__((ext_vector_type(4)));
using Pair = float __attribute__((ext_vector_type(2)));
using Words = unsigned __attribute__((ext_vector_type(4)));

using SharedWords = __attribute__((address_space(3))) Words;

extern __attribute__((shared)) unsigned char dynamicShared[];

/// Instructions on a tile and a term: each adds sixteen entries of the sum.
constexpr unsigned kStepsOfTile = kTileDepth / 16;

GNNC_KERNEL void gnnc_pack_weight(PackWeight pack) {
  static __attribute__((shared)) unsigned largest;
  unsigned tile = __nvvm_read_ptx_sreg_ctaid_x(), thread = __nvvm_read_ptx_sreg_tid_x();
  if (thread == 0)
    largest = 0;
  __syncthreads();
  unsigned size = 0;
  for (unsigned chunk = thread; chunk < kPackChunks; chunk += kPackBlock) {
    unsigned other = sizeOfChunk(pack, tile, chunk);
    size = other > size ? other : size;
  }
  __nvvm_atom_max_gen_ui(&largest, size);
  __syncthreads();
  unsigned exponent = exponentOf(largest);
  for (unsigned chunk = thread; chunk < kPackChunks; chunk += kPackBlock)
    packChunk(pack, tile, chunk, exponent);
}

namespace {

GNNC_DEVICE unsigned sharedAddress(const void *generic) {
  auto address =
      reinterpret_cast<unsigned long long>((__attribute__((address_space(3))) const void *)generic);
  return static_cast<unsigned>(address);
}

//===----------------------------------------------------------------------===//
// Barriers in shared memory
//===----------------------------------------------------------------------===//

GNNC_DEVICE void initBarrier(unsigned barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

GNNC_DEVICE void arrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

GNNC_DEVICE void waitFor(unsigned barrier, unsigned parity) {
  unsigned isDone = 0;
  while (!isDone)
    asm volatile("{\n\t.reg .pred done;\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n\t"
                 "selp.u32 %0, 1, 0, done;\n\t}"
                 : "=r"(isDone)
                 : "r"(barrier), "r"(parity)
                 : "memory");
}

/// Copies a tile of the weight; `barrier` completes when it has arrived.
GNNC_DEVICE void copyTile(unsigned to, const void *from, unsigned barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
               "r"(kTileBytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(kTileBytes), "r"(barrier)
               : "memory");
}

/// Place in the ring of tiles, and how often it went round.
struct Place {
  unsigned stage = 0, round = 0;
  GNNC_DEVICE void next() {
    if (++stage == kStages) {
      stage = 0;
      round ^= 1;
    }
  }
};

//===----------------------------------------------------------------------===//
// Tensor Cores
//===----------------------------------------------------------------------===//

/// A part of a tile for wgmma: rows of 128 bytes, groups of eight rows after 1024,
/// chunks permuted.
GNNC_DEVICE unsigned long long matrixInShared(unsigned address) {
  return (1ull << 62) | (64ull << 32) | (1ull << 16) | ((address & 0x3ffff) >> 4);
}

/// Sums of a thread: rows g and g + 8 of a warp's sixteen, columns 8j + 2q and one more.
struct Sums {
  float values[64];
};

// The operands of one assembly text: a sum, four times four words of each part of `a`,
// both parts of the weight.
#define GNNC_SUMS                                                                                  \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "               \
  "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "               \
  "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "               \
  "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define GNNC_MULTIPLY_ADD(a0, a1, a2, a3, b, adds)                                                 \
  "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" GNNC_SUMS "}, {" a0 ", " a1 ", " a2      \
  ", " a3 "}, " b ", " adds ", 1, 1, 0;\n\t"
#define GNNC_MULTIPLY(a0, a1, a2, a3, b) GNNC_MULTIPLY_ADD(a0, a1, a2, a3, b, "1")
#define GNNC_SUM4(s, i)                                                                            \
  "=&f"(s.values[i]), "=&f"(s.values[i + 1]), "=&f"(s.values[i + 2]), "=&f"(s.values[i + 3])
#define GNNC_SUM16(s, i)                                                                           \
  GNNC_SUM4(s, i), GNNC_SUM4(s, i + 4), GNNC_SUM4(s, i + 8), GNNC_SUM4(s, i + 12)
#define GNNC_SUM64(s) GNNC_SUM16(s, 0), GNNC_SUM16(s, 16), GNNC_SUM16(s, 32), GNNC_SUM16(s, 48)
#define GNNC_WORDS(v) "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)

/// The product with a tile of the weight; waits until the Tensor Cores are done: low *
/// high and high * low, then high * high. One text, so that the compiler moves no
/// register between the instructions, which would make it wait for each.
GNNC_DEVICE void multiplyTile(Sums &sums, const Words (&high)[4], const Words (&low)[4],
                              unsigned tile) {
  unsigned long long highs = matrixInShared(tile), lows = matrixInShared(tile + kTileBytes / 2);
  // clang-format off
  asm volatile(
      "{\n\t.reg .b64 h1, h2, h3, l1, l2, l3;\n\t"
      "add.s64 h1, %96, 2;\n\tadd.s64 h2, %96, 4;\n\tadd.s64 h3, %96, 6;\n\t"
      "add.s64 l1, %97, 2;\n\tadd.s64 l2, %97, 4;\n\tadd.s64 l3, %97, 6;\n\t"
      "wgmma.fence.sync.aligned;\n\t"
      GNNC_MULTIPLY_ADD("%80", "%81", "%82", "%83", "%96", "0")
      GNNC_MULTIPLY("%84", "%85", "%86", "%87", "h1")
      GNNC_MULTIPLY("%88", "%89", "%90", "%91", "h2")
      GNNC_MULTIPLY("%92", "%93", "%94", "%95", "h3")
      GNNC_MULTIPLY("%64", "%65", "%66", "%67", "%97")
      GNNC_MULTIPLY("%68", "%69", "%70", "%71", "l1")
      GNNC_MULTIPLY("%72", "%73", "%74", "%75", "l2")
      GNNC_MULTIPLY("%76", "%77", "%78", "%79", "l3")
      GNNC_MULTIPLY("%64", "%65", "%66", "%67", "%96")
      GNNC_MULTIPLY("%68", "%69", "%70", "%71", "h1")
      GNNC_MULTIPLY("%72", "%73", "%74", "%75", "h2")
      GNNC_MULTIPLY("%76", "%77", "%78", "%79", "h3")
      "wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;\n\t}"
      : GNNC_SUM64(sums)
      : GNNC_WORDS(high[0]), GNNC_WORDS(high[1]), GNNC_WORDS(high[2]), GNNC_WORDS(high[3]),
        GNNC_WORDS(low[0]), GNNC_WORDS(low[1]), GNNC_WORDS(low[2]), GNNC_WORDS(low[3]), "l"(highs),
        "l"(lows)
      : "memory");
  // clang-format on
}

//===----------------------------------------------------------------------===//
// Rows of `a` and of the result
//===----------------------------------------------------------------------===//

template <bool isAligned>
GNNC_DEVICE Floats loadQuad(const HopperProduct &product, const float *row, unsigned column) {
  Floats values = 0.0f;
  if constexpr (isAligned) {
    if (column < product.depth)
      values = *reinterpret_cast<const Floats *>(row + column);
  } else {
    for (unsigned i = 0; i < 4; ++i)
      if (column + i < product.depth)
        values[i] = row[column + i];
  }
  return values;
}

/// Two numbers in f16 each, the first in the lower half.
struct PairParts {
  unsigned high, low;
};

/// Both parts of two numbers, as halfParts().
GNNC_DEVICE PairParts splitPair(float first, float second) {
  using Halves = _Float16 __attribute__((ext_vector_type(2)));
  auto toHalves = [](float x, float y) {
    unsigned pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(y), "f"(x));
    return pair;
  };
  unsigned high = toHalves(first, second);
  auto parts = __builtin_bit_cast(Halves, high);
  return {high,
          toHalves(first - static_cast<float>(parts.x), second - static_cast<float>(parts.y))};
}

/// What a thread loads of a tile of `a`: its quads of both of its rows.
struct Quads {
  Floats above[kStepsOfTile], below[kStepsOfTile];
};

/// A thread's two rows. Rows beyond the last are computed and not stored.
struct Rows {
  const float *above, *below;

  GNNC_DEVICE Rows(const HopperProduct &product, unsigned row) {
    unsigned last = product.rows - 1, other = row + 8 < last ? row + 8 : last;
    row = row < last ? row : last;
    above = product.a + row * product.leftStep;
    below = product.a + other * product.leftStep;
  }
};

GNNC_DEVICE Quads loadTile(const HopperProduct &product, const Rows &rows, unsigned tile) {
  Quads quads;
  unsigned column = tile * kTileDepth + __nvvm_read_ptx_sreg_tid_x() % 4 * 4;
  auto load = [&](auto loadQuad) {
#pragma unroll
    for (unsigned i = 0; i < kStepsOfTile; ++i) {
      quads.above[i] = loadQuad(product, rows.above, column + i * 16);
      quads.below[i] = loadQuad(product, rows.below, column + i * 16);
    }
  };
  if (product.isAligned)
    load(loadQuad<true>);
  else
    load(loadQuad<false>);
  return quads;
}

/// Exponents (HalfParts.h) of a thread's two rows, a byte for each tile that is kept.
struct Exponents {
  unsigned above = 0, below = 0;

  GNNC_DEVICE static void set(unsigned &all, unsigned slot, unsigned exponent) {
    all = (all & ~(0xffu << 8 * slot)) | exponent << 8 * slot;
  }
  GNNC_DEVICE static unsigned get(unsigned all, unsigned slot) { return all >> 8 * slot & 0xff; }
};

/// The exponent of the largest of a row in a tile, of which four neighbours have a part each.
GNNC_DEVICE unsigned exponentOfRow(const Floats (&quads)[kStepsOfTile]) {
  auto most = [](unsigned a, unsigned b) { return a > b ? a : b; };
  unsigned size = 0;
#pragma unroll
  for (unsigned i = 0; i < kStepsOfTile; ++i)
#pragma unroll
    for (unsigned j = 0; j < 4; ++j)
      size = most(size, sizeBits(quads[i][j]));
  size = most(size, __nvvm_shfl_sync_bfly_i32(~0u, size, 1, 31));
  size = most(size, __nvvm_shfl_sync_bfly_i32(~0u, size, 2, 31));
  return exponentOf(size);
}

/// Splits what was loaded and keeps both parts as tile `tile` of `left`.
GNNC_DEVICE void keepTile(const Quads &quads, SharedWords *left, Exponents &exponents,
                          unsigned tile) {
  unsigned ofAbove = exponentOfRow(quads.above), ofBelow = exponentOfRow(quads.below);
  float scaleAbove = scaleOf(ofAbove), scaleBelow = scaleOf(ofBelow);
  Exponents::set(exponents.above, tile, ofAbove);
  Exponents::set(exponents.below, tile, ofBelow);
#pragma unroll
  for (unsigned i = 0; i < kStepsOfTile; ++i) {
    Floats above = quads.above[i] * scaleAbove, below = quads.below[i] * scaleBelow;
    PairParts a = splitPair(above.x, above.y), b = splitPair(below.x, below.y);
    PairParts c = splitPair(above.z, above.w), d = splitPair(below.z, below.w);
    SharedWords *to = left + (tile * kStepsOfTile + i) * 2 * kMultiplyingThreads;
    to[0] = Words{a.high, b.high, c.high, d.high};
    to[kMultiplyingThreads] = Words{a.low, b.low, c.low, d.low};
  }
}

/// What multiplyTile takes of both parts of `a`.
struct Left {
  Words high[kStepsOfTile], low[kStepsOfTile];
};

GNNC_DEVICE Left leftOfTile(const SharedWords *left, unsigned tile) {
  Left result;
#pragma unroll
  for (unsigned i = 0; i < kStepsOfTile; ++i) {
    const SharedWords *from = left + (tile * kStepsOfTile + i) * 2 * kMultiplyingThreads;
    result.high[i] = from[0];
    result.low[i] = from[kMultiplyingThreads];
  }
  return result;
}

constexpr unsigned kPairs = kTileColumns / 8; ///< of a thread in a row of a tile
constexpr unsigned kPairStep = 8;             ///< columns from one to the next

/// All pairs are inside and aligned. Loads come before stores: what is read and what is
/// written may be one tensor, for all the compiler knows.
GNNC_DEVICE void storeWholePairs(const HopperProduct &product, unsigned long long begin,
                                 unsigned column, Pair (&sums)[kPairs]) {
  auto add = [&](const float *from) {
    Pair terms[kPairs];
#pragma unroll
    for (unsigned j = 0; j < kPairs; ++j)
      terms[j] = *reinterpret_cast<const Pair *>(from + column + j * kPairStep);
#pragma unroll
    for (unsigned j = 0; j < kPairs; ++j)
      sums[j] += terms[j];
  };
  if (product.bias)
    add(product.bias);
  if (product.residual)
    add(product.residual + begin);
  float least = product.hasRelu ? 0.0f : -__builtin_inff();
  auto *to = reinterpret_cast<Pair *>(product.c + begin + column);
#pragma unroll
  for (unsigned j = 0; j < kPairs; ++j)
    to[j * kPairStep / 2] =
        Pair{__nvvm_fmax_nan_f(sums[j].x, least), __nvvm_fmax_nan_f(sums[j].y, least)};
}

GNNC_DEVICE void storeSomePairs(const HopperProduct &product, unsigned long long begin,
                                unsigned column, const Pair (&sums)[kPairs]) {
  float least = product.hasRelu ? 0.0f : -__builtin_inff();
#pragma unroll
  for (unsigned j = 0; j < kPairs; ++j)
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) {
      unsigned at = column + j * kPairStep + i;
      if (at >= product.columns)
        continue;
      float value = sums[j][i];
      if (product.bias)
        value += product.bias[at];
      if (product.residual)
        value += product.residual[begin + at];
      product.c[begin + at] = __nvvm_fmax_nan_f(value, least);
    }
}

struct Shared {
  unsigned tiles;    ///< address of the ring
  SharedWords *left; ///< parts of `a`
  unsigned arrived;  ///< a barrier per stage: the tile is there
  unsigned released; ///< a barrier per stage: all warps have read it
};

/// The work items of a block, in its order.
struct Items {
  const HopperProduct &product;
  unsigned item, step, ofRows; ///< ofRows: items of the same rows

  GNNC_DEVICE explicit Items(const HopperProduct &product)
      : product(product), item(__nvvm_read_ptx_sreg_ctaid_x()),
        step(__nvvm_read_ptx_sreg_nctaid_x()),
        ofRows((product.tileColumns + product.columnTilesAtOnce - 1) / product.columnTilesAtOnce) {}
  GNNC_DEVICE bool isDone() const { return item >= product.items; }
  GNNC_DEVICE bool isLast() const { return item + step >= product.items; }
  GNNC_DEVICE unsigned firstRow() const { return item / ofRows * kTileRows; }
  GNNC_DEVICE unsigned nextRow() const { return (item + step) / ofRows * kTileRows; }
  GNNC_DEVICE unsigned firstTile() const { return item % ofRows * product.columnTilesAtOnce; }
  GNNC_DEVICE unsigned lastTile() const {
    unsigned end = firstTile() + product.columnTilesAtOnce;
    return end < product.tileColumns ? end : product.tileColumns;
  }
};

GNNC_DEVICE void copyTiles(const HopperProduct &product, const Shared &shared) {
  Place place;
  for (Items items(product); !items.isDone(); items.item += items.step) {
    // The rows of the next item travel to the L2 cache meanwhile.
    unsigned nextRow = items.nextRow();
    if (product.isAligned && product.leftStep == product.depth && nextRow < product.rows) {
      unsigned rows = product.rows - nextRow < kTileRows ? product.rows - nextRow : kTileRows;
      const float *from = product.a + static_cast<unsigned long long>(nextRow) * product.depth;
      asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from),
                   "r"(rows * product.depth * 4)
                   : "memory");
    }
    unsigned end = items.lastTile() * product.tileDepths;
    for (unsigned tile = items.firstTile() * product.tileDepths; tile < end; ++tile) {
      waitFor(shared.released + place.stage * 8, place.round ^ 1);
      copyTile(shared.tiles + place.stage * kTileBytes, product.weight + 2ull * kLowPart * tile,
               shared.arrived + place.stage * 8);
      place.next();
    }
  }
}

GNNC_DEVICE void multiply(const HopperProduct &product, const Shared &shared, unsigned thread) {
  Place place;
  unsigned lane = thread % 32, quad = lane % 4, inTile = thread / 32 * 16 + lane / 4;
  SharedWords *left = shared.left + thread;
  // A sum that fits is loaded once for all columns of an item: while its last columns are
  // multiplied, the next item's rows take its place tile by tile. A longer one is loaded
  // for each tile of columns, into two slots in turn. Either way loads are under way
  // while the Tensor Cores work.
  bool fits = product.tileDepths <= kDepthInShared;
  unsigned slot = 0;
  Exponents exponents;
  Items items(product);
  Rows next(product, items.firstRow() + inTile);
  for (unsigned depth = 0; depth < (fits ? product.tileDepths : 1); ++depth)
    keepTile(loadTile(product, next, depth), left, exponents, depth);
  for (; !items.isDone(); items.item += items.step) {
    Rows rows = next;
    next = Rows(product, items.nextRow() + inTile);
    for (unsigned tile = items.firstTile(); tile < items.lastTile(); ++tile) {
      Sums total = {};
      for (unsigned depth = 0; depth < product.tileDepths; ++depth) {
        bool isLastTile = tile + 1 == items.lastTile();
        bool isLastDepth = depth + 1 == product.tileDepths;
        bool takesNext = isLastTile && (fits || isLastDepth);
        bool loads = takesNext ? !items.isLast() : !fits;
        Quads quads;
        if (loads)
          quads = loadTile(product, takesNext ? next : rows,
                           fits ? depth : (isLastDepth ? 0 : depth + 1));
        unsigned kept = fits ? depth : slot;
        Left now = leftOfTile(left, kept);
        float unscale = product.unscale[tile * product.tileDepths + depth];
        float above = unscale * unscaleOf(Exponents::get(exponents.above, kept));
        float below = unscale * unscaleOf(Exponents::get(exponents.below, kept));
        waitFor(shared.arrived + place.stage * 8, place.round);
        Sums sums;
        multiplyTile(sums, now.high, now.low, shared.tiles + place.stage * kTileBytes);
        if (lane == 0)
          arrive(shared.released + place.stage * 8);
        place.next();
#pragma unroll
        for (unsigned i = 0; i < 64; ++i)
          total.values[i] = __builtin_fmaf(sums.values[i], i & 2 ? below : above, total.values[i]);
        slot ^= 1;
        if (loads)
          keepTile(quads, left, exponents, fits ? depth : slot);
      }
#pragma unroll
      for (unsigned half = 0; half < 2; ++half) {
        Pair sums[kPairs];
#pragma unroll
        for (unsigned j = 0; j < kPairs; ++j) {
          unsigned at = 4 * j + 2 * half;
          sums[j] = Pair{total.values[at], total.values[at + 1]};
        }
        unsigned row = items.firstRow() + inTile + 8 * half;
        if (row >= product.rows)
          continue;
        unsigned column = tile * kTileColumns + quad * 2;
        unsigned long long begin = row * product.step;
        if (product.isPaired && (tile + 1) * kTileColumns <= product.columns)
          storeWholePairs(product, begin, column, sums);
        else
          storeSomePairs(product, begin, column, sums);
      }
    }
  }
}

} // namespace

GNNC_KERNEL __attribute__((launch_bounds(kHopperThreads, 1))) void
gnnc_hopper_gemm(HopperProduct product) {
  unsigned begin = sharedAddress(dynamicShared), aligned = (begin + 1023) / 1024 * 1024;
  Shared shared;
  shared.tiles = aligned;
  shared.left = (SharedWords *)(dynamicShared + (aligned - begin) + kStages * kTileBytes);
  shared.arrived = aligned + kStages * kTileBytes + kLeftBytes;
  shared.released = shared.arrived + kStages * 8;
  unsigned thread = __nvvm_read_ptx_sreg_tid_x();
  if (thread == 0) {
    for (unsigned stage = 0; stage < kStages; ++stage) {
      initBarrier(shared.arrived + stage * 8, 1);
      initBarrier(shared.released + stage * 8, kMultiplyingThreads / 32);
    }
    // Copies see the barriers too.
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  // Registers move between groups of four warps: 2 * 128 * 240 + 128 * 24 = 64,512.
  if (thread < kMultiplyingThreads) {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    multiply(product, shared, thread);
  } else {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (thread == kMultiplyingThreads)
      copyTiles(product, shared);
  }
}
