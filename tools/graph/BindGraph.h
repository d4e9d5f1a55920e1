//===- BindGraph.h - A graph file as the runtime takes it -----------------===//
//
// In:  a graph file, and the plan that says which of its tensors a program reads and in
// which types. Out: the runtime's graph, and inputs.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TOOLS_GRAPH_BINDGRAPH_H
#define GNNC_TOOLS_GRAPH_BINDGRAPH_H

#include "gnnc/gnnc.hpp"
#include "runtime/format/Plan.h"
#include "tools/graph/GraphFile.h"

namespace gnnc::tools {

/// For the runtime; valid as long as the tensor.
Tensor viewOf(const format::Tensor &tensor);

/// With the edge and index tensors that the program reads. Messages name the file.
Result<Graph> makeGraph(const GraphFile &graph, const format::Plan &plan);

/// The file's tensor for an input of the program; `x` may be made from CSR. False with
/// one line that names the file.
bool findInput(const GraphFile &graph, const format::Buffer &buffer, format::Tensor &tensor,
               std::string &error);

} // namespace gnnc::tools

#endif // GNNC_TOOLS_GRAPH_BINDGRAPH_H
