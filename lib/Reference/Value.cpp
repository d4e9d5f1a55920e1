//===- Value.cpp - Host tensors and graphs of the float64 evaluator -------===//
#include "lib/Reference/Value.h"

#include "dialects/Gnn/Gnn.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <numeric>

using namespace gnnc::reference;

static int64_t product(llvm::ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1), std::multiplies<>());
}

int64_t Tensor::elements() const { return product(shape); }
int64_t Tensor::rowElements() const { return product(llvm::ArrayRef(shape).drop_front()); }

Tensor Tensor::ofFloats(std::vector<int64_t> shape, std::vector<double> values) {
  Tensor tensor;
  tensor.shape = std::move(shape);
  tensor.floats = std::move(values);
  return tensor;
}

Tensor Tensor::ofIntegers(std::vector<int64_t> shape, std::vector<int64_t> values) {
  Tensor tensor;
  tensor.shape = std::move(shape);
  tensor.isInteger = true;
  tensor.integers = std::move(values);
  return tensor;
}

Tensor Tensor::zeros(std::vector<int64_t> shape, bool isInteger) {
  int64_t count = product(shape);
  return isInteger ? ofIntegers(std::move(shape), std::vector<int64_t>(count))
                   : ofFloats(std::move(shape), std::vector<double>(count));
}

ValuePtr gnnc::reference::makeValue(Tensor tensor) {
  auto value = std::make_shared<Value>();
  value->tensor = std::move(tensor);
  return value;
}

ValuePtr gnnc::reference::makeValue(Graph graph) {
  auto value = std::make_shared<Value>();
  value->graph = std::move(graph);
  value->isGraph = true;
  return value;
}

bool gnnc::reference::checkGraph(const Graph &graph, std::string &error) {
  llvm::raw_string_ostream os(error);
  if (graph.src.size() != graph.dst.size()) {
    os << graph.src.size() << " sources, " << graph.dst.size() << " destinations of edges";
    return false;
  }
  auto check = [&](llvm::StringRef end, int64_t edge, int64_t node, int64_t count) {
    if (node >= 0 && node < count)
      return true;
    os << "edge " << edge << ": " << end << ' ' << node << " is not in [0, " << count
       << "); were ids counted from 1?";
    return false;
  };
  for (int64_t e = 0; e < graph.edges(); ++e)
    if (!check("source", e, graph.src[e], graph.srcCount) ||
        !check("destination", e, graph.dst[e], graph.dstCount))
      return false;
  return true;
}

std::string gnnc::reference::describe(const Value &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (value.isGraph) {
    os << "graph " << value.graph.dstCount << 'x' << value.graph.srcCount << 'x'
       << value.graph.edges();
    return text;
  }
  for (int64_t extent : value.tensor.shape)
    os << extent << 'x';
  os << (value.tensor.isInteger ? "i64" : "f64");
  return text;
}

bool gnnc::reference::fits(const Value &value, mlir::Type type) {
  if (auto graph = llvm::dyn_cast<gnn::GnnGraphType>(type))
    return value.isGraph && gnn::compatible(graph.getDst(), value.graph.dstCount) &&
           gnn::compatible(graph.getSrc(), value.graph.srcCount) &&
           gnn::compatible(graph.getEdges(), value.graph.edges());
  if (value.isGraph)
    return false;
  llvm::ArrayRef<int64_t> extents;
  if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(type)) {
    if (!shaped.hasRank())
      return false;
    extents = shaped.getShape();
  }
  if (mlir::getElementTypeOrSelf(type).isIntOrIndex() != value.tensor.isInteger ||
      extents.size() != value.tensor.shape.size())
    return false;
  return llvm::all_of(llvm::zip_equal(extents, value.tensor.shape), [](auto pair) {
    return gnn::compatible(std::get<0>(pair), std::get<1>(pair));
  });
}

static void printNumber(llvm::raw_ostream &os, double number) {
  if (std::isnan(number))
    os << "nan";
  else if (std::isinf(number))
    os << (number < 0 ? "-inf" : "inf");
  else
    os << llvm::format("%.9g", number);
}

/// Prints the elements from `next` on that extents[axis ...] cover.
static void printList(llvm::raw_ostream &os, const Tensor &tensor, size_t axis, int64_t &next) {
  if (axis == tensor.shape.size()) {
    if (tensor.unwritten)
      os << "unwritten";
    else if (tensor.isInteger)
      os << tensor.integers[next];
    else
      printNumber(os, tensor.floats[next]);
    ++next;
    return;
  }
  os << '[';
  for (int64_t i = 0; i < tensor.shape[axis]; ++i) {
    if (i)
      os << ", ";
    printList(os, tensor, axis + 1, next);
  }
  os << ']';
}

void gnnc::reference::print(llvm::raw_ostream &os, const Value &value) {
  os << describe(value) << ' ';
  if (value.isGraph) {
    os << "src ["
       << llvm::join(llvm::map_range(value.graph.src, [](int64_t n) { return std::to_string(n); }),
                     ", ")
       << "] dst ["
       << llvm::join(llvm::map_range(value.graph.dst, [](int64_t n) { return std::to_string(n); }),
                     ", ")
       << ']';
    return;
  }
  int64_t next = 0;
  printList(os, value.tensor, 0, next);
}
