//===- ExplainFlags.cpp - Flags of gnn-compile for --explain --------------===//
#include "tools/gnn-compile/ExplainFlags.h"

#include "tools/graph/GraphFile.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>

using namespace gnnc::tools;

/// "N=10,E=20": a number for each of the names; false with one line otherwise.
template <typename Number>
static bool readAssignments(const char *flag, const std::string &text,
                            const std::map<std::string, Number *> &places, std::string &error) {
  std::string names;
  for (const auto &[name, place] : places)
    names += (names.empty() ? "" : ", ") + name;
  std::size_t at = 0;
  while (at <= text.size()) {
    std::size_t end = std::min(text.find(',', at), text.size());
    std::string part = text.substr(at, end - at);
    std::size_t equal = std::min(part.find('='), part.size());
    auto place = places.find(part.substr(0, equal));
    Number value{};
    const char *first = part.data() + std::min(equal + 1, part.size());
    const char *last = part.data() + part.size();
    auto [stopped, code] = std::from_chars(first, last, value);
    bool isNumber = first != last && code == std::errc() && stopped == last &&
                    std::isfinite(static_cast<double>(value)) && value >= 0;
    if (place == places.end() || !isNumber) {
      error = std::string(flag) + " takes " + names + ", each with = and a number; found '" + part +
              "'";
      return false;
    }
    *place->second = value;
    at = end + 1;
  }
  return true;
}

void ExplainFlags::addTo(CLI::App &app) {
  app.add_flag("--explain{text}", explain.format,
               "print for every op of the program where it went or why it stayed alone, and what "
               "each kernel costs; --explain=json for programs (docs/explain.md)");
  app.add_option("--explain-output", explain.output, "where to, - for stdout")
      ->capture_default_str();
  app.add_option("--explain-graph", graphPath, "graph file whose counts formulas are computed for");
  app.add_option("--extent", extents,
                 "counts to compute formulas for instead: N=2708,E=10556; N destination nodes, M "
                 "source nodes (as N unless given), E edges");
  app.add_option(
      "--explain-limits", limits,
      "limits in place of the chip's: memory=GB/s,cache=GB/s,flop=GFLOP/s,tensor=GFLOP/s,"
      "launch=us");
}

std::optional<int> ExplainFlags::read(ExplainOptions &options) {
  auto fail = [](int code, const std::string &what) {
    std::fprintf(stderr, "gnn-compile: %s%s\n", what.c_str(),
                 code == 2 ? "; see gnn-compile --help" : "");
    return code;
  };
  if (!isAsked()) {
    for (const auto &[flag, text] : {std::pair("--explain-graph", &graphPath),
                                     {"--extent", &extents},
                                     {"--explain-limits", &limits}})
      if (!text->empty())
        return fail(2, std::string(flag) + " is of use with --explain only");
    if (explain.output != "-")
      return fail(2, "--explain-output is of use with --explain only");
    return std::nullopt;
  }
  if (!graphPath.empty() && !extents.empty())
    return fail(2, "--explain-graph and --extent both give counts; give one");
  std::string error;
  if (!extents.empty() &&
      !readAssignments<std::int64_t>(
          "--extent", extents, {{"N", &explain.dst}, {"M", &explain.src}, {"E", &explain.edges}},
          error))
    return fail(2, error);
  if (!limits.empty() && !readAssignments<double>("--explain-limits", limits,
                                                  {{"memory", &explain.memoryGbS},
                                                   {"cache", &explain.cacheGbS},
                                                   {"flop", &explain.gflopS},
                                                   {"tensor", &explain.tensorGflopS},
                                                   {"launch", &explain.launchUs}},
                                                  error))
    return fail(2, error);
  if (!graphPath.empty()) {
    GraphFile graph;
    if (!readGraph(graphPath, graph, error) || findBadEdge(graph, error))
      return fail(1, error);
    explain.dst = graph.destinations;
    explain.src = graph.sources;
    explain.edges = graph.edges;
    explain.loopEdges = 0;
    for (std::int64_t edge = 0; edge < graph.edges; ++edge)
      explain.loopEdges += !graph.isBipartite && graph.id(0, edge) == graph.id(1, edge);
  }
  if (explain.src < 0)
    explain.src = explain.dst;
  options = explain;
  return std::nullopt;
}
