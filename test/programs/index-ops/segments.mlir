// Consecutive rows; the row pointer says how many segments there are.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x8xf32> {gnn.input = "x"}, %ptr: tensor<?xi64> {gnn.index = "ptr"})
    -> (tensor<?x8xf32> {gnn.output = "out"}) {
  %m = gnn.gather %x, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %h = gnn.scatter max %m, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %mean = gnn.segment_reduce mean %h, %ptr acc f32 : tensor<?x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  %min = gnn.segment_reduce min %x, %ptr acc f32 : tensor<?x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  %r = arith.addf %mean, %min : tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
