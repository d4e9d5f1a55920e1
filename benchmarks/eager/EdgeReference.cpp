//===- EdgeReference.cpp - Which reference a graph gets -------------------===//
#include "benchmarks/eager/EdgeChunks.h"
#include "benchmarks/eager/EdgeLoops.h"

namespace gnnc::bench {

std::unique_ptr<EdgeReference> makeEdgeReference(const GraphTensors &graph) {
  if (graph.src.is_cpu())
    return std::make_unique<EdgeLoops>(graph);
  return std::make_unique<EdgeChunks>(graph);
}

} // namespace gnnc::bench
