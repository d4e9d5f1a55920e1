//===- GraphWorkload.cpp - A graph file to tune on ------------------------===//
#include "tools/tune/GraphWorkload.h"

#include "runtime/format/Floats.h"
#include "tools/gnn-eval/Files.h"
#include "tools/graph/BindGraph.h"

using namespace gnnc;

namespace {

class GraphWorkload final : public tune::Workload {
public:
  bool open(const std::string &path, std::string &error) {
    if (!tools::readGraph(path, file, error))
      return false;
    if (std::string what; tools::findBadEdge(file, what)) {
      error = path + ": " + what;
      return false;
    }
    counts = tune::GraphShape::of(file.destinations, file.sources, file.edges,
                                  [&](std::int64_t edge) { return file.id(1, edge); });
    return true;
  }

  const tune::GraphShape &shape() const override { return counts; }

  bool bind(const format::Plan &plan, tune::BoundWorkload &out, std::string &error) override {
    auto graph = tools::makeGraph(file, plan);
    if (!graph) {
      error = graph.error().message;
      return false;
    }
    for (const format::Buffer &buffer : plan.buffers) {
      if (buffer.kind != format::Buffer::Kind::Input)
        continue;
      bool isThere =
          file.file.find(buffer.name) || (buffer.name == "x" && file.file.find("x_indptr"));
      format::Tensor &tensor = out.tensors.emplace_back();
      if (!(isThere ? tools::findInput(file, buffer, tensor, error)
                    : makeRandom(plan, buffer, tensor, error)))
        return false;
    }
    out.graph = std::move(*graph);
    return true;
  }

  bool forReference(const tune::BoundWorkload &bound, reference::ProgramInputs &out,
                    std::string &error) override {
    if (!eval::readGraph(file.path, out, error))
      return false;
    for (const format::Tensor &tensor : bound.tensors) {
      format::Tensor wide;
      if (!format::isFloat(tensor.dtype))
        continue;
      if (!format::convertTensor(tensor, format::DType::F64, wide, error))
        return false;
      out.inputs[tensor.name] = reference::makeValue(reference::Tensor::ofFloats(
          wide.shape, {wide.as<double>(), wide.as<double>() + wide.elements()}));
    }
    return true;
  }

  bool weightsForReference(const std::string &path, reference::ProgramInputs &out,
                           std::string &error) override {
    return eval::readWeights(path, out, error);
  }

private:
  /// Zeros would be faster than what users compute with, on a GPU.
  bool makeRandom(const format::Plan &plan, const format::Buffer &buffer, format::Tensor &tensor,
                  std::string &error) const {
    auto countOf = [&](const format::Symbol &symbol) {
      switch (symbol.source) {
      case format::Symbol::Source::GraphDst:
        return file.destinations;
      case format::Symbol::Source::GraphSrc:
        return file.sources;
      case format::Symbol::Source::GraphEdges:
        return file.edges;
      default:
        return std::int64_t(0);
      }
    };
    std::vector<std::int64_t> symbols, extents;
    for (const format::Symbol &symbol : plan.symbols)
      symbols.push_back(countOf(symbol));
    for (const format::Formula &extent : buffer.shape)
      extents.push_back(extent.evaluate(symbols));
    if (!format::isFloat(buffer.dtype)) {
      error =
          file.path + ": tensor '" + buffer.name + "' is missing; the program takes it as input";
      return false;
    }
    format::Tensor made;
    if (!tools::allocateTensor(buffer.name, format::DType::F32, extents, made, error))
      return false;
    auto *to = reinterpret_cast<float *>(const_cast<std::byte *>(made.bytes.data));
    std::uint64_t state = 1; // the same numbers each time: a linear congruence, in [-1, 1)
    for (std::int64_t i = 0; i < made.elements(); ++i) {
      state = state * 6364136223846793005 + 1442695040888963407;
      to[i] = static_cast<float>(state >> 40) / 0x1p23F - 1;
    }
    return format::convertTensor(made, buffer.dtype, tensor, error);
  }

  tools::GraphFile file;
  tune::GraphShape counts;
};

} // namespace

std::unique_ptr<tune::Workload> tools::openWorkload(const std::string &path, std::string &error) {
  auto workload = std::make_unique<GraphWorkload>();
  if (!workload->open(path, error))
    return nullptr;
  return workload;
}
