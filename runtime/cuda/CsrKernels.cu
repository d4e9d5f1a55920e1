// The kernels of CsrKernels.h. clang makes them PTX for sm_80 when gnnc is built; no
// CUDA toolkit is needed. test/runtime/CsrKernelsTest.cpp runs them on host threads;
// those whose threads meet have stand-ins in test/runtime/fake for one thread.
#include "runtime/cuda/CsrKernels.h"

using namespace gnnc::cuda;

#ifdef __CUDA__
#define GNNC_SHARED __attribute__((shared))
#define GNNC_KERNEL extern "C" __attribute__((global))
/// Registers for so many blocks of kCsrBlock on a multiprocessor.
#define GNNC_BLOCKS(count) __attribute__((launch_bounds(kCsrBlock, count)))

namespace {

constexpr unsigned kLanes = 32, kAllLanes = 0xffffffff;

GNNC_DEVICE unsigned thread() { return __nvvm_read_ptx_sreg_tid_x(); }
GNNC_DEVICE unsigned block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
GNNC_DEVICE void meet() { __syncthreads(); }
GNNC_DEVICE void meetWarp() { __nvvm_bar_warp_sync(kAllLanes); }
/// The value of the lane that is `step` before; any value where there is none.
GNNC_DEVICE unsigned fromLaneBefore(unsigned value, unsigned step) {
  return static_cast<unsigned>(__nvvm_shfl_sync_up_i32(kAllLanes, static_cast<int>(value),
                                                       static_cast<int>(step), /*clamp=*/0));
}
/// The lanes with the same value, a bit each.
GNNC_DEVICE unsigned lanesWith(unsigned value) {
  return static_cast<unsigned>(__nvvm_match_any_sync_i32(kAllLanes, value));
}

} // namespace
#else // CsrKernelsTest.cpp, which has those functions and runs one block after the other
#define GNNC_SHARED static
#define GNNC_KERNEL inline
#define GNNC_BLOCKS(count)
#endif

namespace {

constexpr unsigned kWarps = kCsrBlock / kLanes;
constexpr unsigned kItems = kSortTile / kCsrBlock; ///< of a thread
constexpr unsigned kDigits = 1u << kDigitBits;
static_assert(kDigits == kCsrBlock, "one thread a digit");

GNNC_DEVICE unsigned long long globalThread() { return 1ull * block() * kCsrBlock + thread(); }

GNNC_DEVICE void add(unsigned *to, unsigned value) {
  __scoped_atomic_fetch_add(to, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
}
GNNC_DEVICE void add(unsigned long long *to, unsigned long long value) {
  __scoped_atomic_fetch_add(to, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
}
GNNC_DEVICE void keepLargest(unsigned long long *to, unsigned long long value) {
  __scoped_atomic_fetch_max(to, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
}

/// Sum of the values of the threads before this one, and of all. Every thread of the
/// block calls it; `sums` has an entry a warp and is free again after the next meet().
template <unsigned Warps>
GNNC_DEVICE unsigned scanBlock(unsigned value, unsigned *sums, unsigned &total) {
  unsigned lane = thread() % kLanes, warp = thread() / kLanes, inclusive = value;
  for (unsigned step = 1; step < kLanes; step *= 2) {
    unsigned before = fromLaneBefore(inclusive, step);
    inclusive += lane >= step ? before : 0;
  }
  if (lane == kLanes - 1)
    sums[warp] = inclusive;
  meet();
  unsigned before = 0;
  total = 0;
  for (unsigned other = 0; other < Warps; ++other) {
    before += other < warp ? sums[other] : 0;
    total += sums[other];
  }
  return before + inclusive - value;
}

} // namespace

/// counts[digit, block] = elements of the block with that digit.
GNNC_KERNEL void gnnc_radix_count(RadixPass pass) {
  GNNC_SHARED unsigned counts[kDigits];
  counts[thread()] = 0;
  meet();
  unsigned begin = block() * pass.perBlock;
  unsigned end = endOfBlock(begin, pass.perBlock, pass.count);
  for (unsigned i = begin + thread(); i < end; i += kCsrBlock)
    add(&counts[digitOf(pass, keyAt(pass, i))], 1);
  meet();
  if (thread() < 1u << pass.bits)
    pass.counts[thread() * pass.blocks + block()] = counts[thread()];
}

/// Counts become the sums of those before them. One block.
GNNC_KERNEL void gnnc_radix_scan(RadixPass pass) {
  constexpr unsigned kEach = 4;
  GNNC_SHARED unsigned sums[kScanBlock / kLanes];
  unsigned length = pass.blocks << pass.bits, carry = 0;
  for (unsigned tile = 0; tile < length; tile += kEach * kScanBlock) {
    unsigned first = tile + thread() * kEach, values[kEach], sum = 0, total;
    for (unsigned j = 0; j < kEach; ++j) {
      values[j] = first + j < length ? pass.counts[first + j] : 0;
      sum += values[j];
    }
    unsigned place = carry + scanBlock<kScanBlock / kLanes>(sum, sums, total);
    for (unsigned j = 0; j < kEach; ++j) {
      if (first + j < length)
        pass.counts[first + j] = place;
      place += values[j];
    }
    carry += total;
    meet();
  }
}

/// Moves every element to the place of its digit, in the order of the elements. A
/// tile is put in order in shared memory first, so that neighbours in the result are
/// written by neighbouring threads.
GNNC_KERNEL GNNC_BLOCKS(3) void gnnc_radix_scatter(RadixPass pass) {
  GNNC_SHARED unsigned keys[kSortTile], ids[kSortTile];
  GNNC_SHARED unsigned inWarp[kWarps][kDigits]; ///< elements of a digit, then their first place
  GNNC_SHARED unsigned next[kDigits];           ///< place in the result of a digit's next element
  GNNC_SHARED unsigned start[kDigits];          ///< place in the tile of its first
  GNNC_SHARED unsigned sums[kWarps];
  const unsigned t = thread(), lane = t % kLanes, warp = t / kLanes;
  const unsigned digits = 1u << pass.bits, lanesBefore = (1u << lane) - 1;
  const unsigned begin = block() * pass.perBlock;
  const unsigned end = endOfBlock(begin, pass.perBlock, pass.count);
  next[t] = t < digits ? pass.counts[t * pass.blocks + block()] : 0;

  for (unsigned tile = begin; tile < end; tile += kSortTile) {
    for (unsigned w = 0; w < kWarps; ++w)
      inWarp[w][t] = 0;
    meet();

    // A warp has consecutive elements; the j-th of each lane are neighbours. What is
    // behind the end has a key of ones: the last digit, so the last places of the tile.
    const unsigned first = tile + warp * kLanes * kItems + lane;
    unsigned key[kItems], rank[kItems];
#pragma unroll
    for (unsigned j = 0; j < kItems; ++j) {
      unsigned i = first + j * kLanes;
      key[j] = i < end ? keyAt(pass, i) : ~0u;
    }
#pragma unroll
    for (unsigned j = 0; j < kItems; ++j) {
      unsigned digit = digitOf(pass, key[j]), same = lanesWith(digit);
      auto before = static_cast<unsigned>(__builtin_popcount(same & lanesBefore));
      unsigned old = inWarp[warp][digit];
      meetWarp(); // all have read it
      if (before == 0)
        inWarp[warp][digit] = old + static_cast<unsigned>(__builtin_popcount(same));
      meetWarp();
      rank[j] = old + before;
    }
    meet();

    unsigned count = 0, total;
    for (unsigned w = 0; w < kWarps; ++w) {
      unsigned here = inWarp[w][t];
      inWarp[w][t] = count;
      count += here;
    }
    start[t] = scanBlock<kWarps>(count, sums, total);
    meet();

#pragma unroll
    for (unsigned j = 0; j < kItems; ++j) {
      unsigned i = first + j * kLanes, digit = digitOf(pass, key[j]);
      unsigned place = start[digit] + inWarp[warp][digit] + rank[j];
      keys[place] = key[j];
      ids[place] = i < end && pass.ids ? pass.ids[i] : i;
    }
    meet();

    for (unsigned place = t; place < end - tile && place < kSortTile; place += kCsrBlock) {
      unsigned here = digitOf(pass, keys[place]);
      unsigned to = next[here] + place - start[here];
      pass.toKeys[to] = keys[place];
      pass.toIds[to] = ids[place];
    }
    meet();
    next[t] += count;
  }
}

GNNC_KERNEL void gnnc_row_pointer(RowPointer search) {
  if (globalThread() <= search.rows)
    searchRow(search, static_cast<unsigned>(globalThread()));
}

GNNC_KERNEL void gnnc_loop_keys(LoopKeys loops) {
  if (globalThread() < loops.count)
    writeLoopKey(loops, static_cast<unsigned>(globalThread()));
}

GNNC_KERNEL void gnnc_permute_ids(PermuteIds move) {
  unsigned long long i = globalThread();
  if (i < move.count)
    storeId(move.to, i, idAt(move.from, move.order[i]));
}

GNNC_KERNEL void gnnc_permute_rows(PermuteRows move) {
  if (globalThread() < move.count)
    permuteUnit(move, globalThread());
}

GNNC_KERNEL void gnnc_count_rows(RowBlocks rows) {
  GNNC_SHARED RowTotals sums;
  RowTotals mine = {};
  if (thread() == 0)
    sums = mine;
  unsigned begin = block() * rows.perBlock, end = endOfBlock(begin, rows.perBlock, rows.rows);
  for (unsigned v = begin + thread(); v < end; v += kCsrBlock)
    addRow(mine, partsOf(rows.rowPointer, rows.chunk, v), rows.chunk);
  meet();
  add(&sums.items, mine.items);
  add(&sums.splits, mine.splits);
  add(&sums.slots, mine.slots);
  add(&sums.falls, mine.falls);
  keepLargest(&sums.longest, mine.longest);
  keepLargest(&sums.last, mine.last);
  meet();
  if (thread() == 0)
    rows.totals[block()] = sums;
}

GNNC_KERNEL void gnnc_place_rows(RowBlocks rows) {
  GNNC_SHARED unsigned sums[3][kWarps];
  const RowTotals before = rows.totals[block()];
  auto item = static_cast<unsigned>(before.items), split = static_cast<unsigned>(before.splits),
       slot = static_cast<unsigned>(before.slots);
  unsigned begin = block() * rows.perBlock, end = endOfBlock(begin, rows.perBlock, rows.rows);
  for (unsigned tile = begin; tile < end; tile += kCsrBlock) {
    unsigned v = tile + thread();
    RowParts row = {0, 0, 0, false};
    if (v < end)
      row = partsOf(rows.rowPointer, rows.chunk, v);
    auto parts = static_cast<unsigned>(row.parts);
    unsigned items, splits, slots;
    unsigned itemHere = scanBlock<kWarps>(parts, sums[0], items);
    unsigned splitHere = scanBlock<kWarps>(row.isSplit, sums[1], splits);
    unsigned slotHere = scanBlock<kWarps>(row.isSplit ? parts : 0, sums[2], slots);
    if (v < end)
      placeRow(rows, v, row, item + itemHere, split + splitHere, slot + slotHere);
    item += items;
    split += splits;
    slot += slots;
    meet();
  }
}

GNNC_KERNEL void gnnc_item_keys(RowItems items) {
  if (globalThread() < items.items)
    writeKey(items, static_cast<unsigned>(globalThread()));
}

GNNC_KERNEL void gnnc_write_items(RowItems items) {
  if (globalThread() < items.items)
    writeItem(items, static_cast<unsigned>(globalThread()));
}
