//===- ReadProgram.cpp - IR out of a file, or one diagnostic --------------===//
//
// MLIR's parser calls itself for every bracket and sign, so a damaged or made-up file could
// overflow the stack. Nesting is counted first. The parsers of some upstream ops
// take an attribute for what it is not (linalg.broadcast: `dimensions = 0.0`) and
// end in a signal; that is an error here, too.
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/ReadProgram.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CrashRecoveryContext.h"
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
  auto tooDeep = [&](unsigned line, size_t column) {
    return emitError(FileLineColLoc::get(context, path, line, column))
           << "brackets or signs are nested more than " << kMaxNesting << " deep";
  };
  int depth = 0, signs = 0;
  unsigned line = 1;
  size_t lineStart = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    size_t start = at;
    at = skipText(text, at);
    if (at >= text.size())
      break;
    char letter = text[at];
    signs = letter == '-' ? signs + 1 : letter == ' ' ? signs : 0;
    if (signs > kMaxNesting)
      return tooDeep(line, at - lineStart + 1);
    if (letter == '\n') {
      ++line;
      lineStart = at + 1;
    } else if (at != start) {
      continue; // the end of a string
    } else if (StringRef("([{<").contains(letter)) {
      if (++depth > kMaxNesting)
        return tooDeep(line, at - lineStart + 1);
    } else if (StringRef(")]}").contains(letter) ||
               (letter == '>' && at > 0 && text[at - 1] != '-' && text[at - 1] != '=')) {
      depth -= depth > 0;
    }
  }
  return success();
}

std::unique_ptr<llvm::MemoryBuffer> gnnc::openProgram(const std::string &path, std::string &error) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer) {
    error = path + ": cannot read the program: " + buffer.getError().message();
    return nullptr;
  }
  return std::move(*buffer);
}

OwningOpRef<ModuleOp> gnnc::readProgram(std::unique_ptr<llvm::MemoryBuffer> text,
                                        MLIRContext *context, std::string &error) {
  std::string path = text->getBufferIdentifier().str();
  if (failed(checkNesting(text->getBuffer(), path, context)))
    return {};
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  OwningOpRef<ModuleOp> module;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  bool survived = recovery.RunSafely([&] { module = parseSourceFile<ModuleOp>(sources, context); });
  llvm::CrashRecoveryContext::Disable();
  if (!survived) {
    (void)module.release(); // whatever state it is in
    error = path + ": MLIR's parser fails on it; an operation in it is malformed";
  }
  return module;
}

OwningOpRef<ModuleOp> gnnc::readProgram(const std::string &path, MLIRContext *context,
                                        std::string &error) {
  auto text = openProgram(path, error);
  return text ? readProgram(std::move(text), context, error) : OwningOpRef<ModuleOp>();
}
