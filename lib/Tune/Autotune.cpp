//===- Autotune.cpp - Measure schedules on a graph and keep the fastest ---===//
//
// The pass around the tuner: options, what is said on the way, statistics.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "lib/Tune/Passes.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

namespace gnnc {
#define GEN_PASS_DEF_GNNAUTOTUNEPASS
#include "lib/Tune/Passes.h.inc"
} // namespace gnnc

using namespace mlir;
using namespace gnnc;

namespace {

std::string summaryOf(const tune::TuneReport &report) {
  std::string text = llvm::formatv("{0} of {1} kinds of kernels changed in {2:f1} s ({3} from the "
                                   "database, {4} candidates measured, {5} compilations)",
                                   report.changed, report.groups, report.seconds, report.found,
                                   report.measured, report.compilations);
  if (report.tunedMs <= 0)
    return text;
  text += llvm::formatv("; a forward takes {0:f4} ms, untuned {1:f4} ms", report.tunedMs,
                        report.untunedMs);
  double saved = report.untunedMs - report.tunedMs;
  if (saved <= 0)
    return text + ": nothing was gained";
  return text + llvm::formatv(" ({0:f2} times as fast); paid back after {1:f0} forwards",
                              report.untunedMs / report.tunedMs,
                              std::ceil(report.seconds * 1000 / saved))
                    .str();
}

struct GnnAutotunePass : gnnc::impl::GnnAutotunePassBase<GnnAutotunePass> {
  GnnAutotunePass(GnnAutotunePassOptions given = {}, tune::OpenWorkload open = {},
                  tune::TuneReport *out = nullptr)
      : GnnAutotunePassBase(std::move(given)), open(std::move(open)), out(out) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto target = module->getAttrOfType<gnn::TargetAttr>(gnn::kTargetAttr);
    if (!target || !module.lookupSymbol<func::FuncOp>(gnn::kForwardFunc)) {
      module.emitError("gnn-autotune needs the module attribute gnn.target and @forward");
      return signalPassFailure();
    }
    if (graph.empty()) {
      module.emitError("gnn-autotune needs a graph to measure on: graph=FILE");
      return signalPassFailure();
    }
    if (!(budget >= 0)) {
      module.emitError("gnn-autotune: budget is at least 0 seconds, found ") << budget.getValue();
      return signalPassFailure();
    }
    std::string error;
    std::unique_ptr<tune::Workload> workload = open(graph, error);
    if (!workload) {
      module.emitError("gnn-autotune: ") << error;
      return signalPassFailure();
    }
    tune::TuneOptions options;
    options.measure.target = gnn::stringifyTargetKind(target.getKind()).str();
    options.measure.chip = target.getChip().str();
    options.measure.weights = weights;
    options.measure.products = products;
    options.measure.mode = mode;
    options.measure.dynamic = dynamic;
    options.database = database;
    options.seconds = budget;
    options.candidates = candidates;
    options.warn = [](const std::string &text) {
      llvm::errs() << "autotune: warning: " << text << '\n';
    };
    if (!quiet)
      options.say = [](const std::string &text) { llvm::errs() << "autotune: " << text << '\n'; };
    tune::TuneReport report;
    if (failed(tune::tuneSchedules(module, *workload, options, report)))
      return signalPassFailure();
    options.say(summaryOf(report));
    numChanged += report.changed;
    numFound += report.found;
    numMeasured += report.measured;
    if (out)
      *out = report;
  }

  tune::OpenWorkload open;
  tune::TuneReport *out;
};

} // namespace

std::unique_ptr<Pass> gnnc::createAutotunePass(tune::OpenWorkload open,
                                               GnnAutotunePassOptions options,
                                               tune::TuneReport *report) {
  return std::make_unique<GnnAutotunePass>(std::move(options), std::move(open), report);
}

void gnnc::registerAutotunePass(const tune::OpenWorkload &open) {
  registerPass([open] { return createAutotunePass(open); });
}
