//===- CheckOptions.cpp - Whether options of a compilation go together ----===//
#include "lib/Driver/Compile.h"

#include <initializer_list>

using namespace gnnc;

static bool oneOf(const char *flag, const std::string &value,
                  std::initializer_list<const char *> known, std::string &error) {
  std::string list;
  for (const char *name : known) {
    if (value == name)
      return true;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  error = std::string(flag) + " is one of " + list + "; found '" + value + "'";
  return false;
}

bool gnnc::checkOptions(const CompileOptions &options, std::string &error) {
  if (!oneOf("--target", options.target, {"cpu", "cuda"}, error) ||
      !oneOf("--mode", options.mode,
             {"default", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune"}, error) ||
      !oneOf("--dynamic", options.dynamic, {"true", "false"}, error) ||
      !oneOf("--precision", options.precision, {"fp32x3", "fp32", "tf32", "bf16", "f16"}, error) ||
      !oneOf("--index", options.index, {"i32", "i64"}, error) ||
      !oneOf("--order", options.order, {"auto", "transform-first", "aggregate-first"}, error) ||
      !oneOf("--self-loops", options.selfLoops, {"marked", "all", "none"}, error) ||
      !oneOf("--normalize", options.normalize, {"marked", "symmetric", "row", "none"}, error) ||
      !oneOf("--fixes", options.fixes, {"on", "off"}, error) ||
      !oneOf("--emit", options.emit, {"gnnx", "program", "kernels", "plan", "llvm", "ptx"}, error))
    return false;
  if (options.tunes() && options.graph.empty()) {
    error = "--mode " + options.mode + " measures on a graph; name its file with --graph";
    return false;
  }
  if (!options.tunes() && !options.tuning.database.empty()) {
    error = "--tuning-db keeps what a max-autotune mode measured, found --mode " + options.mode;
    return false;
  }
  if (options.dynamic != "false" && !options.tunes() && !options.graph.empty()) {
    error = "--graph is of use with --dynamic false or a max-autotune mode, found --dynamic " +
            options.dynamic + " --mode " + options.mode;
    return false;
  }
  if ((options.dynamic == "false") != options.shape.any()) {
    error = options.shape.any()
                ? "--nodes and --edges are of use with --dynamic false, found --dynamic " +
                      options.dynamic
                : "--dynamic false makes the extents of a graph constants; name its file with "
                  "--graph, and not all of them with --keep-dynamic, or give --nodes or --edges";
    return false;
  }
  if (options.emit == "ptx" && options.target != "cuda") {
    error = "--emit ptx needs --target cuda, found --target " + options.target;
    return false;
  }
  const std::string &explain = options.explain.format;
  if (!explain.empty()) {
    if (!oneOf("--explain", explain, {"text", "json"}, error))
      return false;
    if (options.emit == "program" || options.emit == "kernels") {
      error = "--explain reads the plan, which --emit " + options.emit +
              " stops before; use --emit gnnx, plan, llvm or ptx";
      return false;
    }
    auto isStdout = [](const std::string &path) { return path.empty() || path == "-"; };
    if (options.emit != "gnnx" && isStdout(options.output) && isStdout(options.explain.output)) {
      error = "--explain and --emit " + options.emit +
              " would both go to standard output; name a file with --explain-output or -o";
      return false;
    }
  }
  return true;
}
