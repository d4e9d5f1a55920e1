// A read-out: the rows of each group, whose numbers are not sorted; some groups are empty.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x8xf32> {gnn.input = "x"}, %batch: tensor<?xi64> {gnn.index = "batch"},
                   %groups: tensor<?xi64> {gnn.index = "groups"}) -> (tensor<?x8xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %count = tensor.dim %groups, %c0 : tensor<?xi64>
  %m = gnn.gather %x, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %h = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %t = math.absf %h : tensor<?x8xf32>
  %mean = gnn.scatter_at mean %t, %batch extent %count acc f32 : tensor<?x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  %max = gnn.scatter_at max %h, %batch extent %count acc f32 : tensor<?x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  %min = gnn.scatter_at min %h, %batch extent %count acc f32 : tensor<?x8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  %a = arith.addf %mean, %max : tensor<?x8xf32>
  %r = arith.subf %a, %min : tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
