// Attention pooling: the weights of the rows of a segment add up to one.
func.func @forward(%x: tensor<?x8xf32> {gnn.input = "x"}, %ptr: tensor<?xi64> {gnn.index = "ptr"})
    -> (tensor<?x8xf32> {gnn.output = "out"}, tensor<?x8xf32> {gnn.output = "weights"}) {
  %a = gnn.segment_softmax %x, %ptr acc f32 : tensor<?x8xf32>, tensor<?xi64>
  %m = arith.mulf %a, %x : tensor<?x8xf32>
  %s = gnn.segment_reduce sum %m, %ptr acc f32 : tensor<?x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  return %s, %a : tensor<?x8xf32>, tensor<?x8xf32>
}
