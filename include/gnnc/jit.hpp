//===- jit.hpp - C++ API for programs that are compiled as graphs come ----===//
//
// Header-only and thin over jit.h (libgnnc_jit.so), as gnnc.hpp is over gnnc.h.
//
//   gnnc_jit_options options = {};
//   options.program = "gcn.mlir";
//   options.weights = "w.safetensors";
//   auto program = gnnc::JitProgram::create(options);
//   if (!program) return fail(program.error().message);
//   auto session = program->session();
//   for (const gnnc::Graph &graph : graphs)
//     if (auto bound = session->bind(graph); bound)
//       auto status = session->run({gnnc::Tensor("x", x, {n, 1433})}, ...);
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_JIT_HPP
#define GNNC_JIT_HPP

#include "gnnc/gnnc.hpp"
#include "gnnc/jit.h"

namespace gnnc {

/// A guard that did not hold.
struct JitGuard {
  std::string kind, of, expects;
  int64_t failures = 0;
};

/// Takes one graph after the other. One thread at a time.
class JitSession {
public:
  Result<void> bind(const Graph &graph) {
    return check(gnnc_jit_session_bind(owner.get(), graph.get()));
  }
  Result<void> run(const std::vector<Tensor> &inputs, const std::vector<Tensor> &outputs) {
    std::vector<gnnc_tensor> in = detail::views(inputs), out = detail::views(outputs);
    return check(gnnc_jit_session_run(owner.get(), in.data(), static_cast<int32_t>(in.size()),
                                      out.data(), static_cast<int32_t>(out.size())));
  }
  Result<OutputShape> outputShape(const std::string &name) const {
    int32_t rank = 0;
    int64_t extents[8];
    OutputShape out;
    if (auto good = check(gnnc_jit_session_output_shape(owner.get(), name.c_str(), &rank, extents,
                                                        &out.dtype));
        !good)
      return good.error();
    out.shape.assign(extents, extents + rank);
    return out;
  }
  Result<gnnc_stats> stats() const {
    gnnc_stats stats;
    if (auto good = check(gnnc_jit_session_stats(owner.get(), &stats)); !good)
      return good.error();
    return stats;
  }

private:
  friend class JitProgram;
  explicit JitSession(gnnc_jit_session *session) : owner(session) {}
  static Result<void> check(gnnc_status status) {
    return status ? Result<void>(Error{status, gnnc_jit_last_error()}) : Result<void>();
  }
  detail::Owner<gnnc_jit_session, gnnc_jit_session_release> owner;
};

/// A program and what was compiled of it so far. Any thread.
class JitProgram {
public:
  static Result<JitProgram> create(const gnnc_jit_options &options) {
    gnnc_jit_program *program = nullptr;
    if (auto good = JitSession::check(gnnc_jit_create(&options, &program)); !good)
      return good.error();
    return JitProgram(program);
  }
  Result<JitSession> session() {
    gnnc_jit_session *session = nullptr;
    if (auto good = JitSession::check(gnnc_jit_session_create(owner.get(), &session)); !good)
      return good.error();
    return JitSession(session);
  }
  gnnc_jit_counters counters() const {
    gnnc_jit_counters counters = {};
    gnnc_jit_count(owner.get(), &counters);
    return counters;
  }
  /// Those that failed. From one thread at a time.
  std::vector<JitGuard> guards() {
    int32_t count = 0;
    gnnc_jit_guards(owner.get(), nullptr, 0, &count);
    std::vector<gnnc_guard> found(static_cast<size_t>(count));
    int32_t now = 0;
    gnnc_jit_guards(owner.get(), found.data(), count, &now);
    std::vector<JitGuard> out;
    for (const gnnc_guard &guard : found)
      if (guard.kind)
        out.push_back({guard.kind, guard.of, guard.expects, guard.failures});
    return out;
  }
  void finishBackground() { gnnc_jit_finish_background(owner.get()); }
  std::string backgroundFailure() { return gnnc_jit_background_failure(owner.get()); }

private:
  explicit JitProgram(gnnc_jit_program *program) : owner(program) {}
  detail::Owner<gnnc_jit_program, gnnc_jit_release> owner;
};

} // namespace gnnc

#endif // GNNC_JIT_HPP
