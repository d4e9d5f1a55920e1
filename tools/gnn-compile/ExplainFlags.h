//===- ExplainFlags.h - Flags of gnn-compile for --explain ----------------===//
//
// In: flags and a graph file. Out: the driver's ExplainOptions.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TOOLS_GNN_COMPILE_EXPLAINFLAGS_H
#define GNNC_TOOLS_GNN_COMPILE_EXPLAINFLAGS_H

#include "lib/Driver/Compile.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace gnnc::tools {

class ExplainFlags {
public:
  void addTo(CLI::App &app);
  /// Files that are read, for refuseOverwriting.
  const std::string &graph() const { return graphPath; }
  bool isAsked() const { return !explain.format.empty(); }
  /// The exit code to leave with, after one line on stderr, when flags are wrong or
  /// the graph cannot be read; otherwise fills `options`.
  std::optional<int> read(ExplainOptions &options);

private:
  ExplainOptions explain;
  std::string graphPath, extents, limits;
};

} // namespace gnnc::tools

#endif // GNNC_TOOLS_GNN_COMPILE_EXPLAINFLAGS_H
