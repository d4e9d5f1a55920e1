//===- Session.cpp - Graphs one after the other, compiled as they come ----===//
#include "lib/Jit/Session.h"

namespace gnnc::jit {

constexpr std::int64_t gnnc_stats::*kSums[] = {
    &gnnc_stats::captures, &gnnc_stats::graph_launches, &gnnc_stats::allocations,
    &gnnc_stats::rebinds,  &gnnc_stats::updates,        &gnnc_stats::failed_updates};

static void addCounts(gnnc_stats &sum, const gnnc_stats &more) {
  for (auto count : kSums)
    sum.*count += more.*count;
  sum.update_ms += more.update_ms;
}

Result<void> Session::bind(gnnc_graph *graph) {
  bound = false;
  ShapeOptions counts;
  gnnc_graph_counts(graph, &counts.dst, &counts.src, &counts.edges);
  auto found = program->executableFor(counts);
  if (!found)
    return found.error();
  return take(std::move(*found), graph);
}

Result<void> Session::bind(const ShapeOptions &counts, const std::function<Result<Graph>()> &make) {
  bound = false;
  auto found = program->executableFor(counts);
  if (!found)
    return found.error();
  auto graph = make();
  if (!graph)
    return graph.error();
  return take(std::move(*found), graph->get());
}

Result<void> Session::take(std::shared_ptr<const Executable> found, gnnc_graph *graph) {
  if (session && found == executable) {
    if (auto rebound = session->rebind(graph); !rebound)
      return rebound;
  } else {
    release();
    executable = std::move(found);
    auto made = executable->bind(graph);
    if (!made)
      return made.error();
    session.emplace(std::move(*made));
  }
  bound = true;
  return {};
}

/// Before another is made, so that the memory of both is never there at once.
void Session::release() {
  if (session)
    if (auto last = session->stats()) {
      addCounts(before, *last);
      before.rebinds += 1; // the graph that follows
    }
  session.reset();
  executable.reset();
}

Result<gnnc_session *> Session::current() const {
  if (bound)
    return session->get();
  return Error{GNNC_INVALID_ARGUMENT, "jit: no graph is bound; call bind first"};
}

Result<void> Session::run(const std::vector<Tensor> &inputs, const std::vector<Tensor> &outputs) {
  if (auto ready = current(); !ready)
    return ready.error();
  return session->run(inputs, outputs);
}

Result<OutputShape> Session::outputShape(const std::string &name) const {
  if (auto ready = current(); !ready)
    return ready.error();
  return session->outputShape(name);
}

Result<gnnc_stats> Session::stats() const {
  gnnc_stats out = {};
  if (session) {
    auto last = session->stats();
    if (!last)
      return last;
    out = *last;
  }
  addCounts(out, before);
  return out;
}

} // namespace gnnc::jit
