//===- Value.h - Host tensors and graphs of the float64 evaluator ---------===//
//
// What a value of the IR holds while it is evaluated. Scalars are tensors of
// rank 0 and vectors are tensors too. Values do not change once made and are
// shared by pointer.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_REFERENCE_VALUE_H
#define GNNC_LIB_REFERENCE_VALUE_H

#include "mlir/IR/Types.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gnnc::reference {

/// Row-major. Either `floats` or `integers` holds the elements; a tensor that
/// nobody wrote (tensor.empty) holds neither and reads as NaN or 0.
struct Tensor {
  std::vector<int64_t> shape;
  bool isInteger = false;
  std::vector<double> floats;
  std::vector<int64_t> integers; ///< i1 as 0 and 1
  bool unwritten = false;

  static Tensor ofFloats(std::vector<int64_t> shape, std::vector<double> values);
  static Tensor ofIntegers(std::vector<int64_t> shape, std::vector<int64_t> values);
  /// Zeros.
  static Tensor zeros(std::vector<int64_t> shape, bool isInteger = false);

  int64_t elements() const;
  /// Elements of one row: all extents but the first.
  int64_t rowElements() const;
};

/// Edge e runs from src[e] to dst[e]; every id is in range.
struct Graph {
  int64_t dstCount = 0, srcCount = 0;
  std::vector<int64_t> src, dst;

  int64_t edges() const { return static_cast<int64_t>(src.size()); }
};

/// One value: a tensor or a graph.
struct Value {
  Tensor tensor;
  Graph graph;
  bool isGraph = false;
};
using ValuePtr = std::shared_ptr<const Value>;

ValuePtr makeValue(Tensor tensor);
ValuePtr makeValue(Graph graph);

/// Checks that edges go both ways into range. On failure returns false and sets
/// `error` to a line that names the first bad edge.
bool checkGraph(const Graph &graph, std::string &error);

/// "2x3xf64", "2xi64" or "graph 3x3x4".
std::string describe(const Value &value);
/// True when `value` may be a value of `type`: a tensor, vector, scalar or graph
/// with the same static extents.
bool fits(const Value &value, mlir::Type type);
/// One line: describe() and the elements as nested lists, nine digits each.
void print(llvm::raw_ostream &os, const Value &value);

} // namespace gnnc::reference

#endif // GNNC_LIB_REFERENCE_VALUE_H
