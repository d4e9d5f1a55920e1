// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @count
// CHECK:         gnn.degree %{{.*}} at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
func.func @count(%g: !gnn.graph<?x?x?>) {
  %d = gnn.degree %g at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
  return
}

// CHECK-LABEL: func @weights_at_src
// CHECK:         gnn.degree %{{.*}} weights(%{{.*}} : tensor<5xf64>) at src : !gnn.graph<3x4x5> -> tensor<4xf64>
func.func @weights_at_src(%g: !gnn.graph<3x4x5>, %w: tensor<5xf64>) {
  %d = gnn.degree %g weights(%w : tensor<5xf64>) at src : !gnn.graph<3x4x5> -> tensor<4xf64>
  return
}

// A result may know less of its extent than the graph does.
// CHECK-LABEL: func @less_known
// CHECK:         gnn.degree %{{.*}} at src : !gnn.graph<3x4x5> -> tensor<?xf32>
func.func @less_known(%g: !gnn.graph<3x4x5>) {
  %d = gnn.degree %g at src : !gnn.graph<3x4x5> -> tensor<?xf32>
  return
}
