// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-fuse-aggregate --canonicalize --cse --gnn-reorder-linear=order=aggregate-first -o %t.once
// RUN: gnn-opt %t.once --gnn-reorder-linear=order=aggregate-first -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-fuse-aggregate --canonicalize --cse --gnn-reorder-linear | FileCheck %s
// RUN: not gnn-opt %s --gnn-reorder-linear=order=none 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: gnn-reorder-linear: option order is auto, transform-first or aggregate-first, found none
func.func @empty() { return }

// 1433 -> 16 -> 7: as written.
// CHECK: linalg.matmul
// CHECK: gnn.aggregate
// CHECK: linalg.matmul
// CHECK: gnn.aggregate
