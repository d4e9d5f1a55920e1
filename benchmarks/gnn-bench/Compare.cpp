//===- Compare.cpp - What two runs of a benchmark disagree about ----------===//
#include "benchmarks/gnn-bench/Compare.h"

#include "benchmarks/data/GraphData.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

namespace gnnc::bench {
namespace {

/// Fewer samples have no quartiles worth the name.
constexpr std::int64_t fewestSamples = 5;

/// The standard error of a median is 1.25 sigma / sqrt(n) and the quartiles of a normal
/// law are 1.35 sigma apart; three of them leave one false alarm in some 400 cells.
constexpr double standardErrors = 3, errorPerSpread = 1.2533 / 1.349;

/// Peak memory hardly varies; less than this is a buffer of a library.
constexpr double memoryPercent = 2, memoryMib = 0.5;

enum class State : std::uint8_t { Well, Over, Failed };

State stateOf(const ResultRow &row) {
  // A stream that is over its bound is not ok either, but has no error.
  if (!row.ok && (!row.error.empty() || row.inBound.value_or(true)))
    return State::Failed;
  return row.inBound.value_or(true) ? State::Well : State::Over;
}

double noiseOf(const ResultRow &before, const ResultRow &after, const CompareRule &rule) {
  const Latency &a = *before.latency, &b = *after.latency;
  double spreadA = a.q3 - a.q1, spreadB = b.q3 - b.q1;
  double error = standardErrors * errorPerSpread *
                 std::sqrt(spreadA * spreadA / static_cast<double>(a.n) +
                           spreadB * spreadB / static_cast<double>(b.n));
  double measured = std::max(before.noiseFloor.value_or(0), after.noiseFloor.value_or(0));
  double share = std::max(rule.floorPercent / 100, measured);
  return std::max({error, share * a.median, rule.floorUs / 1e3});
}

void judgeLatency(Comparison &cell, const CompareRule &rule) {
  if (!cell.before->latency || !cell.after->latency) {
    cell.verdict = Verdict::Undecided;
    cell.note = "no latency_ms";
    return;
  }
  const Latency &a = *cell.before->latency, &b = *cell.after->latency;
  cell.change = (b.median - a.median) / a.median;
  if (std::min(a.n, b.n) < fewestSamples) {
    cell.verdict = Verdict::Undecided;
    cell.note =
        std::to_string(std::min(a.n, b.n)) + " samples, needs " + std::to_string(fewestSamples);
    return;
  }
  double noise = noiseOf(*cell.before, *cell.after, rule);
  cell.noise = noise / a.median;
  bool apart = b.q1 > a.q3 || b.q3 < a.q1;
  if (apart && std::abs(b.median - a.median) > noise)
    cell.verdict = b.median > a.median ? Verdict::Slower : Verdict::Faster;
}

Memory judgeMemory(const ResultRow &before, const ResultRow &after) {
  if (!before.peakMib || !after.peakMib)
    return Memory::Unknown;
  double more = *after.peakMib - *before.peakMib;
  if (std::abs(more) <= std::max(memoryMib, memoryPercent / 100 * *before.peakMib))
    return Memory::Same;
  return more > 0 ? Memory::More : Memory::Less;
}

using Key = std::tuple<std::string, std::string, std::string, std::string, std::string, int,
                       std::string, std::string, std::int64_t, std::int64_t>;

/// Counts of nodes and edges belong to it: another graph of that name is another cell.
Key keyOf(const ResultRow &row) {
  return {row.system,
          row.model,
          row.data,
          row.mode,
          row.dynamic,
          row.fixes ? static_cast<int>(*row.fixes) : -1,
          row.device,
          row.dtype,
          row.nodes.value_or(-1),
          row.edges.value_or(-1)};
}

using Groups = std::map<Key, std::vector<const ResultRow *>>;

Groups groupsOf(const std::vector<ResultRow> &rows) {
  Groups groups;
  for (const ResultRow &row : rows)
    groups[keyOf(row)].push_back(&row);
  return groups;
}

/// Rows do not say how wide a model is. Where a file has several widths in one cell,
/// their work tells them apart; those of the same work are taken in their order.
const ResultRow *takeMatch(std::vector<const ResultRow *> &candidates, const ResultRow &row,
                           bool single) {
  auto match = std::ranges::find_if(
      candidates, [&](const ResultRow *other) { return single || other->flops == row.flops; });
  if (match == candidates.end())
    return nullptr;
  const ResultRow *found = *match;
  candidates.erase(match);
  return found;
}

void expectSameMachine(const ResultRow &before, const ResultRow &after) {
  if (before.machine.empty() || after.machine.empty() || before.machine == after.machine)
    return;
  throw Failure("line " + std::to_string(before.line) + " of the first file was measured on " +
                before.machine + ", line " + std::to_string(after.line) + " of the second on " +
                after.machine + "; --force compares them all the same");
}

} // namespace

const char *nameOf(Verdict verdict) {
  constexpr const char *names[] = {"failed",    "over-bound", "slower",   "faster",    "mended",
                                   "still-bad", "vanished",   "appeared", "undecided", "same"};
  static_assert(std::size(names) == numVerdicts);
  return names[static_cast<int>(verdict)];
}

Comparison judge(const ResultRow &before, const ResultRow &after, const CompareRule &rule) {
  Comparison cell;
  cell.before = &before;
  cell.after = &after;
  State was = stateOf(before), is = stateOf(after);
  if (is == State::Well && was == State::Well) {
    judgeLatency(cell, rule);
    cell.memory = judgeMemory(before, after);
    return cell;
  }
  if (is == State::Well)
    cell.verdict = Verdict::Mended;
  else if (was == State::Failed || is == was)
    cell.verdict = Verdict::StillBad;
  else
    cell.verdict = is == State::Failed ? Verdict::Failed : Verdict::OverBound;
  cell.note = is == State::Failed && after.error.empty() ? "no error is given" : after.error;
  return cell;
}

std::vector<Comparison> compare(const std::vector<ResultRow> &before,
                                const std::vector<ResultRow> &after, const CompareRule &rule) {
  const Groups groupsBefore = groupsOf(before), groupsAfter = groupsOf(after);
  Groups left = groupsBefore;
  std::vector<Comparison> cells;
  for (const ResultRow &row : after) {
    Key key = keyOf(row);
    auto group = left.find(key);
    const ResultRow *match = nullptr;
    if (group != left.end()) {
      bool single = groupsBefore.at(key).size() == 1 && groupsAfter.at(key).size() == 1;
      match = takeMatch(group->second, row, single);
    }
    if (match) {
      if (!rule.acrossMachines)
        expectSameMachine(*match, row);
      cells.push_back(judge(*match, row, rule));
      continue;
    }
    cells.emplace_back();
    cells.back().after = &row;
    cells.back().verdict = Verdict::Appeared;
    cells.back().note = row.error;
  }
  if (std::ranges::none_of(cells, [](const auto &cell) { return cell.before; }))
    throw Failure("no cell is in both files; were they measured with the same options?");
  for (const ResultRow &row : before) {
    const std::vector<const ResultRow *> &rest = left.at(keyOf(row));
    if (std::ranges::find(rest, &row) == rest.end())
      continue;
    cells.emplace_back();
    cells.back().before = &row;
    cells.back().verdict = Verdict::Vanished;
  }
  // The worst first, otherwise in the files' order.
  std::vector<Comparison> sorted;
  for (int verdict = 0; verdict < numVerdicts; ++verdict)
    std::ranges::copy_if(cells, std::back_inserter(sorted), [&](const Comparison &cell) {
      return static_cast<int>(cell.verdict) == verdict;
    });
  return sorted;
}

} // namespace gnnc::bench
