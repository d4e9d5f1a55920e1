// Indices that the program computes of bound ones: rows of every second group, and the group of a picked row.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x8xf32> {gnn.input = "x"}, %batch: tensor<?xi64> {gnn.index = "batch"},
                   %picked: tensor<?xi64> {gnn.index = "picked"})
    -> (tensor<10x8xf32> {gnn.output = "pooled"}, tensor<?x8xf32> {gnn.output = "out"}) {
  %m = gnn.gather %x, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %h = gnn.scatter mean %m, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %twice = arith.addi %batch, %batch : tensor<?xi64>
  %pooled = gnn.scatter_at sum %h, %twice acc f32 : tensor<?x8xf32>, tensor<?xi64> -> tensor<10x8xf32>
  %group = gnn.gather_at %twice, %picked : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>
  %out = gnn.gather_at %pooled, %group : tensor<10x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  return %pooled, %out : tensor<10x8xf32>, tensor<?x8xf32>
}
