// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @gather
// CHECK:         gnn.index_graph gather %{{.*}} nodes(%{{.*}}) : tensor<?xi64> -> !gnn.graph<?x?x?, i32, csr>
func.func @gather(%i: tensor<?xi64>, %n: index) -> !gnn.graph<?x?x?, i32, csr> {
  %g = gnn.index_graph gather %i nodes(%n) : tensor<?xi64> -> !gnn.graph<?x?x?, i32, csr>
  return %g : !gnn.graph<?x?x?, i32, csr>
}

// CHECK-LABEL: func @scatter
// CHECK:         gnn.index_graph scatter %{{.*}} : tensor<7xi64> -> !gnn.graph<3x7x7>
func.func @scatter(%i: tensor<7xi64>) -> !gnn.graph<3x7x7> {
  %g = gnn.index_graph scatter %i : tensor<7xi64> -> !gnn.graph<3x7x7>
  return %g : !gnn.graph<3x7x7>
}

// CHECK-LABEL: func @segments
// CHECK:         gnn.index_graph segments %{{.*}} : tensor<4xi32> -> !gnn.graph<3x?x?, i32, csr>
func.func @segments(%i: tensor<4xi32>) -> !gnn.graph<3x?x?, i32, csr> {
  %g = gnn.index_graph segments %i : tensor<4xi32> -> !gnn.graph<3x?x?, i32, csr>
  return %g : !gnn.graph<3x?x?, i32, csr>
}
