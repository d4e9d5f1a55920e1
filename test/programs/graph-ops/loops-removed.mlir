// Weighted messages along the edges between two nodes, then over the rest of the edges turned
// around; a feature tensor of the edges is compacted too.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x5xf32> {gnn.input = "x"}, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"},
    %attr: tensor<?x3xf32> {gnn.graph_data = "edge_attr"})
    -> (tensor<?x5xf32> {gnn.output = "out"}, tensor<?x3xf32> {gnn.output = "attr"}) {
  %c0 = arith.constant 0 : index
  %l, %lw, %la = gnn.remove_self_loops %g edges(%w, %attr : tensor<?xf32>, tensor<?x3xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>, tensor<?xf32>, tensor<?x3xf32>
  %m = gnn.gather %x, %l at src : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %e = tensor.dim %lw, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x5xf32>
  %r = linalg.broadcast ins(%lw : tensor<?xf32>) outs(%init : tensor<?x5xf32>) dimensions = [1]
  %p = arith.mulf %m, %r : tensor<?x5xf32>
  %s = gnn.scatter mean %p, %l at dst acc f32 : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %f = gnn.scatter sum %la, %l at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %t = gnn.transpose %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %k = gnn.remove_self_loops %t : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %n = gnn.gather %s, %k at src : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %o = gnn.scatter sum %n, %k at dst acc f32 : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  return %o, %f : tensor<?x5xf32>, tensor<?x3xf32>
}
