//===- Alternatives.h - The fastest of several forms of a program ---------===//
//
// In:  kernel functions with schedules, as text, of the same program in other forms (the
// order of its products, what shares a traversal). Out: which one is fastest on a graph.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_TUNE_ALTERNATIVES_H
#define GNNC_LIB_TUNE_ALTERNATIVES_H

#include "lib/Tune/Tuner.h"

namespace gnnc::tune {

struct Alternative {
  std::string name; ///< what the database calls it
  std::string text; ///< the module
};

/// The index of the one to take: 0 unless another gives the same outputs faster beyond
/// noise. What the database of `options` knows of this graph (or, without a budget, of
/// one like it) is not measured. Failing is no more than to stay at 0; why is said.
size_t chooseAlternative(const std::vector<Alternative> &alternatives, Workload &workload,
                         const TuneOptions &options, double tolerance);

} // namespace gnnc::tune

#endif // GNNC_LIB_TUNE_ALTERNATIVES_H
