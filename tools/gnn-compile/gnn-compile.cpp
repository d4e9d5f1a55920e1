//===- gnn-compile.cpp - The cache's answer, or the compiler's ------------===//
//
// Loading LLVM takes longer than all that a hit of the cache needs, so this program does
// without: it looks the artefact up and becomes the compiler where that is of no use.
// Whatever is unusual about the cache or the program is for the compiler to tell.
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/FindCompiled.h"
#include "lib/Driver/KnownCompiler.h"
#include "tools/gnn-compile/Flags.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sys/mman.h>
#include <unistd.h>

using namespace gnnc;

/// All that a descriptor has; false when it cannot be read.
static bool readAll(int descriptor, std::string &text) {
  char block[1 << 16];
  ssize_t count;
  while ((count = read(descriptor, block, sizeof block)) != 0) {
    if (count < 0 && errno != EINTR)
      return false;
    if (count > 0)
      text.append(block, static_cast<size_t>(count));
  }
  return true;
}

/// Puts what was read from standard input back, for the compiler to read.
static bool refillInput(const std::string &text) {
  int descriptor = memfd_create("program", 0);
  if (descriptor < 0)
    return false;
  for (size_t at = 0; at < text.size();) {
    ssize_t count = write(descriptor, text.data() + at, text.size() - at);
    if (count < 0)
      return false;
    at += static_cast<size_t>(count);
  }
  bool isBack =
      lseek(descriptor, 0, SEEK_SET) == 0 && dup2(descriptor, STDIN_FILENO) == STDIN_FILENO;
  close(descriptor);
  return isBack;
}

static bool readProgram(const std::string &path, std::string &text) {
  if (path == "-")
    return readAll(STDIN_FILENO, text) && refillInput(text);
  std::FILE *file = std::fopen(path.c_str(), "re");
  bool isRead = file && readAll(fileno(file), text);
  if (file)
    std::fclose(file);
  return isRead;
}

/// The exit code when the cache had the artefact.
static std::optional<int> tryCache(const CompileOptions &options, const std::string &compiler,
                                   bool timing) {
  auto start = std::chrono::steady_clock::now();
  auto elapsedMs = [&] {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  };
  if (!usesCache(options))
    return std::nullopt;
  std::string identity = recallCompiler(options.cache.folder, compiler), program;
  if (identity.empty() || !readProgram(options.input, program))
    return std::nullopt;
  CompileReport report;
  report.chip = chipOf(options);
  CompileCache cache(options.cache.folder, options.cache.maxBytes);
  CacheEntry entry;
  if (!cache.peek(cacheKeyOf(options, report.chip, identity, program), entry))
    return std::nullopt;
  report.parseMs = elapsedMs();
  std::string error;
  bool isDone = writeFound(options, std::move(entry), report, error);
  report.totalMs = elapsedMs();
  report.writeMs = report.totalMs - report.parseMs;
  return tools::reportCompilation(options, report, isDone, error, timing);
}

int main(int argc, char **argv) {
  CompileOptions options;
  bool timing = false;
  if (std::optional<int> code = tools::readFlags(argc, argv, options, timing))
    return *code;
  std::error_code unknown;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", unknown);
  // Without links, for the compiler sees itself that way.
  std::filesystem::path compiler =
      std::filesystem::weakly_canonical(self.parent_path() / "gnn-compiler", unknown);
  if (std::optional<int> code = tryCache(options, compiler.string(), timing))
    return *code;
  char name[] = "gnn-compiler"; // with LLVM inside it is one program of several
  argv[0] = name;
  execv(compiler.c_str(), argv);
  std::fprintf(stderr,
               "gnn-compile: %s: the compiler cannot be started: %s; it belongs beside gnn-compile "
               "(%s)\n",
               compiler.c_str(), std::strerror(errno), self.c_str());
  return 1;
}
