//===- Compare.h - What two runs of a benchmark disagree about ------------===//
//
// Input: the rows of an earlier run (A) and of a later one (B). Output: for each cell
// whether it became faster or slower beyond noise, fails now, appeared or vanished.
// docs/benchmarks.md states the rule.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_COMPARE_H
#define GNNC_BENCHMARKS_GNN_BENCH_COMPARE_H

#include "benchmarks/gnn-bench/ResultFile.h"

namespace gnnc::bench {

/// In the order in which they are shown.
enum class Verdict : std::uint8_t {
  Failed,    ///< ran in A
  OverBound, ///< in bound in A
  Slower,
  Faster,
  Mended,    ///< failed or over its bound in A, well in B
  StillBad,  ///< failed or over its bound in both
  Vanished,  ///< not in B
  Appeared,  ///< not in A
  Undecided, ///< well in both, with too few samples to tell
  Same,      ///< nothing beyond noise
};
constexpr int numVerdicts = static_cast<int>(Verdict::Same) + 1;

/// `slower`, `over-bound` and the like; the same in the table and in JSON.
const char *nameOf(Verdict verdict);

/// Slower, failed or over its bound since A: what a check of a change must not find.
constexpr bool isWorse(Verdict verdict) { return verdict <= Verdict::Slower; }

enum class Memory : std::uint8_t { Unknown, Same, More, Less };

struct CompareRule {
  /// Differences of two runs that a single run's quartiles do not see (clocks, placement
  /// of memory, other load) stay under these; the larger one counts.
  double floorPercent = 5, floorUs = 2;
  bool acrossMachines = false; ///< compare rows of different machines all the same
};

struct Comparison {
  const ResultRow *before = nullptr, *after = nullptr; ///< of A and B; null: it has none
  Verdict verdict = Verdict::Same;
  Memory memory = Memory::Unknown;
  std::optional<double> change; ///< of the median, relative to A's: 0.1 is 10 % slower
  std::optional<double> noise;  ///< the least change that counts, likewise
  std::string note;             ///< why, where the verdict does not say it; else empty

  const ResultRow &row() const { return after ? *after : *before; }
};

/// The verdict on one cell that both have.
Comparison judge(const ResultRow &before, const ResultRow &after, const CompareRule &rule);

/// All cells, the worst first. Points into `before` and `after`. Throws Failure when no
/// cell is in both, and when a cell was measured on different machines unless the rule
/// allows it.
std::vector<Comparison> compare(const std::vector<ResultRow> &before,
                                const std::vector<ResultRow> &after, const CompareRule &rule);

/// The cells that are not the same (all: every cell), then a line that counts them.
std::string comparisonTable(const std::vector<Comparison> &cells, bool all);

/// One JSON object in a line.
std::string comparisonJson(const std::vector<Comparison> &cells, const CompareRule &rule);

/// `gnn-bench compare A B`; argv[0] is `compare`. Returns the exit code: 0 nothing became
/// worse, 1 something did, 2 wrong usage or files that cannot be compared.
int runCompare(int argc, char **argv);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_COMPARE_H
