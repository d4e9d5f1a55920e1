//===- ProgramFuzzTest.cpp - Passes keep what random programs compute -----===//
//
// A thousand programs of fixed seeds are evaluated in float64 as they were drawn
// and behind the program level passes. A failing one is printed with its seed;
// GNNC_FUZZ_SEED=n runs that one alone, GNNC_FUZZ_COUNT another number.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "mlir/Parser/Parser.h"
#include "passes/Pipelines.h"
#include "passes/RegisterAll.h"
#include "test/passes/RandomProgram.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>

using namespace gnnc::reference;
using namespace gnnc::test;

static uint64_t fromEnvironment(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// The largest difference, relative to the largest number; infinite when only one
/// side is NaN somewhere.
static double errorOf(const Tensor &found, const Tensor &expected) {
  double largest = 1e-30, error = 0;
  for (double value : expected.floats)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  for (size_t i = 0; i < expected.floats.size(); ++i) {
    double have = found.floats[i], want = expected.floats[i];
    if (have == want || (std::isnan(have) && std::isnan(want)))
      continue;
    double difference = std::fabs(have - want);
    error = std::max(error, std::isnan(difference) ? HUGE_VAL : difference);
  }
  return error / largest;
}

namespace {
/// What became of the programs, so that a generator that draws nothing shows.
struct Tally {
  unsigned softmaxes = 0, shared = 0, epilogues = 0, heads = 0, gathers = 0, finite = 0;
  unsigned virtualLoops = 0, indexGraphs = 0;
  void add(mlir::ModuleOp module) {
    module.walk([&](gnnc::gnn::AggregateOp op) {
      softmaxes += op.getNumAccumulators() != op.getReduce().size();
      shared += op.getNumResults() > 1;
      epilogues += op.hasEpilogue();
      heads += llvm::any_of(op.getAccumulatorTypes(), [](mlir::Type type) {
        auto vector = llvm::dyn_cast<mlir::VectorType>(type);
        return vector && vector.getRank() == 2;
      });
    });
    module.walk([&](gnnc::gnn::GatherOp) { ++gathers; });
    module.walk([&](gnnc::gnn::IndexGraphOp) { ++indexGraphs; });
    // Drawn ones take the weights along.
    module.walk([&](gnnc::gnn::RemoveSelfLoopsOp op) { virtualLoops += op.getEdges().empty(); });
  }
};
} // namespace

/// Empty, or why the passes do not keep what the program of `seed` computes.
static std::string checkProgram(mlir::MLIRContext &context, const RandomProgram &program,
                                Tally &tally) {
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      diagnostics += diagnostic.str() + "\n";
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program.text, &context);
  if (!module)
    return "does not parse: " + diagnostics;
  auto expected = evaluateProgram(*module, program.inputs);
  if (failed(expected))
    return "cannot be evaluated: " + diagnostics;
  mlir::PassManager manager(&context);
  gnnc::ProgramPipelineOptions options;
  gnnc::addProgramPasses(manager, options);
  if (failed(manager.run(*module)))
    return "the passes fail: " + diagnostics;
  tally.add(*module);
  std::string after;
  llvm::raw_string_ostream(after) << *module;
  auto found = evaluateProgram(*module, program.inputs);
  if (failed(found))
    return "cannot be evaluated behind the passes: " + diagnostics + after;
  for (size_t i = 0; i < expected->size(); ++i) {
    const Tensor &have = (*found)[i].value->tensor, &want = (*expected)[i].value->tensor;
    if (have.shape != want.shape)
      return "result " + std::to_string(i) + " has another shape\n" + after;
    tally.finite += llvm::any_of(want.floats, [](double v) { return std::isfinite(v) && v != 0; });
    if (double error = errorOf(have, want); error > 1e-9)
      return "result " + std::to_string(i) + " is off by " + std::to_string(error) + "\n" + after;
  }
  return {};
}

TEST(ProgramFuzz, PassesKeepMeaning) {
  mlir::DialectRegistry registry;
  gnnc::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  uint64_t first = fromEnvironment("GNNC_FUZZ_SEED", 1);
  uint64_t count = fromEnvironment("GNNC_FUZZ_COUNT", std::getenv("GNNC_FUZZ_SEED") ? 1 : 1000);
  Tally tally;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    RandomProgram program = drawProgram(seed);
    std::string failure = checkProgram(context, program, tally);
    ASSERT_TRUE(failure.empty()) << "seed " << seed << ": " << failure << "\n--- drawn\n"
                                 << program.text;
  }
  std::cout << tally.softmaxes << " softmaxes, " << tally.shared << " shared traversals, "
            << tally.epilogues << " epilogues, " << tally.heads << " with heads, " << tally.gathers
            << " gathers left, " << tally.virtualLoops << " graphs whose loops are not stored, "
            << tally.indexGraphs << " graphs of an index tensor, " << tally.finite
            << " results that say something\n";
  if (count < 1000)
    return;
  EXPECT_GT(tally.softmaxes, 100u);
  EXPECT_GT(tally.shared, 30u);
  EXPECT_GT(tally.finite, 1500u);
  EXPECT_GT(tally.epilogues, 300u);
  EXPECT_GT(tally.heads, 100u);
  EXPECT_GT(tally.virtualLoops, 50u);
  EXPECT_GT(tally.indexGraphs, 300u);
}
