//===- Runnable.h - An artefact, or a program that is still to compile ----===//
//
// Input: a file and how to compile it, then graph files. Output: a session of the runtime
// with the graph bound.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TOOLS_GNN_RUN_RUNNABLE_H
#define GNNC_TOOLS_GNN_RUN_RUNNABLE_H

#include "lib/Jit/Session.h"
#include "runtime/format/Plan.h"
#include "tools/graph/GraphFile.h"

#include <memory>

namespace gnnc::tools {

/// One thread. Messages name the file that is wrong.
class Runnable {
public:
  virtual ~Runnable() = default;

  /// Takes the graph in place of the one before. The session is this object's.
  virtual Result<Session *> bind(const GraphFile &graph) = 0;
  /// Of what is bound; its inputs and outputs are those of every graph.
  virtual const format::Plan &plan() const = 0;
  /// Counts over all graphs, the rest of the one that is bound.
  virtual Result<gnnc_stats> stats() const = 0;
  virtual std::vector<jit::GuardFailure> failedGuards() const = 0;
  /// What was compiled; nothing for an artefact.
  virtual std::optional<jit::Counters> compiled() { return std::nullopt; }
  virtual std::string backgroundFailure() const { return ""; }
};

struct ArtefactOptions {
  std::string path, device; ///< no device: that of the plan
};

Result<std::unique_ptr<Runnable>> openArtefact(const ArtefactOptions &options,
                                               const format::Plan &plan);

struct ProgramOptions {
  std::string path, weights, cacheFolder;
  std::string mode = "default";
  std::string tuneOn;             ///< graph file for the max-autotune modes
  std::vector<std::string> flags; ///< further ones of gnn-compile
  jit::Options jit;
};

Result<std::unique_ptr<Runnable>> openProgram(const ProgramOptions &options);

} // namespace gnnc::tools

#endif // GNNC_TOOLS_GNN_RUN_RUNNABLE_H
