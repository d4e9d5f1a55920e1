// Two layers without weights: relu of a node's row plus the sum of what arrives, then the
// largest of what arrives.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x3xf32> {gnn.input = "x"})
    -> (tensor<?x3xf32> {gnn.output = "out"}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %m = gnn.gather %x, %g at src : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %s = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %a = arith.addf %s, %x : tensor<?x3xf32>
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  %h = arith.maximumf %a, %z : tensor<?x3xf32>
  %k = gnn.gather %h, %g at src : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %r = gnn.scatter max %k, %g at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
