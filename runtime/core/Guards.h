//===- Guards.h - Check what a program relies on, count what failed -------===//
//
// In:  a plan, the counts of a graph. Out: success, or the first guard that does not
// hold, with the value expected and the one found. Failures are counted by guard, for
// all sessions of an executable. Threads: any.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CORE_GUARDS_H
#define GNNC_RUNTIME_CORE_GUARDS_H

#include "runtime/core/Status.h"
#include "runtime/format/Guards.h"

#include <atomic>
#include <memory>

namespace gnnc::runtime {

class Symbols;

class Guards {
public:
  explicit Guards(const format::Plan &plan);

  /// Those of Plan::guards; before prepare, the ones that can be told then.
  Status check(const Symbols &symbols, bool afterPrepare) const;
  /// Counts a failure found elsewhere. A guard that the plan has not is ignored.
  void failed(format::GuardLine::Kind kind, const std::string &of) const;

  const std::vector<format::GuardLine> &lines() const { return list; }
  std::int64_t failures(std::size_t line) const { return counts[line]; }
  std::int64_t failures() const;

private:
  const format::Plan &plan;
  std::vector<format::GuardLine> list; ///< begins with those of plan.guards
  std::unique_ptr<std::atomic<std::int64_t>[]> counts;
};

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CORE_GUARDS_H
