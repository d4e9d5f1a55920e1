//===- Alternatives.cpp - The fastest of several forms of a program -------===//
#include "lib/Tune/Alternatives.h"

#include "lib/Tune/Database.h"
#include "lib/Tune/Signature.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <chrono>

using namespace gnnc;
using namespace gnnc::tune;

namespace {

/// One of them on the device.
struct Candidate {
  std::unique_ptr<CompiledProgram> program;
  std::unique_ptr<Variant> variant; ///< null: out of the race
  std::vector<double> samples;      ///< milliseconds of forwards
};

class Race {
public:
  Race(const std::vector<Alternative> &alternatives, Workload &workload, const TuneOptions &options,
       double tolerance)
      : alternatives(alternatives), workload(workload), options(options), tolerance(tolerance),
        candidates(alternatives.size()) {}

  size_t run() {
    signature = options.measure.target + " " + options.measure.chip + " " + options.measure.mode +
                " " + options.measure.products;
    for (const Alternative &alternative : alternatives)
      signature += "\n" + alternative.name + "\n" + alternative.text;
    signature = digest(signature);
    if (std::optional<size_t> known = lookUp())
      return *known;
    if (options.seconds <= 0 || !load() || !measure())
      return 0;
    return decide();
  }

private:
  std::optional<size_t> lookUp() {
    std::string warning, error;
    Database database; // what is wrong with the file, gnn-autotune says
    if (options.database.empty() || !Database::open(options.database, database, warning, error))
      return std::nullopt;
    if (!warning.empty())
      options.warn(warning);
    const Entry *entry = database.find(signature, workload.shape());
    if (!entry && options.seconds <= 0)
      entry = database.findNear(signature, workload.shape());
    for (size_t i = 0; entry && i < alternatives.size(); ++i)
      if (alternatives[i].name == entry->choice)
        return i;
    return std::nullopt;
  }

  bool load() {
    std::string error;
    if (!bench.open(options.measure.target, workload, error))
      return false; // gnn-autotune says the same
    Outputs expected;
    double first = 0;
    for (size_t i = 0; i < candidates.size() && !isOver(); ++i) {
      Candidate &candidate = candidates[i];
      candidate.program = CompiledProgram::compile(alternatives[i].text, options.measure, error);
      if (candidate.program)
        candidate.variant = bench.load(*candidate.program, error);
      Outputs outputs;
      bool isRight = candidate.variant && candidate.variant->run(outputs, error);
      if (i == 0)
        expected = std::move(outputs);
      else if (isRight)
        isRight = difference(outputs, expected) <= tolerance;
      // Far behind after one forward: the others get the time.
      std::vector<double> probe;
      isRight = isRight && candidate.variant->timeForwards(1, 1, 1, probe, error);
      if (isRight && i == 0)
        first = probe.front();
      else if (isRight && probe.front() > 2 * first) {
        options.say(llvm::formatv("{0}: {1:f4} ms a forward, {2}: {3:f4} ms", alternatives[i].name,
                                  probe.front(), alternatives.front().name, first));
        isRight = false;
      }
      if (!isRight)
        candidate.variant = nullptr;
      if (!isRight && i == 0)
        return false;
    }
    inner = std::clamp(static_cast<int>(1 / std::max(first, 1e-3)), 1, 50);
    return candidates.front().variant != nullptr;
  }

  /// A quarter of the budget is what this is worth.
  bool isOver() const {
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    return spent.count() > options.seconds / 4;
  }

  bool measure() {
    std::string error;
    for (int turn = 0; turn < 6 && (turn < 2 || !isOver()); ++turn)
      for (Candidate &candidate : candidates)
        if (candidate.variant &&
            !candidate.variant->timeForwards(1, 3, inner, candidate.samples, error))
          candidate.variant = nullptr;
    return candidates.front().variant != nullptr;
  }

  size_t decide() {
    Times base = Times::of(candidates.front().samples);
    Times chosen = base;
    size_t best = 0;
    double least = base.median;
    for (size_t i = 1; i < candidates.size(); ++i) {
      if (!candidates[i].variant)
        continue;
      Times now = Times::of(candidates[i].samples);
      options.say(llvm::formatv("{0}: {1:f4} ms a forward, {2}: {3:f4} ms", alternatives[i].name,
                                now.median, alternatives.front().name, base.median));
      least = std::min(least, now.median);
      if (now.q3 < base.q1 && now.median < chosen.median) {
        best = i;
        chosen = now;
      }
    }
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    options.say(
        llvm::formatv("{0} is taken, found in {1:f1} s", alternatives[best].name, spent.count()));
    if (!options.database.empty()) {
      Entry entry{signature,
                  "forward: order of products, shared traversals",
                  options.measure.chip,
                  workload.shape(),
                  alternatives[best].name,
                  chosen.median * 1000,
                  base.median * 1000,
                  least * 1000,
                  static_cast<std::int64_t>(alternatives.size()) - 1,
                  GNNC_VERSION};
      std::string warning, error;
      if (!Database::save(options.database, {entry}, warning, error))
        options.warn("the results are not kept: " + error);
    }
    return best;
  }

  const std::vector<Alternative> &alternatives;
  Workload &workload;
  const TuneOptions &options;
  double tolerance;
  std::vector<Candidate> candidates;
  std::string signature;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  int inner = 1; ///< forwards of a sample
  Bench bench;
};

} // namespace

size_t tune::chooseAlternative(const std::vector<Alternative> &alternatives, Workload &workload,
                               const TuneOptions &options, double tolerance) {
  return Race(alternatives, workload, options, tolerance).run();
}
