//===- RandomProgram.cpp - Message-passing programs nobody would write ----===//
//
// A pool of node tensors grows layer by layer; in each layer a pool of edge
// tensors grows from gathers, edge data and ops on random members. Values are
// taken from the pools with repetition, so some are read twice, some never.
// Numbers stay near 1: products are tamed by tanh.
//
//===----------------------------------------------------------------------===//
#include "test/passes/RandomProgram.h"

#include "llvm/ADT/SmallVector.h"

using namespace gnnc::test;
using namespace gnnc::reference;

namespace {
using Features = std::vector<int64_t>; ///< {}, {F} or {H, F}

/// A tensor of the program: one row per node or per edge.
struct Rows {
  std::string name;
  Features features;
};

/// An index tensor of the program and its type.
struct Index {
  std::string name, type;
};

int64_t sizeOf(const Features &features) {
  int64_t size = 1;
  for (int64_t extent : features)
    size *= extent;
  return size;
}

class Writer {
public:
  explicit Writer(uint64_t seed) : draw(seed) {}
  RandomProgram write();

private:
  // Text.
  std::string fresh() { return "%v" + std::to_string(next++); }
  void line(const std::string &text) { body += "  " + text + "\n"; }
  static std::string shape(const Features &features) {
    std::string text = "?x";
    for (int64_t extent : features)
      text += std::to_string(extent) + "x";
    return text;
  }
  static std::string type(const Features &features) { return "tensor<" + shape(features) + "f32>"; }
  Rows define(const Features &features, const std::string &op) {
    Rows rows{fresh(), features};
    line(rows.name + " = " + op);
    return rows;
  }
  std::string rowCount(const Rows &like) {
    std::string name = fresh();
    line(name + " = tensor.dim " + like.name + ", %c0 : " + type(like.features));
    return name;
  }
  std::string emptyLike(const Rows &like, const Features &features) {
    std::string count = rowCount(like), name = fresh();
    line(name + " = tensor.empty(" + count + ") : " + type(features));
    return name;
  }
  std::string weight(const Features &extents, double lowest);

  // Ops on rows of either kind.
  Rows unary(const Rows &a);
  Rows binary(const Rows &a, const Rows &b);
  Rows spread(const Rows &a, const Features &features);
  Rows withWeights(const Rows &a);
  Rows filled(const Rows &like, const std::string &constant);
  Rows reduce(const Rows &a, int64_t axis);
  Rows reshape(const Rows &a);
  Rows grow(const std::vector<Rows> &pool);

  // Rows by index tensors.
  Index bound(const std::string &attribute, std::vector<int64_t> values);
  Index index(int64_t rows, int64_t below);
  Rows gatherAt(const Rows &a, const Index &by);
  Rows scatterAt(const Rows &a, const Index &by, const std::string &extent);
  Rows byIndex(const Rows &a);

  // Messages.
  std::string along(bool atSrc);
  void turnAround();
  Rows gather(const Rows &nodes, bool atSrc);
  Rows scatter(const std::string &kind, const Rows &edges);
  Rows attention(const std::vector<Rows> &edges);
  void layer();
  Rows linear(const Rows &a);
  void drawGraph();
  Rows drawNorm();

  Draw draw;
  unsigned next = 0;
  std::string arguments, body, graph = "%g", transposed; ///< a transpose, or empty
  std::vector<Rows> nodes, edgeData;
  std::optional<Rows> norm;
  int64_t numNodes = 0;
  bool againstEdges = false; ///< ends are exchanged
  bool bothWays = false;     ///< ... by turns
  RandomProgram program;
};
} // namespace

/// A weight argument with elements from `lowest` to 1.
std::string Writer::weight(const Features &extents, double lowest) {
  std::string name = "w" + std::to_string(next++), dims;
  for (int64_t extent : extents)
    dims += std::to_string(extent) + "x";
  arguments += ", %" + name + ": tensor<" + dims + "f32> {gnn.weight = \"" + name + "\"}";
  std::vector<double> values(sizeOf(extents));
  for (double &value : values)
    value = lowest + (draw.number() + 1) / 2 * (1 - lowest);
  program.inputs.weights[name] = makeValue(Tensor::ofFloats(extents, std::move(values)));
  return "%" + name;
}

Rows Writer::filled(const Rows &like, const std::string &constant) {
  std::string number = fresh();
  line(number + " = arith.constant " + constant + " : f32");
  std::string init = emptyLike(like, like.features);
  return define(like.features, "linalg.fill ins(" + number + " : f32) outs(" + init + " : " +
                                   type(like.features) + ") -> " + type(like.features));
}

Rows Writer::unary(const Rows &a) {
  std::string suffix = a.name + " : " + type(a.features);
  switch (draw.below(5)) {
  case 0:
    return define(a.features, "math.tanh " + suffix);
  case 1:
    return define(a.features, "arith.negf " + suffix);
  case 2:
    return define(a.features, "math.absf " + suffix);
  case 3: { // leaky ReLU
    Rows zero = filled(a, "0.0"), slope = filled(a, "0.25");
    Rows positive = define(a.features, "arith.cmpf ogt, " + a.name + ", " + zero.name + " : " +
                                           type(a.features));
    Rows small =
        define(a.features, "arith.mulf " + a.name + ", " + slope.name + " : " + type(a.features));
    return define(a.features, "arith.select " + positive.name + ", " + a.name + ", " + small.name +
                                  " : tensor<" + shape(a.features) + "i1>, " + type(a.features));
  }
  default: {
    Rows zero = filled(a, "0.0");
    return define(a.features,
                  "arith.maximumf " + a.name + ", " + zero.name + " : " + type(a.features));
  }
  }
}

/// `a` repeated to `features`, along trailing or leading extents.
Rows Writer::spread(const Rows &a, const Features &features) {
  if (a.features == features)
    return a;
  // Rank of features 0 -> any; {H} -> {H, F}; {F} -> {H, F}.
  std::string dimensions;
  if (a.features.empty())
    dimensions = features.size() == 1 ? "1" : "1, 2";
  else
    dimensions =
        a.features[0] == features[0] && (features[0] != features[1] || draw.oneIn(2)) ? "2" : "1";
  std::string init = emptyLike(a, features);
  return define(features, "linalg.broadcast ins(" + a.name + " : " + type(a.features) + ") outs(" +
                              init + " : " + type(features) + ") dimensions = [" + dimensions +
                              "]");
}

/// Whether rows of `from` can be repeated to `to`.
static bool fitsInto(const Features &from, const Features &to) {
  if (from.empty() || from == to)
    return true;
  return from.size() == 1 && to.size() == 2 && (from[0] == to[0] || from[0] == to[1]);
}

Rows Writer::binary(const Rows &a, const Rows &b) {
  bool widenA = fitsInto(a.features, b.features);
  if (!widenA && !fitsInto(b.features, a.features))
    return unary(a);
  Features features = widenA ? b.features : a.features;
  Rows left = spread(a, features), right = spread(b, features);
  static const std::vector<std::string> ops = {"arith.addf", "arith.mulf", "arith.mulf",
                                               "arith.subf", "arith.maximumf"};
  return define(features,
                draw.from(ops) + " " + left.name + ", " + right.name + " : " + type(features));
}

/// A scale or shift by a parameter that all rows share.
Rows Writer::withWeights(const Rows &a) {
  if (a.features.empty())
    return unary(a);
  std::string param = weight(a.features, -1), init = emptyLike(a, a.features), dims;
  for (int64_t extent : a.features)
    dims += std::to_string(extent) + "x";
  Rows rows =
      define(a.features, "linalg.broadcast ins(" + param + " : tensor<" + dims + "f32>) outs(" +
                             init + " : " + type(a.features) + ") dimensions = [0]");
  return define(a.features, std::string(draw.oneIn(2) ? "arith.addf " : "arith.mulf ") + a.name +
                                ", " + rows.name + " : " + type(a.features));
}

Rows Writer::reduce(const Rows &a, int64_t axis) {
  Features features = a.features;
  features.erase(features.begin() + axis);
  Rows zero = filled({a.name, a.features}, "0.0");
  (void)zero; // an op nobody reads
  std::string init = emptyLike(a, features), number = fresh(), start = fresh();
  line(number + " = arith.constant 0.0 : f32");
  line(start + " = linalg.fill ins(" + number + " : f32) outs(" + init + " : " + type(features) +
       ") -> " + type(features));
  return define(features, "linalg.reduce ins(" + a.name + " : " + type(a.features) + ") outs(" +
                              start + " : " + type(features) + ") dimensions = [" +
                              std::to_string(axis + 1) +
                              "] (%p: f32, %q: f32) {\n    %s = arith.addf %p, %q : f32\n    "
                              "linalg.yield %s : f32\n  }");
}

/// Heads side by side, or a wide row cut into heads.
Rows Writer::reshape(const Rows &a) {
  if (a.features.size() == 2) {
    Features flat{sizeOf(a.features)};
    return define(flat, "tensor.collapse_shape " + a.name + " [[0], [1, 2]] : " + type(a.features) +
                            " into " + type(flat));
  }
  if (a.features.size() == 1 && a.features[0] % 2 == 0) {
    Features heads{2, a.features[0] / 2};
    std::string count = rowCount(a);
    return define(heads, "tensor.expand_shape " + a.name + " [[0], [1, 2]] output_shape [" + count +
                             ", 2, " + std::to_string(heads[1]) + "] : " + type(a.features) +
                             " into " + type(heads));
  }
  return unary(a);
}

/// A new member for `pool` out of its members.
Rows Writer::grow(const std::vector<Rows> &pool) {
  const Rows &a = draw.from(pool);
  switch (draw.below(8)) {
  case 0:
    return unary(a);
  case 1:
    return withWeights(a);
  case 2:
    return a.features.empty() ? unary(a)
                              : reduce(a, draw.below(static_cast<int64_t>(a.features.size())));
  case 3:
    return reshape(a);
  default:
    return binary(a, draw.from(pool));
  }
}

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

//===----------------------------------------------------------------------===//
// Rows by index tensors
//===----------------------------------------------------------------------===//

/// An argument of i32 or i64, by chance.
Index Writer::bound(const std::string &attribute, std::vector<int64_t> values) {
  std::string name = "i" + std::to_string(next++);
  std::string type = draw.oneIn(2) ? "tensor<?xi32>" : "tensor<?xi64>";
  arguments += ", %" + name + ": " + type + " {" + attribute + " = \"" + name + "\"}";
  Tensor tensor;
  tensor.shape = {static_cast<int64_t>(values.size())};
  tensor.isInteger = true;
  tensor.integers = std::move(values);
  program.inputs.graphData[name] = makeValue(std::move(tensor));
  return {"%" + name, type};
}

Index Writer::index(int64_t rows, int64_t below) {
  std::vector<int64_t> values(rows);
  for (int64_t &value : values)
    value = draw.below(below);
  return bound("gnn.index", std::move(values));
}

Rows Writer::gatherAt(const Rows &a, const Index &by) {
  return define(a.features, "gnn.gather_at " + a.name + ", " + by.name + " : " + type(a.features) +
                                ", " + by.type + " -> " + type(a.features));
}

Rows Writer::scatterAt(const Rows &a, const Index &by, const std::string &extent) {
  static const std::vector<std::string> kinds = {"sum", "mean", "max", "min", "mul"};
  return define(a.features, "gnn.scatter_at " + draw.from(kinds) + " " + a.name + ", " + by.name +
                                " extent " + extent + " acc f32 : " + type(a.features) + ", " +
                                by.type + " -> " + type(a.features));
}

/// A node tensor from rows of `a` that go elsewhere, or are cut into segments.
Rows Writer::byIndex(const Rows &a) {
  std::string count = rowCount(a);
  int64_t rows = draw.below(12), segments = 1 + draw.below(4);
  std::vector<int64_t> cuts(segments + 1, numNodes);
  for (int64_t &cut : cuts)
    cut = draw.below(numNodes + 1);
  llvm::sort(cuts);
  cuts.front() = 0;
  cuts.back() = numNodes;
  switch (draw.below(5)) {
  case 0:
    return gatherAt(a, index(numNodes, numNodes));
  case 1:
    return scatterAt(a, index(numNodes, numNodes), count);
  case 2: {
    Index pointer = bound("gnn.index", std::move(cuts));
    return define(a.features, "gnn.segment_softmax " + a.name + ", " + pointer.name +
                                  " acc f32 : " + type(a.features) + ", " + pointer.type);
  }
  case 3: {
    Index pointer = bound("gnn.index", std::move(cuts));
    Rows reduced =
        define(a.features, std::string("gnn.segment_reduce ") + (draw.oneIn(2) ? "max " : "mean ") +
                               a.name + ", " + pointer.name + " acc f32 : " + type(a.features) +
                               ", " + pointer.type + " -> " + type(a.features));
    return gatherAt(reduced, index(numNodes, segments));
  }
  default: // an edge list where both are of one type, two graphs where not
    Rows there = gatherAt(a, index(rows, numNodes));
    return scatterAt(unary(there), index(rows, numNodes), count);
  }
}

/// x W into zeros, the weight [out, in] or [in, out].
Rows Writer::linear(const Rows &a) {
  if (a.features.size() != 1)
    return a.features.empty() ? a : linear(reshape(a));
  int64_t in = a.features[0], out = draw.from(std::vector<int64_t>{2, 3, 4, 6});
  bool transposed = draw.oneIn(2);
  std::string param = weight(transposed ? Features{out, in} : Features{in, out}, -1);
  std::string init = emptyLike(a, {out}), number = fresh(), zeros = fresh();
  line(number + " = arith.constant 0.0 : f32");
  line(zeros + " = linalg.fill ins(" + number + " : f32) outs(" + init + " : " + type({out}) +
       ") -> " + type({out}));
  std::string maps = transposed ? "indexing_maps = [#nk, #ck, #nc] " : "";
  std::string sizes = transposed ? std::to_string(out) + "x" + std::to_string(in)
                                 : std::to_string(in) + "x" + std::to_string(out);
  return define({out}, "linalg.matmul " + maps + "ins(" + a.name + ", " + param + " : " +
                           type(a.features) + ", tensor<" + sizes + "xf32>) outs(" + zeros + " : " +
                           type({out}) + ") -> " + type({out}));
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
