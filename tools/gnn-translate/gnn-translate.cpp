//===- gnn-translate.cpp - IR to the files that the runtime reads ---------===//
//
// Input: a module with one gnn_plan.program. Output: the plan.json that an
// artefact of it would hold. For tests and for looking at a plan.
//
//===----------------------------------------------------------------------===//
#include "lib/Codegen/ExportPlan.h"
#include "lib/Driver/FirstDiagnostic.h"
#include "lib/Driver/ReadProgram.h"
#include "mlir/Support/FileUtilities.h"
#include "passes/RegisterAll.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ToolOutputFile.h"

namespace cl = llvm::cl;

namespace {
constexpr char examples[] = R"(
EXAMPLES:
  The plan of a program with kernels and schedules as JSON:
    gnn-opt kernels.mlir --gnn-build-plan --gnn-plan-memory | gnn-translate --gnn-plan-to-json
)";

mlir::LogicalResult planToJson(mlir::ModuleOp module, llvm::raw_ostream &os) {
  auto programs = llvm::to_vector(module.getOps<gnnc::plan::ProgramOp>());
  if (programs.size() != 1)
    return module.emitError() << "gnn-plan-to-json: expected one gnn_plan.program, found "
                              << programs.size();
  gnnc::format::Plan plan;
  if (failed(gnnc::exportPlan(programs.front(), plan)))
    return mlir::failure();
  os << gnnc::format::toJson(plan);
  return mlir::success();
}
} // namespace

int main(int argc, char **argv) {
  cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"), cl::init("-"));
  cl::opt<std::string> output("o", cl::desc("Output file; - is standard output"),
                              cl::value_desc("filename"), cl::init("-"));
  cl::opt<bool> toJson("gnn-plan-to-json", cl::desc("Write the plan.json of a gnn_plan.program"),
                       cl::init(false));
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << "gnn-translate (gnnc) " GNNC_VERSION "\n"; });
  cl::extrahelp help(examples);
  if (!cl::ParseCommandLineOptions(argc, argv, "gnnc translation: IR to other formats\n",
                                   &llvm::errs()))
    return 2;
  if (!toJson) {
    llvm::errs() << "gnn-translate: nothing to do; say --gnn-plan-to-json\n";
    return 2;
  }
  std::string error;
  mlir::DialectRegistry registry;
  gnnc::registerDialects(registry);
  mlir::MLIRContext context(registry);
  gnnc::FirstDiagnostic diagnostics(&context);
  // Nothing is written unless all of it is right.
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto module = gnnc::readProgram(input, &context, error);
  if (!module || failed(planToJson(*module, stream))) {
    llvm::errs() << "gnn-translate: " << (diagnostics.empty() ? error : diagnostics.get()) << '\n';
    return 1;
  }
  std::unique_ptr<llvm::ToolOutputFile> out = mlir::openOutputFile(output, &error);
  if (!out) {
    llvm::errs() << "gnn-translate: " << error << '\n';
    return 1;
  }
  out->os() << text;
  out->keep();
  return 0;
}
