//===- gnn-generate.cpp - Write a graph file of a data set's size ---------===//
//
// Input: a preset or counts, a seed. Output: a graph file with random features,
// for gnn-run, gnn-graph and anything else that takes one.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/data/Generator.h"
#include "tools/CommandLine.h"

using namespace gnnc::bench;

int main(int argc, char **argv) {
  CLI::App app("Write a random graph with a power-law degree distribution as a graph file.",
               "gnn-generate");
  std::string preset, output;
  std::int64_t nodes = -1, edges = -1, features = -1, classes = -1, communities = 1;
  std::uint64_t seed = 0;
  bool shuffled = false;
  std::string names;
  for (const GeneratorSpec &known : generatorPresets())
    names += (names.empty() ? "" : ", ") + known.name;
  app.add_option("--preset", preset, "Counts of this data set: " + names);
  app.add_option("--nodes", nodes, "Nodes; overrides the preset");
  app.add_option("--edges", edges, "Directed edges, even: both directions are stored");
  app.add_option("--features", features, "Width of x");
  app.add_option("--classes", classes, "Recorded as num_classes");
  app.add_option("--seed", seed, "Same seed, same bytes")->capture_default_str();
  app.add_flag("--shuffle", shuffled, "Edges in random order instead of sorted by source");
  app.add_option("--communities", communities,
                 "Runs of neighbouring ids; 9 of 10 pairs stay within one")
      ->capture_default_str();
  app.add_option("-o,--output", output, "Graph file to write (.safetensors or .safetensors.gz)")
      ->required();
  app.footer("examples:\n"
             "  gnn-generate --preset arxiv -o arxiv.safetensors\n"
             "  gnn-generate --nodes 1000 --edges 8000 --features 16 --seed 7 -o g.safetensors\n\n"
             "exit codes: 0 done, 1 the work failed, 2 wrong usage");
  if (auto code = gnnc::tools::parseCommandLine(app, argc, argv))
    return *code;

  GeneratorSpec spec;
  if (!preset.empty()) {
    const GeneratorSpec *known = findPreset(preset);
    if (!known) {
      std::fprintf(stderr, "gnn-generate: --preset %s: not one of %s\n", preset.c_str(),
                   names.c_str());
      return 2;
    }
    spec = *known;
  } else if (nodes < 0 || edges < 0) {
    std::fprintf(stderr, "gnn-generate: give --preset, or --nodes and --edges\n");
    return 2;
  }
  spec.nodes = nodes >= 0 ? nodes : spec.nodes;
  spec.edges = edges >= 0 ? edges : spec.edges;
  spec.features = features >= 0 ? features : spec.features;
  spec.classes = classes >= 0 ? classes : spec.classes;
  spec.seed = seed;
  spec.shuffled = shuffled;
  spec.communities = communities;
  try {
    GraphData graph = generateGraph(spec);
    writeGraph(output, graph);
    std::printf("%s: %lld nodes, %lld edges, %lld features\n", output.c_str(),
                static_cast<long long>(graph.numNodes), static_cast<long long>(graph.numEdges),
                static_cast<long long>(graph.numFeatures));
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "gnn-generate: out of memory for %lld nodes and %lld edges\n",
                 static_cast<long long>(spec.nodes), static_cast<long long>(spec.edges));
    return 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "gnn-generate: %s\n", error.what());
    return 1;
  }
  return 0;
}
