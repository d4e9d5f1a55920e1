//===- gnn-run.cpp - Execute an artefact or a program on graph files ------===//
//
// Load, or compile as graphs need it, then for each graph bind, run once, write the outputs; on
// request time it, profile it and print what it took.
//
//===----------------------------------------------------------------------===//
#include "gnnc/gnnc.hpp"
#include "runtime/format/Artifact.h"
#include "runtime/format/Floats.h"
#include "runtime/format/Guards.h"
#include "tools/CommandLine.h"
#include "tools/gnn-run/Report.h"
#include "tools/gnn-run/Runnable.h"
#include "tools/graph/BindGraph.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace gnnc;
using tools::GraphFile;
using Clock = std::chrono::steady_clock;

namespace {

struct Options {
  std::string artifact, device, profile, stats;
  tools::ProgramOptions program;            ///< in place of an artefact: how it is compiled
  std::vector<std::string> graphs, outputs; ///< no output, or one for each graph
  int repeat = 0, warmup = 10, inner = 1;
  bool printPlan = false, printGuards = false, accuracy = false;

  bool isProgram() const { return artifact.ends_with(".mlir"); }
};

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

int fail(const std::string &message) {
  std::fprintf(stderr, "gnn-run: %s\n", message.c_str());
  return 1;
}

/// Share of nodes of test_mask whose largest output is at `y`.
std::optional<double> accuracyOf(const GraphFile &graph, const format::Tensor &given) {
  format::Tensor out;
  if (std::string error; !format::convertTensor(given, format::DType::F32, out, error))
    return std::nullopt;
  const format::Tensor *y = graph.file.find("y"), *mask = graph.file.find("test_mask");
  if (!y || !mask || y->dtype != format::DType::I64 || out.shape.size() != 2 ||
      y->elements() != out.shape[0] || sizeOf(mask->dtype) != 1 || mask->elements() != out.shape[0])
    return std::nullopt;
  std::int64_t right = 0, all = 0, classes = out.shape[1];
  for (std::int64_t v = 0; v < out.shape[0]; ++v) {
    if (!mask->as<std::uint8_t>()[v])
      continue;
    const float *row = out.as<float>() + v * classes;
    ++all;
    right += classes > 0 && std::max_element(row, row + classes) - row == y->as<std::int64_t>()[v];
  }
  if (all == 0)
    return std::nullopt;
  return static_cast<double>(right) / static_cast<double>(all);
}

bool writeStats(const std::string &where, const tools::RunReport &report, std::string &error) {
  if (where == "json" || where == "text") {
    std::string text = where == "json" ? jsonOf(report) : textOf(report);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return true;
  }
  std::string text = jsonOf(report);
  format::Piece piece{text.data(), text.size()};
  return format::writeFile(where, &piece, 1, error);
}

/// `output` empty: writes none. The last graph has the report.
int runOn(const std::string &path, const std::string &output, const Options &options, bool isLast,
          tools::Runnable &runnable) {
  std::string error;
  tools::RunReport report;
  auto start = Clock::now();
  GraphFile file;
  if (!tools::readGraph(path, file, error))
    return fail(error);
  report.readMs = since(start);
  auto bound = runnable.bind(file);
  if (!bound)
    return fail(bound.error().message);
  Session *session = *bound;
  const format::Plan &plan = runnable.plan();

  std::vector<format::Tensor> keep; // what the views below look at
  std::vector<Tensor> inputs, outputs;
  format::TensorFile results;
  for (const format::Buffer &buffer : plan.buffers) {
    if (buffer.kind == format::Buffer::Kind::Input) {
      if (!tools::findInput(file, buffer, keep.emplace_back(), error))
        return fail(error);
      inputs.push_back(tools::viewOf(keep.back()));
    } else if (buffer.kind == format::Buffer::Kind::Output) {
      auto shape = session->outputShape(buffer.name);
      if (!shape)
        return fail(shape.error().message);
      format::Tensor &tensor = results.tensors.emplace_back();
      if (!tools::allocateTensor(buffer.name, static_cast<format::DType>(shape->dtype),
                                 shape->shape, tensor, error))
        return fail(error);
      outputs.push_back(tools::viewOf(tensor));
    }
  }

  start = Clock::now();
  if (auto status = session->run(inputs, outputs); !status)
    return fail(path + ": " + status.error().message);
  report.firstMs = since(start);
  if (options.repeat > 0) {
    auto samples = session->time(inputs, outputs, options.warmup, options.repeat, options.inner);
    if (!samples)
      return fail(samples.error().message);
    report.samples = std::move(*samples);
  }
  if (!options.profile.empty())
    if (auto status = session->profile(inputs, outputs, options.profile); !status)
      return fail(status.error().message);
  if (options.accuracy && !results.tensors.empty()) {
    report.accuracy = accuracyOf(file, results.tensors.front());
    if (!report.accuracy)
      return fail(path + ": --accuracy needs y I64 [nodes], test_mask U8 [nodes] and an "
                         "float output [nodes, classes]");
  }
  if (!output.empty() && !format::writeTensors(output, results, error))
    return fail(error);

  report.program = plan.program;
  report.graph = path;
  report.device = options.device.empty() ? plan.target : options.device;
  report.nodes = file.nodes();
  report.edges = file.edges;
  report.counts = file.counts();
  if (auto stats = runnable.stats())
    report.stats = *stats;
  report.guards = runnable.failedGuards();
  if (isLast)
    report.compiled = runnable.compiled();
  report.dynamic = options.program.jit.dynamic;
  report.backgroundFailure = runnable.backgroundFailure();
  if (!isLast) {
    // It comes with the last.
  } else if (!options.stats.empty()) {
    if (!writeStats(options.stats, report, error))
      return fail(error);
  } else if (options.repeat > 0 || options.accuracy) {
    std::string text = textOf(report);
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  return 0;
}

Result<std::unique_ptr<tools::Runnable>> open(const Options &options, const format::Plan &plan) {
  if (!options.isProgram())
    return tools::openArtefact({options.artifact, options.device}, plan);
  tools::ProgramOptions program = options.program;
  program.path = options.artifact;
  program.jit.device = options.device.empty() ? "cpu" : options.device;
  if (program.mode.starts_with("max-autotune"))
    program.tuneOn = options.graphs.front();
  return tools::openProgram(program);
}

int run(const Options &options) {
  std::string error;
  format::Artifact artifact;
  if (!options.isProgram() && !format::readArtifact(options.artifact, artifact, error))
    return fail(error);
  const format::Plan &plan = artifact.plan;
  if (options.printPlan || options.printGuards) {
    std::string text = options.printPlan ? toJson(plan) : "";
    if (options.printGuards)
      text += guardTable(plan);
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (options.graphs.empty())
      return 0;
  }
  auto runnable = open(options, plan);
  if (!runnable)
    return fail(runnable.error().message);
  for (std::size_t i = 0; i < options.graphs.size(); ++i) {
    std::string output = options.outputs.empty() ? "" : options.outputs[i];
    bool isLast = i + 1 == options.graphs.size();
    if (int code = runOn(options.graphs[i], output, options, isLast, **runnable))
      return code;
  }
  return 0;
}

/// How a program is compiled; an artefact has been.
void addProgramOptions(CLI::App &app, tools::ProgramOptions &program) {
  const char *group = "Options for a program (.mlir)";
  auto counts = CLI::IsMember({"nodes", "edges"});
  app.add_option("-w,--weights", program.weights, "safetensors file with its weights")
      ->group(group);
  app.add_option("--mode", program.mode,
                 "default, reduce-overhead, max-autotune-no-cudagraphs or max-autotune; the latter "
                 "measure on the first --graph")
      ->group(group)
      ->check(CLI::IsMember(
          {"default", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune"}))
      ->capture_default_str();
  app.add_option("--dynamic", program.jit.dynamic,
                 "true: one compilation for every graph; false: one for each shape; auto: one for "
                 "the first, another in which counts that differ are run-time values")
      ->group(group)
      ->check(CLI::IsMember({"auto", "true", "false"}))
      ->capture_default_str();
  app.add_option("--keep-dynamic", program.jit.keepDynamic,
                 "nodes or edges: run-time values whatever --dynamic says (repeatable)")
      ->group(group)
      ->allow_extra_args(false)
      ->check(counts);
  app.add_option("--keep-static", program.jit.keepStatic, "nodes or edges: constants, likewise")
      ->group(group)
      ->allow_extra_args(false)
      ->check(counts);
  app.add_option("--keep", program.jit.keep, "specialised executables to keep")
      ->group(group)
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--background", program.jit.background,
                 "compile so many shapes at a time while graphs go on; 0: a graph waits")
      ->group(group)
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  app.add_option("--cache-dir", program.cacheFolder,
                 "folder that compiled programs are kept in and taken from")
      ->group(group);
  app.add_option("--compile-flag", program.flags,
                 "further flag of gnn-compile, as --compile-flag=--precision=tf32 (repeatable)")
      ->group(group)
      ->allow_extra_args(false);
}

/// Empty, or what does not go with the kind of file.
std::string misuse(const Options &options, const CLI::App &app) {
  if (options.isProgram() && (options.printPlan || options.printGuards))
    return "--print-plan and --print-guards are of an artefact; gnn-compile makes one of " +
           options.artifact;
  if (options.isProgram())
    return "";
  for (const char *flag : {"--weights", "--mode", "--dynamic", "--keep-dynamic", "--keep-static",
                           "--keep", "--background", "--cache-dir", "--compile-flag"})
    if (app.get_option(flag)->count() > 0)
      return std::string(flag) + " is for a program (.mlir), which is compiled here; " +
             options.artifact + " was compiled before";
  return "";
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app{"Executes a compiled program, or compiles one as it is needed, on graph files.",
               "gnn-run"};
  app.footer(
      "Examples:\n"
      "  gnn-run gcn.gnnx --graph cora.safetensors.gz -o out.safetensors\n"
      "  gnn-run gcn.gnnx --graph a.mtx -o a.safetensors --graph b.mtx -o b.safetensors\n"
      "  gnn-run gcn.gnnx --graph cora.safetensors.gz --repeat 100 --accuracy\n"
      "  gnn-run gcn.gnnx --graph cora.safetensors.gz --profile trace.json --stats json\n"
      "  gnn-run gcn.mlir --weights w.safetensors --dynamic auto --graph a.mtx --graph b.mtx "
      "--stats text\n"
      "  gnn-run gcn.gnnx --print-plan\n"
      "  gnn-run gcn.gnnx --print-guards\n"
      "Exit codes: 0 done, 1 the input is wrong or the work failed, 2 wrong usage.");
  app.add_option("artefact", options.artifact, "compiled program (.gnnx), or program (.mlir)")
      ->required();
  app.add_option("-g,--graph", options.graphs,
                 "graph: .safetensors, .txt (edge list) or .mtx, each also with .gz; repeatable")
      ->allow_extra_args(false);
  app.add_option("-o,--output", options.outputs,
                 "safetensors file for the outputs (tensor out); one for each graph, or none")
      ->allow_extra_args(false);
  app.add_option("-d,--device", options.device,
                 "cpu, cpu:THREADS, cuda or cuda:N; default: the artefact's target");
  app.add_option("-r,--repeat", options.repeat, "time so many samples after the first run")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--warmup", options.warmup, "forwards before the first sample")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  app.add_option("--inner", options.inner, "forwards in each sample; it reports their mean")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--profile", options.profile, "write a Chrome trace of one forward");
  app.add_option("--stats", options.stats,
                 "json or text on stdout, or a file to write as JSON; of several graphs times and "
                 "bytes are the last one's, counts are over all");
  app.add_flag("--accuracy", options.accuracy, "compare with y on test_mask");
  app.add_flag("--print-plan", options.printPlan, "print the artefact's plan.json");
  app.add_flag("--print-guards", options.printGuards,
               "print what the program relies on: counts, types, widths, ids, alignment, chip");
  addProgramOptions(app, options.program);
  if (std::optional<int> exitCode = tools::parseCommandLine(app, argc, argv))
    return *exitCode;
  auto refuse = [](const std::string &what) {
    std::fprintf(stderr, "gnn-run: %s; see gnn-run --help\n", what.c_str());
    return 2;
  };
  if (std::string wrong = misuse(options, app); !wrong.empty())
    return refuse(wrong);
  std::size_t graphs = options.graphs.size(), outputs = options.outputs.size();
  if (graphs == 0 && !options.printPlan && !options.printGuards)
    return refuse("--graph is required: the graph file to run on");
  if (outputs > 0 && outputs != graphs)
    return refuse("--output is given " + std::to_string(outputs) + " times and --graph " +
                  std::to_string(graphs) + " times; each graph's outputs need a file");
  if (graphs > 1 && (options.repeat > 0 || options.accuracy || !options.profile.empty()))
    return refuse("--repeat, --profile and --accuracy are of one graph, found " +
                  std::to_string(graphs));
  std::vector<std::string> read = options.graphs, written = options.outputs;
  read.insert(read.end(), {options.artifact, options.program.weights});
  written.push_back(options.profile);
  if (options.stats != "json" && options.stats != "text")
    written.push_back(options.stats);
  if (auto code = tools::refuseOverwriting("gnn-run", read, written))
    return *code;
  try {
    return run(options);
  } catch (const std::bad_alloc &) {
    return fail("out of memory");
  }
}
