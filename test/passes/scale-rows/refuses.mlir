// Each function is what it was.
// RUN: gnn-opt %s --canonicalize --cse --split-input-file > %t.before
// RUN: gnn-opt %s --gnn-scale-rows --canonicalize --cse --split-input-file | diff %t.before -

// A maximum does not take factors of the destination out: they may be negative.
func.func @maximum(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}, %p: tensor<?xf32> {gnn.graph_data = "p"}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %pd = gnn.gather %p, %g at dst : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %e = tensor.dim %pd, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %rows = linalg.broadcast ins(%pd : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %s = arith.mulf %m, %rows : tensor<?x4xf32>
  %y = gnn.scatter max %s, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// The scatter is at src.
func.func @at_src(%g: !gnn.graph<?x?x?>, %m: tensor<?x4xf32> {gnn.graph_data = "m"}, %p: tensor<?xf32> {gnn.graph_data = "p"}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %pd = gnn.gather %p, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %e = tensor.dim %pd, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %rows = linalg.broadcast ins(%pd : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %s = arith.mulf %m, %rows : tensor<?x4xf32>
  %y = gnn.scatter sum %s, %g at src acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// Rows of one number.
func.func @scalars(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32> {gnn.input = "x"}, %p: tensor<?xf32> {gnn.graph_data = "p"}) -> tensor<?xf32> {
  %pd = gnn.gather %p, %g at dst : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %m = gnn.gather %x, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %s = arith.mulf %m, %pd : tensor<?xf32>
  %y = gnn.scatter sum %s, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// There is no row besides the factors.
func.func @no_row(%g: !gnn.graph<?x?x?>, %p: tensor<?xf32> {gnn.graph_data = "p"}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %pd = gnn.gather %p, %g at dst : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %e = tensor.dim %pd, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %rows = linalg.broadcast ins(%pd : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %y = gnn.scatter sum %rows, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// Numbers of the destination that differ from run to run (an input reaches them)
// would be one more pass over the nodes.
func.func @from_input(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}, %p: tensor<?xf32> {gnn.input = "p"}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %r = math.rsqrt %p : tensor<?xf32>
  %pd = gnn.gather %r, %g at dst : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %e = tensor.dim %pd, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %rows = linalg.broadcast ins(%pd : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %s = arith.mulf %m, %rows : tensor<?x4xf32>
  %y = gnn.scatter sum %s, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// A number of the source alone is one of its row already, a weight per edge is one.
func.func @nothing_to_do(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}, %p: tensor<?xf32> {gnn.graph_data = "p"}, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %ps = gnn.gather %p, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %e = tensor.dim %ps, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %rows = linalg.broadcast ins(%ps : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %weights = linalg.broadcast ins(%w : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %mw = arith.mulf %m, %weights : tensor<?x4xf32>
  %s = arith.mulf %mw, %rows : tensor<?x4xf32>
  %y = gnn.scatter sum %s, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
