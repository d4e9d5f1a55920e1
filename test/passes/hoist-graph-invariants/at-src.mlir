// RUN: gnn-opt %s --gnn-hoist-graph-invariants --canonicalize --cse --split-input-file | FileCheck %s

// Messages against the direction of edges: one transpose per graph, and every op reads its edges.
// CHECK-LABEL: func.func @prepare
// CHECK:         %[[T:.*]] = gnn.transpose %{{.*}} : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
// CHECK:         gnn.to_csr %[[T]] edges(%{{.*}} : tensor<?xf32>)
// CHECK-LABEL: func.func @forward
// CHECK:         %[[M:.*]] = gnn.gather %{{.*}}, %[[G:.*]] at src : tensor<?x4xf32>, !gnn.graph<?x?x?, i32, csr>
// CHECK:         gnn.scatter mean %{{.*}}, %[[G]] at dst
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"})
    -> (tensor<?x4xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %m = gnn.gather %x, %g at dst : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %e = tensor.dim %w, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %r = linalg.broadcast ins(%w : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %p = arith.mulf %m, %r : tensor<?x4xf32>
  %o = gnn.scatter mean %p, %g at src acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %o : tensor<?x4xf32>
}

// -----

// A degree at src beside sums at dst: the count alone is taken from the transpose.
// CHECK-LABEL: func.func @prepare
// CHECK:         %[[T:.*]] = gnn.transpose
// CHECK:         %[[C:.*]] = gnn.to_csr %[[T]]
// CHECK:         gnn.degree %[[C]] at dst
// CHECK-LABEL: func.func @forward
// CHECK:         gnn.scatter sum %{{.*}}, %{{.*}} at dst
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32> {gnn.input = "x"}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %d = gnn.degree %g at src : !gnn.graph<?x?x?> -> tensor<?xf32>
  %y = arith.mulf %x, %d : tensor<?xf32>
  %m = gnn.gather %y, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %o = gnn.scatter sum %m, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %o : tensor<?xf32>
}

// -----

// Edge tensors that are reduced at both ends have no order that suits both: left as it is.
// CHECK-LABEL: func.func @forward
// CHECK-DAG:     gnn.scatter sum %{{.*}}, %{{.*}} at dst
// CHECK-DAG:     gnn.scatter sum %{{.*}}, %{{.*}} at src
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32> {gnn.input = "x"}) -> (tensor<?xf32> {gnn.output = "a"}, tensor<?xf32> {gnn.output = "b"}) {
  %m = gnn.gather %x, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %n = math.exp %m : tensor<?xf32>
  %o = gnn.scatter sum %n, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %p = gnn.scatter sum %n, %g at src acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %o, %p : tensor<?xf32>, tensor<?xf32>
}
