// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @coo_of_unknown_extents
// CHECK:         gnn.graph %{{.*}}, %{{.*}} nodes(%{{.*}}, %{{.*}}) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
func.func @coo_of_unknown_extents(%src: tensor<?xi64>, %dst: tensor<?xi64>, %n: index, %m: index) -> !gnn.graph<?x?x?> {
  %g = gnn.graph %src, %dst nodes(%n, %m) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
  return %g : !gnn.graph<?x?x?>
}

// CHECK-LABEL: func @csr_of_known_extents
// CHECK:         gnn.graph %{{.*}}, %{{.*}} : tensor<4xi32>, tensor<7xi32> -> !gnn.graph<3x5x7, i32, csr>
func.func @csr_of_known_extents(%rows: tensor<4xi32>, %src: tensor<7xi32>) -> !gnn.graph<3x5x7, i32, csr> {
  %g = gnn.graph %rows, %src : tensor<4xi32>, tensor<7xi32> -> !gnn.graph<3x5x7, i32, csr>
  return %g : !gnn.graph<3x5x7, i32, csr>
}

// CHECK-LABEL: func @one_count
// CHECK:         gnn.graph %{{.*}}, %{{.*}} nodes(%{{.*}}) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<3x?x?>
func.func @one_count(%src: tensor<?xi64>, %dst: tensor<?xi64>, %m: index) -> !gnn.graph<3x?x?> {
  %g = gnn.graph %src, %dst nodes(%m) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<3x?x?>
  return %g : !gnn.graph<3x?x?>
}
