// Three index tensors over the same rows: two are looked up, the third says where they go.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x8xf32> {gnn.input = "x"}, %a: tensor<?xi64> {gnn.index = "from"},
                   %b: tensor<?xi64> {gnn.index = "from_too"}, %c: tensor<?xi64> {gnn.index = "to"}) -> (tensor<6x8xf32> {gnn.output = "out"}) {
  %m = gnn.gather %x, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %h = gnn.scatter mean %m, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %p = gnn.gather_at %h, %a : tensor<?x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  %q = gnn.gather_at %x, %b : tensor<?x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  %w = arith.mulf %p, %q : tensor<?x8xf32>
  %r = gnn.scatter_at sum %w, %c acc f32 : tensor<?x8xf32>, tensor<?xi64> -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}
