//===- Trainer.h - Training of a GCN on one graph -------------------------===//
//
// Input: a graph with labels and masks. Output: trained weights and what they
// reach. Full batch, Adam, dropout before every layer, as in the GCN paper.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_TRAIN_TRAINER_H
#define GNNC_BENCHMARKS_GNN_TRAIN_TRAINER_H

#include "benchmarks/eager/ModelSpec.h"

#include <functional>

namespace gnnc::bench {

struct TrainOptions {
  std::int64_t hidden = 16, numLayers = 2, epochs = 200;
  double learningRate = 0.01, weightDecay = 0.02, dropout = 0.5;
  std::uint64_t seed = 0;
  int threads = 1; ///< the work is small; more make it slower on a busy machine
};

struct TrainProgress {
  std::int64_t epoch, epochs;
  double loss, validation;
};

struct TrainResult {
  Weights weights; ///< of the epoch with the best validation accuracy
  std::int64_t bestEpoch = 0;
  double validation = 0, test = 0; ///< accuracies with these weights
  double seconds = 0;
};

/// Throws Failure when the graph has no features, labels or masks. `report` is
/// called every 20 epochs.
TrainResult trainGcn(const GraphData &graph, const TrainOptions &options,
                     const std::function<void(const TrainProgress &)> &report);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_TRAIN_TRAINER_H
