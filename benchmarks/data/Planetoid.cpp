//===- Planetoid.cpp - Cora, CiteSeer and PubMed as they were published ---===//
#include "benchmarks/data/Planetoid.h"

#include "benchmarks/data/Assemble.h"
#include "benchmarks/data/Pickle.h"
#include "benchmarks/data/TextFile.h"

#include <algorithm>

namespace gnnc::bench {
namespace {

constexpr std::int64_t validationNodes = 500;

/// One row a node, one column a class; the class is the largest column.
struct Labels {
  std::vector<std::int64_t> classes;
  std::int64_t columns = 0;

  explicit Labels(const std::string &path) {
    Pickle pickle(path);
    NumpyArray array = pickle.array(pickle.root(), 2);
    columns = array.shape[1];
    if (columns == 0)
      pickle.fail("labels have 0 columns, expected one a class");
    for (std::int64_t row = 0; row < array.shape[0]; ++row) {
      std::int64_t best = 0;
      for (std::int64_t column = 1; column < columns; ++column)
        if (array.number(array.place(row, column)) > array.number(array.place(row, best)))
          best = column;
      classes.push_back(best);
    }
  }
  std::int64_t rows() const { return static_cast<std::int64_t>(classes.size()); }
};

class Reader {
public:
  Reader(const std::string &folder, const std::string &name)
      : prefix(folder + "/ind." + name + "."), train(file("y")), all(file("ally")),
        test(file("ty")) {
    graph.name = name;
    graph.realData = true;
  }

  GraphData read() {
    readTestIds();
    readEdges();
    setLabels();
    readFeatures();
    return std::move(graph);
  }

private:
  /// With .gz where only that is there.
  std::string file(const char *part) const {
    std::string found = plainOrPacked(prefix + part);
    return found.empty() ? prefix + part : found;
  }

  static void needRows(const std::string &path, std::int64_t found, const std::string &other,
                       std::int64_t expected) {
    if (found != expected)
      throw Failure(path + ": has " + std::to_string(found) + " rows, " + other + " has " +
                    std::to_string(expected));
  }

  void readTestIds() {
    TextFile text(prefix + "test.index");
    std::vector<std::int64_t> sorted;
    while (text.nextLine()) {
      testIds.push_back(text.idIn("test id", all.rows(), std::int64_t(1) << 40));
      text.needEnd();
    }
    needRows(text.path(), static_cast<std::int64_t>(testIds.size()), file("ty"), test.rows());
    sorted = testIds;
    std::ranges::sort(sorted);
    if (auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
      throw Failure(text.path() + ": test id " + std::to_string(*twice) + " is there twice");
    if (!sorted.empty() && sorted.front() != all.rows())
      throw Failure(text.path() + ": the smallest test id is " + std::to_string(sorted.front()) +
                    ", expected " + std::to_string(all.rows()) + ", the rows of " + file("ally"));
    graph.numNodes = sorted.empty() ? all.rows() : sorted.back() + 1;
  }

  /// {node: [neighbours]}
  void readEdges() {
    Pickle pickle(file("graph"));
    const PickleValue &root = pickle.root();
    if (root.kind != PickleValue::Kind::Dict)
      pickle.fail("holds " + describe(root) + ", expected a dict of lists of neighbours");
    auto keys = static_cast<std::int64_t>(root.items.size() / 2);
    if (keys != graph.numNodes)
      pickle.fail("has " + std::to_string(keys) + " nodes, " + prefix +
                  "test.index and ally make " + std::to_string(graph.numNodes));
    auto id = [&](const PickleValue &value, const char *what) {
      if (value.kind != PickleValue::Kind::Int)
        pickle.fail(std::string(what) + " is " + describe(value) + ", expected a node's number");
      if (value.integer < 0 || value.integer >= graph.numNodes)
        pickle.fail(std::string(what) + " is " + std::to_string(value.integer) + ", not in [0, " +
                    std::to_string(graph.numNodes) + ")");
      return value.integer;
    };
    EdgeList edges;
    for (std::size_t i = 0; i < root.items.size(); i += 2) {
      std::int64_t node = id(*root.items[i], "a node");
      const PickleValue &neighbours = *root.items[i + 1];
      if (neighbours.kind != PickleValue::Kind::List)
        pickle.fail("node " + std::to_string(node) + " has " + describe(neighbours) +
                    ", expected a list of neighbours");
      const std::string what = "a neighbour of node " + std::to_string(node);
      for (const PickleValue *neighbour : neighbours.items)
        edges.add(node, id(*neighbour, what.c_str()));
    }
    setSimpleEdges(graph, edges, /*mirrored=*/true);
  }

  void setLabels() {
    if (test.columns != all.columns || train.columns != all.columns)
      throw Failure(file("ally") + ": has " + std::to_string(all.columns) + " classes, y has " +
                    std::to_string(train.columns) + " and ty " + std::to_string(test.columns));
    if (train.rows() > all.rows())
      throw Failure(file("y") + ": has " + std::to_string(train.rows()) + " rows, " + file("ally") +
                    " has " + std::to_string(all.rows()));
    auto nodes = static_cast<std::size_t>(graph.numNodes);
    graph.y = all.classes;
    graph.y.resize(nodes, 0);
    graph.trainMask.assign(nodes, 0);
    graph.valMask = graph.testMask = graph.trainMask;
    for (std::size_t i = 0; i < testIds.size(); ++i) {
      graph.y[testIds[i]] = test.classes[i];
      graph.testMask[testIds[i]] = 1;
    }
    std::int64_t end = std::min(train.rows() + validationNodes, all.rows());
    std::fill_n(graph.trainMask.begin(), train.rows(), 1);
    std::fill(graph.valMask.begin() + train.rows(), graph.valMask.begin() + end, 1);
    graph.numClasses = all.columns;
  }

  void readFeatures() {
    Pickle testPickle(file("tx"));
    NumpyCsr testRows = testPickle.csr(testPickle.root());
    needRows(testPickle.path(), testRows.rows, prefix + "test.index", test.rows());
    if (plainOrPacked(prefix + "allx").empty())
      return;
    Pickle pickle(file("allx"));
    NumpyCsr rows = pickle.csr(pickle.root());
    needRows(pickle.path(), rows.rows, file("ally"), all.rows());
    if (testRows.columns != rows.columns)
      testPickle.fail("has " + std::to_string(testRows.columns) + " features, " + pickle.path() +
                      " has " + std::to_string(rows.columns));
    makeFeatures(graph, rows.columns, pickle.path());
    rows.addTo(graph.x, [](std::int64_t row) { return row; });
    testRows.addTo(graph.x, [&](std::int64_t row) { return testIds[row]; });
  }

  std::string prefix;
  Labels train, all, test;
  std::vector<std::int64_t> testIds;
  GraphData graph;
};

} // namespace

GraphData readPlanetoid(const std::string &folder, const std::string &name) {
  return Reader(folder, name).read();
}

} // namespace gnnc::bench
