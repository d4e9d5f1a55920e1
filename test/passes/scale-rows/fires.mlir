// RUN: gnn-opt %s --gnn-scale-rows --canonicalize --cse --split-input-file | FileCheck %s
// Twice is once.
// RUN: gnn-opt %s --gnn-scale-rows --canonicalize --cse --split-input-file > %t.once
// RUN: gnn-opt %t.once --gnn-scale-rows --canonicalize --cse --split-input-file | diff %t.once -

// The symmetric norm of a graph without weights: no number per edge is left. Not
// every node has an edge, so the factor of empty ones is 0, whatever 1/0 was.
// CHECK-LABEL: func @symmetric(
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?>, %[[X:[^:]*]]: tensor<?x4xf32>
// CHECK:         %[[P:.*]] = math.rsqrt %[[DEG:.*]] : tensor<?xf32>
// CHECK:         %[[M:.*]] = gnn.gather %[[X]], %[[G]] at src
// CHECK:         %[[PS:.*]] = gnn.gather %[[P]], %[[G]] at src
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%[[PS]]
// CHECK:         %[[S:.*]] = arith.mulf %[[M]], %[[B]]
// CHECK:         %[[Y:.*]] = gnn.scatter sum %[[S]], %[[G]] at dst
// CHECK:         %[[EMPTY:.*]] = arith.cmpf oeq, %[[DEG]]
// CHECK:         %[[D:.*]] = arith.select %[[EMPTY]], %{{.*}}, %[[P]]
// CHECK:         %[[R:.*]] = linalg.broadcast ins(%[[D]]
// CHECK:         arith.mulf %[[Y]], %[[R]]
// CHECK-NOT:     gnn.gather
func.func @symmetric(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %d = gnn.degree %g at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
  %p = math.rsqrt %d : tensor<?xf32>
  %ps = gnn.gather %p, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %pd = gnn.gather %p, %g at dst : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %norm = arith.mulf %ps, %pd : tensor<?xf32>
  %e = tensor.dim %norm, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %rows = linalg.broadcast ins(%norm : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %s = arith.mulf %m, %rows : tensor<?x4xf32>
  %y = gnn.scatter sum %s, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// With loops every node has an edge. The weights alone stay numbers per edge, though
// they stood between the others; heads are scaled alike.
// CHECK-LABEL: func @weighted(
// CHECK:         %[[L:.*]], %[[LW:.*]] = gnn.add_self_loops
// CHECK:         %[[D:.*]] = gnn.degree %[[L]] weights(%[[LW]]
// CHECK:         %[[M:.*]] = gnn.gather %{{.*}}, %[[L]] at src : tensor<5x2x4xf32>
// CHECK:         %[[W:.*]] = linalg.broadcast ins(%[[LW]]
// CHECK:         %[[MW:.*]] = arith.mulf %[[M]], %[[W]] : tensor<?x2x4xf32>
// CHECK:         %[[DS:.*]] = gnn.gather %[[D]], %[[L]] at src
// CHECK:         %[[DR:.*]] = linalg.broadcast ins(%[[DS]]
// CHECK:         %[[MWS:.*]] = arith.mulf %[[MW]], %[[DR]]
// CHECK:         %[[Y:.*]] = gnn.scatter mean %[[MWS]], %[[L]] at dst
// CHECK:         %[[R:.*]] = linalg.broadcast ins(%[[D]]
// CHECK-NEXT:    arith.mulf %[[Y]], %[[R]] : tensor<5x2x4xf32>
func.func @weighted(%g: !gnn.graph<5x5x?, i32>, %x: tensor<5x2x4xf32> {gnn.input = "x"}, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> tensor<5x2x4xf32> {
  %c0 = arith.constant 0 : index
  %l, %lw = gnn.add_self_loops %g weights(%w) fill 1.0 : !gnn.graph<5x5x?, i32>, tensor<?xf32> -> !gnn.graph<5x5x?, i32>, tensor<?xf32>
  %d = gnn.degree %l weights(%lw : tensor<?xf32>) at dst : !gnn.graph<5x5x?, i32> -> tensor<5xf32>
  %ps = gnn.gather %d, %l at src : tensor<5xf32>, !gnn.graph<5x5x?, i32> -> tensor<?xf32>
  %pd = gnn.gather %d, %l at dst : tensor<5xf32>, !gnn.graph<5x5x?, i32> -> tensor<?xf32>
  %half = arith.mulf %ps, %lw : tensor<?xf32>
  %norm = arith.mulf %half, %pd : tensor<?xf32>
  %e = tensor.dim %norm, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x2x4xf32>
  %rows = linalg.broadcast ins(%norm : tensor<?xf32>) outs(%init : tensor<?x2x4xf32>) dimensions = [1, 2]
  %m = gnn.gather %x, %l at src : tensor<5x2x4xf32>, !gnn.graph<5x5x?, i32> -> tensor<?x2x4xf32>
  %s = arith.mulf %rows, %m : tensor<?x2x4xf32>
  %y = gnn.scatter mean %s, %l at dst acc f32 : tensor<?x2x4xf32>, !gnn.graph<5x5x?, i32> -> tensor<5x2x4xf32>
  return %y : tensor<5x2x4xf32>
}
