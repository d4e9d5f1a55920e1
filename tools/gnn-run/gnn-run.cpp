//===- gnn-run.cpp - Execute an artefact on a graph file ------------------===//
//
// Load, then for each graph bind, run once, write the outputs; on request time it,
// profile it and print what it took.
//
//===----------------------------------------------------------------------===//
#include "gnnc/gnnc.hpp"
#include "runtime/format/Artifact.h"
#include "runtime/format/Floats.h"
#include "runtime/format/Guards.h"
#include "tools/CommandLine.h"
#include "tools/gnn-run/Report.h"
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
  std::vector<std::string> graphs, outputs; ///< no output, or one for each graph
  int repeat = 0, warmup = 10, inner = 1;
  bool printPlan = false, printGuards = false, accuracy = false;
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

/// `output` empty: writes none.
/// `session` is made for the first graph and takes the others in turn.
int runOn(const std::string &path, const std::string &output, const Options &options,
          const format::Plan &plan, const Executable &executable, std::optional<Session> &session) {
  std::string error;
  tools::RunReport report;
  auto start = Clock::now();
  GraphFile file;
  if (!tools::readGraph(path, file, error))
    return fail(error);
  report.readMs = since(start);
  auto graph = tools::makeGraph(file, plan);
  if (!graph)
    return fail(graph.error().message);
  if (session) {
    if (auto bound = session->rebind(*graph); !bound)
      return fail(path + ": " + bound.error().message);
  } else {
    auto made = executable.bind(*graph);
    if (!made)
      return fail(path + ": " + made.error().message);
    session.emplace(std::move(*made));
  }

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
  if (auto stats = session->stats())
    report.stats = *stats;
  if (auto guards = executable.guards())
    report.guards = std::move(*guards);
  if (!options.stats.empty()) {
    if (!writeStats(options.stats, report, error))
      return fail(error);
  } else if (options.repeat > 0 || options.accuracy) {
    std::string text = textOf(report);
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  return 0;
}

int run(const Options &options) {
  std::string error;
  format::Artifact artifact;
  if (!format::readArtifact(options.artifact, artifact, error))
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

  auto device = Device::open(options.device.empty() ? plan.target : options.device);
  if (!device)
    return fail(device.error().message);
  auto executable = device->load(options.artifact);
  if (!executable)
    return fail(executable.error().message);

  std::optional<Session> session;
  for (std::size_t i = 0; i < options.graphs.size(); ++i) {
    std::string output = options.outputs.empty() ? "" : options.outputs[i];
    if (int code = runOn(options.graphs[i], output, options, plan, *executable, session))
      return code;
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app{"Executes a compiled program on a graph file.", "gnn-run"};
  app.footer("Examples:\n"
             "  gnn-run gcn.gnnx --graph cora.safetensors.gz -o out.safetensors\n"
             "  gnn-run gcn.gnnx --graph a.mtx -o a.safetensors --graph b.mtx -o b.safetensors\n"
             "  gnn-run gcn.gnnx --graph cora.safetensors.gz --repeat 100 --accuracy\n"
             "  gnn-run gcn.gnnx --graph cora.safetensors.gz --profile trace.json --stats json\n"
             "  gnn-run gcn.gnnx --print-plan\n"
             "  gnn-run gcn.gnnx --print-guards\n"
             "Exit codes: 0 done, 1 the input is wrong or the work failed, 2 wrong usage.");
  app.add_option("artefact", options.artifact, "compiled program (.gnnx)")->required();
  app.add_option("-g,--graph", options.graphs,
                 "graph: .safetensors, .txt (edge list) or .mtx, each also with .gz; repeatable, "
                 "one artefact serves them all")
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
  app.add_option("--stats", options.stats, "json or text on stdout, or a file to write as JSON");
  app.add_flag("--accuracy", options.accuracy, "compare with y on test_mask");
  app.add_flag("--print-plan", options.printPlan, "print the artefact's plan.json");
  app.add_flag("--print-guards", options.printGuards,
               "print what the program relies on: counts, types, widths, ids, alignment, chip");
  if (std::optional<int> exitCode = tools::parseCommandLine(app, argc, argv))
    return *exitCode;
  auto misuse = [](const std::string &what) {
    std::fprintf(stderr, "gnn-run: %s; see gnn-run --help\n", what.c_str());
    return 2;
  };
  std::size_t graphs = options.graphs.size(), outputs = options.outputs.size();
  if (graphs == 0 && !options.printPlan && !options.printGuards)
    return misuse("--graph is required: the graph file to run on");
  if (outputs > 0 && outputs != graphs)
    return misuse("--output is given " + std::to_string(outputs) + " times and --graph " +
                  std::to_string(graphs) + " times; each graph's outputs need a file");
  if (graphs > 1 && (options.repeat > 0 || options.accuracy || !options.profile.empty() ||
                     !options.stats.empty()))
    return misuse("--repeat, --profile, --stats and --accuracy are of one graph, found " +
                  std::to_string(graphs));
  std::vector<std::string> read = options.graphs, written = options.outputs;
  read.push_back(options.artifact);
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
