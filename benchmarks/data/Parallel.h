//===- Parallel.h - A range of work on several threads --------------------===//
//
// Input: a count and what to do with a part of [0, count). What comes out must not depend on
// where the parts begin: that differs with the number of threads.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_PARALLEL_H
#define GNNC_BENCHMARKS_DATA_PARALLEL_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace gnnc::bench {

/// Calls body(begin, end) for parts of [0, count) of at most `part`, whichever thread is free
/// takes the next; 0 threads: all cores. `body` must not throw.
template <typename Body>
void parallelFor(std::int64_t count, std::int64_t part, unsigned threads, const Body &body) {
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  std::atomic<std::int64_t> next = 0;
  auto work = [&] {
    for (std::int64_t begin; (begin = next.fetch_add(part)) < count;)
      body(begin, std::min(begin + part, count));
  };
  std::vector<std::jthread> others;
  for (unsigned thread = 1; thread < threads && thread * part < count; ++thread)
    others.emplace_back(work);
  work();
}

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_PARALLEL_H
