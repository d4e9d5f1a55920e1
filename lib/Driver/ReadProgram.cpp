//===- ReadProgram.cpp - IR out of a file, or one diagnostic --------------===//
//
// MLIR's parser calls itself for every bracket, so a damaged or made-up file could
// overflow the stack. Nesting is counted first.
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/ReadProgram.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

/// Far above any program (a nested region is a level or two) and far below what a
/// stack of 8 MiB holds (about 10,000 regions in each other).
static constexpr int kMaxNesting = 1000;

/// Past the string or comment that begins at `at`, or `at`.
static size_t skipText(StringRef text, size_t at) {
  if (text.substr(at).starts_with("//"))
    return std::min(text.find('\n', at), text.size() - 1);
  if (text[at] != '"')
    return at;
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    at += text[at] == '\\';
  return at;
}

static LogicalResult checkNesting(StringRef text, StringRef path, MLIRContext *context) {
  int depth = 0;
  unsigned line = 1;
  size_t lineStart = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    size_t start = at;
    at = skipText(text, at);
    if (at >= text.size())
      break;
    char letter = text[at];
    if (letter == '\n') {
      ++line;
      lineStart = at + 1;
    } else if (at != start) {
      continue; // the end of a string
    } else if (StringRef("([{<").contains(letter)) {
      if (++depth > kMaxNesting)
        return emitError(FileLineColLoc::get(context, path, line, at - lineStart + 1))
               << "brackets are nested more than " << kMaxNesting << " deep";
    } else if (StringRef(")]}").contains(letter) ||
               (letter == '>' && at > 0 && text[at - 1] != '-' && text[at - 1] != '=')) {
      depth -= depth > 0;
    }
  }
  return success();
}

OwningOpRef<ModuleOp> gnnc::readProgram(const std::string &path, MLIRContext *context,
                                        std::string &error) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer) {
    error = path + ": cannot read the program: " + buffer.getError().message();
    return {};
  }
  if (failed(checkNesting((*buffer)->getBuffer(), (*buffer)->getBufferIdentifier(), context)))
    return {};
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, context);
}
