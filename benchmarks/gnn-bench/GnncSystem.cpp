//===- GnncSystem.cpp - A gnnc artefact as a system to be measured --------===//
#include "benchmarks/gnn-bench/Clock.h"
#include "benchmarks/gnn-bench/Process.h"
#include "benchmarks/gnn-bench/System.h"
#include "gnnc/gnnc.h"
#include "runtime/format/Artifact.h"

namespace gnnc::bench {
namespace {

gnnc_dtype gnncType(at::ScalarType type) {
  switch (type) {
  case at::kDouble:
    return GNNC_F64;
  case at::kBFloat16:
    return GNNC_BF16;
  case at::kHalf:
    return GNNC_F16;
  default:
    return GNNC_F32;
  }
}

class GnncSystem final : public System {
public:
  GnncSystem(const Workload &work, const GnncOptions &options) : work(work), options(options) {}

  ~GnncSystem() override {
    if (session)
      gnnc_session_release(session);
    if (graph)
      gnnc_graph_release(graph);
    if (executable)
      gnnc_executable_release(executable);
    if (device)
      gnnc_device_close(device);
  }

  void describe(Row &row) const override {
    row.system = "gnnc";
    row.mode = options.mode;
    row.dynamic = options.dynamic;
    row.fixes = true; // graph-only work is always hoisted
  }

  void setUp() override {
    openRuntimeOf(options);
    if (options.artifact.empty()) {
      askedMode = options.mode;
      compile();
    }
    readArtifact();
    Stopwatch watch;
    load();
    makeTensors();
    forward();
    firstMs = watch.milliseconds();
    secondMs = wallTime();
  }

  double time(int inner) override {
    if (work.device.is_cpu()) {
      Stopwatch watch;
      for (int i = 0; i < inner; ++i)
        forward();
      return watch.milliseconds() / inner;
    }
    double milliseconds = 0;
    check(gnnc_session_time(session, &input, 1, &result, 1, /*warmup=*/1, /*repeats=*/1, inner,
                            &milliseconds));
    return milliseconds;
  }

  double wallTime() override {
    Stopwatch watch;
    forward();
    return watch.milliseconds();
  }

  at::Tensor output() override { return out; }

  void finish(Row &row) override {
    gnnc_stats stats = {};
    check(gnnc_session_stats(session, &stats));
    bool replays = options.mode == "reduce-overhead" || options.mode == "max-autotune";
    if (replays && !work.device.is_cpu() && stats.captures == 0)
      fellBack(row, "mode " + options.mode + " captured no cudaGraph");
    if (!askedMode.empty() && askedMode != options.mode)
      fellBack(row, "asked for mode " + askedMode + ", the artefact is of " + options.mode);
    if (work.spec.dtype == "f32")
      row.precision = options.precision;
    row.firstMs = firstMs;
    row.secondMs = secondMs;
    row.prepareMs = stats.prepare_ms;
    row.compileMs = compileMs;
    std::int64_t bytes = stats.weight_bytes + stats.graph_bytes + stats.arena_bytes +
                         stats.io_bytes + static_cast<std::int64_t>(work.x.nbytes() + out.nbytes());
    row.peakMib = static_cast<double>(bytes) / (1 << 20);
    row.kernels = stats.kernels_per_forward;
    row.captures = stats.captures;
    row.recompilations = 0; // one artefact serves the whole run
  }

private:
  [[noreturn]] static void fellBack(Row &row, const std::string &what) {
    row.status = "fallback";
    throw Failure(what);
  }

  void check(gnnc_status status) const {
    if (status != GNNC_OK)
      throw Failure(std::string("gnnc: ") + gnnc_last_error());
  }

  gnnc_dtype type() const { return gnncType(work.x.scalar_type()); }

  void compile() {
    std::string program = options.scratch + "/program.mlir";
    options.artifact = options.scratch + "/" + options.mode + "-" + options.dynamic + ".gnnx";
    writeProgram(work.spec, !work.data.edgeWeight.empty(), options, program);
    std::vector<std::string> compiler =
        compilerCommand(options, program, work.device.is_cpu() ? "cpu" : "cuda");
    // Of `auto`, a single graph sees what its first one gets: a program of its own.
    bool symbolic = options.dynamic == "true";
    compiler.insert(compiler.end(),
                    {"--dynamic", symbolic ? "true" : "false", "-o", options.artifact});
    bool tunes = options.mode.starts_with("max-autotune");
    if (tunes || !symbolic)
      compiler.insert(compiler.end(), {"--graph", writeEdges()});
    if (tunes)
      compiler.insert(compiler.end(), {"--budget", options.budget, "--quiet"});
    if (tunes && !options.tuningDatabase.empty())
      compiler.insert(compiler.end(), {"--tuning-db", options.tuningDatabase});
    compileMs = mustRun(compiler).milliseconds;
  }

  /// The graph for the compiler, which makes features up where it measures.
  std::string writeEdges() const {
    std::string path = options.scratch + "/edges.safetensors";
    GraphData edges;
    edges.name = work.data.name;
    edges.numNodes = work.data.numNodes;
    edges.numEdges = work.data.numEdges;
    edges.edgeIndex = work.data.edgeIndex;
    edges.edgeWeight = work.data.edgeWeight;
    writeGraph(path, edges);
    return path;
  }

  /// An artefact says itself what it was compiled for.
  void readArtifact() {
    format::Artifact artifact;
    std::string error;
    if (!format::readArtifact(options.artifact, artifact, error))
      throw Failure(error);
    options.mode = artifact.plan.mode;
    options.dynamic = artifact.plan.dynamic;
    options.precision = "fp32"; // of kernels, when there is no product
    for (const format::Command &command : artifact.plan.forward)
      if (command.kind == format::Command::Kind::Gemm)
        options.precision = command.gemm.precision;
  }

  void load() {
    std::string name = work.device.is_cpu() ? "cpu:" + std::to_string(work.threads)
                                            : "cuda:" + std::to_string(work.device.index());
    check(gnnc_device_open(name.c_str(), &device));
    check(gnnc_executable_load(device, options.artifact.c_str(), &executable));
    gnnc_graph_desc desc = {};
    desc.num_dst = desc.num_src = work.data.numNodes;
    desc.num_edges = work.data.numEdges;
    desc.src = work.data.src();
    desc.dst = work.data.dst();
    desc.index_dtype = GNNC_I64;
    std::int64_t edges = work.data.numEdges;
    at::Tensor weights = GraphTensors::fromData(work.data).weight;
    at::ScalarType wide = wideType(work.x.scalar_type()); // gnn-model's, for norms
    if (weights.defined())
      weights = weights.to(wide);
    gnnc_tensor weight = {"edge_weight",  weights.defined() ? weights.data_ptr() : nullptr,
                          gnncType(wide), 1,
                          &edges,         0};
    if (!work.data.edgeWeight.empty()) {
      desc.edge_data = &weight;
      desc.num_edge_data = 1;
    }
    check(gnnc_graph_create_indexed(&desc, nullptr, 0, &graph));
    check(gnnc_session_create(executable, graph, &session));
  }

  void makeTensors() {
    std::int32_t rank = 8;
    gnnc_dtype found = type();
    outShape.resize(8);
    check(gnnc_session_output_shape(session, "out", &rank, outShape.data(), &found));
    outShape.resize(static_cast<std::size_t>(rank));
    if (found != type())
      throw Failure("gnnc: output 'out' of " + options.artifact + " is not of type " +
                    work.spec.dtype + "; compile the artefact for it, or give its --dtype");
    out = at::empty(outShape, work.x.options());
    xShape = work.x.sizes().vec();
    std::int32_t onDevice = work.device.is_cpu() ? 0 : 1;
    input = {"x", work.x.data_ptr(), type(), 2, xShape.data(), onDevice};
    result = {"out", out.data_ptr(), type(), rank, outShape.data(), onDevice};
    finishDevice(work.device); // x is there before another stream reads it
  }

  void forward() { check(gnnc_session_run(session, &input, 1, &result, 1)); }

  const Workload &work;
  GnncOptions options;
  gnnc_device *device = nullptr;
  gnnc_executable *executable = nullptr;
  gnnc_graph *graph = nullptr;
  gnnc_session *session = nullptr;
  std::vector<std::int64_t> xShape, outShape;
  gnnc_tensor input = {}, result = {};
  at::Tensor out;
  double firstMs = 0, secondMs = 0;
  std::string askedMode; ///< empty: an artefact was given
  std::optional<double> compileMs;
};

} // namespace

std::unique_ptr<System> makeGnncSystem(const Workload &work, const GnncOptions &options) {
  return std::make_unique<GnncSystem>(work, options);
}

} // namespace gnnc::bench
