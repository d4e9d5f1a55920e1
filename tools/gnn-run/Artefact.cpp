//===- Artefact.cpp - What was compiled before ----------------------------===//
#include "tools/gnn-run/Runnable.h"
#include "tools/graph/BindGraph.h"

namespace gnnc::tools {
namespace {

class Artefact final : public Runnable {
public:
  Artefact(Executable executable, format::Plan plan)
      : executable(std::move(executable)), kept(std::move(plan)) {}

  Result<Session *> bind(const GraphFile &file) override {
    auto named = [&](const Error &error) {
      return Error{error.status, file.path + ": " + error.message};
    };
    auto graph = makeGraph(file, kept);
    if (!graph)
      return graph.error();
    if (session) {
      if (auto bound = session->rebind(*graph); !bound)
        return named(bound.error());
    } else {
      auto made = executable.bind(*graph);
      if (!made)
        return named(made.error());
      session.emplace(std::move(*made));
    }
    return &*session;
  }

  const format::Plan &plan() const override { return kept; }
  Result<gnnc_stats> stats() const override { return session->stats(); }

  std::vector<jit::GuardFailure> failedGuards() const override {
    std::vector<jit::GuardFailure> out;
    if (auto guards = executable.guards())
      for (const gnnc_guard &guard : *guards)
        if (guard.failures > 0)
          out.push_back({guard.kind, guard.of, guard.expects, guard.failures});
    return out;
  }

private:
  Executable executable;
  format::Plan kept;
  std::optional<Session> session; ///< made for the first graph
};

} // namespace

Result<std::unique_ptr<Runnable>> openArtefact(const ArtefactOptions &options,
                                               const format::Plan &plan) {
  auto device = Device::open(options.device.empty() ? plan.target : options.device);
  if (!device)
    return device.error();
  auto executable = device->load(options.path);
  if (!executable)
    return executable.error();
  return std::unique_ptr<Runnable>(new Artefact(std::move(*executable), plan));
}

} // namespace gnnc::tools
