//===- OgbSet.cpp - Sets of OGB as they are downloaded --------------------===//
#include "benchmarks/data/OgbSet.h"

#include "benchmarks/data/Assemble.h"
#include "benchmarks/data/TextFile.h"

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace gnnc::bench {
namespace {

/// The sets that OGB's own loader adds the reverse of each edge to.
bool isCompleted(const std::string &name) {
  constexpr std::string_view completed[] = {"ogbn-products", "ogbn-proteins", "ogbl-collab",
                                            "ogbl-ppa", "ogbl-ddi"};
  return std::ranges::find(completed, name) != std::end(completed);
}

/// The one number of a file that lists a count for each graph.
std::int64_t onlyCount(const std::string &path) {
  TextFile text(path);
  text.needLine("a count");
  std::int64_t count = text.idIn("the count", 0, std::int64_t(1) << 40);
  text.needEnd();
  if (text.nextLine())
    text.fail("counts of more than 1 graph; sets of one graph are read here");
  return count;
}

void readEdges(GraphData &graph, const std::string &raw) {
  TextFile text(raw + "/edge.csv");
  EdgeList edges;
  const bool completed = isCompleted(graph.name);
  std::int64_t rows = 0;
  while (text.nextLine()) {
    std::int64_t src = text.idIn("source", 0, graph.numNodes);
    std::int64_t dst = text.idIn("destination", 0, graph.numNodes);
    text.needEnd();
    edges.add(src, dst);
    if (completed)
      edges.add(dst, src);
    ++rows;
  }
  const std::string list = raw + "/num-edge-list.csv";
  if (plainOrPacked(list).empty())
    return setEdges(graph, edges);
  if (std::int64_t stated = onlyCount(list); stated != rows)
    throw Failure(text.path() + ": has " + std::to_string(rows) + " edges, " + plainOrPacked(list) +
                  " says " + std::to_string(stated));
  setEdges(graph, edges);
}

/// One column: classes. Several are tasks, which are no classes, and are left out.
void readLabels(GraphData &graph, const std::string &path) {
  TextFile text(path);
  bool severalTasks = false;
  std::int64_t rows = 0;
  for (; text.nextLine(); ++rows) {
    auto label = text.number<std::int64_t>("a label");
    severalTasks |= !text.atLineEnd();
    if (!severalTasks)
      graph.y.push_back(label);
  }
  if (rows != graph.numNodes)
    throw Failure(text.path() + ": has " + std::to_string(rows) + " labels, the set has " +
                  std::to_string(graph.numNodes) + " nodes");
  if (severalTasks)
    graph.y.clear();
  countClasses(graph);
}

std::vector<std::uint8_t> readMask(const std::string &path, std::int64_t nodes) {
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(nodes), 0);
  TextFile text(path);
  while (text.nextLine()) {
    std::int64_t node = text.idIn("node", 0, nodes);
    text.needEnd();
    if (mask[node])
      text.fail("node " + std::to_string(node) + " is there twice");
    mask[node] = 1;
  }
  return mask;
}

/// Of the one folder in `folder` that has train.csv; splits of edges are no masks.
void readSplit(GraphData &graph, const fs::path &folder) {
  std::vector<fs::path> splits;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (!plainOrPacked((at->path() / "train.csv").string()).empty())
      splits.push_back(at->path());
  if (splits.size() > 1)
    throw Failure(folder.string() + ": has " + std::to_string(splits.size()) +
                  " splits, expected 1; remove all but one");
  if (splits.empty())
    return;
  graph.trainMask = readMask((splits[0] / "train.csv").string(), graph.numNodes);
  graph.valMask = readMask((splits[0] / "valid.csv").string(), graph.numNodes);
  graph.testMask = readMask((splits[0] / "test.csv").string(), graph.numNodes);
}

} // namespace

GraphData readOgbSet(const std::string &rawFolder) {
  fs::path raw = fs::absolute(rawFolder).lexically_normal();
  fs::path set = raw.filename() == "raw" ? raw.parent_path() : raw;
  const std::string prefix = rawFolder + "/";
  GraphData graph;
  graph.name = set.filename().string();
  std::ranges::replace(graph.name, '_', '-');
  graph.realData = true;
  graph.numNodes = onlyCount(prefix + "num-node-list.csv");
  readEdges(graph, rawFolder);
  if (std::string path = prefix + "node-feat.csv"; !plainOrPacked(path).empty())
    graph.x = readRows(path, graph.numNodes);
  graph.numFeatures =
      graph.numNodes ? static_cast<std::int64_t>(graph.x.size()) / graph.numNodes : 0;
  if (std::string path = prefix + "node-label.csv"; !plainOrPacked(path).empty())
    readLabels(graph, path);
  readSplit(graph, set / "split");
  return graph;
}

} // namespace gnnc::bench
