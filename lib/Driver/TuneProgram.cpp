//===- TuneProgram.cpp - The form of a program, by measuring --------------===//
#include "lib/Driver/TuneProgram.h"

#include "lib/Codegen/Codegen.h"
#include "lib/Driver/ReadProgram.h"
#include "lib/Driver/SetPipeline.h"
#include "lib/Tune/Alternatives.h"
#include "lib/Tune/CheckOutputs.h"
#include "passes/RegisterAll.h"

#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <chrono>

using namespace mlir;
using namespace gnnc;

namespace {

struct Form {
  const char *order;
  unsigned maxResults;
};

/// The first is what is taken when nothing is measured.
constexpr Form kForms[] = {
    {"auto", 4}, {"transform-first", 4}, {"aggregate-first", 4}, {"auto", 1}};

std::string nameOf(const Form &form) {
  return std::string("order ") + form.order +
         (form.maxResults == 1 ? ", traversals of their own" : "");
}

/// The program's kernels in a form, in a context of its own so that neither remarks nor
/// errors meet those of the compilation. Empty where it does not compile.
std::string kernelsOf(const std::string &program, const std::string &chip,
                      const CompileOptions &options, double &tolerance) {
  DialectRegistry registry;
  registerDialects(registry);
  registerCodegen(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  std::string error, text;
  auto module = readProgram(llvm::MemoryBuffer::getMemBufferCopy(program), &context, error);
  if (!module)
    return text;
  DefaultPipelineOptions pipeline;
  setPipeline(options, chip, pipeline);
  pipeline.stage = PipelineStage::Kernels;
  PassManager manager(&context);
  addDefaultPasses(manager, pipeline);
  if (failed(manager.run(*module)))
    return text;
  tolerance = tune::toleranceOf(*module, options.precision);
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().enableDebugInfo(false));
  return text;
}

} // namespace

void gnnc::tuneProgram(const std::string &program, const std::string &chip,
                       CompileOptions &options) {
  auto start = std::chrono::steady_clock::now();
  std::vector<tune::Alternative> alternatives;
  std::vector<Form> forms;
  double tolerance = 0;
  for (const Form &form : kForms) {
    CompileOptions formed = options;
    formed.order = form.order;
    formed.maxResults = form.maxResults;
    std::string text = kernelsOf(program, chip, formed, tolerance);
    if (text.empty() && alternatives.empty())
      return;
    bool isKnown = llvm::any_of(alternatives,
                                [&](const tune::Alternative &other) { return other.text == text; });
    if (text.empty() || isKnown)
      continue;
    alternatives.push_back({nameOf(form), std::move(text)});
    forms.push_back(form);
  }
  if (alternatives.size() < 2)
    return;
  std::string error;
  auto workload = options.tuning.open(options.graph, error);
  if (!workload)
    return;
  tune::TuneOptions tuning;
  tuning.measure.target = options.target;
  tuning.measure.chip = chip;
  tuning.measure.weights = options.weights;
  tuning.measure.mode = options.mode;
  tuning.measure.dynamic = options.dynamic;
  if (options.precision == "fp32" || options.precision == "tf32")
    tuning.measure.products = options.precision;
  tuning.database = options.tuning.database;
  tuning.seconds = options.tuning.seconds;
  auto print = [](const char *kind) {
    return
        [kind](const std::string &text) { llvm::errs() << "autotune: " << kind << text << '\n'; };
  };
  tuning.warn = print("warning: ");
  if (!options.tuning.quiet)
    tuning.say = print("");
  const Form &form = forms[tune::chooseAlternative(alternatives, *workload, tuning, tolerance)];
  options.order = form.order;
  options.maxResults = form.maxResults;
  std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  if (options.tuning.seconds > 0)
    options.tuning.seconds = std::max(1e-3, options.tuning.seconds - spent.count());
}
