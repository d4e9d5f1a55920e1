//===- ShapeFlags.h - Flags of gnn-compile for what is constant -----------===//
//
// In: --dynamic, graph files, counts. Out: the counts that become constants, and whether
// any do: where that is left to the graphs, what is the same in all of them.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TOOLS_GNN_COMPILE_SHAPEFLAGS_H
#define GNNC_TOOLS_GNN_COMPILE_SHAPEFLAGS_H

#include "lib/Driver/Compile.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gnnc::tools {

class ShapeFlags {
public:
  void addTo(CLI::App &app);
  /// Files that are read, for refuseOverwriting.
  const std::vector<std::string> &graphs() const { return paths; }
  /// The exit code to leave with, after one line on stderr, when flags are wrong or a
  /// graph cannot be read; otherwise sets `graph`, `shape` and `dynamic` (true | false).
  std::optional<int> read(CompileOptions &options) const;

private:
  std::string misuse(const CompileOptions &options) const;
  bool readShape(ShapeOptions &shape, std::string &error) const;

  std::vector<std::string> paths, kept;
  std::string dynamic = "true";
  std::int64_t nodes = -1, destinations = -1, sources = -1, edges = -1;
};

} // namespace gnnc::tools

#endif // GNNC_TOOLS_GNN_COMPILE_SHAPEFLAGS_H
