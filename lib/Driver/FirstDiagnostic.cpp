//===- FirstDiagnostic.cpp - One line out of MLIR's diagnostics -----------===//
#include "lib/Driver/FirstDiagnostic.h"

#include "mlir/IR/Location.h"

using namespace mlir;

/// The first place in a file that a (fused, named, call-site) location names.
static FileLineColLoc fileLocation(Location location) {
  FileLineColLoc found;
  location->walk([&](Location inner) {
    if (auto file = dyn_cast<FileLineColLoc>(inner)) {
      found = file;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return found;
}

gnnc::FirstDiagnostic::FirstDiagnostic(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        if (!text.empty())
          return success();
        if (FileLineColLoc file = fileLocation(diagnostic.getLocation())) {
          text = file.getFilename().str() + ":";
          if (file.getLine() > 0) // 0: the module itself, where the file does not write it
            text += (Twine(file.getLine()) + ":" + Twine(file.getColumn()) + ":").str();
          text += " ";
        }
        std::string message = diagnostic.str();
        llvm::replace(message, '\n', ' ');
        text += message;
        return success();
      }) {}
