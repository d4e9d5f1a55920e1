// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @with_edges_and_narrower_indices
// CHECK:         gnn.to_csr %{{.*}} edges(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?x2x3xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>, tensor<?x2x3xf32>
func.func @with_edges_and_narrower_indices(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32>, %a: tensor<?x2x3xf32>) {
  %c, %pw, %pa = gnn.to_csr %g edges(%w, %a : tensor<?xf32>, tensor<?x2x3xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>, tensor<?x2x3xf32>
  return
}

// CHECK-LABEL: func @graph_alone
// CHECK:         gnn.to_csr %{{.*}} : !gnn.graph<3x4x5> -> !gnn.graph<3x4x5, csr>
func.func @graph_alone(%g: !gnn.graph<3x4x5>) {
  %c = gnn.to_csr %g : !gnn.graph<3x4x5> -> !gnn.graph<3x4x5, csr>
  return
}
