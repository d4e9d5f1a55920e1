//===- Files.h - Graph and weights files for the reference evaluator ------===//
//
// In: safetensors files (docs/formats.md). Out: inputs of lib/Reference, and
// back. Every failure is one line that names the file and the tensor.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TOOLS_GNN_EVAL_FILES_H
#define GNNC_TOOLS_GNN_EVAL_FILES_H

#include "lib/Reference/Reference.h"

namespace gnnc::eval {

/// Reads `edge_index` (row 0 source, row 1 destination), `x` (dense, or as CSR)
/// and further tensors into `inputs`: x is an input, all others are graph data
/// and inputs alike, the program says which it wants.
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
