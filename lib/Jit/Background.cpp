//===- Background.cpp - Work that nobody waits for ------------------------===//
#include "lib/Jit/Background.h"

namespace gnnc::jit {

Background::Background(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    threads.emplace_back([this] { work(); });
}

Background::~Background() {
  {
    std::scoped_lock lock(mutex);
    isEnding = true;
    jobs.clear();
  }
  changed.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

void Background::add(std::function<void()> job) {
  {
    std::scoped_lock lock(mutex);
    jobs.push_back(std::move(job));
  }
  changed.notify_all();
}

void Background::finish() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [this] { return jobs.empty() && running == 0; });
}

void Background::work() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return isEnding || !jobs.empty(); });
    if (isEnding)
      return;
    std::function<void()> job = std::move(jobs.front());
    jobs.pop_front();
    ++running;
    lock.unlock();
    job();
    job = nullptr; // what it holds goes before it counts as done
    lock.lock();
    --running;
    changed.notify_all();
  }
}

} // namespace gnnc::jit
