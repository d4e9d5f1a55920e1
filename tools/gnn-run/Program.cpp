//===- Program.cpp - What is compiled when a graph needs it ---------------===//
#include "lib/Jit/CompilerProcess.h"
#include "runtime/format/Artifact.h"
#include "tools/gnn-run/Runnable.h"
#include "tools/graph/BindGraph.h"

#include <filesystem>

namespace gnnc::tools {
namespace {

/// The first plan that comes by: what reads it asks for nothing that depends on the shape.
struct FirstPlan {
  std::mutex mutex;
  std::optional<format::Plan> plan;
};

class Program final : public Runnable {
public:
  Program(const std::shared_ptr<jit::Program> &program, std::shared_ptr<FirstPlan> first)
      : program(program), session(program), first(std::move(first)) {}

  Result<Session *> bind(const GraphFile &file) override {
    bool isMade = false;
    auto bound = session.bind({file.destinations, file.sources, file.edges}, [&] {
      auto graph = makeGraph(file, plan());
      isMade = graph.has_value();
      return graph;
    });
    if (!bound && isMade) // what else is wrong names its file itself
      return Error{bound.error().status, file.path + ": " + bound.error().message};
    if (!bound)
      return bound.error();
    return &session.get();
  }

  const format::Plan &plan() const override {
    std::scoped_lock lock(first->mutex); // set once
    return *first->plan;
  }
  Result<gnnc_stats> stats() const override { return session.stats(); }
  std::vector<jit::GuardFailure> failedGuards() const override { return program->failedGuards(); }
  std::optional<jit::Counters> compiled() override {
    program->finishBackground();
    return program->counters();
  }
  std::string backgroundFailure() const override { return program->backgroundFailure(); }

private:
  std::shared_ptr<jit::Program> program;
  jit::Session session;
  std::shared_ptr<FirstPlan> first;
};

std::vector<std::string> commandOf(const ProgramOptions &options) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  fs::path beside = fs::read_symlink("/proc/self/exe", unknown).parent_path() / "gnn-compile";
  std::string compiler = fs::exists(beside, unknown) ? beside.string() : "gnn-compile";
  std::string target = options.jit.device.starts_with("cuda") ? "cuda" : "cpu";
  std::vector<std::string> command = {compiler, options.path, "--target", target,
                                      "--mode", options.mode, "--quiet"};
  for (const auto &[flag, value] : {std::pair("--weights", options.weights),
                                    {"--cache-dir", options.cacheFolder},
                                    {"--graph", options.tuneOn}})
    if (!value.empty())
      command.insert(command.end(), {flag, value});
  command.insert(command.end(), options.flags.begin(), options.flags.end());
  return command;
}

} // namespace

Result<std::unique_ptr<Runnable>> openProgram(const ProgramOptions &options) {
  auto first = std::make_shared<FirstPlan>();
  jit::Compiler compiler = [inner = jit::compileByCommand(commandOf(options)),
                            first](const ShapeOptions &shape,
                                   const std::string &output) -> Result<jit::Compiled> {
    auto compiled = inner(shape, output);
    if (!compiled)
      return compiled;
    std::scoped_lock lock(first->mutex);
    format::Artifact artifact;
    std::string error;
    if (!first->plan && !format::readArtifact(output, artifact, error))
      return Error{GNNC_INVALID_FILE, error};
    if (!first->plan)
      first->plan = std::move(artifact.plan);
    return compiled;
  };
  auto program = jit::Program::create(std::move(compiler), options.jit);
  if (!program)
    return program.error();
  return std::unique_ptr<Runnable>(new Program(*program, std::move(first)));
}

} // namespace gnnc::tools
