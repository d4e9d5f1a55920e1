//===- ShapePolicy.h - Which counts of a graph are constants --------------===//
//
// Input: what the user asked for (`dynamic`, hints) and the counts of one graph after
// the other. Output: for each the counts that its program is compiled for, -1 where a
// count is a run-time value. Graphs of equal answers are served by one compilation.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_JIT_SHAPEPOLICY_H
#define GNNC_LIB_JIT_SHAPEPOLICY_H

#include "lib/Driver/Compile.h"

#include <array>
#include <optional>

namespace gnnc::jit {

struct DynamicOptions {
  /// true: every count is a run-time value | false: each shape is compiled for itself |
  /// auto: as the first graph has them, but a count that was seen to change is a
  /// run-time value from then on
  std::string dynamic = "auto";
  /// Whatever `dynamic` says: "nodes" (destinations and sources) and "edges" that are
  /// run-time values, and those that are constants.
  std::vector<std::string> keepDynamic, keepStatic;
};

/// Not thread safe.
class ShapePolicy {
public:
  explicit ShapePolicy(const DynamicOptions &options);

  /// The counts as a program for this graph has them. All must be known.
  ShapeOptions shapeFor(const ShapeOptions &counts);

  /// Whether the options have values that there are; `error` names the one that has not.
  static bool check(const DynamicOptions &options, std::string &error);

private:
  enum class Kind { Constant, RunTime, UntilChanged };
  std::array<Kind, 3> kinds; ///< of destinations, sources, edges
  std::optional<ShapeOptions> first;
};

} // namespace gnnc::jit

#endif // GNNC_LIB_JIT_SHAPEPOLICY_H
