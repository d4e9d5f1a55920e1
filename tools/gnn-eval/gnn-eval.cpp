//===- gnn-eval.cpp - Evaluate a program in float64 -----------------------===//
//
// In: a program and its files, or a function without arguments. Out: tensors, or
// a verdict on the tensors of another system. The oracle on the command line.
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/FirstDiagnostic.h"
#include "lib/Driver/ReadProgram.h"
#include "passes/RegisterAll.h"
#include "tools/CommandLine.h"
#include "tools/gnn-eval/Compare.h"
#include "tools/gnn-eval/Files.h"

#include "llvm/Support/Format.h"

#include <new>
#include <stdexcept>

using namespace gnnc;
using namespace gnnc::reference;

namespace {
struct Options {
  std::string input = "-";
  std::string graph, weights, output, expect, entry;
  std::string key = "out";
  double tolerance = 1e-5;
};
} // namespace

static constexpr int kFailed = 1, kWrongUsage = 2;

static int fail(const llvm::Twine &message) {
  llvm::errs() << "gnn-eval: " << message << '\n';
  return kFailed;
}

/// After IR was refused or could not be evaluated: one line with the place.
static int fail(const FirstDiagnostic &diagnostics, const Options &options) {
  return fail(diagnostics.empty() ? options.input + ": cannot be evaluated" : diagnostics.get());
}

/// Prints "@name #0: 2x3xf64 [[...], ...]" for each result.
static int evaluateEntry(const Options &options, mlir::ModuleOp module,
                         const FirstDiagnostic &diagnostics) {
  llvm::StringRef name = llvm::StringRef(options.entry).ltrim('@');
  auto function = module.lookupSymbol<mlir::func::FuncOp>(name);
  if (!function)
    return fail(options.input + ": no function @" + name);
  auto results = evaluateFunction(function, {});
  if (failed(results))
    return fail(diagnostics, options);
  for (auto [i, value] : llvm::enumerate(*results)) {
    llvm::outs() << '@' << name << " #" << i << ": ";
    print(llvm::outs(), *value);
    llvm::outs() << '\n';
  }
  return 0;
}

static int compareWithExpected(const Options &options, llvm::ArrayRef<NamedValue> results) {
  std::string error;
  ValuePtr expected;
  if (!eval::readTensor(options.expect, options.key, expected, error))
    return fail(error);
  const NamedValue *result =
      llvm::find_if(results, [&](const NamedValue &r) { return r.name == options.key; });
  if (result == results.end())
    return fail(options.input + ": no result is named '" + options.key +
                "'; the program says it by gnn.output");
  eval::Difference difference;
  if (!eval::compare(*result->value, *expected, difference, error))
    return fail(options.expect + ": " + options.key + ": " + error);
  bool good = difference.relative() <= options.tolerance;
  std::string line;
  llvm::raw_string_ostream(line) << options.key << ": largest error "
                                 << llvm::format(
                                        "%.3g (relative to the largest output, %.6g), allowed %.3g",
                                        difference.relative(), difference.largestOutput,
                                        options.tolerance);
  if (!good)
    return fail(options.expect + ": " + line + ", at element " + llvm::Twine(difference.at));
  llvm::outs() << line << '\n';
  return 0;
}

static int evaluateFiles(const Options &options, mlir::ModuleOp module,
                         const FirstDiagnostic &diagnostics) {
  ProgramInputs inputs;
  std::string error;
  if (!options.graph.empty() && !eval::readGraph(options.graph, inputs, error))
    return fail(error);
  if (!options.weights.empty() && !eval::readWeights(options.weights, inputs, error))
    return fail(error);
  auto results = evaluateProgram(module, inputs);
  if (failed(results))
    return fail(diagnostics, options);
  if (!options.output.empty() && !eval::writeResults(options.output, *results, error))
    return fail(error);
  if (!options.expect.empty())
    return compareWithExpected(options, *results);
  if (options.output.empty())
    for (const NamedValue &result : *results) {
      llvm::outs() << result.name << ": ";
      print(llvm::outs(), *result.value);
      llvm::outs() << '\n';
    }
  return 0;
}

int main(int argc, char **argv) {
  Options options;
  CLI::App app{"Evaluates a gnn program in float64: slow, and the oracle for everything else.",
               "gnn-eval"};
  app.footer("Examples:\n"
             "  gnn-eval gcn.mlir --graph cora.safetensors.gz --weights w.safetensors "
             "-o out.safetensors\n"
             "  gnn-eval gcn.mlir --graph g.safetensors --weights w.safetensors "
             "--expect e.safetensors --tolerance 1e-9\n"
             "  gnn-opt gcn.mlir --gnn-program-pipeline | gnn-eval --graph g.safetensors "
             "--weights w.safetensors\n"
             "  gnn-eval --entry @test test.mlir\n"
             "Exit codes: 0 done, 1 wrong input or an error above --tolerance, 2 wrong usage.");
  app.add_option("program", options.input, "program (.mlir), - for standard input")
      ->capture_default_str();
  app.add_option("-g,--graph", options.graph, "graph file: edge_index, x, edge_weight");
  app.add_option("-w,--weights", options.weights, "weights file: a state_dict");
  app.add_option("-o,--output", options.output, "write the results here, as F64");
  app.add_option("--expect", options.expect, "compare with a tensor of this file");
  app.add_option("--key", options.key, "name of the result and of the expected tensor")
      ->capture_default_str();
  app.add_option("--tolerance", options.tolerance,
                 "largest error allowed, relative to the largest expected output")
      ->capture_default_str();
  app.add_option("--entry", options.entry,
                 "evaluate this function (@name), which takes no arguments, and print what it "
                 "returns");
  if (std::optional<int> code = tools::parseCommandLine(app, argc, argv))
    return *code;
  if (!options.entry.empty() && (!options.graph.empty() || !options.weights.empty() ||
                                 !options.output.empty() || !options.expect.empty())) {
    llvm::errs() << "gnn-eval: --entry takes no files: its function has no arguments and its "
                    "results are printed\n";
    return kWrongUsage;
  }

  if (auto code = tools::refuseOverwriting(
          "gnn-eval", {options.input, options.graph, options.weights, options.expect},
          {options.output}))
    return *code;

  std::string error;
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  context.disableMultithreading();
  FirstDiagnostic diagnostics(&context);
  auto module = readProgram(options.input, &context, error);
  if (!module)
    return diagnostics.empty() ? fail(error) : fail(diagnostics, options);
  try {
    return options.entry.empty() ? evaluateFiles(options, *module, diagnostics)
                                 : evaluateEntry(options, *module, diagnostics);
  } catch (const std::bad_alloc &) {
    return fail(options.input + ": not enough memory for its tensors in float64; evaluate the "
                                "program fused (gnn-opt --gnn-program-pipeline)");
  } catch (const std::length_error &) {
    return fail(options.input + ": a tensor of it has more elements than memory can hold");
  }
}
