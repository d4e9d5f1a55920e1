// Against the direction of edges alone: two layers, weights and their sum at src, weights of a softmax at src.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x5xf32> {gnn.input = "x"}, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"})
    -> (tensor<?x5xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %m = gnn.gather %x, %g at dst : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %e = tensor.dim %w, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x5xf32>
  %r = linalg.broadcast ins(%w : tensor<?xf32>) outs(%init : tensor<?x5xf32>) dimensions = [1]
  %p = arith.mulf %m, %r : tensor<?x5xf32>
  %h = gnn.scatter mean %p, %g at src acc f32 : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %d = gnn.degree %g weights(%w : tensor<?xf32>) at src : !gnn.graph<?x?x?> -> tensor<?xf32>
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  %initn = tensor.empty(%n) : tensor<?x5xf32>
  %dr = linalg.broadcast ins(%d : tensor<?xf32>) outs(%initn : tensor<?x5xf32>) dimensions = [1]
  %hd = arith.addf %h, %dr : tensor<?x5xf32>
  %m2 = gnn.gather %hd, %g at dst : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %a = gnn.segment_softmax %m2, %g at src acc f32 : tensor<?x5xf32>, !gnn.graph<?x?x?>
  %o = gnn.scatter max %a, %g at src acc f32 : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  return %o : tensor<?x5xf32>
}
