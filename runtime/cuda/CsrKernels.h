//===- CsrKernels.h - Sorting edges and dividing rows on the device -------===//
//
// Arguments of the kernels of CsrKernels.cu and the bodies of those whose threads
// do not meet. Order of use: CudaGraphCalls.cpp. Nothing here depends on the order
// in which threads run: a stable sort has one result, and what is added atomically
// are whole numbers.
//
// Read by the kernels and by their stand-ins in test/runtime/fake, so plain C++
// without a library. Elements are counted with 32 bits: at most 2^31 of them.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_CSRKERNELS_H
#define GNNC_RUNTIME_CUDA_CSRKERNELS_H

#include "runtime/cuda/DeviceCode.h"

namespace gnnc::cuda {

/// Threads of a block of every kernel but the scan's.
inline constexpr unsigned kCsrBlock = 256;
/// Elements that a block sorts at a time.
inline constexpr unsigned kSortTile = 4096;
/// A digit has at most 8 bits: one thread of a block for each of its values.
inline constexpr unsigned kDigitBits = 8;
inline constexpr unsigned kScanBlock = 1024;

/// An index tensor in 32 or 64 bits.
struct Ids {
  const void *data;
  unsigned isWide;
};

GNNC_DEVICE inline long long idAt(const Ids &ids, unsigned long long i) {
  return ids.isWide ? static_cast<const long long *>(ids.data)[i]
                    : static_cast<const int *>(ids.data)[i];
}

GNNC_DEVICE inline void storeId(const Ids &ids, unsigned long long i, long long value) {
  if (ids.isWide)
    static_cast<long long *>(const_cast<void *>(ids.data))[i] = value;
  else
    static_cast<int *>(const_cast<void *>(ids.data))[i] = static_cast<int>(value);
}

//===--- Stable sort by one digit -----------------------------------------===//

/// Argument of gnnc_radix_count, gnnc_radix_scan and gnnc_radix_scatter, one after
/// the other. Block b has the elements [b * perBlock, (b + 1) * perBlock).
struct RadixPass {
  const unsigned *keys; ///< null: `first`
  const unsigned *ids;  ///< null: 0, 1, 2, ...
  Ids first;
  unsigned *toKeys, *toIds;
  unsigned *counts;                 ///< of digit d in block b, then its first place: d * blocks + b
  unsigned count, blocks, perBlock; ///< perBlock: a multiple of kSortTile
  unsigned shift, bits;             ///< the digit
};

GNNC_DEVICE inline unsigned keyAt(const RadixPass &pass, unsigned i) {
  return pass.keys ? pass.keys[i] : static_cast<unsigned>(idAt(pass.first, i));
}

GNNC_DEVICE inline unsigned digitOf(const RadixPass &pass, unsigned key) {
  return key >> pass.shift & ((1u << pass.bits) - 1);
}

GNNC_DEVICE inline unsigned endOfBlock(unsigned begin, unsigned perBlock, unsigned count) {
  return begin + perBlock < count ? begin + perBlock : count;
}

//===--- Row pointer and permutation --------------------------------------===//

/// Argument of gnnc_row_pointer: rowPointer[v] = number of keys below v.
struct RowPointer {
  const unsigned *keys; ///< rising
  Ids to;               ///< rows + 1
  unsigned count, rows;
};

/// Thread v of rows + 1.
GNNC_DEVICE inline void searchRow(const RowPointer &search, unsigned v) {
  unsigned low = 0, high = search.count;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (search.keys[middle] < v)
      low = middle + 1;
    else
      high = middle;
  }
  storeId(search.to, v, low);
}

/// Argument of gnnc_loop_keys: a key is 1 for a self loop and 0 for other edges, so
/// that a sort by one bit puts the others first, in their order.
struct LoopKeys {
  Ids src, dst;
  unsigned *keys;
  unsigned count;
};

/// Thread i of count.
GNNC_DEVICE inline void writeLoopKey(const LoopKeys &loops, unsigned i) {
  loops.keys[i] = idAt(loops.src, i) == idAt(loops.dst, i);
}

/// Argument of gnnc_permute_ids: to[i] = from[order[i]].
struct PermuteIds {
  Ids from, to;
  const unsigned *order;
  unsigned count;
};

/// Argument of gnnc_permute_rows: row i of `to` is row order[i] of `from`; a row is
/// `units` numbers of `unitBytes` 1, 2, 4, 8 or 16.
struct PermuteRows {
  const void *from;
  void *to;
  const unsigned *order;
  unsigned long long count; ///< rows * units
  unsigned units, unitBytes;
};

template <class Unit>
GNNC_DEVICE inline void moveUnit(const PermuteRows &move, unsigned long long to,
                                 unsigned long long from) {
  static_cast<Unit *>(move.to)[to] = static_cast<const Unit *>(move.from)[from];
}

/// Thread i of count.
GNNC_DEVICE inline void permuteUnit(const PermuteRows &move, unsigned long long i) {
  using Quad = unsigned __attribute__((ext_vector_type(4)));
  unsigned long long row = i / move.units;
  unsigned long long from = 1ull * move.order[row] * move.units + (i - row * move.units);
  switch (move.unitBytes) {
  case 1:
    return moveUnit<unsigned char>(move, i, from);
  case 2:
    return moveUnit<unsigned short>(move, i, from);
  case 4:
    return moveUnit<unsigned>(move, i, from);
  case 8:
    return moveUnit<unsigned long long>(move, i, from);
  default:
    return moveUnit<Quad>(move, i, from);
  }
}

//===--- Work items of rows -----------------------------------------------===//

/// What a block finds in its rows.
struct RowTotals {
  unsigned long long items, splits, slots;
  unsigned long long longest; ///< item
  unsigned long long last;    ///< largest entry of the row pointer
  unsigned long long falls;   ///< rows of negative length
};

/// Argument of gnnc_count_rows and gnnc_place_rows. Block b has the rows
/// [b * perBlock, (b + 1) * perBlock).
struct RowBlocks {
  Ids rowPointer;
  RowTotals *totals;                       ///< a block's; when placing, of those before it
  unsigned *firstItem, *firstSlot, *split; ///< a row's (placing); split: rows x 4 numbers
  unsigned long long chunk;
  unsigned rows, perBlock; ///< perBlock: a multiple of kCsrBlock
};

struct RowParts {
  long long length, end;
  unsigned long long parts; ///< 1 for a row that is not split
  bool isSplit;
};

GNNC_DEVICE inline RowParts partsOf(const Ids &rowPointer, unsigned long long chunk, unsigned v) {
  RowParts row;
  row.end = idAt(rowPointer, v + 1ull);
  row.length = row.end - idAt(rowPointer, v);
  unsigned long long length = row.length > 0 ? static_cast<unsigned long long>(row.length) : 0;
  row.isSplit = length > chunk;
  row.parts = row.isSplit ? (length - 1) / chunk + 1 : 1;
  return row;
}

GNNC_DEVICE inline void addRow(RowTotals &totals, const RowParts &row, unsigned long long chunk) {
  totals.items += row.parts;
  totals.splits += row.isSplit;
  totals.slots += row.isSplit ? row.parts : 0;
  unsigned long long length = row.length > 0 ? static_cast<unsigned long long>(row.length) : 0;
  unsigned long long item = row.isSplit ? chunk : length;
  totals.longest = totals.longest > item ? totals.longest : item;
  unsigned long long end = row.end > 0 ? static_cast<unsigned long long>(row.end) : 0;
  totals.last = totals.last > end ? totals.last : end;
  totals.falls += row.length < 0;
}

/// Places row v whose first item, split and slot are these numbers.
GNNC_DEVICE inline void placeRow(const RowBlocks &rows, unsigned v, const RowParts &row,
                                 unsigned item, unsigned split, unsigned slot) {
  rows.firstItem[v] = item;
  rows.firstSlot[v] = slot;
  if (!row.isSplit)
    return;
  unsigned *to = rows.split + 4ull * split;
  to[0] = v;
  to[1] = slot;
  to[2] = slot + static_cast<unsigned>(row.parts);
  to[3] = static_cast<unsigned>(row.length);
}

/// Argument of gnnc_item_keys and gnnc_write_items.
struct RowItems {
  Ids rowPointer;
  const unsigned *firstItem, *firstSlot; ///< a row's
  unsigned long long chunk;
  const unsigned *order; ///< null: row order
  unsigned *keys;        ///< of each item in row order, see writeKey
  unsigned *to;          ///< items x 4 numbers
  unsigned rows, items, longest;
  unsigned window; ///< items of a window
  unsigned light;  ///< items of at most so many edges follow all others; 0: none does
  unsigned lengthBits, windowBits;
};

struct RowItem {
  unsigned row;
  long long begin, end;
  long long slot;
};

/// Item i in row order.
GNNC_DEVICE inline RowItem itemAt(const RowItems &items, unsigned i) {
  // The last row that begins at i or before; each has an item, so no two begin there.
  unsigned low = 0, high = items.rows;
  while (high - low > 1) {
    unsigned middle = low + (high - low) / 2;
    if (items.firstItem[middle] <= i)
      low = middle;
    else
      high = middle;
  }
  RowParts row = partsOf(items.rowPointer, items.chunk, low);
  unsigned long long part = i - items.firstItem[low];
  RowItem item;
  item.row = low;
  item.begin = row.end - row.length;
  item.end = row.end;
  item.slot = -1;
  if (row.isSplit) {
    auto chunk = static_cast<long long>(items.chunk);
    item.begin += static_cast<long long>(part) * chunk;
    item.end = item.end - item.begin > chunk ? item.begin + chunk : item.end;
    item.slot = items.firstSlot[low] + static_cast<long long>(part);
  }
  return item;
}

/// Thread i of items. Key, from its high bits: light; window; longest - length.
GNNC_DEVICE inline void writeKey(const RowItems &items, unsigned i) {
  RowItem item = itemAt(items, i);
  auto length = static_cast<unsigned>(item.end - item.begin);
  unsigned long long high = i / items.window;
  if (items.light > 0 && length <= items.light)
    high |= 1ull << items.windowBits;
  items.keys[i] = static_cast<unsigned>(high << items.lengthBits) | (items.longest - length);
}

/// Thread i of items.
GNNC_DEVICE inline void writeItem(const RowItems &items, unsigned i) {
  RowItem item = itemAt(items, items.order ? items.order[i] : i);
  unsigned *to = items.to + 4ull * i;
  to[0] = item.row;
  to[1] = static_cast<unsigned>(item.begin);
  to[2] = static_cast<unsigned>(item.end);
  to[3] = static_cast<unsigned>(item.slot);
}

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_CSRKERNELS_H
