//===- gnn-lsp-server.cpp - Language server for gnn programs --------------===//
//
// Input: the language server protocol on standard input, from an editor. Output:
// diagnostics of verifiers, hover texts, definitions. Knows the dialects that
// gnn-opt knows.
//
//===----------------------------------------------------------------------===//
#include "passes/RegisterAll.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace {
constexpr char examples[] = R"(
EXAMPLES:
  An editor starts it without arguments and talks to it on stdin and stdout. In VS
  Code's MLIR extension: "mlir.server_path": "build/bin/gnn-lsp-server"
  A session from a file, one message after the other, separated by "// -----":
    gnn-lsp-server --lit-test < session.txt
)";

/// The first flag that neither LLVM nor the server knows, or an empty string.
/// Upstream's parser would exit with 1, which means wrong input in gnnc.
llvm::StringRef findUnknownFlag(llvm::ArrayRef<char *> args) {
  for (llvm::StringRef arg : args) {
    llvm::StringRef name = arg.ltrim('-').split('=').first;
    bool own = llvm::is_contained({"lit-test", "input-style", "log", "pretty", "help", "h",
                                   "help-hidden", "help-list", "version"},
                                  name);
    if (arg.starts_with("-") && !own && !llvm::cl::getRegisteredOptions().contains(name))
      return arg;
  }
  return {};
}
} // namespace

int main(int argc, char **argv) {
  llvm::StringRef unknown = findUnknownFlag(llvm::ArrayRef(argv + 1, argc - 1));
  if (!unknown.empty()) {
    llvm::errs() << "gnn-lsp-server: unknown argument '" << unknown
                 << "'; see gnn-lsp-server --help\n";
    return 2;
  }
  llvm::cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << "gnn-lsp-server (gnnc) " GNNC_VERSION "\n"; });
  llvm::cl::extrahelp help(examples);
  mlir::DialectRegistry registry;
  gnnc::registerDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry)) ? 1 : 0;
}
