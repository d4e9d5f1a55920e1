//===- RandomRows.h - Random ops on rows, as text -------------------------===//
//
// In: rows of a program that is being written, and a seed. Out: lines of its body
// that compute others from them, and the arguments which those read.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TEST_PASSES_RANDOMROWS_H
#define GNNC_TEST_PASSES_RANDOMROWS_H

#include "test/passes/RandomProgram.h"

#include <string>
#include <vector>

namespace gnnc::test {

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

inline int64_t sizeOf(const Features &features) {
  int64_t size = 1;
  for (int64_t extent : features)
    size *= extent;
  return size;
}

/// Whether rows of `from` can be repeated to `to`.
bool fitsInto(const Features &from, const Features &to);

class RowWriter {
protected:
  explicit RowWriter(uint64_t seed) : draw(seed) {}

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
  Rows linear(const Rows &a);
  Rows grow(const std::vector<Rows> &pool);

  // Rows by index tensors.
  Index bound(const std::string &attribute, std::vector<int64_t> values);
  Index index(int64_t rows, int64_t below);
  Rows gatherAt(const Rows &a, const Index &by);
  Rows scatterAt(const Rows &a, const Index &by, const std::string &extent);
  Rows byIndex(const Rows &a);

  Draw draw;
  unsigned next = 0;
  std::string arguments, body;
  int64_t numNodes = 0;
  RandomProgram program;
};

} // namespace gnnc::test

#endif // GNNC_TEST_PASSES_RANDOMROWS_H
