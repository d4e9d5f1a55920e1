// Messages along an edge list of the program's own, from nodes to groups and back: counts differ.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x8xf32> {gnn.input = "x"}, %from: tensor<?xi64> {gnn.index = "from"},
                   %to: tensor<?xi64> {gnn.index = "to"}, %groups: tensor<?xi64> {gnn.index = "groups"})
    -> (tensor<?x8xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %nodes = tensor.dim %x, %c0 : tensor<?x8xf32>
  %count = tensor.dim %groups, %c0 : tensor<?xi64>
  %up = gnn.graph %from, %to nodes(%count, %nodes) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
  %m = gnn.gather %x, %up at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %p = gnn.scatter sum %m, %up at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %d = gnn.gather %p, %up at dst : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %b = gnn.scatter mean %d, %up at src acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %n = gnn.gather %b, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %r = gnn.scatter max %n, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
