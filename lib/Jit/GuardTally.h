//===- GuardTally.h - Guards that failed, whatever becomes of executables -===//
//
// Input: executables as they are loaded. Output: the guards of all of them that failed,
// also of those that no program keeps any more and of those that are gone.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_JIT_GUARDTALLY_H
#define GNNC_LIB_JIT_GUARDTALLY_H

#include "gnnc/gnnc.hpp"

#include <mutex>
#include <set>

namespace gnnc::jit {

/// A guard that did not hold; how often, over all executables that have it.
struct GuardFailure {
  std::string kind, of, expects; ///< as in gnnc_guard
  std::int64_t failures = 0;
};

/// Thread safe. Executables keep it alive.
class GuardTally : public std::enable_shared_from_this<GuardTally> {
public:
  /// The last owner of the result hands in what failed.
  std::shared_ptr<const Executable> watch(Executable executable);
  std::vector<GuardFailure> failures() const;

private:
  void retire(const Executable *executable);

  mutable std::mutex mutex; ///< of all below
  std::set<const Executable *> alive;
  std::vector<GuardFailure> retired; ///< of executables that are gone
};

} // namespace gnnc::jit

#endif // GNNC_LIB_JIT_GUARDTALLY_H
