//===- RandomWeights.h - Weights of a model that nobody trained -----------===//
#ifndef GNNC_TOOLS_GNN_MODEL_RANDOMWEIGHTS_H
#define GNNC_TOOLS_GNN_MODEL_RANDOMWEIGHTS_H

#include "lib/Models/Models.h"

namespace gnnc {

/// Writes all tensors of the state_dict: matrices by Glorot's rule, the rest so
/// that leaving one out shows (no zero biases, no unit variances). The same
/// seed gives the same bytes on every machine. On failure returns false and
/// sets `error`.
bool writeRandomWeights(const std::vector<WeightSpec> &weights, std::uint64_t seed,
                        const std::string &path, std::string &error);

} // namespace gnnc

#endif // GNNC_TOOLS_GNN_MODEL_RANDOMWEIGHTS_H
