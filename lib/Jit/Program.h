//===- Program.h - A program that is compiled when a graph asks for it ----===//
//
// Input: a compiler, how dynamic the program is to be, counts of graphs. Output: an
// executable for each, compiled at most once for one shape and kept, so that the same
// shape finds it again; of those that are kept the one that was not used for longest
// goes first. Sees no MLIR: the compiler is a function (InProcess.h is one).
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_JIT_PROGRAM_H
#define GNNC_LIB_JIT_PROGRAM_H

#include "gnnc/gnnc.hpp"
#include "lib/Jit/ShapePolicy.h"

#include <functional>
#include <list>
#include <mutex>

namespace gnnc::jit {

/// Writes an artefact for graphs of `shape` (-1: a run-time value) to the file `output`.
/// Returns false with one line in `error`. Called from any thread, from several at once.
using Compiler =
    std::function<bool(const ShapeOptions &shape, const std::string &output, std::string &error)>;

struct Options : DynamicOptions {
  std::string device = "cpu"; ///< as gnnc_device_open takes it
  std::size_t keep = 64;      ///< executables; at least 1
};

/// What happened so far. Each graph that is asked for is a hit or a miss.
struct Counters {
  std::int64_t compilations = 0, hits = 0, misses = 0;
  std::int64_t evictions = 0; ///< executables that went because there were too many
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
  /// for the same shape. What failed is compiled again when it is asked for again.
  Result<std::shared_ptr<const Executable>> executableFor(const ShapeOptions &counts);

  Counters counters() const;

private:
  struct Entry {
    ShapeOptions shape;
    std::mutex compiles;
    std::shared_ptr<const Executable> executable;
  };
  using Entries = std::list<std::shared_ptr<Entry>>;

  Program(Device device, Compiler compiler, const Options &options, std::string folder);
  std::shared_ptr<Entry> entryFor(const ShapeOptions &counts);
  Entries::iterator forget(Entries::iterator entry);
  Result<std::shared_ptr<const Executable>> compile(Entry &entry);

  Device device;
  Compiler compiler;
  const std::size_t keep;
  const std::string folder; ///< for artefacts between compiler and runtime

  mutable std::mutex mutex; ///< of all below
  ShapePolicy policy;
  Entries entries; ///< the one used last is first
  Counters counted;
  std::int64_t artefacts = 0;
};

} // namespace gnnc::jit

#endif // GNNC_LIB_JIT_PROGRAM_H
