// RUN: gnn-opt %s --gnn-scale-rows --split-input-file --remarks-filter-missed=gnn-scale-rows --remark-policy=all -o /dev/null 2>&1 | FileCheck %s

// CHECK: [[# @LINE + 9]]:{{.*}}Reason="reduction 'max' is not linear in factors of the destination"
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

// CHECK: Reason="the message has no row besides its factors"
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

// CHECK: Reason="a factor of one end depends on an input; scaling its rows would be a pass over the nodes in each run"
func.func @from_input(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}, %p: tensor<?xf32> {gnn.input = "p"}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %pd = gnn.gather %p, %g at dst : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %e = tensor.dim %pd, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %rows = linalg.broadcast ins(%pd : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %s = arith.mulf %m, %rows : tensor<?x4xf32>
  %y = gnn.scatter sum %s, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// The norm's part of the destination left; the weight is the edge's own.
// CHECK: Reason="no other factor of the message belongs to one end of its edge alone"
func.func @weight(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}, %p: tensor<?xf32> {gnn.graph_data = "p"}, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %pd = gnn.gather %p, %g at dst : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %pw = arith.mulf %pd, %w : tensor<?xf32>
  %e = tensor.dim %pd, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %rows = linalg.broadcast ins(%pw : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %s = arith.mulf %m, %rows : tensor<?x4xf32>
  %y = gnn.scatter sum %s, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// A factor of the source's row is where it belongs.
// CHECK-NOT: Reason
func.func @source(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}, %p: tensor<?xf32> {gnn.graph_data = "p"}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %ps = gnn.gather %p, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %e = tensor.dim %ps, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %rows = linalg.broadcast ins(%ps : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %s = arith.mulf %m, %rows : tensor<?x4xf32>
  %y = gnn.scatter sum %s, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
