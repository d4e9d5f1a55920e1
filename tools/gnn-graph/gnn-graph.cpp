//===- gnn-graph.cpp - Look at graph files and convert them ---------------===//
#include "tools/CommandLine.h"
#include "tools/gnn-graph/Inspect.h"

#include <cstdio>

using namespace gnnc;
using tools::GraphFile;

namespace {

int fail(const std::string &message) {
  std::fprintf(stderr, "gnn-graph: %s\n", message.c_str());
  return 1;
}

/// Reads, and refuses ids out of range: what follows indexes with them.
bool readSound(const std::string &path, GraphFile &graph, std::string &error) {
  if (!tools::readGraph(path, graph, error))
    return false;
  std::string what;
  if (!tools::findBadEdge(graph, what))
    return true;
  error = path + ": " + what;
  return false;
}

int convert(const std::string &from, const std::string &to) {
  GraphFile graph;
  std::string error;
  if (!readSound(from, graph, error))
    return fail(error);
  // Text has no place for these; metadata keeps what it can say.
  std::string dropped;
  if (!tools::keepsAllTensors(to))
    for (const format::Tensor &tensor : graph.file.tensors)
      if (tensor.name != "edge_index" && tensor.name != "edge_weight")
        dropped += (dropped.empty() ? "" : ", ") + tensor.name;
  if (graph.isBipartite) {
    graph.file.metadata[tools::kNumSources] = std::to_string(graph.sources);
    graph.file.metadata[tools::kNumDestinations] = std::to_string(graph.destinations);
  } else {
    graph.file.metadata[tools::kNumNodes] = std::to_string(graph.sources);
  }
  if (!tools::writeGraph(to, graph, error))
    return fail(error);
  std::printf("%s: %s%s%s\n", to.c_str(), graph.counts().c_str(),
              dropped.empty() ? "" : "; without ", dropped.c_str());
  return 0;
}

int inspectFile(const std::string &path, bool json, bool validateOnly) {
  GraphFile graph;
  std::string error;
  if (!readSound(path, graph, error))
    return fail(error);
  if (validateOnly) {
    std::printf("%s: sound, %s\n", path.c_str(), graph.counts().c_str());
    return 0;
  }
  tools::GraphFacts facts = tools::inspect(graph);
  std::string text = json ? jsonOf(graph, facts) : textOf(graph, facts);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  std::string from, to;
  bool json = false, validate = false;
  CLI::App app{"Looks at graph files and converts them.", "gnn-graph"};
  app.footer("Examples:\n"
             "  gnn-graph inspect cora.safetensors.gz\n"
             "  gnn-graph inspect graph.mtx --json\n"
             "  gnn-graph inspect graph.txt.gz --validate\n"
             "  gnn-graph convert edges.txt graph.safetensors\n"
             "Exit codes: 0 done, 1 the input is wrong or the work failed, 2 wrong usage.");
  app.require_subcommand(1);
  const char *formats = "graph: .safetensors, .txt (edge list) or .mtx, each also with .gz";
  CLI::App *inspect = app.add_subcommand(
      "inspect", "counts, degrees, loops, duplicates, isolated nodes, features, order of edges");
  inspect->add_option("graph", from, formats)->required();
  inspect->add_flag("--json", json, "print JSON");
  inspect->add_flag("--validate", validate, "only check it; exit code 1 if it is not sound");
  CLI::App *conversion = app.add_subcommand(
      "convert", "by the extensions of the files; text keeps edges and edge_weight");
  conversion->add_option("from", from, formats)->required();
  conversion->add_option("to", to, formats)->required();
  if (std::optional<int> exitCode = tools::parseCommandLine(app, argc, argv))
    return *exitCode;
  try {
    return conversion->parsed() ? convert(from, to) : inspectFile(from, json, validate);
  } catch (const std::bad_alloc &) {
    return fail(from + ": out of memory");
  } catch (const std::length_error &) { // more than any memory
    return fail(from + ": out of memory");
  }
}
