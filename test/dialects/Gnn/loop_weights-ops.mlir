// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @loop_weights
// CHECK:         gnn.loop_weights %{{.*}} weights(%{{.*}} : tensor<?xf32>) fill 1.000000e+00 : !gnn.graph<?x?x?> -> tensor<?xf32>
// CHECK:         gnn.loop_weights %{{.*}} weights(%{{.*}} : tensor<9xf64>) fill -2.000000e+00 : !gnn.graph<5x5x9, i32> -> tensor<5xf64>
func.func @loop_weights(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32>, %s: !gnn.graph<5x5x9, i32>, %d: tensor<9xf64>) {
  %a = gnn.loop_weights %g weights(%w : tensor<?xf32>) fill 1.0 : !gnn.graph<?x?x?> -> tensor<?xf32>
  %b = gnn.loop_weights %s weights(%d : tensor<9xf64>) fill -2.0 : !gnn.graph<5x5x9, i32> -> tensor<5xf64>
  return
}
