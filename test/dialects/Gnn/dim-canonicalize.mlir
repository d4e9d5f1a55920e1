// RUN: gnn-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @rows_of_map
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?xf32>
// CHECK:         %[[D:.*]] = tensor.dim %[[X]],
// CHECK-NOT:     gnn.map
// CHECK:         return %[[D]]
func.func @rows_of_map(%x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %o = gnn.map rows(%x : tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  %d = tensor.dim %o, %c0 : tensor<?xf32>
  return %d : index
}

// The counts of a graph are looked up through what was made of it.
// CHECK-LABEL: func @counts_of_built_graph
// CHECK-SAME:    %[[S:[^:]*]]: tensor<?xi64>, %{{[^:]*}}: tensor<?xi64>, %[[DST:[^:]*]]: index, %[[SRC:[^:]*]]: index
// CHECK:         %[[E:.*]] = tensor.dim
// CHECK:         return %[[DST]], %[[SRC]], %[[E]]
func.func @counts_of_built_graph(%s: tensor<?xi64>, %t: tensor<?xi64>, %dst: index, %src: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %g = gnn.graph %s, %t nodes(%dst, %src) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, csr>
  %in = gnn.degree %c at dst : !gnn.graph<?x?x?, csr> -> tensor<?xf32>
  %out = gnn.degree %c at src : !gnn.graph<?x?x?, csr> -> tensor<?xf32>
  %m = gnn.gather %out, %c at src : tensor<?xf32>, !gnn.graph<?x?x?, csr> -> tensor<?xf32>
  %a = tensor.dim %in, %c0 : tensor<?xf32>
  %b = tensor.dim %out, %c0 : tensor<?xf32>
  %e = tensor.dim %m, %c0 : tensor<?xf32>
  return %a, %b, %e : index, index, index
}

// CHECK-LABEL: func @rows_of_aggregate_are_those_of_dst
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?xf32>
// CHECK:         tensor.dim %[[X]],
// CHECK-NOT:     gnn.aggregate
func.func @rows_of_aggregate_are_those_of_dst(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %o = gnn.aggregate %g dst(%x : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?> -> tensor<?xf32> message {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  %d = tensor.dim %o, %c0 : tensor<?xf32>
  return %d : index
}

// CHECK-LABEL: func @nobody_knows
// CHECK:         %[[R:.*]] = gnn.degree
// CHECK:         tensor.dim %[[R]],
func.func @nobody_knows(%g: !gnn.graph<?x?x?>) -> index {
  %c0 = arith.constant 0 : index
  %in = gnn.degree %g at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
  %a = tensor.dim %in, %c0 : tensor<?xf32>
  return %a : index
}

// CHECK-LABEL: func @rows_of_segment_softmax
// CHECK-SAME:    %[[S:[^:]*]]: tensor<?x8xf32>
// CHECK:         %[[D:.*]] = tensor.dim %[[S]],
// CHECK:         return %[[D]]
func.func @rows_of_segment_softmax(%s: tensor<?x8xf32>, %g: !gnn.graph<?x?x?>) -> index {
  %c0 = arith.constant 0 : index
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?>
  %d = tensor.dim %a, %c0 : tensor<?x8xf32>
  return %d : index
}

// CHECK-LABEL: func @rows_by_index
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?xf32>, %[[I:[^:]*]]: tensor<?xi64>, %[[N:[^:]*]]: index
// CHECK:         %[[D:.*]] = tensor.dim %[[I]],
// CHECK:         return %[[D]], %[[N]]
func.func @rows_by_index(%x: tensor<?xf32>, %i: tensor<?xi64>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %a = gnn.gather_at %x, %i : tensor<?xf32>, tensor<?xi64> -> tensor<?xf32>
  %b = gnn.scatter_at sum %a, %i extent %n acc f32 : tensor<?xf32>, tensor<?xi64> -> tensor<?xf32>
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %b, %c0 : tensor<?xf32>
  return %d, %e : index, index
}
