//===- ReferenceTest.cpp - The evaluator as a library ---------------------===//
//
// Binding by name, both functions of a program, failures as diagnostics, and use
// from several threads. What ops compute is tested in test/lib/Reference.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Reference.h"

#include "dialects/Gnn/Gnn.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <thread>

using namespace gnnc::reference;

namespace {

/// Sums of neighbours times a weight; @prepare counts the edges of each node.
constexpr const char *kProgram = R"mlir(
func.func @prepare(%g: !gnn.graph<?x?x?>) -> tensor<?xf32> {
  %d = gnn.degree %g at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
  return %d : tensor<?xf32>
}
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32> {gnn.input = "x"},
                   %w: tensor<?xf32> {gnn.weight = "w"}, %d: tensor<?xf32> {gnn.prepared = 0})
    -> (tensor<?xf32> {gnn.output = "out"}, tensor<?xf32>) {
  %m = gnn.gather %x, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %s = gnn.scatter sum %m, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %y = arith.mulf %s, %w : tensor<?xf32>
  return %y, %d : tensor<?xf32>, tensor<?xf32>
}
)mlir";

struct Parsed {
  explicit Parsed(const char *text) {
    context.loadDialect<gnnc::gnn::GnnDialect, mlir::func::FuncDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

ProgramInputs inputs() {
  ProgramInputs inputs;
  inputs.graph = makeValue(Graph{3, 3, {1, 2, 2}, {0, 0, 1}});
  inputs.inputs["x"] = makeValue(Tensor::ofFloats({3}, {1, 10, 100}));
  inputs.weights["w"] = makeValue(Tensor::ofFloats({3}, {1, 2, 3}));
  inputs.weights["of_another_model"] = makeValue(Tensor::ofFloats({1}, {0}));
  return inputs;
}

/// Evaluates with `inputs` and returns the diagnostic, which there must be.
std::string failureOf(const ProgramInputs &inputs, const char *text = kProgram) {
  Parsed parsed(text);
  std::string message;
  mlir::ScopedDiagnosticHandler handler(
      &parsed.context, [&](mlir::Diagnostic &diagnostic) { message = diagnostic.str(); });
  EXPECT_TRUE(failed(evaluateProgram(*parsed.module, inputs)));
  return message;
}

TEST(Reference, RunsPrepareThenForward) {
  Parsed parsed(kProgram);
  auto results = evaluateProgram(*parsed.module, inputs());
  ASSERT_TRUE(succeeded(results));
  ASSERT_EQ(results->size(), 2u);
  EXPECT_EQ((*results)[0].name, "out");
  EXPECT_EQ((*results)[0].value->tensor.floats, (std::vector<double>{110, 200, 0}));
  EXPECT_EQ((*results)[1].name, "out1");
  EXPECT_EQ((*results)[1].value->tensor.floats, (std::vector<double>{2, 1, 0}));
}

TEST(Reference, MissingWeight) {
  ProgramInputs given = inputs();
  given.weights.erase("w");
  EXPECT_EQ(failureOf(given), "'func.func' op argument #2 (gnn.weight = \"w\") has type "
                              "'tensor<?xf32>', there is no tensor of that name");
}

TEST(Reference, WrongRank) {
  ProgramInputs given = inputs();
  given.inputs["x"] = makeValue(Tensor::zeros({3, 4}));
  EXPECT_EQ(failureOf(given), "'func.func' op argument #1 (gnn.input = \"x\") has type "
                              "'tensor<?xf32>', the tensor is 3x4xf64");
}

TEST(Reference, RowsOfAnotherGraph) {
  ProgramInputs given = inputs();
  given.inputs["x"] = makeValue(Tensor::zeros({4}));
  EXPECT_EQ(failureOf(given),
            "'gnn.gather' op operand 'nodes' has 4 rows, the graph has 3 sources");
}

TEST(Reference, NoGraph) {
  ProgramInputs given = inputs();
  given.graph = nullptr;
  EXPECT_EQ(failureOf(given), "'func.func' op argument #0 is a graph, none was given");
}

TEST(Reference, PreparedResultThatIsNotThere) {
  EXPECT_EQ(failureOf(inputs(), R"mlir(
func.func @forward(%d: tensor<?xf32> {gnn.prepared = 0}) {
  return
}
)mlir"),
            "'func.func' op argument #0 is prepared result 0, @prepare returns 0 values");
}

TEST(Reference, EachThreadItsOwnContext) {
  std::vector<std::thread> threads;
  std::vector<std::vector<double>> found(4);
  for (auto &out : found)
    threads.emplace_back([&out] {
      Parsed parsed(kProgram);
      for (int i = 0; i < 20; ++i)
        if (auto results = evaluateProgram(*parsed.module, inputs()); succeeded(results))
          out = (*results)[0].value->tensor.floats;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const auto &out : found)
    EXPECT_EQ(out, (std::vector<double>{110, 200, 0}));
}

TEST(Graph, FirstBadEdgeIsNamed) {
  std::string error;
  EXPECT_TRUE(checkGraph(Graph{0, 0, {}, {}}, error));
  EXPECT_FALSE(checkGraph(Graph{2, 3, {2, 2, 3}, {0, 2, 0}}, error));
  EXPECT_EQ(error, "edge 1: destination 2 is not in [0, 2); were ids counted from 1?");
}

} // namespace
