// Stand-ins for the kernels of runtime/cuda/CsrKernels.cu: those whose threads meet do
// the same here in one thread, the others are their own bodies.
#ifndef GNNC_TEST_RUNTIME_FAKE_FAKECSRKERNELS_H
#define GNNC_TEST_RUNTIME_FAKE_FAKECSRKERNELS_H

#include "runtime/cuda/CsrKernels.h"

#include <utility>

namespace gnnc::cuda {

inline void fakeRadixCount(const RadixPass &pass) {
  for (unsigned i = 0; i < pass.blocks << pass.bits; ++i)
    pass.counts[i] = 0;
  for (unsigned i = 0; i < pass.count; ++i)
    ++pass.counts[digitOf(pass, keyAt(pass, i)) * pass.blocks + i / pass.perBlock];
}

inline void fakeRadixScan(const RadixPass &pass) {
  unsigned place = 0;
  for (unsigned i = 0; i < pass.blocks << pass.bits; ++i)
    place += std::exchange(pass.counts[i], place);
}

/// Uses the counts up: each becomes the next block's first place.
inline void fakeRadixScatter(const RadixPass &pass) {
  for (unsigned i = 0; i < pass.count; ++i) {
    unsigned key = keyAt(pass, i);
    unsigned to = pass.counts[digitOf(pass, key) * pass.blocks + i / pass.perBlock]++;
    pass.toKeys[to] = key;
    pass.toIds[to] = pass.ids ? pass.ids[i] : i;
  }
}

inline void fakeCountRows(const RowBlocks &rows) {
  for (unsigned begin = 0; begin < rows.rows; begin += rows.perBlock) {
    RowTotals totals = {};
    for (unsigned v = begin; v < endOfBlock(begin, rows.perBlock, rows.rows); ++v)
      addRow(totals, partsOf(rows.rowPointer, rows.chunk, v), rows.chunk);
    rows.totals[begin / rows.perBlock] = totals;
  }
}

inline void fakePlaceRows(const RowBlocks &rows) {
  for (unsigned begin = 0; begin < rows.rows; begin += rows.perBlock) {
    RowTotals before = rows.totals[begin / rows.perBlock];
    for (unsigned v = begin; v < endOfBlock(begin, rows.perBlock, rows.rows); ++v) {
      RowParts row = partsOf(rows.rowPointer, rows.chunk, v);
      placeRow(rows, v, row, static_cast<unsigned>(before.items),
               static_cast<unsigned>(before.splits), static_cast<unsigned>(before.slots));
      addRow(before, row, rows.chunk);
    }
  }
}

inline void fakeRowPointer(const RowPointer &search) {
  for (unsigned v = 0; v <= search.rows; ++v)
    searchRow(search, v);
}

inline void fakeLoopKeys(const LoopKeys &loops) {
  for (unsigned i = 0; i < loops.count; ++i)
    writeLoopKey(loops, i);
}

inline void fakePermuteIds(const PermuteIds &move) {
  for (unsigned i = 0; i < move.count; ++i)
    storeId(move.to, i, idAt(move.from, move.order[i]));
}

inline void fakePermuteRows(const PermuteRows &move) {
  for (unsigned long long i = 0; i < move.count; ++i)
    permuteUnit(move, i);
}

inline void fakeItemKeys(const RowItems &items) {
  for (unsigned i = 0; i < items.items; ++i)
    writeKey(items, i);
}

inline void fakeWriteItems(const RowItems &items) {
  for (unsigned i = 0; i < items.items; ++i)
    writeItem(items, i);
}

} // namespace gnnc::cuda

#endif // GNNC_TEST_RUNTIME_FAKE_FAKECSRKERNELS_H
