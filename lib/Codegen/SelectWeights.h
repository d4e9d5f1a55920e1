//===- SelectWeights.h - The weights a plan asks for ----------------------===//
#ifndef GNNC_LIB_CODEGEN_SELECTWEIGHTS_H
#define GNNC_LIB_CODEGEN_SELECTWEIGHTS_H

#include "runtime/format/SafeTensors.h"

#include <set>

namespace gnnc {

/// Reads the weights file `path` and puts the tensors that `plan` names into
/// `selected`, each checked against the type and shape the program gives it.
/// Tensors nobody asks for are left out; where some of them are floats that the
/// program has not even an argument for (`arguments`: its weights), `warning` says so,
/// for the model may have had more layers than the program. On failure returns false
/// with one line that names the file, the tensor and both shapes.
bool selectWeights(const std::string &path, const std::string &program,
                   const std::set<std::string> &arguments, const format::Plan &plan,
                   format::TensorFile &selected, std::string &warning, std::string &error);

} // namespace gnnc

#endif // GNNC_LIB_CODEGEN_SELECTWEIGHTS_H
