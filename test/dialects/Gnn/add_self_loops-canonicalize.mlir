// RUN: gnn-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @loops_of_loops
// CHECK-SAME:    (%[[G:.*]]: !gnn.graph<?x?x?>)
// CHECK:         %[[L:.*]] = gnn.add_self_loops %[[G]]
// CHECK-NOT:     gnn.add_self_loops
// CHECK:         return %[[L]]
func.func @loops_of_loops(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?> {
  %a = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %b = gnn.add_self_loops %a fill 2.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  return %b : !gnn.graph<?x?x?>
}

// The loops exist, so any weights of the looped graph pass through.
// CHECK-LABEL: func @weights_of_loops_pass
// CHECK-SAME:    %[[G:.*]]: !gnn.graph<?x?x?>, %[[W:.*]]: tensor<?xf32>
// CHECK:         %[[L:.*]] = gnn.add_self_loops %[[G]] fill
// CHECK-NEXT:    return %[[L]], %[[W]]
func.func @weights_of_loops_pass(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32>) -> (!gnn.graph<?x?x?>, tensor<?xf32>) {
  %a = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %b, %bw = gnn.add_self_loops %a weights(%w) fill 2.0 : !gnn.graph<?x?x?>, tensor<?xf32> -> !gnn.graph<?x?x?>, tensor<?xf32>
  return %b, %bw : !gnn.graph<?x?x?>, tensor<?xf32>
}

// CHECK-LABEL: func @to_csr_between
// CHECK-COUNT-2: gnn.add_self_loops
func.func @to_csr_between(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?> {
  %a = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %a : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, csr>
  %b = gnn.add_self_loops %c fill 1.0 : !gnn.graph<?x?x?, csr> -> !gnn.graph<?x?x?>
  return %b : !gnn.graph<?x?x?>
}
