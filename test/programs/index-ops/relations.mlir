// Each edge looks up the row of its type, and edges are pooled by it: edge data as an index.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x8xf32> {gnn.input = "x"}, %type: tensor<?xi64> {gnn.graph_data = "edge_type"},
                   %e: tensor<3x8xf32> {gnn.weight = "relations"}) -> (tensor<?x8xf32> {gnn.output = "out"}, tensor<3x8xf32> {gnn.output = "pooled"}) {
  %m = gnn.gather %x, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %r = gnn.gather_at %e, %type : tensor<3x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  %w = arith.mulf %m, %r : tensor<?x8xf32>
  %s = gnn.scatter sum %w, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %p = gnn.scatter_at max %w, %type acc f32 : tensor<?x8xf32>, tensor<?xi64> -> tensor<3x8xf32>
  return %s, %p : tensor<?x8xf32>, tensor<3x8xf32>
}
