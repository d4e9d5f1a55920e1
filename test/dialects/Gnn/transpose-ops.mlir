// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @transpose
// CHECK:         gnn.transpose %{{.*}} : !gnn.graph<?x100x?> -> !gnn.graph<100x?x?>
// CHECK:         gnn.transpose %{{.*}} : !gnn.graph<3x4x5, i32, csr> -> !gnn.graph<4x3x5, i32>
func.func @transpose(%g: !gnn.graph<?x100x?>, %c: !gnn.graph<3x4x5, i32, csr>) {
  %a = gnn.transpose %g : !gnn.graph<?x100x?> -> !gnn.graph<100x?x?>
  %b = gnn.transpose %c : !gnn.graph<3x4x5, i32, csr> -> !gnn.graph<4x3x5, i32>
  return
}
