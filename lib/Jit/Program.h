//===- Program.h - A program that is compiled when a graph asks for it ----===//
//
// Input: a compiler, how dynamic the program is to be, counts of graphs. Output: an
// executable for each, compiled at most once for one shape and kept, so that the same
// shape finds it again; of those that are kept the one that was not used for longest
// goes first. In the background if asked: until a shape's own executable is there, that
// of the program whose counts are run-time values stands in for it. Sees no MLIR: the
// compiler is a function (InProcess.h is one).
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_JIT_PROGRAM_H
#define GNNC_LIB_JIT_PROGRAM_H

#include "gnnc/gnnc.hpp"
#include "lib/Jit/Background.h"
#include "lib/Jit/GuardTally.h"
#include "lib/Jit/ShapePolicy.h"

#include <functional>
#include <list>
#include <mutex>

namespace gnnc::jit {

/// How an artefact came to be.
struct Compiled {
  bool isFromDisk = false; ///< nothing was compiled
  std::int64_t tuningRuns = 0;
};

/// Writes an artefact for graphs of `shape` (-1: a run-time value) to the file `output`.
/// Called from any thread, from several at once; does not throw.
using Compiler =
    std::function<Result<Compiled>(const ShapeOptions &shape, const std::string &output)>;

struct Options : DynamicOptions {
  std::string device = "cpu"; ///< as gnnc_device_open takes it
  /// Executables, at least 1; beside them the one all of whose counts are run-time values.
  std::size_t keep = 64;
  /// How many shapes are compiled at a time while graphs go on; 0: a graph waits for its own.
  std::size_t background = 0;
};

/// What happened so far. Each graph that is asked for is a hit or a miss. Each miss, and the
/// first that needs a stand-in, is a compilation, a disk hit or a failure; or it was dropped
/// before its turn in the background came.
struct Counters {
  std::int64_t compilations = 0;
  std::int64_t diskHits = 0;   ///< artefacts that the compiler found on disk
  std::int64_t tuningRuns = 0; ///< candidates that it measured
  std::int64_t hits = 0, misses = 0;
  std::int64_t evictions = 0; ///< executables that went because there were too many
  std::int64_t standIns = 0;  ///< graphs whose own executable was not there yet
  std::int64_t failures = 0;  ///< of compiling and loading, in the background or not
  std::int64_t guardFailures = 0;
  double compileMs = 0; ///< with loading
};

/// Thread safe. Sessions keep it alive.
class Program {
public:
  static Result<std::shared_ptr<Program>> create(Compiler compiler, const Options &options);
  ~Program();
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  /// The executable for a graph of these counts. It waits where another thread compiles
  /// for the same shape. What failed is compiled again when it is asked for again, but
  /// not in the background: there the stand-in stays.
  Result<std::shared_ptr<const Executable>> executableFor(const ShapeOptions &counts);

  /// Waits for all that is compiled in the background.
  void finishBackground();
  /// Why something could not be compiled in the background, the last time; else empty.
  std::string backgroundFailure() const;

  Counters counters() const;
  /// Those that failed, in executables that went too.
  std::vector<GuardFailure> failedGuards() const { return tally->failures(); }

private:
  struct Entry {
    ShapeOptions shape;
    std::mutex compiles;
    std::shared_ptr<const Executable> executable; ///< with `mutex` held; set once
  };
  using Entries = std::list<std::shared_ptr<Entry>>;

  Program(Device device, Compiler compiler, const Options &options, std::string folder);
  std::shared_ptr<Entry> entryFor(const ShapeOptions &counts, bool &isNew);
  Result<std::shared_ptr<const Executable>> waitFor(const std::shared_ptr<Entry> &entry);
  Result<std::shared_ptr<const Executable>> standInFor(const std::shared_ptr<Entry> &entry,
                                                       bool isNew);
  void compileLater(const std::shared_ptr<Entry> &entry);
  Result<std::shared_ptr<const Executable>> compile(Entry &entry);

  Device device;
  Compiler compiler;
  const std::size_t keep;
  const std::string folder; ///< for artefacts between compiler and runtime
  const std::shared_ptr<GuardTally> tally = std::make_shared<GuardTally>();

  mutable std::mutex mutex; ///< of all below
  ShapePolicy policy;
  Entries entries;                 ///< the one used last is first
  std::shared_ptr<Entry> symbolic; ///< every count is a run-time value
  bool hasAskedSymbolic = false;   ///< by a graph whose own it is, and it did not fail
  Counters counted;
  std::int64_t artefacts = 0;
  std::string failure; ///< in the background

  std::optional<Background> background; ///< its threads use all of the above
};

} // namespace gnnc::jit

#endif // GNNC_LIB_JIT_PROGRAM_H
