// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-hoist-graph-invariants -o %t.once
// RUN: gnn-opt %t.once --gnn-hoist-graph-invariants -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-hoist-graph-invariants=index=i64 | FileCheck %s

// CHECK: gnn.to_csr %{{.*}} : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, csr>
