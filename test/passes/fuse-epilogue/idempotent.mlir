// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-fuse-aggregate --gnn-fuse-epilogue -o %t.once
// RUN: gnn-opt %t.once --gnn-fuse-epilogue -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-program-pipeline | FileCheck %s

// The whole program level on dynamic extents: forward is two products and two
// traversals.
// CHECK-LABEL: func.func @prepare
// CHECK-LABEL: func.func @forward
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// CHECK:         epilogue
// CHECK:           arith.maximumf %{{.*}} : vector<16xf32>
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// CHECK:         epilogue
// CHECK:           arith.addf %{{.*}} : vector<7xf32>
// CHECK:         }
// CHECK-NEXT:    return
