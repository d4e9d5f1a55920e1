// RUN: gnn-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @twice
// CHECK-SAME:    %[[G:.*]]: !gnn.graph<?x?x?>
// CHECK-NEXT:    return %[[G]]
func.func @twice(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?> {
  %a = gnn.transpose %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %b = gnn.transpose %a : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  return %b : !gnn.graph<?x?x?>
}

// The result is coo, the operand was csr: not the same value.
// CHECK-LABEL: func @twice_csr
// CHECK-COUNT-2: gnn.transpose
func.func @twice_csr(%g: !gnn.graph<?x?x?, csr>) -> !gnn.graph<?x?x?> {
  %a = gnn.transpose %g : !gnn.graph<?x?x?, csr> -> !gnn.graph<?x?x?>
  %b = gnn.transpose %a : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  return %b : !gnn.graph<?x?x?>
}

// A count of the transpose is the other count of the graph.
// CHECK-LABEL: func @count
// CHECK-SAME:    %{{.*}}: tensor<?xi64>, %[[DST:[^:]*]]: index, %[[SRC:[^:]*]]: index
// CHECK:         return %[[SRC]]
func.func @count(%i: tensor<?xi64>, %dst: index, %src: index) -> index {
  %c0 = arith.constant 0 : index
  %g = gnn.graph %i, %i nodes(%dst, %src) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
  %t = gnn.transpose %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %d = gnn.degree %t at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
  %n = tensor.dim %d, %c0 : tensor<?xf32>
  return %n : index
}
