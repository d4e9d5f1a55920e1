//===- Tuner.cpp - The fastest schedules of a program's kernels -----------===//
#include "lib/Tune/Tuner.h"

#include "lib/Tune/CheckOutputs.h"
#include "lib/Tune/CostModel.h"
#include "lib/Tune/Database.h"
#include "lib/Tune/Signature.h"
#include "passes/Kernel/KernelAbi.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <cmath>
#include <future>
#include <thread>
#include <tuple>

using namespace mlir;
using namespace gnnc;
using namespace gnnc::tune;

namespace {

constexpr int kFinalists = 3; ///< candidates of a group that are measured again

/// A candidate's median time.
struct Sample {
  double us;
  size_t turn; ///< of equal times the one measured first is before the other
  Attribute schedule;
  bool operator<(const Sample &other) const {
    return std::tie(us, turn) < std::tie(other.us, other.turn);
  }
};

/// Kernels of one signature.
struct Group {
  Signature signature;
  SmallVector<func::FuncOp> kernels;
  TunedKernel tuned;
  Attribute untuned, chosen;
  bool isFound = false; ///< in the database, for this graph
  std::vector<Attribute> queue;
  llvm::DenseSet<Attribute> seen;
  std::vector<Sample> measured; ///< the best first after sorting
  double us = 0, untunedUs = 0, bestUs = 0;
};

class Tuner {
public:
  Tuner(ModuleOp module, Workload &workload, const TuneOptions &options, TuneReport &report)
      : module(module), workload(workload), options(options), report(report),
        start(std::chrono::steady_clock::now()) {}

  LogicalResult run() {
    if (failed(collect()) || failed(readDatabase()))
      return failure();
    if (llvm::any_of(groups, [](const Group &group) { return !group.isFound; }) &&
        options.seconds > 0 && failed(measureAll()))
      return failure();
    for (Group &group : groups)
      apply(group, group.chosen);
    report.seconds = spent();
    return success();
  }

private:
  double spent() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  double left() const { return options.seconds - spent(); }
  LogicalResult fail(const std::string &message) { return module.emitError(message); }
  void say(const std::string &text) { options.say(text); }

  /// Kernels that @forward calls, by signature.
  LogicalResult collect() {
    auto target = module->getAttrOfType<gnn::TargetAttr>(gnn::kTargetAttr);
    auto forward = module.lookupSymbol<func::FuncOp>(gnn::kForwardFunc);
    if (!target || !forward)
      return fail("gnn-autotune needs the module attribute gnn.target and @forward");
    llvm::StringMap<size_t> known;
    for (auto kernel : module.getOps<func::FuncOp>()) {
      auto kind = kernel->getAttrOfType<StringAttr>(gnn::kKernelAttr);
      if (!kind || kind.getValue() == "gemm" || SymbolTable::symbolKnownUseEmpty(kernel, forward))
        continue;
      FailureOr<KernelAbi> abi = getKernelAbi(kernel, target); // also: it has a schedule
      if (failed(abi))
        return failure();
      Signature signature = signatureOf(kernel, target);
      auto [place, isNew] = known.try_emplace(signature.key, groups.size());
      if (isNew) {
        FailureOr<TunedKernel> tuned = TunedKernel::get(kernelOp(kernel), target);
        if (failed(tuned))
          return failure();
        Group &group = groups.emplace_back();
        group.signature = signature;
        group.tuned = std::move(*tuned);
        group.untuned = group.chosen = kernelOp(kernel)->getAttr("schedule");
      }
      groups[place->second].kernels.push_back(kernel);
      for (const KernelEntry &entry : abi->entries)
        groupOfCommand[entry.name] = place->second;
    }
    report.groups = groups.size();
    return success();
  }

  LogicalResult readDatabase() {
    if (options.database.empty())
      return success();
    std::string warning, error;
    if (!Database::open(options.database, database, warning, error))
      return fail(error);
    if (!warning.empty())
      options.warn(warning);
    for (Group &group : groups) {
      const Entry *entry = database.find(group.signature.key, workload.shape());
      group.isFound = entry != nullptr;
      if (!entry)
        entry = database.findNear(group.signature.key, workload.shape());
      if (!entry)
        continue;
      ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
      Attribute schedule = parseAttribute(entry->choice, module.getContext());
      if (!schedule || !group.tuned.whyNot(schedule).empty()) {
        group.isFound = false; // written by another version, or by hand
        continue;
      }
      ++(group.isFound ? report.found : report.near);
      // Without a budget the nearest graph's schedule is the best guess there is.
      if (group.isFound || options.seconds <= 0)
        group.chosen = schedule;
      else
        propose(group, schedule);
      report.changed += group.chosen != group.untuned;
    }
    return success();
  }

  void propose(Group &group, Attribute schedule) {
    if (schedule != group.untuned && group.seen.insert(schedule).second)
      group.queue.push_back(schedule);
  }

  void apply(Group &group, Attribute schedule) {
    for (func::FuncOp kernel : group.kernels)
      kernelOp(kernel)->setAttr("schedule", schedule);
  }

  /// The module's text with a schedule for each group.
  std::string textWith(ArrayRef<Attribute> schedules) {
    for (auto [group, schedule] : llvm::zip(groups, schedules))
      apply(group, schedule);
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream, OpPrintingFlags().enableDebugInfo(false));
    return text;
  }
  SmallVector<Attribute> all(Attribute Group::*which) {
    return llvm::map_to_vector(groups, [&](const Group &group) { return group.*which; });
  }

  /// Compiles programs side by side; null where one failed.
  std::vector<std::unique_ptr<CompiledProgram>> compileAll(ArrayRef<SmallVector<Attribute>> rows,
                                                           const MeasureOptions &how) {
    std::vector<std::future<std::pair<std::unique_ptr<CompiledProgram>, std::string>>> running;
    for (ArrayRef<Attribute> row : rows)
      running.push_back(std::async(std::launch::async, [how, text = textWith(row)] {
        std::pair<std::unique_ptr<CompiledProgram>, std::string> made;
        made.first = CompiledProgram::compile(text, how, made.second);
        return made;
      }));
    std::vector<std::unique_ptr<CompiledProgram>> programs;
    for (auto &one : running) {
      auto [program, why] = one.get();
      if (!program)
        say("a candidate does not compile: " + why);
      programs.push_back(std::move(program));
    }
    report.compilations += rows.size();
    return programs;
  }

  /// Adds microseconds of each group, a value for each forward.
  bool timeGroups(Variant &variant, int warmup, int repeats,
                  std::vector<std::vector<double>> &samples, std::string &error) {
    std::vector<std::vector<double>> rows;
    if (!variant.timeCommands(warmup, repeats, rows, error))
      return false;
    samples.resize(groups.size());
    for (const std::vector<double> &row : rows) {
      std::vector<double> sums(groups.size());
      for (auto [name, ms] : llvm::zip(variant.commands(), row))
        if (auto known = groupOfCommand.find(name); known != groupOfCommand.end())
          sums[known->second] += ms * 1000;
      for (auto [group, sum] : llvm::enumerate(sums))
        samples[group].push_back(sum);
    }
    return true;
  }

  LogicalResult measureAll();
  LogicalResult openUntuned();
  void screen();
  bool chooseFinal();
  LogicalResult accept();
  void keep();

  ModuleOp module;
  Workload &workload;
  const TuneOptions &options;
  TuneReport &report;
  std::chrono::steady_clock::time_point start;
  std::vector<Group> groups;
  llvm::StringMap<size_t> groupOfCommand;
  Database database;
  Bench bench;
  std::unique_ptr<CompiledProgram> untunedProgram;
  std::unique_ptr<Variant> untuned;
  Outputs expected;
  double tolerance = 1e-5, roundSeconds = 0;
};

LogicalResult Tuner::openUntuned() {
  std::string error;
  if (!bench.open(options.measure.target, workload, error))
    return fail("gnn-autotune: " + error);
  MeasureOptions how = options.measure;
  how.mode = "default"; // commands are timed one by one
  auto begin = spent();
  untunedProgram = CompiledProgram::compile(textWith(all(&Group::untuned)), how, error);
  ++report.compilations;
  if (!untunedProgram)
    return fail("gnn-autotune: " + error);
  untuned = bench.load(*untunedProgram, error);
  if (!untuned || !untuned->run(expected, error))
    return fail("gnn-autotune: " + error);
  roundSeconds = spent() - begin;
  tolerance = toleranceOf(module, options.measure.products);
  std::string checked = checkAgainstReference(module, workload, bench.bound(), *untunedProgram,
                                              options.measure.weights, expected, tolerance, error);
  if (!error.empty())
    return fail("gnn-autotune: " + error);
  say(checked);
  return success();
}

void Tuner::screen() {
  for (Group &group : groups)
    if (!group.isFound)
      for (Attribute schedule :
           prune(group.tuned, allSchedules(group.tuned), workload.shape(), options.candidates))
        propose(group, schedule);
  unsigned threads = std::clamp(std::thread::hardware_concurrency() / 2, 1u, 8u);
  // Enough time stays for the finalists, the winner's program and their runs.
  auto reserve = [&] {
    return std::clamp(2 * roundSeconds, options.seconds * 0.25, options.seconds * 0.5);
  };
  while (left() > reserve()) {
    std::vector<SmallVector<Attribute>> rows;
    for (unsigned i = 0; i < threads; ++i) {
      bool isNew = false;
      SmallVector<Attribute> row;
      for (Group &group : groups) {
        if (group.queue.empty()) {
          row.push_back(group.measured.empty() ? group.chosen : group.measured.front().schedule);
          continue;
        }
        row.push_back(group.queue.front());
        group.queue.erase(group.queue.begin());
        isNew = true;
      }
      if (isNew)
        rows.push_back(std::move(row));
    }
    if (rows.empty())
      return;
    double begin = spent();
    MeasureOptions how = options.measure;
    how.mode = "default";
    auto programs = compileAll(rows, how);
    for (auto [row, program] : llvm::zip(rows, programs)) {
      std::string error;
      std::vector<std::vector<double>> samples;
      auto variant = program && left() > 0 ? bench.load(*program, error) : nullptr;
      if (!variant || !timeGroups(*variant, 1, 5, samples, error)) {
        if (!error.empty())
          say("a candidate is left out: " + error);
        continue;
      }
      for (auto [group, schedule, times] : llvm::zip(groups, row, samples)) {
        Attribute tried = schedule;
        bool isKnown = llvm::any_of(group.measured,
                                    [tried](const Sample &one) { return one.schedule == tried; });
        if (group.isFound || isKnown || tried == group.untuned)
          continue;
        group.measured.push_back({Times::of(times).median, group.measured.size(), tried});
        ++report.measured;
      }
    }
    for (Group &group : groups) {
      std::sort(group.measured.begin(), group.measured.end());
      if (group.queue.empty() && !group.measured.empty())
        for (Attribute near : neighbours(group.tuned, group.measured.front().schedule))
          propose(group, near);
    }
    roundSeconds = (spent() - begin) / rows.size();
    say(llvm::formatv("{0} candidates measured, {1:f1} s of {2:f1} s", report.measured, spent(),
                      options.seconds)
            .str());
  }
}

/// Measures the best of each group turn by turn; false when there was no time for it.
bool Tuner::chooseFinal() {
  std::vector<SmallVector<Attribute>> rows;
  for (size_t rank = 0; rank < kFinalists; ++rank)
    rows.push_back(llvm::map_to_vector(groups, [&](const Group &group) {
      return group.measured.empty()
                 ? group.chosen
                 : group.measured[std::min(rank, group.measured.size() - 1)].schedule;
    }));
  MeasureOptions how = options.measure;
  how.mode = "default";
  auto programs = compileAll(rows, how);
  std::vector<std::unique_ptr<Variant>> variants(kFinalists);
  for (size_t i = 0; i < variants.size(); ++i) {
    std::string error;
    Outputs outputs;
    if (!programs[i] || left() <= 0)
      continue;
    variants[i] = bench.load(*programs[i], error);
    if (variants[i] && !variants[i]->run(outputs, error))
      variants[i] = nullptr;
    double apart = variants[i] ? difference(outputs, expected) : 0;
    if (!error.empty() || !(apart <= tolerance)) {
      say("finalists are left out: " +
          (error.empty() ? llvm::formatv("the output differs by {0:e1}", apart).str() : error));
      variants[i] = nullptr;
    }
  }
  std::vector<std::vector<double>> base;
  std::vector<std::vector<std::vector<double>>> samples(kFinalists);
  for (int turn = 0; turn < 8 && (turn < 2 || left() > roundSeconds); ++turn) {
    std::string error;
    if (!timeGroups(*untuned, 1, 3, base, error))
      return false;
    for (auto [variant, times] : llvm::zip(variants, samples))
      if (variant && !timeGroups(*variant, 1, 3, times, error))
        variant = nullptr;
  }
  for (size_t g = 0; g < groups.size(); ++g) {
    Group &group = groups[g];
    Times old = Times::of(base[g]);
    if (group.isFound)
      continue;
    group.us = group.untunedUs = group.bestUs = old.median;
    for (size_t i = 0; i < variants.size(); ++i) {
      if (!variants[i])
        continue;
      Times now = Times::of(samples[i][g]);
      group.bestUs = std::min(group.bestUs, now.median);
      if (now.q3 < old.q1 && now.median < group.us) {
        group.us = now.median;
        group.chosen = rows[i][g];
      }
    }
    say(llvm::formatv("{0} ({1}): {2:f1} us, untuned {3:f1} us{4}", group.signature.about,
                      group.kernels.size() == 1 ? group.kernels.front().getName().str()
                                                : std::to_string(group.kernels.size()) + " kernels",
                      group.us, group.untunedUs,
                      group.chosen == group.untuned ? ", nothing faster beyond noise" : "")
            .str());
  }
  return true;
}

/// The whole program of the winners: same output, and not slower.
LogicalResult Tuner::accept() {
  bool isSame = llvm::all_of(groups, [](const Group &g) { return g.chosen == g.untuned; });
  bool replays = options.measure.mode != "default" && options.measure.target == "cuda" &&
                 options.measure.mode != "max-autotune-no-cudagraphs";
  std::vector<SmallVector<Attribute>> rows;
  if (!isSame)
    rows.push_back(all(&Group::chosen));
  if (replays)
    rows.push_back(all(&Group::untuned));
  auto programs = compileAll(rows, options.measure);
  std::vector<std::unique_ptr<Variant>> variants;
  auto revert = [&](const std::string &why) {
    say("the untuned schedules are kept: " + why);
    for (Group &group : groups)
      if (!group.isFound) {
        group.chosen = group.untuned;
        group.us = group.untunedUs;
      }
    return success();
  };
  for (auto &program : programs) {
    std::string error = "the tuned program does not compile";
    variants.push_back(program ? bench.load(*program, error) : nullptr);
    if (!variants.back())
      return revert(error);
  }
  Variant &old = replays ? *variants.back() : *untuned;
  Variant &now = isSame ? old : *variants.front();
  std::string error;
  Outputs outputs;
  if (!now.run(outputs, error))
    return revert(error);
  double apart = difference(outputs, expected);
  if (!(apart <= tolerance))
    return revert(llvm::formatv("the tuned output differs by {0:e1} of the largest, {1:e1} is "
                                "allowed",
                                apart, tolerance)
                      .str());
  std::vector<double> before, after, probe;
  if (!old.timeForwards(2, 1, 1, probe, error))
    return revert(error);
  int inner = std::clamp(static_cast<int>(1 / std::max(probe.front(), 1e-3)), 1, 50);
  for (int turn = 0; turn < 6; ++turn)
    if (!old.timeForwards(1, 3, inner, before, error) ||
        (!isSame && !now.timeForwards(1, 3, inner, after, error)))
      return revert(error);
  Times oldTimes = Times::of(before), newTimes = isSame ? oldTimes : Times::of(after);
  report.untunedMs = oldTimes.median;
  report.tunedMs = newTimes.median;
  // The kernels won beyond noise one by one; in a forward that products fill, that can be less
  // than its noise. Together they must not be slower.
  if (!isSame && newTimes.median > oldTimes.q3) {
    std::string why = llvm::formatv("the whole forward takes {0:f4} ms, untuned {1:f4} ms",
                                    report.tunedMs, report.untunedMs);
    report.tunedMs = report.untunedMs;
    return revert(why);
  }
  return success();
}

/// Writes what was found to the database.
void Tuner::keep() {
  if (options.database.empty())
    return;
  std::vector<Entry> entries;
  for (const Group &group : groups) {
    if (group.isFound || group.measured.empty())
      continue;
    std::string choice;
    llvm::raw_string_ostream stream(choice);
    group.chosen.print(stream);
    entries.push_back({group.signature.key, group.signature.about, options.measure.chip,
                       workload.shape(), choice, group.us, group.untunedUs, group.bestUs,
                       static_cast<std::int64_t>(group.measured.size()), GNNC_VERSION});
  }
  std::string warning, error;
  // What was tuned is right all the same.
  if (!Database::save(options.database, entries, warning, error))
    options.warn("the results are not kept: " + error);
  else if (!warning.empty())
    options.warn(warning);
}

LogicalResult Tuner::measureAll() {
  if (failed(openUntuned()))
    return failure();
  screen();
  bool isMeasured = llvm::any_of(groups, [](const Group &g) { return !g.measured.empty(); });
  if (!isMeasured || left() <= 0 || !chooseFinal()) {
    say(llvm::formatv("the budget of {0} s is over before candidates could be compared; the "
                      "untuned schedules are kept",
                      options.seconds));
    return success();
  }
  if (failed(accept()))
    return failure();
  report.changed = llvm::count_if(groups, [](const Group &g) { return g.chosen != g.untuned; });
  keep();
  return success();
}

} // namespace

LogicalResult tune::tuneSchedules(ModuleOp module, Workload &workload, const TuneOptions &options,
                                  TuneReport &report) {
  return Tuner(module, workload, options, report).run();
}
