//===- StudyChild.h - A program that may hang, crash or fill memory -------===//
//
// Input: a command and how long it may take. Output: how it ended and what it printed.
// It runs in a process group of its own, which is killed when its time is over and when
// this program dies, however that happens; where memory runs out it goes first.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_STUDYCHILD_H
#define GNNC_BENCHMARKS_GNN_BENCH_STUDYCHILD_H

#include <exception>
#include <string>
#include <vector>

namespace gnnc::bench {

struct ChildResult {
  bool started = true, timedOut = false;
  int exitCode = 0, signal = 0; ///< signal of 0: it ended by itself
  double seconds = 0;
  std::string output; ///< the end of standard output and error

  /// Last line of the output that says something; empty if there is none.
  std::string lastWord() const;
};

/// What runChild throws when SIGINT, SIGTERM or SIGHUP asks this program to end.
struct Interrupted : std::exception {
  const char *what() const noexcept override { return "stopped by a signal"; }
};

/// From now on those signals end the child, by Interrupted, instead of this program.
void catchSignals();

/// Throws Failure where no process can be made; a command that is missing is not `started`.
ChildResult runChild(const std::vector<std::string> &command, double seconds);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_STUDYCHILD_H
