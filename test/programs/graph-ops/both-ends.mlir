// One message reduced at both ends of its edges, and a softmax among the edges into a node
// summed up where they start.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x5xf32> {gnn.input = "x"}, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"})
    -> (tensor<?x5xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %m = gnn.gather %x, %g at src : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %md = gnn.gather %x, %g at dst : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %e = tensor.dim %w, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x5xf32>
  %r = linalg.broadcast ins(%w : tensor<?xf32>) outs(%init : tensor<?x5xf32>) dimensions = [1]
  %p = arith.mulf %m, %r : tensor<?x5xf32>
  %q = arith.mulf %md, %p : tensor<?x5xf32>
  %sm = gnn.segment_softmax %q, %g at dst acc f32 : tensor<?x5xf32>, !gnn.graph<?x?x?>
  %o = gnn.scatter sum %p, %g at dst acc f32 : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %o2 = gnn.scatter max %p, %g at src acc f32 : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %o4 = gnn.scatter sum %sm, %g at src acc f32 : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %d = gnn.degree %g weights(%w : tensor<?xf32>) at src : !gnn.graph<?x?x?> -> tensor<?xf32>
  %dc = gnn.degree %g at src : !gnn.graph<?x?x?> -> tensor<?xf32>
  %dd = arith.addf %d, %dc : tensor<?xf32>
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  %initn = tensor.empty(%n) : tensor<?x5xf32>
  %o3 = linalg.broadcast ins(%dd : tensor<?xf32>) outs(%initn : tensor<?x5xf32>) dimensions = [1]
  %s = arith.addf %o, %o2 : tensor<?x5xf32>
  %s1 = arith.addf %s, %o4 : tensor<?x5xf32>
  %s2 = arith.addf %s1, %o3 : tensor<?x5xf32>
  return %s2 : tensor<?x5xf32>
}
