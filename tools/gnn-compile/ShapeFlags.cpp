//===- ShapeFlags.cpp - Flags of gnn-compile for what is constant ---------===//
#include "tools/gnn-compile/ShapeFlags.h"

#include "tools/graph/GraphFile.h"

#include <algorithm>
#include <cstdio>
#include <limits>

using namespace gnnc::tools;

void ShapeFlags::addTo(CLI::App &app) {
  app.add_option("-g,--graph", paths,
                 "graph file: its counts for --dynamic false and auto, repeatable for auto; what "
                 "the max-autotune modes measure on is the first")
      ->allow_extra_args(false);
  app.add_option("--dynamic", dynamic,
                 "true: node and edge counts are run-time values, one artefact serves every graph; "
                 "false: those of --graph are constants, other graphs are refused; auto: those "
                 "that all given graphs have in common are constants, the others run-time values")
      ->capture_default_str();
  app.add_option("--keep-dynamic", kept,
                 "nodes or edges: these counts stay run-time values with --dynamic false or auto")
      ->check(CLI::IsMember({"nodes", "edges"}));
  auto count = CLI::Range(std::int64_t(0), std::numeric_limits<std::int64_t>::max());
  app.add_option("--nodes", nodes,
                 "nodes (sources and destinations) as a constant, in place of those of --graph")
      ->check(count);
  app.add_option("--destinations", destinations, "destination nodes alone, likewise")->check(count);
  app.add_option("--sources", sources, "source nodes alone, likewise")->check(count);
  app.add_option("--edges", edges, "edges as a constant, in place of those of --graph")
      ->check(count);
}

/// Empty, or what is wrong with flags that each are right.
std::string ShapeFlags::misuse(const CompileOptions &options) const {
  if (dynamic != "true" && dynamic != "false" && dynamic != "auto")
    return "--dynamic is one of true, false, auto; found '" + dynamic + "'";
  if (dynamic == "true" && !paths.empty() && !options.tunes())
    return "--graph is of use with --dynamic false or auto, or a max-autotune mode, found "
           "--dynamic true --mode " +
           options.mode;
  if (dynamic != "auto" && paths.size() > 1)
    return "--dynamic " + dynamic + " takes one --graph, found " + std::to_string(paths.size()) +
           "; --dynamic auto keeps as constants what several have in common";
  if (dynamic == "true" && !kept.empty())
    return "--keep-dynamic is of use with --dynamic false or auto only";
  if (dynamic == "auto" && paths.empty())
    return "--dynamic auto makes constants of the counts that graphs have in common; name their "
           "files with --graph";
  if (nodes >= 0 && (destinations >= 0 || sources >= 0))
    return "--nodes is both --destinations and --sources; give it or them";
  bool givesNodes = nodes >= 0 || destinations >= 0 || sources >= 0;
  if (dynamic != "false" && (givesNodes || edges >= 0))
    return "--nodes and --edges are of use with --dynamic false, found --dynamic " + dynamic;
  return "";
}

/// What all graphs have in common and nobody wants to be a run-time value.
bool ShapeFlags::readShape(ShapeOptions &shape, std::string &error) const {
  auto keep = [](std::int64_t &count, std::int64_t other, bool isFirst) {
    count = isFirst || count == other ? other : -1;
  };
  for (const std::string &path : paths) {
    GraphFile file;
    if (!readGraph(path, file, error))
      return false;
    bool isFirst = &path == &paths.front();
    keep(shape.dst, file.destinations, isFirst);
    keep(shape.src, file.sources, isFirst);
    keep(shape.edges, file.edges, isFirst);
  }
  if (std::ranges::find(kept, "nodes") != kept.end())
    shape.dst = shape.src = -1;
  if (std::ranges::find(kept, "edges") != kept.end())
    shape.edges = -1;
  return true;
}

std::optional<int> ShapeFlags::read(CompileOptions &options) const {
  if (std::string wrong = misuse(options); !wrong.empty()) {
    std::fprintf(stderr, "gnn-compile: %s; see gnn-compile --help\n", wrong.c_str());
    return 2;
  }
  options.dynamic = dynamic;
  if (!paths.empty())
    options.graph = paths.front();
  if (dynamic == "true")
    return std::nullopt;
  if (std::string error; !readShape(options.shape, error)) {
    std::fprintf(stderr, "gnn-compile: %s\n", error.c_str());
    return 1;
  }
  if (destinations >= 0 || nodes >= 0)
    options.shape.dst = std::max(destinations, nodes);
  if (sources >= 0 || nodes >= 0)
    options.shape.src = std::max(sources, nodes);
  if (edges >= 0)
    options.shape.edges = edges;
  if (dynamic == "auto")
    options.dynamic = options.shape.any() ? "false" : "true";
  if (options.dynamic == "true" && !options.tunes())
    options.graph.clear(); // it has told what it had to
  return std::nullopt;
}
