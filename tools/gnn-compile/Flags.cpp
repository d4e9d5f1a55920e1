//===- Flags.cpp - The command line of gnn-compile ------------------------===//
#include "tools/gnn-compile/Flags.h"

#include "tools/CommandLine.h"
#include "tools/gnn-compile/ExplainFlags.h"
#include "tools/gnn-compile/ShapeFlags.h"

#include <charconv>
#include <cmath>

using namespace gnnc::tools;

/// "10s", "500ms", "2m" or a number of seconds, not negative.
static bool readSeconds(const std::string &text, double &seconds) {
  const char *end = text.data() + text.size();
  auto [unit, code] = std::from_chars(text.data(), end, seconds);
  std::string name(unit, end);
  double scale = name == "ms" ? 1e-3 : name == "m" ? 60 : 1;
  seconds *= scale;
  return code == std::errc() && (name.empty() || name == "s" || name == "ms" || name == "m") &&
         std::isfinite(seconds) && seconds >= 0;
}

std::optional<int> gnnc::tools::readFlags(int argc, char **argv, gnnc::CompileOptions &options,
                                          bool &timing) {
  bool noCubin = false;
  std::uint64_t cacheMib = 256;
  std::string budget = "10s";
  CLI::App app{"Compiles a graph neural network program to an artefact that the gnnc runtime "
               "executes.",
               "gnn-compile"};
  app.footer("Examples:\n"
             "  gnn-compile gcn.mlir --weights w.safetensors -o gcn.gnnx\n"
             "  gnn-compile gcn.mlir --weights w.safetensors --target cuda --chip sm_90 "
             "--mode reduce-overhead -o gcn.gnnx\n"
             "  gnn-compile gcn.mlir --weights w.safetensors --dynamic false --graph "
             "cora.safetensors.gz -o cora.gnnx\n"
             "  gnn-compile gcn.mlir --weights w.safetensors --dynamic auto --graph monday.mtx "
             "--graph tuesday.mtx -o gcn.gnnx\n"
             "  gnn-compile gcn.mlir --weights w.safetensors --target cuda --mode max-autotune "
             "--graph cora.safetensors.gz --budget 10s --tuning-db tuned.json -o gcn.gnnx\n"
             "  gnn-compile gcn.mlir --emit kernels        print the scheduled kernels\n"
             "  gnn-compile gcn.mlir --target cuda --emit ptx\n"
             "  gnn-compile gcn.mlir --explain --explain-graph cora.safetensors.gz\n"
             "Exit codes: 0 done, 1 the input is wrong or the work failed, 2 wrong usage.");
  app.add_option("program", options.input, "program (.mlir), - for standard input")->required();
  app.add_option("-w,--weights", options.weights, "safetensors file with the program's weights");
  app.add_option("-o,--output", options.output, "artefact (.gnnx); text stages: - for stdout");
  app.add_option("-t,--target", options.target, "cpu or cuda")->capture_default_str();
  app.add_option("--chip", options.chip,
                 "sm_90 and the like, or x86-64-v2, x86-64-v3, x86-64-v4, generic; default: this "
                 "machine's processor, sm_90 for cuda");
  app.add_option("--mode", options.mode,
                 "default; reduce-overhead: the whole forward as one cudaGraph; "
                 "max-autotune-no-cudagraphs: schedules measured on --graph; max-autotune: both")
      ->capture_default_str();
  gnnc::tools::ShapeFlags shape;
  shape.addTo(app);
  app.add_option("--budget", budget,
                 "time that measuring may take: 10s, 500ms, 2m; 0s takes what "
                 "--tuning-db has and measures nothing")
      ->capture_default_str();
  app.add_option("--tuning-db", options.tuning.database,
                 "file that keeps what was measured, for this graph and those like it "
                 "(docs/tuning.md)");
  app.add_flag("--quiet", options.tuning.quiet, "no progress of tuning on standard error");
  app.add_option(
         "--precision", options.precision,
         "fp32x3: every tensor as the program has it, large f32 products on cuda from bf16 parts "
         "with an error within 1e-5; fp32: products without Tensor Cores; tf32: products with 10 "
         "bits of mantissa; bf16, f16: keep f32 tensors in memory so, compute in fp32")
      ->capture_default_str();
  app.add_option("--index", options.index,
                 "index type of prepared graphs: i32 (checked when a graph is bound) or i64")
      ->capture_default_str();
  app.add_option("--order", options.order, "auto, transform-first A(XW) or aggregate-first (AX)W")
      ->capture_default_str();
  app.add_option("--self-loops", options.selfLoops,
                 "marked: graphs whose program asks for loops (gnn.self_loops); all: others too; "
                 "none")
      ->capture_default_str();
  app.add_option("--normalize", options.normalize,
                 "marked: what the program asks for (gnn.normalize); symmetric, row or none: that "
                 "instead")
      ->capture_default_str();
  app.add_option("--fixes", options.fixes,
                 "on: loops and norms that the program asks for are added once per graph; off: by "
                 "each layer, as a front end does that fixes nothing at load")
      ->capture_default_str();
  app.add_flag("--loop-edges", options.loopEdges,
               "store added self loops as edges instead of adding what they send per node");
  app.add_option("--schedule", options.schedules,
                 "fields of kernels' schedules by hand, KERNEL:field=value:..., KERNEL with * for "
                 "several (repeatable): agg_*:chunk=64:group=16; --emit kernels shows them")
      ->allow_extra_args(false);
  app.add_option("--emit", options.emit,
                 "gnnx, or the text of a stage: program, kernels, plan, llvm, ptx")
      ->capture_default_str();
  app.add_option("--print-ir-after", options.printIr,
                 "print the IR to stderr after this pass (gnn-fuse-aggregate, ...) or all");
  app.add_flag("--no-cubin", noCubin, "leave PTX to the driver even where ptxas is at hand");
  gnnc::tools::ExplainFlags explain;
  explain.addTo(app);
  app.add_flag("--timing", timing, "print where the time went, and what the cache did");
  app.add_option(
         "--cache-dir", options.cache.folder,
         "folder that compiled programs are kept in and taken from (docs/compile-cache.md); "
         "default: none")
      ->envname("GNNC_CACHE_DIR");
  app.add_option("--cache-mib", cacheMib, "bound of that folder; what was used longest ago goes")
      ->envname("GNNC_CACHE_MIB")
      ->check(CLI::Range(std::uint64_t(1), std::uint64_t(1) << 20))
      ->capture_default_str();
  if (std::optional<int> code = gnnc::tools::parseCommandLine(app, argc, argv))
    return code;
  options.cubin = !noCubin;
  options.cache.maxBytes = cacheMib << 20;
  if (!readSeconds(budget, options.tuning.seconds)) {
    std::fprintf(stderr,
                 "gnn-compile: --budget is a time such as 10s, 500ms or 2m, found '%s'; see "
                 "gnn-compile --help\n",
                 budget.c_str());
    return 2;
  }
  if (auto code = explain.read(options.explain))
    return code;
  if (options.emit == "gnnx" && options.output.empty() && !explain.isAsked()) {
    std::fprintf(stderr, "gnn-compile: -o is required: the artefact to write\n");
    return 2;
  }
  if (auto code = shape.read(options))
    return code;
  std::string error;
  if (!gnnc::checkOptions(options, error)) {
    std::fprintf(stderr, "gnn-compile: %s; see gnn-compile --help\n", error.c_str());
    return 2;
  }
  std::vector<std::string> read = shape.graphs();
  read.insert(read.end(), {options.input, options.weights, explain.graph()});
  if (auto code = gnnc::tools::refuseOverwriting(
          "gnn-compile", read, {options.output, options.explain.output, options.tuning.database}))
    return code;
  return std::nullopt;
}
