//===- RandomProgram.cpp - Message-passing programs nobody would write ----===//
//
// A pool of node tensors grows layer by layer; in each layer a pool of edge
// tensors grows from gathers, edge data and ops on random members. Values are
// taken from the pools with repetition, so some are read twice, some never.
// Numbers stay near 1: products are tamed by tanh.
//
//===----------------------------------------------------------------------===//
#include "test/passes/RandomRows.h"

using namespace gnnc::test;
using namespace gnnc::reference;

namespace {
class Writer : public RowWriter {
public:
  explicit Writer(uint64_t seed) : RowWriter(seed) {}
  RandomProgram write();

private:
  std::string along(bool atSrc);
  void turnAround();
  Rows gather(const Rows &nodes, bool atSrc);
  Rows scatter(const std::string &kind, const Rows &edges);
  Rows attention(const std::vector<Rows> &edges);
  void layer();
  void drawGraph();
  Rows drawNorm();

  std::string graph = "%g", transposed; ///< a transpose, or empty
  std::vector<Rows> nodes, edgeData;
  std::optional<Rows> norm;
  bool againstEdges = false; ///< ends are exchanged
  bool bothWays = false;     ///< ... by turns
};
} // namespace

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// The graph and the end where messages start or arrive, as ops name them.
std::string Writer::along(bool atSrc) {
  bool isTurned = !transposed.empty() && draw.oneIn(3);
  return (isTurned ? transposed : graph) + " at " +
         (atSrc != (againstEdges != isTurned) ? "src" : "dst");
}

/// Where edges are followed both ways: perhaps the other one from here on.
void Writer::turnAround() {
  if (bothWays && draw.oneIn(2))
    againstEdges = !againstEdges;
}

Rows Writer::gather(const Rows &a, bool atSrc) {
  return define(a.features, "gnn.gather " + a.name + ", " + along(atSrc) + " : " +
                                type(a.features) + ", !gnn.graph<?x?x?> -> " + type(a.features));
}

Rows Writer::scatter(const std::string &kind, const Rows &edges) {
  return define(edges.features, "gnn.scatter " + kind + " " + edges.name + ", " + along(false) +
                                    " acc f32 : " + type(edges.features) +
                                    ", !gnn.graph<?x?x?> -> " + type(edges.features));
}

/// sum of a row times the softmax of a score, or of anything where none fits.
Rows Writer::attention(const std::vector<Rows> &edges) {
  const Rows &score = draw.from(edges), &row = draw.from(edges);
  bool isSpelledOut = draw.oneIn(4);
  Rows weight = score;
  if (isSpelledOut) {
    auto reduceAndGather = [&](const std::string &kind, const Rows &rows) {
      Rows reduced = scatter(kind, rows);
      return gather(reduced, /*atSrc=*/false);
    };
    Rows maximum = reduceAndGather("max", score);
    Rows shifted = define(score.features, "arith.subf " + score.name + ", " + maximum.name + " : " +
                                              type(score.features));
    Rows power = define(score.features, "math.exp " + shifted.name + " : " + type(score.features));
    Rows sum = reduceAndGather("sum", power);
    Rows tiny = filled(sum, "1.0e-16");
    Rows safe = define(score.features,
                       "arith.addf " + sum.name + ", " + tiny.name + " : " + type(score.features));
    weight = define(score.features,
                    "arith.divf " + power.name + ", " + safe.name + " : " + type(score.features));
  } else {
    weight =
        define(score.features, "gnn.segment_softmax " + score.name + ", " + along(false) +
                                   " acc f32 : " + type(score.features) + ", !gnn.graph<?x?x?>");
  }
  turnAround();
  if (!fitsInto(weight.features, row.features))
    return scatter("sum", weight);
  Rows wide = spread(weight, row.features);
  Rows message = define(row.features,
                        "arith.mulf " + row.name + ", " + wide.name + " : " + type(row.features));
  for (int64_t i = draw.oneIn(3) ? 1 + draw.below(2) : 0; i > 0; --i) // with itself too
    message = binary(message, draw.oneIn(3) ? message : draw.from(edges));
  return scatter(draw.oneIn(6) ? "mean" : "sum", message);
}

void Writer::layer() {
  std::vector<Rows> edges = edgeData;
  for (int64_t i = 0, e = 1 + draw.below(3); i < e; ++i)
    edges.push_back(gather(draw.from(nodes), !draw.oneIn(3)));
  for (int64_t i = 0, e = draw.below(6); i < e; ++i)
    edges.push_back(grow(edges));
  static const std::vector<std::string> kinds = {"sum", "mean", "max", "min", "mul"};
  for (int64_t i = 0, e = 1 + draw.below(2); i < e; ++i) {
    turnAround();
    Rows out{"", {}};
    if (norm && draw.oneIn(2)) {
      Rows row = gather(draw.from(nodes), true), factor = spread(*norm, row.features);
      out = scatter(draw.oneIn(3) ? "mean" : "sum",
                    define(row.features, "arith.mulf " + row.name + ", " + factor.name + " : " +
                                             type(row.features)));
    } else {
      out = draw.oneIn(2) ? attention(edges) : scatter(draw.from(kinds), draw.from(edges));
    }
    // Products of many edges grow.
    nodes.push_back(define(out.features, "math.tanh " + out.name + " : " + type(out.features)));
    // Another reduction of rows that were read already.
    if (draw.oneIn(3)) {
      turnAround();
      Rows more = scatter(draw.from(kinds), draw.from(edges));
      nodes.push_back(
          define(more.features, "math.tanh " + more.name + " : " + type(more.features)));
    }
  }
  if (draw.oneIn(3)) {
    Rows moved = byIndex(draw.from(nodes));
    nodes.push_back(
        define(moved.features, "math.tanh " + moved.name + " : " + type(moved.features)));
  }
  for (int64_t i = 0, e = draw.below(5); i < e; ++i)
    nodes.push_back(draw.oneIn(3) ? linear(draw.from(nodes)) : grow(nodes));
  if (!nodes.back().features.empty() && draw.oneIn(2))
    nodes.push_back(withWeights(nodes.back()));
}

//===----------------------------------------------------------------------===//
// Graph and whole
//===----------------------------------------------------------------------===//

void Writer::drawGraph() {
  int64_t count = draw.oneIn(12) ? 1 : 2 + draw.below(7);
  int64_t edges = draw.oneIn(12) ? 0 : draw.below(20);
  numNodes = count;
  Graph drawn{count, count, {}, {}};
  for (int64_t e = 0; e < edges; ++e) {
    drawn.src.push_back(draw.below(count));
    drawn.dst.push_back(draw.oneIn(3) ? 0 : draw.below(count));
  }
  auto tensor = [&](int64_t rows, const Features &features) {
    std::vector<int64_t> extents{rows};
    extents.insert(extents.end(), features.begin(), features.end());
    std::vector<double> values(rows * sizeOf(features));
    for (double &value : values)
      value = draw.number();
    return makeValue(Tensor::ofFloats(std::move(extents), std::move(values)));
  };
  Features width{draw.from(std::vector<int64_t>{2, 4, 6})};
  arguments += ", %x: " + type(width) + " {gnn.input = \"x\"}";
  nodes.push_back({"%x", width});
  if (draw.oneIn(2))
    nodes.push_back(reshape(nodes.front()));
  program.inputs.inputs["x"] = tensor(count, width);
  arguments += ", %ew: " + type({}) + " {gnn.graph_data = \"edge_weight\"}";
  program.inputs.graphData["edge_weight"] = tensor(edges, {});
  switch (draw.below(4)) {
  case 0: // edge features follow the graph as it was bound
    arguments += ", %ea: " + type({2}) + " {gnn.graph_data = \"edge_attr\"}";
    program.inputs.graphData["edge_attr"] = tensor(edges, {2});
    edgeData = {{"%ew", {}}, {"%ea", {2}}};
    if (draw.oneIn(2)) { // a row for each edge, by its type
      std::vector<int64_t> types(edges);
      for (int64_t &value : types)
        value = draw.below(count);
      edgeData.push_back(gatherAt(nodes.front(), bound("gnn.graph_data", std::move(types))));
    }
    break;
  case 1:
    line("%lg, %lw = gnn.add_self_loops %g weights(%ew) fill 0.5 : !gnn.graph<?x?x?>, "
         "tensor<?xf32> -> !gnn.graph<?x?x?>, tensor<?xf32>");
    graph = "%lg";
    edgeData = {{"%lw", {}}};
    break;
  case 2:
    line("%rg, %rw = gnn.remove_self_loops %g edges(%ew : tensor<?xf32>) : !gnn.graph<?x?x?> -> "
         "!gnn.graph<?x?x?>, tensor<?xf32>");
    graph = "%rg";
    edgeData = {{"%rw", {}}};
    break;
  default:
    line("%lg = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>");
    graph = "%lg";
    break;
  }
  program.inputs.graph = makeValue(std::move(drawn));
  if (draw.oneIn(3))
    norm = drawNorm();
}

/// A number per edge that is a product of numbers of its ends and, perhaps, its own.
Rows Writer::drawNorm() {
  Rows degree = define({}, "gnn.degree " + graph + " at " + (againstEdges ? "src" : "dst") +
                               " : !gnn.graph<?x?x?> -> " + type({}));
  Rows root = define({}, "math.sqrt " + degree.name + " : " + type({}));
  Rows product = gather(root, true);
  auto multiply = [&](const Rows &by) {
    product = define({}, "arith.mulf " + product.name + ", " + by.name + " : " + type({}));
  };
  if (!edgeData.empty() && draw.oneIn(2))
    multiply(edgeData.front());
  multiply(gather(root, false));
  return product;
}

RandomProgram Writer::write() {
  againstEdges = draw.oneIn(5);
  bothWays = draw.oneIn(4);
  drawGraph();
  if (bothWays && draw.oneIn(2)) {
    transposed = "%tg";
    line("%tg = gnn.transpose " + graph + " : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>");
  }
  for (int64_t i = 0, e = 1 + draw.below(3); i < e; ++i)
    layer();
  const Rows &first = nodes.back(), &second = draw.from(nodes);
  std::string results = type(first.features) + " {gnn.output = \"out\"}, " + type(second.features) +
                        " {gnn.output = \"other\"}";
  program.text = "#nk = affine_map<(d0, d1, d2) -> (d0, d2)>\n"
                 "#ck = affine_map<(d0, d1, d2) -> (d1, d2)>\n"
                 "#nc = affine_map<(d0, d1, d2) -> (d0, d1)>\n"
                 "func.func @forward(%g: !gnn.graph<?x?x?>" +
                 arguments + ") -> (" + results + ") {\n  %c0 = arith.constant 0 : index\n" + body +
                 "  return " + first.name + ", " + second.name + " : " + type(first.features) +
                 ", " + type(second.features) + "\n}\n";
  return std::move(program);
}

RandomProgram gnnc::test::drawProgram(uint64_t seed) { return Writer(seed).write(); }
