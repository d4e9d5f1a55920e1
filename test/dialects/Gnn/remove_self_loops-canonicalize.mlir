// RUN: gnn-opt %s --canonicalize | FileCheck %s

// Twice is once.
// CHECK-LABEL: func @twice
// CHECK:         %[[A:.*]], %[[W:.*]] = gnn.remove_self_loops
// CHECK-NOT:     gnn.remove_self_loops
// CHECK:         return %[[A]], %[[W]]
func.func @twice(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32>) -> (!gnn.graph<?x?x?>, tensor<?xf32>) {
  %a:2 = gnn.remove_self_loops %g edges(%w : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>, tensor<?xf32>
  %b:2 = gnn.remove_self_loops %a#0 edges(%a#1 : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>, tensor<?xf32>
  return %b#0, %b#1 : !gnn.graph<?x?x?>, tensor<?xf32>
}

// Adding loops drops the old ones by itself.
// CHECK-LABEL: func @then_added
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<5x5x9, csr>
// CHECK-NEXT:    %[[L:.*]] = gnn.add_self_loops %[[G]] fill 1.0
// CHECK-NEXT:    return %[[L]]
func.func @then_added(%g: !gnn.graph<5x5x9, csr>) -> !gnn.graph<5x5x?> {
  %a = gnn.remove_self_loops %g : !gnn.graph<5x5x9, csr> -> !gnn.graph<5x5x?>
  %b = gnn.add_self_loops %a fill 1.0 : !gnn.graph<5x5x?> -> !gnn.graph<5x5x?>
  return %b : !gnn.graph<5x5x?>
}

// With weights it would keep those of old loops.
// CHECK-LABEL: func @then_added_with_weights
// CHECK:         gnn.remove_self_loops
// CHECK:         gnn.add_self_loops
func.func @then_added_with_weights(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32>) -> (!gnn.graph<?x?x?>, tensor<?xf32>) {
  %a:2 = gnn.remove_self_loops %g edges(%w : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>, tensor<?xf32>
  %b:2 = gnn.add_self_loops %a#0 weights(%a#1) fill 1.0 : !gnn.graph<?x?x?>, tensor<?xf32> -> !gnn.graph<?x?x?>, tensor<?xf32>
  return %b#0, %b#1 : !gnn.graph<?x?x?>, tensor<?xf32>
}
