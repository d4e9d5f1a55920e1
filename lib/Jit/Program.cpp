//===- Program.cpp - Shapes, compilations, what is kept -------------------===//
#include "lib/Jit/Program.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

namespace gnnc::jit {

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
      folder(std::move(folderIn)), policy(options), symbolic(std::make_shared<Entry>()) {
  if (options.background > 0)
    background.emplace(options.background);
}

Program::~Program() {
  background.reset(); // it writes to the folder
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

Result<std::shared_ptr<const Executable>> Program::executableFor(const ShapeOptions &counts) {
  if (counts.dst < 0 || counts.src < 0 || counts.edges < 0)
    return wrong("all counts of a graph must be known, found " + std::to_string(counts.dst) + ", " +
                 std::to_string(counts.src) + ", " + std::to_string(counts.edges));
  bool isNew = false;
  std::shared_ptr<Entry> entry = entryFor(counts, isNew);
  return background && entry != symbolic ? standInFor(entry, isNew) : waitFor(entry);
}

/// Compiles unless that is done.
Result<std::shared_ptr<const Executable>> Program::waitFor(const std::shared_ptr<Entry> &entry) {
  std::scoped_lock lock(entry->compiles);
  {
    std::scoped_lock reads(mutex);
    if (entry->executable)
      return entry->executable;
  }
  auto compiled = compile(*entry);
  if (!compiled) {
    std::scoped_lock changes(mutex);
    std::erase(entries, entry);
    hasAskedSymbolic = hasAskedSymbolic && entry != symbolic;
  }
  return compiled;
}

/// Its own executable where it is there, else the symbolic one.
Result<std::shared_ptr<const Executable>> Program::standInFor(const std::shared_ptr<Entry> &entry,
                                                              bool isNew) {
  if (isNew)
    background->add([this, entry] { compileLater(entry); });
  {
    std::scoped_lock lock(mutex);
    if (entry->executable)
      return entry->executable;
    ++counted.standIns;
  }
  return waitFor(symbolic);
}

void Program::compileLater(const std::shared_ptr<Entry> &entry) {
  {
    std::scoped_lock lock(mutex);
    if (std::ranges::find(entries, entry) == entries.end())
      return; // it had to go before its turn came
  }
  std::scoped_lock lock(entry->compiles);
  if (auto compiled = compile(*entry); !compiled) {
    std::scoped_lock changes(mutex);
    failure = compiled.error().message;
  }
}

/// Its own place in the list is the first.
std::shared_ptr<Program::Entry> Program::entryFor(const ShapeOptions &counts, bool &isNew) {
  std::scoped_lock lock(mutex);
  ShapeOptions shape = policy.shapeFor(counts);
  if (!shape.any()) {
    isNew = !hasAskedSymbolic;
    hasAskedSymbolic = true;
    ++(isNew ? counted.misses : counted.hits);
    return symbolic;
  }
  auto found =
      std::ranges::find_if(entries, [&](const auto &entry) { return entry->shape == shape; });
  if (found != entries.end()) {
    ++counted.hits;
    entries.splice(entries.begin(), entries, found);
    return entries.front();
  }
  isNew = true;
  ++counted.misses;
  while (entries.size() >= keep) {
    entries.pop_back(); // sessions that use it go on doing so
    ++counted.evictions;
  }
  entries.push_front(std::make_shared<Entry>());
  entries.front()->shape = shape;
  return entries.front();
}

/// With the entry's `compiles` held.
Result<std::shared_ptr<const Executable>> Program::compile(Entry &entry) {
  auto start = std::chrono::steady_clock::now();
  std::string path;
  {
    std::scoped_lock lock(mutex);
    path = folder + "/" + std::to_string(artefacts++) + ".gnnx";
  }
  Result<Compiled> made = compiler(entry.shape, path);
  Result<Executable> loaded = made ? device.load(path) : Result<Executable>(made.error());
  std::error_code ignored;
  std::filesystem::remove(path, ignored); // what is loaded needs it no longer
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;

  std::scoped_lock lock(mutex);
  if (made) {
    ++(made->isFromDisk ? counted.diskHits : counted.compilations);
    counted.tuningRuns += made->tuningRuns;
  }
  counted.failures += !loaded;
  counted.compileMs += took.count();
  if (!loaded)
    return loaded.error();
  entry.executable = tally->watch(std::move(*loaded));
  return entry.executable;
}

Counters Program::counters() const {
  std::vector<GuardFailure> guards = failedGuards();
  std::scoped_lock lock(mutex);
  Counters out = counted;
  for (const GuardFailure &guard : guards)
    out.guardFailures += guard.failures;
  return out;
}

void Program::finishBackground() {
  if (background)
    background->finish();
}

std::string Program::backgroundFailure() const {
  std::scoped_lock lock(mutex);
  return failure;
}

} // namespace gnnc::jit
