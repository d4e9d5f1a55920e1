//===- gnn-opt.cpp - Run gnnc passes on IR files --------------------------===//
//
// Input: IR of any level. Output: IR after the passes named, or the message of a
// verifier. The parsing of the command line is upstream's, with the exit codes of
// the other tools: 1 for wrong input, 2 for wrong usage.
//
//===----------------------------------------------------------------------===//
#include "lib/Codegen/Codegen.h"
#include "lib/Tune/Passes.h"
#include "passes/RegisterAll.h"
#include "tools/tune/GraphWorkload.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace {
constexpr char examples[] = R"(
EXAMPLES:
  One pass, the result on standard output:
    gnn-opt model.mlir --gnn-hoist-graph-invariants
  Read what every pass did:
    gnn-opt model.mlir --canonicalize --cse --mlir-print-ir-after-all -o /dev/null
  Check that a program verifies:
    gnn-opt model.mlir -o /dev/null
)";
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::DialectRegistry registry;
  gnnc::registerAll(registry);
  gnnc::registerCodegen(registry); // gnn-autotune compiles what it measures
  gnnc::registerAutotunePass(gnnc::tools::openWorkload);

  cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"), cl::init("-"));
  cl::opt<std::string> output("o", cl::desc("Output file; - is standard output"),
                              cl::value_desc("filename"), cl::init("-"));
  mlir::MlirOptMainConfig::registerCLOptions(registry);
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  // The place and its line say enough; the whole module would follow otherwise.
  auto *printOp = static_cast<cl::opt<bool> *>(
      cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic"));
  printOp->setInitialValue(false);
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << "gnn-opt (gnnc) " GNNC_VERSION "\n"; });
  cl::extrahelp help(examples);
  // With a stream of ours for its messages the parser returns instead of exiting.
  if (!cl::ParseCommandLineOptions(argc, argv, "gnnc optimizer: runs passes on IR files\n",
                                   &llvm::errs()))
    return 2;
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
}
