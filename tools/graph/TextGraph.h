//===- TextGraph.h - Edge lists and Matrix Market -------------------------===//
//
// Input: text, one edge a line. Output: the tensors of a graph file, and back.
// Edge list: "source destination [weight]", ids from 0, '#' or '%' begins a
// comment, "# nodes N" gives the node count. Matrix Market: coordinate, pattern,
// integer or real, general or symmetric; entry (i, j) is an edge from i to j,
// counted from 1.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TOOLS_GRAPH_TEXTGRAPH_H
#define GNNC_TOOLS_GRAPH_TEXTGRAPH_H

#include "tools/graph/GraphFile.h"

namespace gnnc::tools {

enum class TextFormat { None, EdgeList, MatrixMarket };

/// By the path's extension, .gz set aside.
TextFormat textFormatOf(const std::string &path);

bool readTextGraph(const std::string &path, TextFormat format, format::TensorFile &file,
                   std::string &error);
bool writeTextGraph(const std::string &path, TextFormat format, const GraphFile &graph,
                    std::string &error);

} // namespace gnnc::tools

#endif // GNNC_TOOLS_GRAPH_TEXTGRAPH_H
