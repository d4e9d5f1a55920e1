//===- Program.cpp - Shapes, compilations, what is kept -------------------===//
#include "lib/Jit/Program.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

namespace gnnc::jit {

/// Guards that failed so far, in all sessions.
static std::int64_t failuresOf(const std::shared_ptr<const Executable> &executable) {
  std::int64_t sum = 0;
  if (!executable)
    return sum;
  if (auto guards = executable->guards())
    for (const gnnc_guard &guard : *guards)
      sum += guard.failures;
  return sum;
}

static Error wrong(std::string message) {
  return {GNNC_INVALID_ARGUMENT, "jit: " + std::move(message)};
}

Result<std::shared_ptr<Program>> Program::create(Compiler compiler, const Options &options) {
  std::string error;
  if (!ShapePolicy::check(options, error))
    return wrong(error);
  if (options.keep < 1)
    return wrong("at least 1 executable has to be kept, found 0");
  if (!compiler)
    return wrong("there is no compiler");
  auto device = Device::open(options.device);
  if (!device)
    return device.error();
  std::error_code failed;
  std::filesystem::path temporary = std::filesystem::temp_directory_path(failed);
  std::string folder = (temporary / "gnnc-jit-XXXXXX").string();
  if (failed || !mkdtemp(folder.data()))
    return wrong("no folder can be made in " + temporary.string() +
                 "; set TMPDIR to one that can "
                 "be written to");
  return std::shared_ptr<Program>(
      new Program(std::move(*device), std::move(compiler), options, std::move(folder)));
}

Program::Program(Device deviceIn, Compiler compilerIn, const Options &options, std::string folderIn)
    : device(std::move(deviceIn)), compiler(std::move(compilerIn)), keep(options.keep),
      folder(std::move(folderIn)), policy(options) {}

Program::~Program() {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

Result<std::shared_ptr<const Executable>> Program::executableFor(const ShapeOptions &counts) {
  if (counts.dst < 0 || counts.src < 0 || counts.edges < 0)
    return wrong("all counts of a graph must be known, found " + std::to_string(counts.dst) + ", " +
                 std::to_string(counts.src) + ", " + std::to_string(counts.edges));
  std::shared_ptr<Entry> entry = entryFor(counts);
  std::scoped_lock lock(entry->compiles);
  if (!entry->executable)
    return compile(*entry);
  return entry->executable;
}

/// Its own place in the list is the first.
std::shared_ptr<Program::Entry> Program::entryFor(const ShapeOptions &counts) {
  std::scoped_lock lock(mutex);
  ShapeOptions shape = policy.shapeFor(counts);
  auto found =
      std::ranges::find_if(entries, [&](const auto &entry) { return entry->shape == shape; });
  if (found != entries.end()) {
    ++counted.hits;
    entries.splice(entries.begin(), entries, found);
    return entries.front();
  }
  ++counted.misses;
  while (entries.size() >= keep) {
    forget(std::prev(entries.end()));
    ++counted.evictions;
  }
  entries.push_front(std::make_shared<Entry>());
  entries.front()->shape = shape;
  return entries.front();
}

/// Sessions that use it go on doing so. With `mutex` held.
Program::Entries::iterator Program::forget(Entries::iterator entry) {
  counted.guardFailures += failuresOf((*entry)->executable);
  return entries.erase(entry);
}

/// With the entry's mutex held.
Result<std::shared_ptr<const Executable>> Program::compile(Entry &entry) {
  auto start = std::chrono::steady_clock::now();
  std::string path, error;
  {
    std::scoped_lock lock(mutex);
    path = folder + "/" + std::to_string(artefacts++) + ".gnnx";
  }
  bool compiled = compiler(entry.shape, path, error);
  Result<Executable> loaded =
      compiled ? device.load(path) : Result<Executable>(Error{GNNC_INVALID_FILE, error});
  std::error_code ignored;
  std::filesystem::remove(path, ignored); // what is loaded needs it no longer
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;

  std::scoped_lock lock(mutex);
  counted.compilations += compiled;
  counted.compileMs += took.count();
  if (loaded) {
    entry.executable = std::make_shared<const Executable>(std::move(*loaded));
    return entry.executable;
  }
  std::erase_if(entries, [&](const auto &other) { return other.get() == &entry; });
  return loaded.error();
}

Counters Program::counters() const {
  std::scoped_lock lock(mutex);
  Counters out = counted;
  for (const std::shared_ptr<Entry> &entry : entries)
    out.guardFailures += failuresOf(entry->executable);
  return out;
}

} // namespace gnnc::jit
