// RUN: gnn-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @csr_of_csr
// CHECK-SAME:    %[[G:.*]]: !gnn.graph<?x?x?, i32, csr>, %[[W:.*]]: tensor<?xf32>
// CHECK-NEXT:    return %[[G]], %[[W]]
func.func @csr_of_csr(%g: !gnn.graph<?x?x?, i32, csr>, %w: tensor<?xf32>) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
  %c, %p = gnn.to_csr %g edges(%w : tensor<?xf32>) : !gnn.graph<?x?x?, i32, csr> -> !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
  return %c, %p : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
}

// CHECK-LABEL: func @narrowing_keeps_the_order_of_edges
// CHECK-SAME:    %[[G:.*]]: !gnn.graph<?x?x?, csr>, %[[W:.*]]: tensor<?xf32>
// CHECK-NEXT:    %[[C:.*]] = gnn.to_csr %[[G]] : !gnn.graph<?x?x?, csr> -> !gnn.graph<?x?x?, i32, csr>
// CHECK-NEXT:    return %[[C]], %[[W]]
func.func @narrowing_keeps_the_order_of_edges(%g: !gnn.graph<?x?x?, csr>, %w: tensor<?xf32>) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
  %c, %p = gnn.to_csr %g edges(%w : tensor<?xf32>) : !gnn.graph<?x?x?, csr> -> !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
  return %c, %p : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
}

// CHECK-LABEL: func @to_csr_twice
// CHECK-SAME:    %[[G:.*]]: !gnn.graph<?x?x?>
// CHECK-NEXT:    %[[C:.*]] = gnn.to_csr %[[G]] : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
// CHECK-NEXT:    return %[[C]]
func.func @to_csr_twice(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, i32, csr> {
  %a = gnn.to_csr %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, csr>
  %b = gnn.to_csr %a : !gnn.graph<?x?x?, csr> -> !gnn.graph<?x?x?, i32, csr>
  return %b : !gnn.graph<?x?x?, i32, csr>
}

// CHECK-LABEL: func @unused_edge_tensor
// CHECK:         gnn.to_csr %{{.*}} edges(%[[B:.*]] : tensor<?x4xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, csr>, tensor<?x4xf32>
func.func @unused_edge_tensor(%g: !gnn.graph<?x?x?>, %a: tensor<?xf32>, %b: tensor<?x4xf32>) -> (!gnn.graph<?x?x?, csr>, tensor<?x4xf32>) {
  %c, %pa, %pb = gnn.to_csr %g edges(%a, %b : tensor<?xf32>, tensor<?x4xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, csr>, tensor<?xf32>, tensor<?x4xf32>
  return %c, %pb : !gnn.graph<?x?x?, csr>, tensor<?x4xf32>
}
