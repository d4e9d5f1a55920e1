// Mean over what arrives, plus the node's own row.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x3xf32> {gnn.input = "x"})
    -> (tensor<?x3xf32> {gnn.output = "out"}) {
  %m = gnn.gather %x, %g at src : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %s = gnn.scatter mean %m, %g at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %r = arith.addf %s, %x : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
