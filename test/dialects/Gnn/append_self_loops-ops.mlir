// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @append_self_loops
// CHECK:         gnn.append_self_loops %{{.*}} : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
// CHECK:         gnn.append_self_loops %{{.*}} edges(%{{.*}}, %{{.*}} : tensor<9xf32>, tensor<9x4xf64>) loops(%{{.*}}, %{{.*}} : tensor<5xf32>, tensor<5x4xf64>) : !gnn.graph<5x5x9, i32> -> !gnn.graph<5x5x?, i32>, tensor<?xf32>, tensor<?x4xf64>
func.func @append_self_loops(%g: !gnn.graph<?x?x?>, %c: !gnn.graph<5x5x9, i32>, %w: tensor<9xf32>, %f: tensor<9x4xf64>, %lw: tensor<5xf32>, %lf: tensor<5x4xf64>) {
  %a = gnn.append_self_loops %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %b:3 = gnn.append_self_loops %c edges(%w, %f : tensor<9xf32>, tensor<9x4xf64>) loops(%lw, %lf : tensor<5xf32>, tensor<5x4xf64>) : !gnn.graph<5x5x9, i32> -> !gnn.graph<5x5x?, i32>, tensor<?xf32>, tensor<?x4xf64>
  return
}
