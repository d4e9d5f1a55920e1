//===- Measure.h - Variants of a program, compiled and run ----------------===//
//
// In:  kernel functions with schedules (what gnn-assign-schedules leaves). Out: a
// session on the device and times of its commands, or of whole forwards.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_TUNE_MEASURE_H
#define GNNC_LIB_TUNE_MEASURE_H

#include "lib/Tune/Workload.h"
#include "mlir/IR/BuiltinOps.h"

namespace gnnc::tune {

/// How a program is compiled behind its kernels, and where it runs.
struct MeasureOptions {
  std::string target, chip, weights;
  std::string products = "fp32x3", mode = "default", dynamic = "true";
  bool cubin = true;
};

/// Quartiles of some times.
struct Times {
  double q1 = 0, median = 0, q3 = 0;
  static Times of(std::vector<double> samples);
};

/// A compiled program in a file that goes when this does.
class CompiledProgram {
public:
  ~CompiledProgram();
  const std::string &path() const { return file; }
  const format::Plan &plan() const { return programPlan; }

  /// Compiles `text`, the IR of a module, in a context of its own: may be called from
  /// several threads. Null with one line in `error`.
  static std::unique_ptr<CompiledProgram>
  compile(const std::string &text, const MeasureOptions &options, std::string &error);

private:
  std::string file;
  format::Plan programPlan;
};

/// Outputs of one forward, on the host.
using Outputs = std::vector<format::Tensor>;

/// A compiled program bound to the workload's graph.
class Variant {
public:
  /// One row of milliseconds for each of `repeats` forwards; their columns are
  /// commands().
  bool timeCommands(int warmup, int repeats, std::vector<std::vector<double>> &rows,
                    std::string &error);
  /// Milliseconds of whole forwards as the program's mode runs them.
  bool timeForwards(int warmup, int repeats, int inner, std::vector<double> &samples,
                    std::string &error);
  bool run(Outputs &outputs, std::string &error);
  const std::vector<std::string> &commands() const { return names; }

private:
  friend class Bench;
  std::optional<gnnc::Executable> executable;
  std::optional<gnnc::Session> session;
  std::vector<std::string> names, outputNames;
  const BoundWorkload *workload = nullptr;
};

/// The device and the workload, opened once.
class Bench {
public:
  /// False with one line.
  bool open(const std::string &target, Workload &workload, std::string &error);
  std::unique_ptr<Variant> load(const CompiledProgram &program, std::string &error);
  /// After the first load.
  const BoundWorkload &bound() const { return inputs; }

private:
  std::optional<gnnc::Device> device;
  Workload *workload = nullptr;
  BoundWorkload inputs;
};

/// The largest difference of two forwards' outputs as a share of the largest value;
/// infinite where they differ in names, shapes or NaNs.
double difference(const Outputs &a, const Outputs &b);

} // namespace gnnc::tune

#endif // GNNC_LIB_TUNE_MEASURE_H
