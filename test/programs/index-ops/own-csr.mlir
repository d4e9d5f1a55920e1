// A graph in csr form as index tensors: one destination for each segment.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x8xf32> {gnn.input = "x"}, %ptr: tensor<?xi64> {gnn.index = "list_ptr"},
                   %from: tensor<?xi64> {gnn.index = "from"}, %groups: tensor<?xi64> {gnn.index = "groups"})
    -> (tensor<?x8xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %nodes = tensor.dim %x, %c0 : tensor<?x8xf32>
  %count = tensor.dim %groups, %c0 : tensor<?xi64>
  %own = gnn.graph %ptr, %from nodes(%count, %nodes) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?, i64, csr>
  %h = gnn.gather %x, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %s = gnn.scatter sum %h, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %m = gnn.gather %s, %own at src : tensor<?x8xf32>, !gnn.graph<?x?x?, i64, csr> -> tensor<?x8xf32>
  %r = gnn.scatter mean %m, %own at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?, i64, csr> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
