// No graph at all: as many rows as the index tensor has.
func.func @forward(%x: tensor<?x8xf32> {gnn.input = "x"}, %batch: tensor<?xi64> {gnn.index = "batch"}) -> (tensor<6x8xf32> {gnn.output = "out"}) {
  %r = gnn.scatter_at mean %x, %batch acc f32 : tensor<?x8xf32>, tensor<?xi64> -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}
