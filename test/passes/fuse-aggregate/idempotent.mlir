// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-fuse-aggregate -o %t.once
// RUN: gnn-opt %t.once --gnn-fuse-aggregate -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-hoist-graph-invariants --gnn-fuse-aggregate --canonicalize --cse | FileCheck %s

// Dynamic extents, whole program: forward has no edge tensor but the norm.
// CHECK-LABEL: func.func @forward
// CHECK-NOT:     gnn.gather
// CHECK-NOT:     gnn.scatter
// CHECK-NOT:     linalg.broadcast ins(%{{.*}} : tensor<?xf32>)
// CHECK:         return
