// RUN: gnn-opt %s --canonicalize --cse | FileCheck %s

// Counts of what follows the graph are those of the index tensor and of the nodes.
// CHECK-LABEL: func @counts
// CHECK-SAME:    %[[I:[^:]*]]: tensor<?xi64>, %[[X:[^:]*]]: tensor<?x4xf32>, %[[N:.*]]: index
// CHECK:         %[[ROWS:.*]] = tensor.dim %[[I]]
// CHECK:         return %[[ROWS]], %[[N]]
func.func @counts(%i: tensor<?xi64>, %x: tensor<?x4xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %r = gnn.index_graph gather %i nodes(%n) : tensor<?xi64> -> !gnn.graph<?x?x?, i64, csr>
  %a = gnn.gather %x, %r at src : tensor<?x4xf32>, !gnn.graph<?x?x?, i64, csr> -> tensor<?x4xf32>
  %p = gnn.index_graph scatter %i nodes(%n) : tensor<?xi64> -> !gnn.graph<?x?x?>
  %b = gnn.scatter sum %x, %p at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %d = tensor.dim %a, %c0 : tensor<?x4xf32>
  %e = tensor.dim %b, %c0 : tensor<?x4xf32>
  return %d, %e : index, index
}
