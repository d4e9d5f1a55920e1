//===- GuardTally.cpp - Guards that failed, whatever becomes of executables ===//
#include "lib/Jit/GuardTally.h"

#include <algorithm>

namespace gnnc::jit {

/// Adds the guards of an executable that failed so far, in all sessions.
static void addFailures(const Executable &executable, std::vector<GuardFailure> &sum) {
  auto guards = executable.guards();
  if (!guards)
    return;
  for (const gnnc_guard &guard : *guards) {
    if (guard.failures == 0)
      continue;
    auto known = std::ranges::find_if(sum, [&](const GuardFailure &other) {
      return other.kind == guard.kind && other.of == guard.of && other.expects == guard.expects;
    });
    if (known == sum.end())
      known = sum.insert(known, {guard.kind, guard.of, guard.expects, 0});
    known->failures += guard.failures;
  }
}

std::shared_ptr<const Executable> GuardTally::watch(Executable executable) {
  const auto *raw = new Executable(std::move(executable));
  std::shared_ptr<const Executable> watched(
      raw, [tally = shared_from_this()](const Executable *last) { tally->retire(last); });
  std::scoped_lock lock(mutex);
  alive.insert(raw);
  return watched;
}

void GuardTally::retire(const Executable *executable) {
  std::unique_ptr<const Executable> owned(executable);
  std::scoped_lock lock(mutex);
  alive.erase(executable);
  addFailures(*executable, retired);
}

std::vector<GuardFailure> GuardTally::failures() const {
  std::scoped_lock lock(mutex);
  std::vector<GuardFailure> out = retired;
  for (const Executable *executable : alive)
    addFailures(*executable, out);
  return out;
}

} // namespace gnnc::jit
