//===- CompiledFuzzTest.cpp - Random programs, compiled and run -----------===//
//
// Programs of fixed seeds (RandomProgram.h) are compiled for this machine in float64,
// run by the runtime and compared with the reference: through the whole pipeline, and
// with each message in memory, as it is without fusion. A failing one is printed with
// its seed; GNNC_FUZZ_SEED=n runs that one alone, GNNC_FUZZ_COUNT another number.
//
//===----------------------------------------------------------------------===//
#include "gnnc/gnnc.h"
#include "lib/Driver/Compile.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "passes/RegisterAll.h"
#include "runtime/format/SafeTensors.h"
#include "test/passes/RandomProgram.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iostream>
#include <list>
#include <regex>
#include <unistd.h>

using namespace gnnc;
using namespace gnnc::test;
using reference::Tensor;

static uint64_t fromEnvironment(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Every "f32" of `text` is "f64", so that what is left of an error is no rounding; counts
/// of edges, which are f32, are widened.
static std::string inFloat64(const std::string &text) {
  static const std::regex count(R"((%\w+)( = gnn\.degree [^\n]*)tensor<\?xf64>)");
  std::string wide = std::regex_replace(text, std::regex("f32"), "f64");
  return std::regex_replace(
      wide, count,
      "$1_count$2tensor<?xf32>\n  $1 = arith.extf $1_count : tensor<?xf32> to tensor<?xf64>");
}

/// What the compiler takes: the second result is computed by an op of its own, and a third
/// says that the rows of x are the graph's nodes, for a program may send no message.
static std::string withOwnResults(const std::string &text) {
  std::smatch match;
  static const std::regex input(R"(%x: (tensor<\?x(\d+)xf64>))"),
      results(R"(  return (%\w+), (%\w+) : ([^,\n]+), ([^,\n]+)\n)");
  if (!std::regex_search(text, match, input))
    return text;
  std::string type = match[1];
  std::string graph = "!gnn.graph<?x?x?>";
  std::string ops = "  %own = math.absf $2 : $4\n  %sent = gnn.gather %x, %g at src : " + type +
                    ", " + graph + " -> " + type +
                    "\n  %tied = gnn.scatter sum %sent, %g at dst acc f64 : " + type + ", " +
                    graph + " -> " + type + "\n  return $1, %own, %tied : $3, $4, " + type + "\n";
  std::string changed = std::regex_replace(text, results, ops);
  std::string other = "{gnn.output = \"other\"}";
  size_t at = changed.find(other);
  return at == std::string::npos
             ? text
             : changed.insert(at + other.size(), ", " + type + " {gnn.output = \"tied\"}");
}

/// What the compiler says of programs that it does not take, for all that.
static bool isRefusal(const std::string &failure) {
  for (const char *text : {"is the same value as output", "an output is computed by a kernel",
                           "stand once for the heads and once", "is known in each run only"})
    if (failure.find(text) != std::string::npos)
      return true;
  return false;
}

namespace {
/// Everything that is released, and the files, at the end of one run.
struct Bound {
  gnnc_device *device = nullptr;
  gnnc_executable *executable = nullptr;
  gnnc_graph *graph = nullptr;
  gnnc_session *session = nullptr;

  ~Bound() {
    if (session)
      gnnc_session_release(session);
    if (graph)
      gnnc_graph_release(graph);
    if (executable)
      gnnc_executable_release(executable);
    if (device)
      gnnc_device_close(device);
  }
};

class CompiledFuzz : public testing::TestWithParam<uint64_t> {
protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "gnnc-fuzz-XXXXXX").string();
    ASSERT_TRUE(mkdtemp(name.data()));
    folder = name;
    registerPasses();
    registerDialects(registry);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string checkProgram(const RandomProgram &program);
  std::string compileAndRun(const std::string &text, const RandomProgram &program,
                            const std::vector<reference::NamedValue> &expected);

  std::filesystem::path folder;
  mlir::DialectRegistry registry;
};
} // namespace

static gnnc_tensor tensorOf(const std::string &name, const Tensor &tensor) {
  const void *data = tensor.isInteger ? static_cast<const void *>(tensor.integers.data())
                                      : static_cast<const void *>(tensor.floats.data());
  return {name.c_str(),
          const_cast<void *>(data),
          tensor.isInteger ? GNNC_I64 : GNNC_F64,
          static_cast<int32_t>(tensor.shape.size()),
          tensor.shape.data(),
          0};
}

/// Largest difference relative to the largest number; infinite when only one side is
/// NaN or infinite somewhere.
static double errorOf(const std::vector<double> &have, const std::vector<double> &want) {
  double largest = 1e-30, error = 0;
  for (double value : want)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  for (size_t i = 0; i < want.size(); ++i) {
    if (have[i] == want[i] || (std::isnan(have[i]) && std::isnan(want[i])))
      continue;
    double difference = std::fabs(have[i] - want[i]);
    error = std::max(error, std::isnan(difference) ? HUGE_VAL : difference);
  }
  return error / largest;
}

std::string CompiledFuzz::compileAndRun(const std::string &text, const RandomProgram &program,
                                        const std::vector<reference::NamedValue> &expected) {
  CompileOptions options;
  options.input = (folder / "program.mlir").string();
  options.weights = (folder / "weights.safetensors").string();
  options.output = (folder / "program.gnnx").string();
  std::ofstream(options.input) << text;
  format::TensorFile weights;
  std::string error;
  for (const auto &[name, value] : program.inputs.weights)
    weights.tensors.push_back(format::Tensor::view(name, format::DType::F64, value->tensor.shape,
                                                   value->tensor.floats.data()));
  CompileReport report;
  if (!format::writeTensors(options.weights, weights, error) || !compile(options, report, error))
    return error;

  std::vector<gnnc_tensor> edgeData, index, inputs, outputs;
  std::list<std::vector<int32_t>> narrow;
  for (const auto &[name, value] : program.inputs.graphData) {
    bool isIndex = program.text.find("gnn.index = \"" + name + "\"") != std::string::npos;
    (isIndex ? index : edgeData).push_back(tensorOf(name, value->tensor));
    // Edge tensors have the type that the program states.
    if (!isIndex &&
        program.text.find("xi32> {gnn.graph_data = \"" + name + "\"") != std::string::npos) {
      const std::vector<int64_t> &integers = value->tensor.integers;
      edgeData.back().data = narrow.emplace_back(integers.begin(), integers.end()).data();
      edgeData.back().dtype = GNNC_I32;
    }
  }
  for (const auto &[name, value] : program.inputs.inputs)
    inputs.push_back(tensorOf(name, value->tensor));
  std::vector<std::vector<double>> found;
  for (const reference::NamedValue &output : expected)
    found.emplace_back(output.value->tensor.floats.size(), -7.0);
  for (size_t i = 0; i < expected.size(); ++i) {
    outputs.push_back(tensorOf(expected[i].name, expected[i].value->tensor));
    outputs.back().data = found[i].data();
  }
  const reference::Graph &graph = program.inputs.graph->graph;
  gnnc_graph_desc desc = {
      graph.dstCount,   graph.srcCount, graph.edges(),   graph.src.data(),
      graph.dst.data(), GNNC_I64,       edgeData.data(), static_cast<int32_t>(edgeData.size())};
  Bound run;
  if (gnnc_device_open("cpu:1", &run.device) != GNNC_OK ||
      gnnc_executable_load(run.device, options.output.c_str(), &run.executable) != GNNC_OK ||
      gnnc_graph_create_indexed(&desc, index.data(), static_cast<int32_t>(index.size()),
                                &run.graph) != GNNC_OK ||
      gnnc_session_create(run.executable, run.graph, &run.session) != GNNC_OK ||
      gnnc_session_run(run.session, inputs.data(), static_cast<int32_t>(inputs.size()),
                       outputs.data(), static_cast<int32_t>(outputs.size())) != GNNC_OK)
    return gnnc_last_error();
  for (size_t i = 0; i < expected.size(); ++i)
    if (double off = errorOf(found[i], expected[i].value->tensor.floats); off > 1e-9)
      return "output '" + expected[i].name + "' is off by " + std::to_string(off);
  return {};
}

std::string CompiledFuzz::checkProgram(const RandomProgram &program) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      diagnostics += diagnostic.str() + "\n";
    return mlir::success();
  });
  std::string text = withOwnResults(inFloat64(program.text));
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return "does not parse: " + diagnostics;
  auto expected = reference::evaluateProgram(*module, program.inputs);
  if (failed(expected))
    return "cannot be evaluated: " + diagnostics;
  if (std::string wrong = compileAndRun(text, program, *expected); !wrong.empty())
    return "fused: " + wrong;
  mlir::PassManager manager(&context);
  if (failed(mlir::parsePassPipeline(
          "func.func(gnn-simplify-dense),gnn-clean-up,func.func(gnn-raise-to-graph,"
          "gnn-index-to-graph),gnn-hoist-graph-invariants,func.func(gnn-expand-softmax),"
          "gnn-clean-up,gnn-form-kernels",
          manager)) ||
      failed(manager.run(*module)))
    return "unfused: " + diagnostics;
  std::string kernels;
  llvm::raw_string_ostream(kernels) << *module;
  if (std::string wrong = compileAndRun(kernels, program, *expected); !wrong.empty())
    return "unfused: " + wrong;
  return {};
}

/// Programs of one test; lit runs the tests in as many processes as there are cores.
static constexpr uint64_t kBatch = 50;
/// Of each batch; a change that refuses more is seen even if none is wrong.
static constexpr uint64_t kMostRefused = 5;

static uint64_t firstSeed() { return fromEnvironment("GNNC_FUZZ_SEED", 1); }

/// Behind the last one: of a thousand programs, if nothing is said.
static uint64_t endSeed() {
  return firstSeed() + fromEnvironment("GNNC_FUZZ_COUNT", std::getenv("GNNC_FUZZ_SEED") ? 1 : 1000);
}

static std::vector<uint64_t> firstSeedsOfBatches() {
  std::vector<uint64_t> seeds;
  for (uint64_t seed = firstSeed(); seed < endSeed(); seed += kBatch)
    seeds.push_back(seed);
  return seeds;
}

TEST_P(CompiledFuzz, WhatRunsIsWhatTheReferenceSays) {
  uint64_t first = GetParam(), end = std::min(first + kBatch, endSeed()), refused = 0;
  std::string refusals;
  for (uint64_t seed = first; seed < end; ++seed) {
    RandomProgram program = drawProgram(seed);
    std::string failure = checkProgram(program);
    if (isRefusal(failure)) {
      ++refused;
      refusals += "seed " + std::to_string(seed) + ": " + failure + "\n";
      continue;
    }
    EXPECT_TRUE(failure.empty()) << "seed " << seed << ": " << failure << "\n--- drawn\n"
                                 << program.text;
  }
  std::cout << end - first - refused << " programs ran, " << refused
            << " are not for the compiler\n"
            << refusals;
  EXPECT_LE(refused, kMostRefused) << refusals;
}

INSTANTIATE_TEST_SUITE_P(Seeds, CompiledFuzz, testing::ValuesIn(firstSeedsOfBatches()),
                         [](const auto &batch) { return "From" + std::to_string(batch.param); });
