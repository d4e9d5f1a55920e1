//===- BindGraph.cpp - A graph file as the runtime takes it ---------------===//
#include "tools/graph/BindGraph.h"

#include "runtime/format/Floats.h"

#include <algorithm>

using namespace gnnc;
using tools::GraphFile;

namespace {

/// The file's tensor in the float type that the program wants it in.
bool asWanted(const GraphFile &graph, const format::Buffer &buffer, const format::Tensor &found,
              format::Tensor &tensor, std::string &error) {
  // Two types that are no floats are the runtime's to compare.
  if (!format::isFloat(found.dtype) || !format::isFloat(buffer.dtype)) {
    tensor = found;
    return true;
  }
  if (format::convertTensor(found, buffer.dtype, tensor, error))
    return true;
  error = graph.path + ": " + error;
  return false;
}

constexpr const char *kEdgeTensors[] = {"edge_weight", "edge_attr", "edge_type"};

bool isEdgeTensor(const std::string &name) {
  return std::ranges::find(kEdgeTensors, name) != std::end(kEdgeTensors);
}

/// Edge tensors that the runtime's types can hold, as the program wants them.
bool edgeTensors(const GraphFile &graph, const format::Plan &plan, std::vector<format::Tensor> &out,
                 std::string &error) {
  for (const char *name : kEdgeTensors) {
    const format::Tensor *tensor = graph.file.find(name);
    if (!tensor || tensor->dtype > format::DType::U8)
      continue;
    out.push_back(*tensor);
    for (const format::Buffer &buffer : plan.buffers)
      if (buffer.kind == format::Buffer::Kind::GraphData && buffer.name == name)
        if (!asWanted(graph, buffer, *tensor, out.back(), error))
          return false;
  }
  return true;
}

/// The file's index tensors that the program asks for. The runtime says which are not
/// there.
std::vector<Tensor> indexTensors(const GraphFile &graph, const format::Plan &plan) {
  std::vector<Tensor> out;
  for (const format::Buffer &buffer : plan.buffers) {
    if (buffer.kind != format::Buffer::Kind::GraphData || isEdgeTensor(buffer.name))
      continue;
    const format::Tensor *tensor = graph.file.find(buffer.name);
    if (tensor && tensor->dtype <= format::DType::U8)
      out.push_back(tools::viewOf(*tensor));
  }
  return out;
}

} // namespace

Tensor tools::viewOf(const format::Tensor &tensor) {
  return Tensor(tensor.name, const_cast<std::byte *>(tensor.bytes.data),
                static_cast<gnnc_dtype>(tensor.dtype), tensor.shape);
}

bool tools::findInput(const GraphFile &graph, const format::Buffer &buffer, format::Tensor &tensor,
                      std::string &error) {
  if (const format::Tensor *found = graph.file.find(buffer.name))
    return asWanted(graph, buffer, *found, tensor, error);
  if (buffer.name == "x") {
    const format::Formula *width = buffer.shape.size() == 2 ? &buffer.shape[1] : nullptr;
    // The program's width, unless the file states its own.
    bool stated = graph.file.metadata.count("num_features") > 0;
    format::Tensor dense;
    return tools::denseFeatures(graph,
                                width && width->terms.empty() && !stated ? width->constant : -1,
                                dense, error) &&
           asWanted(graph, buffer, dense, tensor, error);
  }
  error = graph.path + ": tensor '" + buffer.name + "' is missing; the program takes it as input";
  return false;
}

Result<Graph> tools::makeGraph(const GraphFile &graph, const format::Plan &plan) {
  std::vector<format::Tensor> edgeData;
  std::string error;
  if (!edgeTensors(graph, plan, edgeData, error))
    return Error{GNNC_INVALID_FILE, error};
  std::vector<Tensor> indexData = indexTensors(graph, plan);
  auto edges = static_cast<std::size_t>(graph.edges);
  std::vector<Tensor> data;
  for (const format::Tensor &tensor : edgeData)
    data.push_back(viewOf(tensor));
  const format::Tensor &index = graph.edgeIndex();
  auto create = [&](const auto *ids) {
    using Index = std::remove_cvref_t<decltype(*ids)>;
    auto made = Graph::create<Index>(graph.destinations, graph.sources, std::span(ids, edges),
                                     std::span(ids + edges, edges), data, indexData);
    if (!made)
      return Result<Graph>(Error{made.error().status, graph.path + ": " + made.error().message});
    return made;
  };
  if (index.dtype == format::DType::I32)
    return create(index.as<std::int32_t>());
  return create(index.as<std::int64_t>());
}
