// A graph and its transpose side by side: messages of two directions, each with weights of its own.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x5xf32> {gnn.input = "x"}, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"})
    -> (tensor<?x5xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %t = gnn.transpose %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %e = tensor.dim %w, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x5xf32>
  %r = linalg.broadcast ins(%w : tensor<?xf32>) outs(%init : tensor<?x5xf32>) dimensions = [1]
  %m = gnn.gather %x, %g at src : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %p = arith.mulf %m, %r : tensor<?x5xf32>
  %in = gnn.scatter sum %p, %g at dst acc f32 : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %b = gnn.gather %x, %t at src : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %q = arith.mulf %b, %r : tensor<?x5xf32>
  %out = gnn.scatter sum %q, %t at dst acc f32 : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %s = arith.subf %in, %out : tensor<?x5xf32>
  return %s : tensor<?x5xf32>
}
