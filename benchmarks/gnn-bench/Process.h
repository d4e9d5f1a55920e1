//===- Process.h - Other programs: find them, run them, time them ---------===//
//
// Input: a program's name and arguments. Output: its wall time and what it
// printed. The compiler runs as a process of its own, as users run it, so that its time
// includes everything they wait for.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_PROCESS_H
#define GNNC_BENCHMARKS_GNN_BENCH_PROCESS_H

#include "lib/Jit/RunProcess.h"

#include <string>
#include <vector>

namespace gnnc::bench {

/// Folder of the running program.
std::string programFolder();

/// The first of `folders` (relative ones: from the program's folder) that holds
/// `name`, and `name` in it; the plain name if none does.
std::string findBeside(const std::string &name, const std::vector<std::string> &folders);

/// Runs a program to its end; throws Failure if it cannot be started.
ProcessResult runProcess(const std::vector<std::string> &arguments);

/// As runProcess; throws Failure with its last line when it fails.
ProcessResult mustRun(const std::vector<std::string> &arguments);

/// A folder under the system's temporary one, removed at the end.
class ScratchFolder {
public:
  ScratchFolder();
  /// The one of this name, without what a run that was killed left in it. Throws Failure.
  explicit ScratchFolder(const std::string &path);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  std::string file(const std::string &name) const { return path + "/" + name; }

private:
  std::string path;
};

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_PROCESS_H
