//===- SparseSystems.h - Sums over edges, to be measured ----------*- C++ -*-===//
//
// out[v] = sum over edges u -> v of weight * x[u], as LibTorch and cuSPARSE compute it;
// gnnc's is an artefact like any other (makeGnncSystem).
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_SPMM_SPARSESYSTEMS_H
#define GNNC_BENCHMARKS_GNN_SPMM_SPARSESYSTEMS_H

#include "benchmarks/gnn-bench/System.h"
#include "benchmarks/gnn-spmm/Cusparse.h"

namespace gnnc::bench {

/// The edges as a matrix of a row per destination, columns in the order of the edges.
/// Throws Failure where int32 does not reach.
CsrMatrix toCsr(const GraphTensors &graph);

/// `matrix` and `work` must outlive it.
std::unique_ptr<System> makeCusparseSystem(const Workload &work, const CsrMatrix &matrix,
                                           SpmmAlgorithm algorithm);
std::unique_ptr<System> makeTorchSparseSystem(const Workload &work, Aggregation aggregation);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_SPMM_SPARSESYSTEMS_H
