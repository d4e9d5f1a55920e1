// RUN: gnn-opt %s --gnn-clean-up > %t.before
// RUN: gnn-opt %s --gnn-multiply-in-messages --gnn-clean-up | diff %t.before -
// RUN: gnn-opt %s --gnn-multiply-in-messages -o /dev/null --remarks-filter-missed=gnn-multiply-in-messages --remark-policy=all 2>&1 | FileCheck %s

// Two numbers of an edge are less to read than its three features.
// CHECK: Reason="its rows have 2 numbers, those of the edges 3: reading them is less work"
func.func @prepare(%g: !gnn.graph<?x?x?>, %f: tensor<?x3xf32> {gnn.graph_data = "edge_attr"}, %w: tensor<3x2xf32> {gnn.weight = "w"}, %h: tensor<?x3xf32> {gnn.graph_data = "h"})
    -> (!gnn.graph<?x?x?, i32, csr>, tensor<?x2xf32>, tensor<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %csr, %rows = gnn.to_csr %g edges(%f : tensor<?x3xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?x3xf32>
  %n = tensor.dim %rows, %c0 : tensor<?x3xf32>
  %init = tensor.empty(%n) : tensor<?x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x2xf32>) -> tensor<?x2xf32>
  %p = linalg.matmul ins(%rows, %w : tensor<?x3xf32>, tensor<3x2xf32>) outs(%zeros : tensor<?x2xf32>) -> tensor<?x2xf32>
  // Of nodes: no concern of the pass.
  %m = tensor.dim %h, %c0 : tensor<?x3xf32>
  %init1 = tensor.empty(%m) : tensor<?x2xf32>
  %zeros1 = linalg.fill ins(%zero : f32) outs(%init1 : tensor<?x2xf32>) -> tensor<?x2xf32>
  %q = linalg.matmul ins(%h, %w : tensor<?x3xf32>, tensor<3x2xf32>) outs(%zeros1 : tensor<?x2xf32>) -> tensor<?x2xf32>
  return %csr, %p, %q : !gnn.graph<?x?x?, i32, csr>, tensor<?x2xf32>, tensor<?x2xf32>
}
func.func @forward(%g: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %p: tensor<?x2xf32> {gnn.prepared = 1 : i64}, %q: tensor<?x2xf32> {gnn.prepared = 2 : i64})
    -> (tensor<?x2xf32> {gnn.output = "out"}) {
  %y = gnn.scatter max %p, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x2xf32>
  %z = arith.addf %y, %q : tensor<?x2xf32>
  return %z : tensor<?x2xf32>
}
