// RUN: gnn-opt %s --gnn-index-to-graph -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: gnn-opt %t.once --gnn-index-to-graph | diff %t.once -
// RUN: gnn-opt %s --gnn-index-to-graph=index=i64 | FileCheck %s --check-prefix=WIDE
// RUN: not gnn-opt %s --gnn-index-to-graph=index=i16 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: gnn-index-to-graph: option index is i32 or i64, found i16

// CHECK-LABEL: func @look_up
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x4xf32>, %[[I:[^:]*]]: tensor<?xi64>
// CHECK:         %[[N:.*]] = tensor.dim %[[X]]
// CHECK:         %[[G:.*]] = gnn.index_graph gather %[[I]] nodes(%[[N]]) : tensor<?xi64> -> !gnn.graph<?x?x?, i32, csr>
// CHECK:         %[[R:.*]] = gnn.gather %[[X]], %[[G]] at src
// CHECK:         return %[[R]]
// WIDE-LABEL: func @look_up
// WIDE:         gnn.index_graph gather %{{.*}} nodes(%{{.*}}) : tensor<?xi64> -> !gnn.graph<?x?x?, csr>
func.func @look_up(%x: tensor<?x4xf32>, %i: tensor<?xi64>) -> tensor<?x4xf32> {
  %r = gnn.gather_at %x, %i : tensor<?x4xf32>, tensor<?xi64> -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// What is sent is gathered at the sources: its order is not that of the edges.
// CHECK-LABEL: func @pool
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x4xbf16>, %[[I:[^:]*]]: tensor<?xi32>, %[[N:.*]]: index
// CHECK:         %[[G:.*]] = gnn.index_graph scatter %[[I]] nodes(%[[N]]) : tensor<?xi32> -> !gnn.graph<?x?x?, i32>
// CHECK:         %[[M:.*]] = gnn.gather %[[X]], %[[G]] at src
// CHECK:         %[[R:.*]] = gnn.scatter mean %[[M]], %[[G]] at dst acc f32
// CHECK:         return %[[R]]
func.func @pool(%x: tensor<?x4xbf16>, %i: tensor<?xi32>, %n: index) -> tensor<?x4xbf16> {
  %r = gnn.scatter_at mean %x, %i extent %n acc f32 : tensor<?x4xbf16>, tensor<?xi32> -> tensor<?x4xbf16>
  return %r : tensor<?x4xbf16>
}

// CHECK-LABEL: func @known_extents
// CHECK:         gnn.index_graph gather %{{.*}} : tensor<7xi64> -> !gnn.graph<7x5x7, i32, csr>
// CHECK:         gnn.index_graph scatter %{{.*}} : tensor<7xi64> -> !gnn.graph<3x7x7, i32>
// CHECK:         gnn.index_graph segments %{{.*}} : tensor<9xi64> -> !gnn.graph<8x3x3, i32, csr>
func.func @known_extents(%x: tensor<5x2x4xf32>, %i: tensor<7xi64>, %j: tensor<7xi64>, %p: tensor<9xi64>) -> tensor<8x2x4xf32> {
  %r = gnn.gather_at %x, %i : tensor<5x2x4xf32>, tensor<7xi64> -> tensor<7x2x4xf32>
  %s = gnn.scatter_at max %r, %j acc f32 : tensor<7x2x4xf32>, tensor<7xi64> -> tensor<3x2x4xf32>
  %t = gnn.segment_reduce min %s, %p acc f32 : tensor<3x2x4xf32>, tensor<9xi64> -> tensor<8x2x4xf32>
  return %t : tensor<8x2x4xf32>
}

// CHECK-LABEL: func @segments
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?xf32>, %[[P:.*]]: tensor<?xi64>
// CHECK:         %[[G:.*]] = gnn.index_graph segments %[[P]] : tensor<?xi64> -> !gnn.graph<?x?x?, i32, csr>
// CHECK:         gnn.segment_softmax %[[X]], %[[G]] at dst acc f32
// CHECK:         %[[H:.*]] = gnn.index_graph segments %[[P]]
// CHECK:         gnn.scatter sum %{{.*}}, %[[H]] at dst acc f32
func.func @segments(%x: tensor<?xf32>, %p: tensor<?xi64>) -> tensor<?xf32> {
  %a = gnn.segment_softmax %x, %p acc f32 : tensor<?xf32>, tensor<?xi64>
  %r = gnn.segment_reduce sum %a, %p acc f32 : tensor<?xf32>, tensor<?xi64> -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// What follows a graph stays.
// CHECK-LABEL: func @graph
// CHECK-NOT:     gnn.index_graph
func.func @graph(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %a = gnn.segment_softmax %m, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?>
  %r = gnn.scatter sum %a, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
