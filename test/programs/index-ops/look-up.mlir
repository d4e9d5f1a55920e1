// Rows of what messages made, by an index tensor that repeats, skips and is not sorted.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x8xf32> {gnn.input = "x"}, %picked: tensor<?xi64> {gnn.index = "picked"})
    -> (tensor<?x8xf32> {gnn.output = "out"}) {
  %m = gnn.gather %x, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %h = gnn.scatter mean %m, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %a = gnn.gather_at %h, %picked : tensor<?x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  %b = gnn.gather_at %x, %picked : tensor<?x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  %r = arith.addf %a, %b : tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
