//===- Session.h - Graphs one after the other, compiled as they come ------===//
//
// Input: a program and graphs. Output: forwards on the graph that was bound last.
// Graphs of one executable follow each other in the memory that is there; another
// executable gets a session of its own and the one before is released.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_JIT_SESSION_H
#define GNNC_LIB_JIT_SESSION_H

#include "lib/Jit/Program.h"

namespace gnnc::jit {

/// One thread at a time; several sessions of a program run side by side.
class Session {
public:
  explicit Session(std::shared_ptr<Program> program) : program(std::move(program)) {}

  /// Compiles where the program must. After a failure no graph is bound.
  Result<void> bind(const Graph &graph) { return bind(graph.get()); }
  Result<void> bind(gnnc_graph *graph);
  /// As bind, with a graph that is made once its executable is there.
  Result<void> bind(const ShapeOptions &counts, const std::function<Result<Graph>()> &make);
  /// The session that the graph is bound to, until another one is.
  Result<gnnc_session *> current() const;
  /// The same; a graph is bound.
  gnnc::Session &get() { return *session; }
  Result<void> run(const std::vector<Tensor> &inputs, const std::vector<Tensor> &outputs);
  Result<OutputShape> outputShape(const std::string &name) const;

  /// Bytes and times are those of the graph that is bound; captures, replays, allocations,
  /// rebinds and updates are counted over all graphs.
  Result<gnnc_stats> stats() const;
  /// As gnnc_session_update_failure; of the executable that is in use.
  std::string updateFailure() const { return session ? session->updateFailure() : ""; }

private:
  Result<void> take(std::shared_ptr<const Executable> found, gnnc_graph *graph);
  void release();

  std::shared_ptr<Program> program;
  std::shared_ptr<const Executable> executable; ///< of `session`
  std::optional<gnnc::Session> session;
  bool bound = false;
  gnnc_stats before = {}; ///< counts of sessions that were released
};

} // namespace gnnc::jit

#endif // GNNC_LIB_JIT_SESSION_H
