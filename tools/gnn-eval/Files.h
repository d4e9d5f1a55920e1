//===- Files.h - Graph and weights files for the reference evaluator ------===//
//
// In: graph and safetensors files (docs/formats.md). Out: inputs of lib/Reference, and
// back. Every failure is one line that names the file and the tensor.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TOOLS_GNN_EVAL_FILES_H
#define GNNC_TOOLS_GNN_EVAL_FILES_H

#include "lib/Reference/Reference.h"

namespace gnnc::eval {

/// Reads a graph file of any format (tools/graph): the graph, and its tensors as
/// inputs and graph data alike, the program says which it wants as what. `x` is
/// dense however the file holds it.
bool readGraph(const std::string &path, reference::ProgramInputs &inputs, std::string &error);

/// Reads a state_dict.
bool readWeights(const std::string &path, reference::ProgramInputs &inputs, std::string &error);

/// Writes float64 tensors.
bool writeResults(const std::string &path, llvm::ArrayRef<reference::NamedValue> results,
                  std::string &error);

/// Reads one tensor.
bool readTensor(const std::string &path, const std::string &name, reference::ValuePtr &value,
                std::string &error);

} // namespace gnnc::eval

#endif // GNNC_TOOLS_GNN_EVAL_FILES_H
