//===- StreamRun.cpp - gnnc on one graph after the other ------------------===//
#include "benchmarks/gnn-bench/StreamRun.h"

#include "benchmarks/gnn-bench/Clock.h"
#include "benchmarks/gnn-bench/Runner.h"
#include "lib/Jit/CompilerProcess.h"
#include "lib/Jit/Session.h"

#include <algorithm>

namespace gnnc::bench {
namespace {

jit::Compiler compilerOf(const StreamWork &work, const GnncOptions &options) {
  std::vector<std::string> command =
      compilerCommand(options, work.program, work.device.is_cpu() ? "cpu" : "cuda");
  if (!options.cacheFolder.empty())
    command.insert(command.end(), {"--cache-dir", options.cacheFolder});
  return jit::compileByCommand(std::move(command));
}

template <class Value>
Value must(Result<Value> result) {
  if (!result)
    throw Failure("gnnc: " + result.error().message);
  return std::move(*result);
}

void must(const Result<void> &result) {
  if (!result)
    throw Failure("gnnc: " + result.error().message);
}

class Stream {
public:
  Stream(const StreamWork &work, StreamRow &row, jit::Session &session)
      : work(work), row(row), session(session) {
    std::int64_t nodes = 0, edges = 0;
    for (std::size_t i = 0; i < work.items.size(); ++i) {
      const GraphData &data = work.items[i].data;
      if (data.numNodes >= nodes && data.numEdges >= edges)
        largest = i;
      nodes = std::max(nodes, data.numNodes);
      edges = std::max(edges, data.numEdges);
    }
    out = at::empty({nodes, work.spec.outChannels},
                    at::TensorOptions().dtype(at::kFloat).device(work.device));
    finishDevice(work.device); // features are there before another stream reads them
  }

  void pass(std::vector<StreamStep> &steps) {
    for (std::size_t i = 0; i < work.items.size(); ++i) {
      const StreamItem &item = work.items[i];
      at::Tensor rows = out.narrow(0, 0, item.data.numNodes);
      std::int64_t allocations = must(session.stats()).allocations;
      Stopwatch watch;
      step(item, rows);
      steps.push_back({item.data.numNodes, item.data.numEdges, watch.milliseconds()});
      if (&steps != &row.first || i > largest)
        row.allocationsAfterLargest += must(session.stats()).allocations - allocations;
      row.maxRelErr = std::max(row.maxRelErr, maxRelativeError(rows.cpu(), item.reference));
      if (&steps == &row.again)
        replay(item, rows);
    }
  }

private:
  /// The forward once more: the first on a graph is queued as it is, the second is what a
  /// recording is changed for.
  void replay(const StreamItem &item, const at::Tensor &rows) {
    gnnc_stats before = must(session.stats());
    run(item, rows);
    gnnc_stats after = must(session.stats());
    if (after.updates > before.updates)
      row.updateMs.push_back(after.update_ms - before.update_ms);
    row.maxRelErr = std::max(row.maxRelErr, maxRelativeError(rows.cpu(), item.reference));
  }

  void step(const StreamItem &item, const at::Tensor &rows) {
    auto edges = static_cast<std::size_t>(item.data.numEdges);
    auto graph = must(Graph::create<std::int64_t>(item.data.numNodes, item.data.numNodes,
                                                  std::span(item.data.src(), edges),
                                                  std::span(item.data.dst(), edges)));
    must(session.bind(graph));
    run(item, rows);
  }

  void run(const StreamItem &item, const at::Tensor &rows) {
    bool onDevice = !work.device.is_cpu();
    must(session.run({Tensor("x", item.x.data_ptr<float>(), item.x.sizes().vec(), onDevice)},
                     {Tensor("out", rows.data_ptr<float>(), rows.sizes().vec(), onDevice)}));
  }

  const StreamWork &work;
  StreamRow &row;
  jit::Session &session;
  std::size_t largest = 0; ///< the last that no other has more nodes or edges than
  at::Tensor out;
};

} // namespace

std::vector<StreamItem> makeItems(std::vector<GraphData> graphs, const ModelSpec &spec,
                                  const Weights &weights, at::Device device,
                                  const std::function<void(const std::string &)> &progress) {
  std::vector<StreamItem> items;
  for (GraphData &graph : graphs) {
    progress("float64 reference " + std::to_string(items.size() + 1) + " of " +
             std::to_string(graphs.size()));
    StreamItem item;
    at::Tensor x = torch::from_blob(graph.x.data(), {graph.numNodes, graph.numFeatures});
    item.reference = referenceForward(spec, weights, GraphTensors::fromData(graph), x, device);
    item.x = x.to(device, at::kFloat, /*non_blocking=*/false, /*copy=*/true);
    graph.x = {};
    item.data = std::move(graph);
    items.push_back(std::move(item));
  }
  return items;
}

StreamRow runStream(const StreamWork &work, const GnncOptions &options, const StreamLimits &limits,
                    double bound, const std::function<void(const std::string &)> &progress) {
  StreamRow row;
  row.model = work.spec.model;
  row.mode = options.mode;
  row.dynamic = options.dynamic;
  row.device = work.device.is_cpu() ? "cpu" : "cuda";
  row.bound = bound;
  try {
    openRuntimeOf(options);
    jit::Options dynamic;
    dynamic.dynamic = options.dynamic;
    dynamic.keep = limits.keep;
    dynamic.background = limits.background;
    dynamic.device = work.device.is_cpu() ? "cpu:" + std::to_string(work.threads)
                                          : "cuda:" + std::to_string(work.device.index());
    auto program = must(jit::Program::create(compilerOf(work, options), dynamic));
    jit::Session session(program);
    try {
      Stream stream(work, row, session);
      progress("stream, dynamic " + options.dynamic);
      stream.pass(row.first);
      program->finishBackground();
      progress("stream, dynamic " + options.dynamic + ", once more");
      stream.pass(row.again);
    } catch (const std::exception &failure) {
      row.error = firstLine(failure);
    }
    program->finishBackground();
    row.backgroundFailure = program->backgroundFailure();
    jit::Counters counted = program->counters();
    row.compilations = counted.compilations;
    row.diskHits = counted.diskHits;
    row.standIns = counted.standIns;
    row.hits = counted.hits;
    row.misses = counted.misses;
    row.evictions = counted.evictions;
    row.guardFailures = counted.guardFailures;
    row.failedGuards = program->failedGuards();
    row.failures = counted.failures;
    row.tuningRuns = counted.tuningRuns;
    row.compileMs = counted.compileMs;
    gnnc_stats stats = must(session.stats());
    row.captures = stats.captures;
    row.updates = stats.updates;
    row.failedUpdates = stats.failed_updates;
    row.rebinds = stats.rebinds;
    row.allocations = stats.allocations;
    row.updateFailure = session.updateFailure();
  } catch (const std::exception &failure) {
    row.error = firstLine(failure);
  }
  return row;
}

} // namespace gnnc::bench
