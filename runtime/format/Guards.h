//===- Guards.h - What a compiled program relies on -----------------------===//
//
// In:  a plan. Out: every assumption of it as one line: what of, what is expected. The
// runtime checks each of them, and counts failures under these names.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_FORMAT_GUARDS_H
#define GNNC_RUNTIME_FORMAT_GUARDS_H

#include "runtime/format/Plan.h"

namespace gnnc::format {

struct GuardLine {
  enum class Kind {
    Extent,    ///< a count must have one value (Plan::guards, "equal")
    Range,     ///< a count must fit an index (Plan::guards, "max")
    Type,      ///< element type of a tensor
    Width,     ///< extents of a tensor, rows by formula
    Index,     ///< ids are below the counts; how wide they are kept
    Sorted,    ///< a row pointer never falls
    Alignment, ///< of inputs and outputs; others are copied
    Chip       ///< what the code runs on
  };
  Kind kind;
  std::string of;      ///< "n", "x", "src"
  std::string expects; ///< "= 2708: the program was compiled for 2708 destination nodes"
};

/// "extent", "range", ...
const char *name(GuardLine::Kind kind);

/// Those of Plan::guards first, in their order; then by buffer.
std::vector<GuardLine> guardLines(const Plan &plan);

/// For people: a line each.
std::string guardTable(const Plan &plan);

} // namespace gnnc::format

#endif // GNNC_RUNTIME_FORMAT_GUARDS_H
