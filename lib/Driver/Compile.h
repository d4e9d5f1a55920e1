//===- Compile.h - From a program file to an artefact ---------------------===//
//
// The compiler behind one call, without MLIR in its interface: tools and
// benchmarks include this and nothing else of the compiler. Thread safe: a call
// has its own context.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_DRIVER_COMPILE_H
#define GNNC_LIB_DRIVER_COMPILE_H

#include "lib/Tune/OpenWorkload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gnnc {

/// What is printed about a compilation; nothing when `format` is empty.
struct ExplainOptions {
  std::string format;       ///< "" | text | json
  std::string output = "-"; ///< file, "-": standard output
  /// The graph that formulas are evaluated for; -1: not known.
  std::int64_t dst = -1, src = -1, edges = -1;
  std::int64_t loopEdges = -1; ///< edges from a node to itself
  /// Limits in place of those of the chip; 0: the chip's.
  double memoryGbS = 0, cacheGbS = 0, gflopS = 0, tensorGflopS = 0, launchUs = 0;
};

/// Extents of the graph that become constants; -1: a run-time value.
struct ShapeOptions {
  std::int64_t dst = -1, src = -1, edges = -1;
  bool any() const { return dst >= 0 || src >= 0 || edges >= 0; }
  bool operator==(const ShapeOptions &) const = default;
};

/// How the modes max-autotune and max-autotune-no-cudagraphs measure.
struct TuningOptions {
  std::string database; ///< file that keeps results; empty: none
  double seconds = 10;  ///< budget; 0: take what the database has, measure nothing
  bool quiet = false;
  tune::OpenWorkload open; ///< reads the graph file; the tools' part
};

/// Compiled programs are kept in a folder and taken from there (docs/compile-cache.md).
struct CacheOptions {
  std::string folder; ///< empty: no cache
  std::uint64_t maxBytes = std::uint64_t(256) << 20;
};

struct CompileOptions {
  std::string input;          ///< program, .mlir; "-" for standard input
  std::string weights;        ///< safetensors; empty when the program has none
  std::string output;         ///< .gnnx, or text for the other `emit`s ("-": stdout)
  std::string target = "cpu"; ///< cpu | cuda
  std::string chip;           ///< empty: this machine's (cpu), sm_90 (cuda)
  /// default | reduce-overhead | max-autotune-no-cudagraphs | max-autotune
  std::string mode = "default";
  std::string dynamic = "true"; ///< true: one artefact for every graph | false: for `shape` alone
  std::string graph;            ///< graph file that `shape` is of and the max-autotune modes use
  ShapeOptions shape;
  /// fp32x3: f32 products may run on Tensor Cores within 1e-5 | fp32: they do not | tf32: they
  /// round their operands | bf16, f16: f32 stored in 16 bits
  std::string precision = "fp32x3";
  std::string index = "i32";        ///< of csr graphs: i32 | i64
  std::string order = "auto";       ///< auto | transform-first | aggregate-first
  unsigned maxResults = 4;          ///< of aggregates that share a traversal
  std::string selfLoops = "marked"; ///< marked | all | none
  std::string normalize = "marked"; ///< marked | symmetric | row | none
  std::string fixes = "on";         ///< on: loops and norm once per graph | off: each layer its own
  bool loopEdges = false;           ///< added self loops are stored as edges, never virtual
  std::vector<std::string> schedules; ///< KERNEL:field=value:..., in place of what is chosen
  std::string emit = "gnnx";          ///< gnnx | program | kernels | plan | llvm | ptx
  bool cubin = true;                  ///< assemble PTX where a toolkit is at hand
  std::string printIr;                ///< pass after which to print IR to stderr, or "all"
  /// With emit gnnx and no output, all that is done is to explain.
  ExplainOptions explain;
  TuningOptions tuning;
  CacheOptions cache;

  bool tunes() const { return mode.starts_with("max-autotune"); }
};

struct CompileReport {
  double parseMs = 0, passesMs = 0, codegenMs = 0, writeMs = 0, totalMs = 0;
  std::string chip;
  std::string warning;         ///< one line about what was given but not read; mostly empty
  std::string code;            ///< "host.so", "sm_90.cubin", "sm_90.ptx"
  std::int64_t tuningRuns = 0; ///< candidates that a max-autotune mode measured
  std::string cache;           ///< hit | miss; empty: not asked
  std::string cacheProblem;    ///< one line about a cache that is of no use; mostly empty
};

/// Whether every option has one of its values; `error` names the flag and them.
bool checkOptions(const CompileOptions &options, std::string &error);

/// Compiles; on failure returns false with one line in `error` that names file
/// and place, and leaves no output file behind.
bool compile(const CompileOptions &options, CompileReport &report, std::string &error);

} // namespace gnnc

#endif // GNNC_LIB_DRIVER_COMPILE_H
