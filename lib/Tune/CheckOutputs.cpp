//===- CheckOutputs.cpp - Is what is about to be tuned right at all? ------===//
#include "lib/Tune/CheckOutputs.h"

#include "dialects/Gnn/Gnn.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::tune;

double tune::toleranceOf(ModuleOp module, const std::string &products) {
  if (module->hasAttr(gnn::kStorageAttr))
    return 3e-2;
  if (products == "tf32")
    return 1e-2;
  bool narrow = false;
  module.walk([&](func::FuncOp function) {
    for (Type type : function.getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        narrow |= tensor.getElementType().isF16() || tensor.getElementType().isBF16();
  });
  return narrow ? 3e-2 : 1e-5;
}

/// Steps of the evaluator's innermost loops, roughly.
static double workOf(const format::Plan &plan, const GraphShape &shape) {
  double work = 0;
  auto rows = static_cast<double>(shape.dst + shape.edges);
  for (const format::Command &command : plan.forward) {
    if (command.kind == format::Command::Kind::Gemm)
      work += static_cast<double>(shape.src) * static_cast<double>(command.gemm.n) *
              static_cast<double>(command.gemm.k);
    else
      work += rows * 1000; // a region interpreted for each row
  }
  return work;
}

std::string tune::checkAgainstReference(ModuleOp module, Workload &workload,
                                        const BoundWorkload &bound, const CompiledProgram &program,
                                        const std::string &weights, const Outputs &outputs,
                                        double tolerance, std::string &error) {
  if (workOf(program.plan(), workload.shape()) > 2e8)
    return "the graph is too large for the float64 reference; candidates are compared with the "
           "untuned program";
  reference::ProgramInputs inputs;
  if (!workload.forReference(bound, inputs, error) ||
      (!weights.empty() && !workload.weightsForReference(weights, inputs, error)))
    return {};
  FailureOr<std::vector<reference::NamedValue>> values = failure();
  {
    ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
    values = reference::evaluateProgram(module, inputs);
  }
  if (failed(values))
    return "the float64 reference does not evaluate this program; candidates are compared with "
           "the untuned program";
  Outputs expected;
  for (const reference::NamedValue &named : *values) {
    const reference::Tensor &tensor = named.value->tensor;
    if (!named.value->isGraph && !tensor.isInteger)
      expected.push_back(
          format::Tensor::view(named.name, format::DType::F64, tensor.shape, tensor.floats.data()));
  }
  double apart = difference(outputs, expected);
  if (!(apart <= tolerance)) {
    error = llvm::formatv("the untuned program's output differs by {0:e1} of the largest value "
                          "from float64, {1:e1} is allowed; nothing is tuned",
                          apart, tolerance);
    return {};
  }
  return llvm::formatv("the untuned program is within {0:e1} of float64", apart);
}
