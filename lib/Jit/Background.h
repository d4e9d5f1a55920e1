//===- Background.h - Work that nobody waits for --------------------------===//
//
// Input: jobs. Output: they are run in their order, at most so many at a time.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_JIT_BACKGROUND_H
#define GNNC_LIB_JIT_BACKGROUND_H

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gnnc::jit {

/// Thread safe. Its end waits for jobs that run; those that have not begun are dropped.
class Background {
public:
  /// Starts `threads` threads; 0 is no background, and add() may not be called.
  explicit Background(std::size_t threads);
  ~Background();
  Background(const Background &) = delete;
  Background &operator=(const Background &) = delete;

  /// A job does not throw and does not call finish().
  void add(std::function<void()> job);
  /// Returns when there is no job left, those that are added meanwhile included.
  void finish();

private:
  void work();

  std::mutex mutex; ///< of all below but the threads
  std::condition_variable changed;
  std::deque<std::function<void()>> jobs;
  std::size_t running = 0;
  bool isEnding = false;
  std::vector<std::thread> threads;
};

} // namespace gnnc::jit

#endif // GNNC_LIB_JIT_BACKGROUND_H
