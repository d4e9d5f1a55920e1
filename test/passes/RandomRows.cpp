//===- RandomRows.cpp - Random ops on rows, as text -----------------------===//
#include "test/passes/RandomRows.h"

#include "llvm/ADT/STLExtras.h"

using namespace gnnc::test;
using namespace gnnc::reference;

/// A weight argument with elements from `lowest` to 1.
std::string RowWriter::weight(const Features &extents, double lowest) {
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

Rows RowWriter::filled(const Rows &like, const std::string &constant) {
  std::string number = fresh();
  line(number + " = arith.constant " + constant + " : f32");
  std::string init = emptyLike(like, like.features);
  return define(like.features, "linalg.fill ins(" + number + " : f32) outs(" + init + " : " +
                                   type(like.features) + ") -> " + type(like.features));
}

Rows RowWriter::unary(const Rows &a) {
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
Rows RowWriter::spread(const Rows &a, const Features &features) {
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

bool gnnc::test::fitsInto(const Features &from, const Features &to) {
  if (from.empty() || from == to)
    return true;
  return from.size() == 1 && to.size() == 2 && (from[0] == to[0] || from[0] == to[1]);
}

Rows RowWriter::binary(const Rows &a, const Rows &b) {
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
Rows RowWriter::withWeights(const Rows &a) {
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

Rows RowWriter::reduce(const Rows &a, int64_t axis) {
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
Rows RowWriter::reshape(const Rows &a) {
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
Rows RowWriter::grow(const std::vector<Rows> &pool) {
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

/// x W into zeros, the weight [out, in] or [in, out].
Rows RowWriter::linear(const Rows &a) {
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

//===----------------------------------------------------------------------===//
// Rows by index tensors
//===----------------------------------------------------------------------===//

/// An argument of i32 or i64, by chance.
Index RowWriter::bound(const std::string &attribute, std::vector<int64_t> values) {
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

Index RowWriter::index(int64_t rows, int64_t below) {
  std::vector<int64_t> values(rows);
  for (int64_t &value : values)
    value = draw.below(below);
  return bound("gnn.index", std::move(values));
}

Rows RowWriter::gatherAt(const Rows &a, const Index &by) {
  return define(a.features, "gnn.gather_at " + a.name + ", " + by.name + " : " + type(a.features) +
                                ", " + by.type + " -> " + type(a.features));
}

Rows RowWriter::scatterAt(const Rows &a, const Index &by, const std::string &extent) {
  static const std::vector<std::string> kinds = {"sum", "mean", "max", "min", "mul"};
  return define(a.features, "gnn.scatter_at " + draw.from(kinds) + " " + a.name + ", " + by.name +
                                " extent " + extent + " acc f32 : " + type(a.features) + ", " +
                                by.type + " -> " + type(a.features));
}

/// A node tensor from rows of `a` that go elsewhere, or are cut into segments.
Rows RowWriter::byIndex(const Rows &a) {
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
