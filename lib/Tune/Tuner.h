//===- Tuner.h - The fastest schedules of a program's kernels, by measuring ===//
//
// In:  kernel functions with schedules (the untuned ones), a graph. Out: the same
// functions with the schedules that were fastest on it, checked and beyond noise.
//
// 1. Kernels of one signature are a group and get one schedule. A group that the
//    database knows on this very graph is done.
// 2. A round gives every group its next candidate, compiles the whole program once and
//    times its commands; so there are as many compilations as the group with the most
//    candidates has, not as all have together. Candidates come from the nearest graph in
//    the database and the cost model's best, later from the neighbours of what was best.
// 3. The best few of each group are measured again beside the untuned program, turn by
//    turn. One wins whose upper quartile is below the lower one of the untuned schedule.
// 4. The program of all winners is compiled, its output compared and its whole forward
//    timed beside the untuned one's; it is dropped when that is slower beyond noise.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_TUNE_TUNER_H
#define GNNC_LIB_TUNE_TUNER_H

#include "lib/Tune/Measure.h"

namespace gnnc::tune {

struct TuneOptions {
  MeasureOptions measure;
  std::string database;     ///< file; empty: nothing is kept
  double seconds = 10;      ///< budget; 0: only what the database has
  unsigned candidates = 16; ///< of each group that the cost model proposes
  std::function<void(const std::string &)> say = [](const std::string &) {};
  /// What is wrong without being a failure. A diagnostic would not be seen: drivers
  /// print errors only.
  std::function<void(const std::string &)> warn = [](const std::string &) {};
};

struct TuneReport {
  double seconds = 0;                       ///< that tuning took
  double untunedMs = 0, tunedMs = 0;        ///< a forward; 0: not measured
  unsigned groups = 0, found = 0, near = 0; ///< found: in the database as they are
  unsigned changed = 0;                     ///< groups whose schedule is another now
  unsigned measured = 0;                    ///< candidates
  unsigned compilations = 0;
};

/// Sets the schedules of `module`'s kernels. Emits a diagnostic on failure; running out
/// of budget is none.
mlir::LogicalResult tuneSchedules(mlir::ModuleOp module, Workload &workload,
                                  const TuneOptions &options, TuneReport &report);

} // namespace gnnc::tune

#endif // GNNC_LIB_TUNE_TUNER_H
