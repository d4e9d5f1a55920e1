//===- Parallel.h - Loops over blocks for the core's host work ------------===//
//
// The core's own loops (validation, sorting) are short and memory bound: a few
// equal blocks, in parallel when there is enough to do. The number of blocks
// depends on the length alone, so results do not depend on the machine.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CORE_PARALLEL_H
#define GNNC_RUNTIME_CORE_PARALLEL_H

#include <algorithm>
#include <cstdint>
#include <tbb/parallel_for.h>

namespace gnnc::runtime {

/// Blocks for `length` elements: at least 64k each, 16 at most.
inline std::int64_t blockCount(std::int64_t length) {
  return std::clamp<std::int64_t>(length / 65536, 1, 16);
}

/// body(block, begin, end) for each block of [0, length), in parallel.
template <class F>
void forBlocks(std::int64_t length, std::int64_t blocks, F &&body) {
  auto one = [&](std::int64_t block) {
    // Not length * block / blocks: that product may overflow.
    std::int64_t size = length / blocks, rest = length % blocks;
    std::int64_t begin = block * size + std::min(block, rest);
    body(block, begin, begin + size + (block < rest ? 1 : 0));
  };
  if (blocks == 1)
    return one(0);
  tbb::parallel_for(std::int64_t{0}, blocks, one);
}

template <class F>
void forBlocks(std::int64_t length, F &&body) {
  forBlocks(length, blockCount(length), std::forward<F>(body));
}

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CORE_PARALLEL_H
