// The kernels of runtime/cuda/CsrKernels.cu as they are, with a host thread for each
// of theirs, one block after the other: ranks in warps, scans and tiles are checked
// where there is no GPU.
#include <algorithm>
#include <barrier>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace {

constexpr unsigned kLanes = 32;

/// Values that the lanes of a warp show each other.
struct Warp {
  std::barrier<> barrier{kLanes};
  unsigned values[kLanes];
};

/// The block that runs.
struct Block {
  explicit Block(unsigned threads) : barrier(threads), warps(threads / kLanes) {}
  std::barrier<> barrier;
  std::vector<Warp> warps;
};

Block *running;
unsigned blockNumber;
thread_local unsigned threadNumber;

Warp &warpOfThread() { return running->warps[threadNumber / kLanes]; }

/// `read` sees the values of all lanes.
template <class Read>
unsigned exchange(unsigned value, Read read) {
  Warp &warp = warpOfThread();
  const unsigned lane = threadNumber % kLanes;
  warp.values[lane] = value;
  warp.barrier.arrive_and_wait();
  unsigned result = read(warp.values, lane);
  warp.barrier.arrive_and_wait();
  return result;
}

// What the kernels ask of the device.
unsigned thread() { return threadNumber; }
unsigned block() { return blockNumber; }
void meet() { running->barrier.arrive_and_wait(); }
void meetWarp() { warpOfThread().barrier.arrive_and_wait(); }
unsigned fromLaneBefore(unsigned value, unsigned step) {
  return exchange(value, [&](const unsigned *values, unsigned lane) {
    return values[lane >= step ? lane - step : lane];
  });
}
unsigned lanesWith(unsigned value) {
  return exchange(value, [&](const unsigned *values, unsigned) {
    unsigned same = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      same |= values[lane] == value ? 1u << lane : 0;
    return same;
  });
}

} // namespace

#include "runtime/cuda/CsrKernels.cu"

namespace {

template <class Argument>
void launch(void (*kernel)(Argument), unsigned blocks, const Argument &argument,
            unsigned threads = kCsrBlock) {
  for (blockNumber = 0; blockNumber < blocks; ++blockNumber) {
    Block block(threads);
    running = &block;
    std::vector<std::thread> all;
    for (unsigned t = 0; t < threads; ++t)
      all.emplace_back([&, t] {
        threadNumber = t;
        kernel(argument);
      });
    for (std::thread &thread : all)
      thread.join();
  }
}

unsigned blocksFor(unsigned count, unsigned each) { return (count + each - 1) / each; }

/// Keys below 2^bits, a third of them the same.
std::vector<unsigned> randomKeys(unsigned count, unsigned bits) {
  std::mt19937 random(count + bits);
  std::vector<unsigned> keys(count);
  for (unsigned &key : keys)
    key = random() % 3 == 0 ? 0 : static_cast<unsigned>(random()) & ((1u << bits) - 1);
  return keys;
}

TEST(CsrKernels, APassIsAStableSortByItsDigit) {
  struct Case {
    unsigned count, perBlock, shift, bits;
  };
  for (auto [count, perBlock, shift, bits] :
       {Case{1, kSortTile, 0, 1}, Case{kSortTile, kSortTile, 0, 8},
        Case{13000, 2 * kSortTile, 3, 7}, Case{4 * kSortTile + 1, 3 * kSortTile, 0, 8}}) {
    SCOPED_TRACE(count);
    std::vector<unsigned> keys = randomKeys(count, 12), ids(count), toKeys(count), toIds(count);
    for (unsigned i = 0; i < count; ++i)
      ids[i] = 7 * i;
    RadixPass pass{};
    pass.keys = keys.data();
    pass.ids = ids.data();
    pass.toKeys = toKeys.data();
    pass.toIds = toIds.data();
    pass.count = count;
    pass.perBlock = perBlock;
    pass.blocks = blocksFor(count, perBlock);
    pass.shift = shift;
    pass.bits = bits;
    std::vector<unsigned> counts(pass.blocks << bits, 99);
    pass.counts = counts.data();
    launch(gnnc_radix_count, pass.blocks, pass);
    launch(gnnc_radix_scan, 1, pass, kScanBlock);
    launch(gnnc_radix_scatter, pass.blocks, pass);

    std::vector<unsigned> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
      return std::pair(digitOf(pass, keys[a]), a) < std::pair(digitOf(pass, keys[b]), b);
    });
    for (unsigned i = 0; i < count; ++i) {
      ASSERT_EQ(toKeys[i], keys[order[i]]) << i;
      ASSERT_EQ(toIds[i], ids[order[i]]) << i;
    }
  }
}

TEST(CsrKernels, TheScanOfManyCounts) {
  RadixPass pass{};
  pass.bits = 8;
  pass.blocks = 37; // 9472 counts: more than two steps of the scan
  std::vector<unsigned> counts = randomKeys(pass.blocks << pass.bits, 10), expected(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), expected.begin(), 0u);
  pass.counts = counts.data();
  launch(gnnc_radix_scan, 1, pass, kScanBlock);
  EXPECT_EQ(counts, expected);
}

TEST(CsrKernels, RowsAreCountedAndPlaced) {
  for (unsigned count : {1u, kCsrBlock, 700u})
    for (unsigned long long chunk : {1ull, 7ull, 1ull << 40}) {
      SCOPED_TRACE(std::to_string(count) + " rows, chunk " + std::to_string(chunk));
      std::vector<long long> rowPointer = {0};
      for (unsigned key : randomKeys(count, 5))
        rowPointer.push_back(rowPointer.back() + key);
      RowBlocks rows{};
      rows.rowPointer = {rowPointer.data(), 1};
      rows.chunk = chunk;
      rows.rows = count;
      rows.perBlock = 2 * kCsrBlock;
      std::vector<RowTotals> totals(blocksFor(count, rows.perBlock));
      rows.totals = totals.data();
      launch(gnnc_count_rows, blocksFor(count, rows.perBlock), rows);

      RowTotals sum = {}, before = {};
      std::vector<unsigned> items, slots, splits;
      for (unsigned v = 0; v < count; ++v) {
        RowParts row = partsOf(rows.rowPointer, chunk, v);
        items.push_back(static_cast<unsigned>(sum.items));
        slots.push_back(static_cast<unsigned>(sum.slots));
        for (unsigned long long number :
             {1ull * v, sum.slots, sum.slots + row.parts, 0ull + row.length})
          if (row.isSplit)
            splits.push_back(static_cast<unsigned>(number));
        addRow(sum, row, chunk);
        if ((v + 1) % rows.perBlock != 0 && v + 1 != count)
          continue;
        RowTotals &found = totals[v / rows.perBlock];
        EXPECT_EQ(found.items, sum.items - before.items);
        EXPECT_EQ(found.splits, sum.splits - before.splits);
        EXPECT_EQ(found.slots, sum.slots - before.slots);
        EXPECT_EQ(found.last, sum.last);
        EXPECT_EQ(found.falls, 0u);
        found = before;
        before = sum;
      }
      std::vector<unsigned> firstItem(count), firstSlot(count), split(splits.size());
      rows.firstItem = firstItem.data();
      rows.firstSlot = firstSlot.data();
      rows.split = split.data();
      launch(gnnc_place_rows, blocksFor(count, rows.perBlock), rows);
      EXPECT_EQ(firstItem, items);
      EXPECT_EQ(firstSlot, slots);
      EXPECT_EQ(split, splits);
    }
}

} // namespace
