//===- Compile.cpp - From a program file to an artefact -------------------===//
//
// In:  a program (.mlir) and its weights. Out: a .gnnx, or the IR of a stage.
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/Compile.h"

#include "dialects/Gnn/Gnn.h"
#include "dialects/Plan/Plan.h"
#include "lib/Codegen/Codegen.h"
#include "lib/Codegen/EmitArtifact.h"
#include "lib/Codegen/SelectWeights.h"
#include "lib/Driver/CacheKey.h"
#include "lib/Driver/CompileCache.h"
#include "lib/Driver/FindCompiled.h"
#include "lib/Driver/FirstDiagnostic.h"
#include "lib/Driver/KnownCompiler.h"
#include "lib/Driver/ReadProgram.h"
#include "lib/Driver/SetPipeline.h"
#include "lib/Driver/TuneProgram.h"
#include "lib/Explain/Explanation.h"
#include "lib/Tune/Passes.h"
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

bool hasPass(const OpPassManager &manager, StringRef name) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  manager.printAsTextualPipeline(stream);
  SmallVector<StringRef> words;
  llvm::SplitString(text, words, "(){},");
  return llvm::is_contained(words, name);
}

/// The chip's limits with those of `wanted` in their place.
std::optional<explain::Limits> limitsFor(const std::string &target, const std::string &chip,
                                         const ExplainOptions &wanted) {
  auto limits = explain::limitsOf(target, chip);
  // A chip whose products of 16 bit are not said to be faster has one rate.
  double tensorGflopS = wanted.tensorGflopS > 0 ? wanted.tensorGflopS : wanted.gflopS;
  const double given[] = {wanted.memoryGbS, wanted.cacheGbS, wanted.gflopS, tensorGflopS,
                          wanted.launchUs};
  bool givesAll = llvm::all_of(given, [](double value) { return value > 0; });
  bool givesAny = llvm::any_of(given, [](double value) { return value > 0; });
  if (!givesAny || (!limits && !givesAll))
    return limits;
  if (!limits)
    limits = explain::Limits{};
  double *known[] = {&limits->memoryGbS, &limits->cacheGbS, &limits->gflopS, &limits->tensorGflopS,
                     &limits->launchUs};
  for (auto [value, place] : llvm::zip(given, known))
    if (value > 0)
      *place = value;
  limits->of = chip;
  limits->source = givesAll ? "given" : "given; the rest: " + limits->source;
  return limits;
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

  /// Compiles `text`. What it makes goes to `kept` too, where that is given.
  bool run(std::unique_ptr<llvm::MemoryBuffer> text, CacheEntry *kept) {
    auto start = std::chrono::steady_clock::now();
    if (!parse(std::move(text)))
      return false;
    if (!options.explain.format.empty()) {
      sources = explain::tagSourceOps(*module);
      if (failed(explain::ReasonCollector::listen(context, remarks)))
        return fail(options.input + ": remarks cannot be collected");
    }
    report.parseMs = elapsedMs(start);
    if (!runPasses())
      return false;
    report.passesMs = elapsedMs(start);
    report.tuningRuns = tuned.measured;
    std::string explanation;
    if (!options.explain.format.empty() && !explainProgram(explanation))
      return false;
    if (explainsOnly()) {
      // The plan is enough.
    } else if (options.emit == "gnnx") {
      if (!writeGnnx(start, kept))
        return false;
    } else if (!writeStage()) {
      return false;
    }
    return options.explain.format.empty() || writeText(options.explain.output, explanation);
  }

private:
  bool fail(const std::string &message) {
    error = diagnostics.empty() ? message : diagnostics.get();
    return false;
  }

  bool explainsOnly() const {
    return !options.explain.format.empty() && options.emit == "gnnx" && options.output.empty();
  }

  bool explainProgram(std::string &text) {
    auto programs = module->getOps<plan::ProgramOp>();
    if (programs.empty())
      return fail(options.input + ": has no @forward function to explain");
    const ExplainOptions &wanted = options.explain;
    auto known = [](std::int64_t count) {
      return count < 0 ? std::nullopt : std::optional<std::int64_t>(count);
    };
    explain::Counts counts{known(wanted.dst), known(wanted.src), known(wanted.edges),
                           known(wanted.loopEdges)};
    explain::Explanation explanation =
        explain::explainPlan(*programs.begin(), sources, remarks, counts,
                             limitsFor(options.target, report.chip, wanted));
    text = wanted.format == "json" ? explain::toJson(explanation) : explain::toText(explanation);
    return true;
  }

  bool writeText(const std::string &path, const std::string &text) {
    if (path.empty() || path == "-") {
      llvm::outs() << text;
      return true;
    }
    format::Piece piece{text.data(), text.size()};
    return format::writeFile(path, &piece, 1, error);
  }

  bool parse(std::unique_ptr<llvm::MemoryBuffer> text) {
    std::string unreadable = options.input + ": is no valid program";
    module = readProgram(std::move(text), &context, unreadable);
    if (!module)
      return fail(unreadable);
    for (auto function : module->getOps<func::FuncOp>()) // before passes drop unused ones
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (auto name = function.getArgAttrOfType<StringAttr>(i, gnn::kWeightAttr))
          weightArguments.insert(name.str());
    return true;
  }

  void addTuning(OpPassManager &manager) {
    GnnAutotunePassOptions tuning;
    tuning.graph = options.graph;
    tuning.weights = options.weights;
    tuning.database = options.tuning.database;
    tuning.budget = options.tuning.seconds;
    tuning.mode = options.mode;
    tuning.dynamic = options.dynamic;
    tuning.quiet = options.tuning.quiet;
    if (options.precision == "fp32" || options.precision == "tf32")
      tuning.products = options.precision;
    manager.addPass(createAutotunePass(options.tuning.open, tuning, &tuned));
  }

  bool runPasses() {
    PassManager manager(&context);
    DefaultPipelineOptions pipeline;
    setPipeline(options, report.chip, pipeline);
    pipeline.stage = llvm::StringSwitch<PipelineStage>(options.emit)
                         .Case("program", PipelineStage::Program)
                         .Case("kernels", PipelineStage::Kernels)
                         .Case("plan", PipelineStage::Plan)
                         .Default(explainsOnly() ? PipelineStage::Plan : PipelineStage::LLVM);
    if (options.tunes())
      pipeline.tune = [this](OpPassManager &tuned) { addTuning(tuned); };
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

  bool writeGnnx(std::chrono::steady_clock::time_point &start, CacheEntry *kept) {
    if (module->getOps<plan::ProgramOp>().empty())
      return fail(options.input + ": has no @forward function to compile");
    format::Artifact artifact;
    EmitOptions emit{options.target, report.chip, options.cubin};
    if (failed(emitArtifact(*module, emit, artifact)))
      return fail(options.input + ": code generation failed");
    if (!artifact.code.empty())
      report.code = artifact.code.front().name;
    report.codegenMs = elapsedMs(start);
    if (kept)
      *kept = {artifact.plan, artifact.code, weightArguments};
    if (!selectWeights(options.weights, options.input, weightArguments, artifact.plan,
                       artifact.weights, report.warning, error) ||
        !format::writeArtifact(options.output, artifact, error))
      return false;
    report.writeMs = elapsedMs(start);
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
    return writeText(options.output, text);
  }

  const CompileOptions &options;
  CompileReport &report;
  std::string &error;
  std::vector<explain::SourceOp> sources;
  tune::TuneReport tuned;
  explain::Remarks remarks; // the context tells it to the end
  MLIRContext context;
  FirstDiagnostic diagnostics;
  OwningOpRef<ModuleOp> module;
  std::set<std::string> weightArguments; ///< of the program as written
};

} // namespace

/// Compiles unless the cache knows what would come out.
static bool compileOrFind(const CompileOptions &options, std::unique_ptr<llvm::MemoryBuffer> text,
                          CompileReport &report, std::string &error) {
  std::string compiler = compilerIdentity();
  if (compiler.empty()) {
    report.cacheProblem = "the cache is not used: this program was linked without a build id";
    return Compilation(options, report, error).run(std::move(text), nullptr);
  }
  auto start = std::chrono::steady_clock::now();
  std::string key = cacheKeyOf(options, report.chip, compiler, text->getBuffer().str());
  CompileCache cache(options.cache.folder, options.cache.maxBytes);
  rememberCompiler(options.cache.folder, compiler);
  CacheEntry entry;
  if (cache.find(key, entry)) {
    report.parseMs = elapsedMs(start);
    bool isWritten = writeFound(options, std::move(entry), report, error);
    report.writeMs = elapsedMs(start);
    return isWritten;
  }
  report.cache = "miss";
  bool isDone = Compilation(options, report, error).run(std::move(text), &entry);
  if (isDone)
    cache.store(key, entry);
  report.cacheProblem = cache.problem();
  return isDone;
}

bool gnnc::compile(const CompileOptions &options, CompileReport &report, std::string &error) {
  auto begin = std::chrono::steady_clock::now();
  report.chip = chipOf(options);
  if (!checkOptions(options, error))
    return false;
  auto text = openProgram(options.input, error);
  if (!text)
    return false;
  CompileOptions tuned = options;
  if (options.tunes() && options.order == "auto")
    tuneProgram(text->getBuffer().str(), report.chip, tuned);
  bool isDone = usesCache(options)
                    ? compileOrFind(options, std::move(text), report, error)
                    : Compilation(tuned, report, error).run(std::move(text), nullptr);
  report.totalMs = elapsedMs(begin);
  return isDone;
}
