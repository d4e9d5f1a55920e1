// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @weighted
// CHECK:         gnn.add_self_loops %{{.*}} weights(%{{.*}}) fill 1.000000e+00 : !gnn.graph<?x?x?>, tensor<?xf32> -> !gnn.graph<?x?x?>, tensor<?xf32>
func.func @weighted(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32>) {
  %l, %lw = gnn.add_self_loops %g weights(%w) fill 1.0 : !gnn.graph<?x?x?>, tensor<?xf32> -> !gnn.graph<?x?x?>, tensor<?xf32>
  return
}

// CHECK-LABEL: func @unweighted
// CHECK:         gnn.add_self_loops %{{.*}} fill 0.000000e+00 : !gnn.graph<4x4x9, i32> -> !gnn.graph<4x4x?, i32>
func.func @unweighted(%g: !gnn.graph<4x4x9, i32>) {
  %l = gnn.add_self_loops %g fill 0.0 : !gnn.graph<4x4x9, i32> -> !gnn.graph<4x4x?, i32>
  return
}
