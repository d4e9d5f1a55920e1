//===- Compile.cpp - From a program file to an artefact -------------------===//
//
// In:  a program (.mlir) and its weights. Out: a .gnnx, or the IR of a stage.
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/Compile.h"

#include "dialects/Gnn/Gnn.h"
#include "dialects/Plan/Plan.h"
#include "lib/Codegen/Codegen.h"
#include "lib/Codegen/ExportPlan.h"
#include "lib/Driver/FirstDiagnostic.h"
#include "lib/Driver/ReadProgram.h"
#include "lib/Driver/SelectWeights.h"
#include "passes/Pipelines.h"
#include "passes/RegisterAll.h"
#include "runtime/format/Artifact.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <chrono>

using namespace mlir;
using namespace gnnc;

namespace {

double elapsedMs(std::chrono::steady_clock::time_point &since) {
  auto now = std::chrono::steady_clock::now();
  double ms = std::chrono::duration<double, std::milli>(now - since).count();
  since = now;
  return ms;
}

bool oneOf(const char *flag, const std::string &value, std::initializer_list<const char *> known,
           std::string &error) {
  std::string list;
  for (const char *name : known) {
    if (value == name)
      return true;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  error = std::string(flag) + " is one of " + list + "; found '" + value + "'";
  return false;
}

bool hasPass(const OpPassManager &manager, StringRef name) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  manager.printAsTextualPipeline(stream);
  SmallVector<StringRef> words;
  llvm::SplitString(text, words, "(){},");
  return llvm::is_contained(words, name);
}

class Compilation {
public:
  Compilation(const CompileOptions &options, CompileReport &report, std::string &error)
      : options(options), report(report), error(error), context(MLIRContext::Threading::DISABLED),
        diagnostics(&context) {
    DialectRegistry registry;
    registerDialects(registry);
    registerCodegen(registry);
    context.appendDialectRegistry(registry);
  }

  bool run() {
    auto start = std::chrono::steady_clock::now();
    auto begin = start;
    report.chip = !options.chip.empty()      ? options.chip
                  : options.target == "cuda" ? "sm_90"
                                             : hostChip();
    if (!checkOptions(options, error) || !parse())
      return false;
    report.parseMs = elapsedMs(start);
    if (!runPasses())
      return false;
    report.passesMs = elapsedMs(start);
    if (options.emit == "gnnx") {
      if (!writeGnnx(start))
        return false;
    } else if (!writeStage()) {
      return false;
    }
    report.totalMs = elapsedMs(begin);
    return true;
  }

private:
  bool fail(const std::string &message) {
    error = diagnostics.empty() ? message : diagnostics.get();
    return false;
  }

  bool parse() {
    std::string unreadable = options.input + ": is no valid program";
    module = readProgram(options.input, &context, unreadable);
    return module || fail(unreadable);
  }

  bool runPasses() {
    PassManager manager(&context);
    DefaultPipelineOptions pipeline;
    pipeline.target = options.target;
    pipeline.chip = report.chip;
    pipeline.mode = options.mode;
    pipeline.index = options.index;
    pipeline.order = options.order;
    pipeline.selfLoops = options.selfLoops;
    pipeline.normalize = options.normalize;
    pipeline.scope = options.fixes == "on" ? "graph" : "layer";
    pipeline.stage = llvm::StringSwitch<PipelineStage>(options.emit)
                         .Case("program", PipelineStage::Program)
                         .Case("kernels", PipelineStage::Kernels)
                         .Case("plan", PipelineStage::Plan)
                         .Default(PipelineStage::LLVM);
    addDefaultPasses(manager, pipeline);
    if (!options.printIr.empty()) {
      if (options.printIr != "all" && !hasPass(manager, options.printIr))
        return fail("--print-ir-after: no pass '" + options.printIr +
                    "' runs here; --print-ir-after all prints their names");
      context.disableMultithreading();
      manager.enableIRPrinting([](Pass *, Operation *) { return false; },
                               [this](Pass *pass, Operation *) {
                                 return options.printIr == "all" ||
                                        pass->getArgument() == options.printIr;
                               },
                               /*printModuleScope=*/true, /*printAfterOnlyOnChange=*/true,
                               /*printAfterOnlyOnFailure=*/false, llvm::errs());
    }
    if (failed(manager.run(*module)))
      return fail(options.input + ": compilation failed");
    return true;
  }

  /// Takes the plan out of the module, which then holds kernels only.
  bool takePlan(format::Plan &out) {
    auto programs = module->getOps<plan::ProgramOp>();
    if (programs.empty())
      return fail(options.input + ": has no @forward function to compile");
    plan::ProgramOp program = *programs.begin();
    if (failed(exportPlan(program, out)))
      return fail(options.input + ": the plan cannot be written");
    out.producer = std::string("gnnc ") + GNNC_VERSION;
    program.erase();
    return true;
  }

  bool writeGnnx(std::chrono::steady_clock::time_point &start) {
    format::Artifact artifact;
    if (!takePlan(artifact.plan) || !addCode(artifact))
      return false;
    report.codegenMs = elapsedMs(start);
    if (!selectWeights(options.weights, options.input, artifact.plan, artifact.weights, error) ||
        !format::writeArtifact(options.output, artifact, error))
      return false;
    report.writeMs = elapsedMs(start);
    return true;
  }

  bool addCode(format::Artifact &artifact) {
    // The names say what runs where: runtime/format/Artifact.h.
    auto add = [&](const std::string &name, std::string bytes) {
      artifact.code.push_back({name, format::Bytes::fromString(std::move(bytes))});
      if (report.code.empty())
        report.code = name;
    };
    if (options.target == "cpu") {
      auto object = compileHostObject(*module, report.chip);
      if (failed(object))
        return fail(options.input + ": host code generation failed");
      add("host.so", std::move(*object));
      return true;
    }
    auto ptx = compilePtx(*module, report.chip);
    if (failed(ptx))
      return fail(options.input + ": PTX generation failed");
    if (ptx->empty())
      return true;
    if (options.cubin) {
      auto cubin = assembleCubin(module->getLoc(), *ptx, report.chip);
      if (failed(cubin))
        return fail(options.input + ": assembling PTX failed");
      if (!cubin->empty())
        add(report.chip + ".cubin", std::move(*cubin));
    }
    add(report.chip + ".ptx", std::move(*ptx));
    return true;
  }

  bool writeStage() {
    std::string text;
    if (options.emit == "ptx") {
      auto ptx = compilePtx(*module, report.chip);
      if (failed(ptx))
        return fail(options.input + ": PTX generation failed");
      text = std::move(*ptx);
    } else {
      llvm::raw_string_ostream stream(text);
      module->print(stream);
      stream << '\n';
    }
    if (options.output.empty() || options.output == "-") {
      llvm::outs() << text;
      return true;
    }
    format::Piece piece{text.data(), text.size()};
    return format::writeFile(options.output, &piece, 1, error);
  }

  const CompileOptions &options;
  CompileReport &report;
  std::string &error;
  MLIRContext context;
  FirstDiagnostic diagnostics;
  OwningOpRef<ModuleOp> module;
};

} // namespace

bool gnnc::checkOptions(const CompileOptions &options, std::string &error) {
  if (!oneOf("--target", options.target, {"cpu", "cuda"}, error) ||
      !oneOf("--mode", options.mode, {"default", "reduce-overhead"}, error) ||
      !oneOf("--dynamic", options.dynamic, {"true"}, error) ||
      !oneOf("--precision", options.precision, {"fp32"}, error) ||
      !oneOf("--index", options.index, {"i32", "i64"}, error) ||
      !oneOf("--order", options.order, {"auto", "transform-first", "aggregate-first"}, error) ||
      !oneOf("--self-loops", options.selfLoops, {"marked", "all", "none"}, error) ||
      !oneOf("--normalize", options.normalize, {"marked", "symmetric", "row", "none"}, error) ||
      !oneOf("--fixes", options.fixes, {"on", "off"}, error) ||
      !oneOf("--emit", options.emit, {"gnnx", "program", "kernels", "plan", "llvm", "ptx"}, error))
    return false;
  if (options.emit == "ptx" && options.target != "cuda") {
    error = "--emit ptx needs --target cuda, found --target " + options.target;
    return false;
  }
  return true;
}

bool gnnc::compile(const CompileOptions &options, CompileReport &report, std::string &error) {
  return Compilation(options, report, error).run();
}
