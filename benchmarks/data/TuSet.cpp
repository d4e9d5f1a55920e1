//===- TuSet.cpp - Sets of many small graphs ------------------------------===//
#include "benchmarks/data/TuSet.h"

#include "benchmarks/data/Assemble.h"
#include "benchmarks/data/TextFile.h"

#include <algorithm>

namespace gnnc::bench {
namespace {

using Integers = std::vector<std::int64_t>;

std::int64_t count(const auto &values) { return static_cast<std::int64_t>(values.size()); }

/// Replaces labels by their places among those that occur; returns how many occur.
std::int64_t rank(Integers &labels) {
  Integers known = labels;
  std::ranges::sort(known);
  known.erase(std::ranges::unique(known).begin(), known.end());
  for (std::int64_t &label : labels)
    label = std::ranges::lower_bound(known, label) - known.begin();
  return count(known);
}

/// x from attributes (rows of one width, maybe none) and columns of labels.
void setFeatures(GraphData &graph, const std::vector<float> &attributes,
                 std::vector<Integers> labels, const std::string &path) {
  std::int64_t width = graph.numNodes ? count(attributes) / graph.numNodes : 0;
  Integers starts;
  std::int64_t features = width;
  for (Integers &column : labels) {
    starts.push_back(features);
    features += rank(column);
  }
  makeFeatures(graph, features, path);
  for (std::int64_t node = 0; node < graph.numNodes; ++node) {
    float *row = graph.x.data() + node * features;
    std::copy_n(attributes.begin() + node * width, width, row);
    for (std::size_t column = 0; column < labels.size(); ++column)
      row[starts[column] + labels[column][node]] = 1;
  }
}

void setGraphLabels(GraphData &graph, Integers labels) {
  graph.numClasses = rank(labels);
  graph.graphLabels = std::move(labels);
}

/// Columns of integers, one line a node.
std::vector<Integers> readColumns(const std::string &path, std::int64_t nodes) {
  TextFile text(path);
  std::vector<Integers> columns;
  for (std::int64_t node = 0; node < nodes; ++node) {
    text.needLine("the labels of node " + std::to_string(node + 1) + " of " +
                  std::to_string(nodes));
    for (std::size_t column = 0; !text.atLineEnd(); ++column) {
      if (node == 0)
        columns.emplace_back();
      if (column == columns.size())
        text.fail("has more than the " + std::to_string(columns.size()) + " labels of node 1");
      columns[column].push_back(text.number<std::int64_t>("a node label"));
    }
    if (count(columns.back()) != node + 1)
      text.fail("has fewer than the " + std::to_string(columns.size()) + " labels of node 1");
  }
  if (text.nextLine())
    text.fail("labels of more than " + std::to_string(nodes) + " nodes");
  return columns;
}

} // namespace

GraphData readTuSet(const std::string &folder, const std::string &name) {
  const std::string prefix = folder + "/" + name + "_";
  GraphData graph;
  graph.name = name;
  graph.realData = true;

  Integers labels;
  TextFile labelText(prefix + "graph_labels.txt");
  while (labelText.nextLine()) {
    labels.push_back(labelText.number<std::int64_t>("a graph label"));
    labelText.needEnd();
  }
  const std::int64_t graphs = count(labels);

  TextFile indicator(prefix + "graph_indicator.txt");
  while (indicator.nextLine()) {
    std::int64_t of = indicator.idIn("graph", 1, graphs + 1) - 1;
    if (!graph.batch.empty() && of < graph.batch.back())
      indicator.fail("graph " + std::to_string(of + 1) + " after graph " +
                     std::to_string(graph.batch.back() + 1) + ", expected rising order");
    graph.batch.push_back(of);
    indicator.needEnd();
  }
  graph.numNodes = count(graph.batch);

  EdgeList edges;
  TextFile text(prefix + "A.txt");
  while (text.nextLine()) {
    std::int64_t src = text.idIn("source", 1, graph.numNodes + 1) - 1;
    std::int64_t dst = text.idIn("destination", 1, graph.numNodes + 1) - 1;
    if (graph.batch[src] != graph.batch[dst])
      text.fail("an edge from graph " + std::to_string(graph.batch[src] + 1) + " to graph " +
                std::to_string(graph.batch[dst] + 1));
    text.needEnd();
    edges.add(src, dst);
  }
  setSimpleEdges(graph, edges, /*mirrored=*/false); // the file has both directions
  setGraphLabels(graph, std::move(labels));

  std::vector<float> attributes;
  std::vector<Integers> nodeLabels;
  if (std::string path = prefix + "node_attributes.txt"; !plainOrPacked(path).empty())
    attributes = readRows(path, graph.numNodes);
  if (std::string path = prefix + "node_labels.txt"; !plainOrPacked(path).empty())
    nodeLabels = readColumns(path, graph.numNodes);
  setFeatures(graph, attributes, std::move(nodeLabels), prefix + "graph_indicator.txt");
  return graph;
}

GraphData readGraphText(const std::string &path, const std::string &name) {
  GraphData graph;
  graph.name = name;
  graph.realData = true;
  TextFile text(path);
  text.needLine("the count of graphs");
  auto graphs = text.number<std::int64_t>(
      "the count of graphs (of an edge list? gnn-graph convert reads it)");
  text.needEnd();
  EdgeList edges;
  Integers tags, labels;
  std::vector<float> attributes;
  std::int64_t width = 0;
  for (std::int64_t g = 0; g < graphs; ++g) {
    text.needLine("graph " + std::to_string(g) + " of " + std::to_string(graphs));
    auto nodes = text.idIn("the count of nodes", 0, std::int64_t(1) << 40);
    labels.push_back(text.number<std::int64_t>("the graph's label"));
    text.needEnd();
    std::int64_t first = count(tags);
    for (std::int64_t v = 0; v < nodes; ++v) {
      text.needLine("node " + std::to_string(v) + " of " + std::to_string(nodes) + " of graph " +
                    std::to_string(g));
      tags.push_back(text.number<std::int64_t>("the node's tag"));
      auto degree = text.idIn("the count of neighbours", 0, std::int64_t(1) << 40);
      for (std::int64_t i = 0; i < degree; ++i) {
        if (text.atLineEnd())
          text.fail("has " + std::to_string(i) + " neighbours, expected " + std::to_string(degree));
        edges.add(first + v, first + text.idIn("a neighbour", 0, nodes));
      }
      std::int64_t before = count(attributes);
      while (!text.atLineEnd()) // some of these files have them behind the neighbours
        attributes.push_back(text.number<float>("a node attribute"));
      width = tags.size() == 1 ? count(attributes) : width;
      if (count(attributes) - before != width)
        text.fail("has " + std::to_string(count(attributes) - before) +
                  " attributes behind its neighbours, the first node has " + std::to_string(width));
      graph.batch.push_back(g);
    }
  }
  if (text.nextLine())
    text.fail("more lines than those of " + std::to_string(graphs) + " graphs");
  graph.numNodes = count(tags);
  setSimpleEdges(graph, edges, /*mirrored=*/true);
  setGraphLabels(graph, std::move(labels));
  setFeatures(graph, attributes, {std::move(tags)}, path);
  return graph;
}

} // namespace gnnc::bench
