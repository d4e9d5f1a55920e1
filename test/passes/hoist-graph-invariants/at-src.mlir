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

// An edge tensor that is reduced at both ends is computed in both orders.
// CHECK-LABEL: func.func @prepare
// CHECK-DAG:     gnn.to_csr %[[A:.*]] : !gnn.graph<?x?x?> ->
// CHECK-DAG:     %[[T:.*]] = gnn.transpose %[[A]]
// CHECK-DAG:     gnn.to_csr %[[T]] : !gnn.graph<?x?x?> ->
// CHECK-LABEL: func.func @forward
// CHECK-SAME:    %[[X:[^ ]*]]: tensor<?xf32> {gnn.input = "x"}, %[[G:[^ ]*]]: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %[[R:[^ ]*]]: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 1 : i64})
// CHECK-DAG:     %[[M:.*]] = gnn.gather %[[X]], %[[G]] at src
// CHECK-DAG:     %[[N:.*]] = math.exp %[[M]]
// CHECK-DAG:     gnn.scatter sum %[[N]], %[[G]] at dst
// CHECK-DAG:     %[[MR:.*]] = gnn.gather %[[X]], %[[R]] at dst
// CHECK-DAG:     %[[NR:.*]] = math.exp %[[MR]]
// CHECK-DAG:     gnn.scatter sum %[[NR]], %[[R]] at dst
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32> {gnn.input = "x"}) -> (tensor<?xf32> {gnn.output = "a"}, tensor<?xf32> {gnn.output = "b"}) {
  %m = gnn.gather %x, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %n = math.exp %m : tensor<?xf32>
  %o = gnn.scatter sum %n, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %p = gnn.scatter sum %n, %g at src acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %o, %p : tensor<?xf32>, tensor<?xf32>
}

// -----

// Weights follow in both orders; the softmax at dst is spelt out, since its weights are summed at src.
// CHECK-LABEL: func.func @prepare
// CHECK-DAG:     gnn.to_csr %[[A:.*]] edges(%[[W:.*]] : tensor<?xf32>)
// CHECK-DAG:     %[[T:.*]] = gnn.transpose %[[A]]
// CHECK-DAG:     gnn.to_csr %[[T]] edges(%[[W]] : tensor<?xf32>)
// CHECK-NOT:     gnn.segment_softmax
// CHECK:         gnn.scatter max %{{.*}} at dst
// CHECK-LABEL: func.func @forward
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32> {gnn.input = "x"}, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> (tensor<?xf32> {gnn.output = "a"}) {
  %a = gnn.segment_softmax %w, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?>
  %p = gnn.scatter sum %a, %g at src acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %q = arith.addf %p, %x : tensor<?xf32>
  return %q : tensor<?xf32>
}

// -----

// A graph and its transpose share the order of edges; messages of one follow the other one's ends.
// CHECK-LABEL: func.func @prepare
// CHECK:         gnn.transpose
// CHECK-NOT:     gnn.transpose
// CHECK-LABEL: func.func @forward
// CHECK-DAG:     gnn.scatter sum %{{.*}}, %{{.*}} at dst
// CHECK-DAG:     gnn.scatter max %{{.*}}, %{{.*}} at dst
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32> {gnn.input = "x"}) -> (tensor<?xf32> {gnn.output = "a"}, tensor<?xf32> {gnn.output = "b"}) {
  %t = gnn.transpose %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %m = gnn.gather %x, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %o = gnn.scatter sum %m, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %n = gnn.gather %x, %t at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %p = gnn.scatter max %n, %t at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %o, %p : tensor<?xf32>, tensor<?xf32>
}

// -----

// Edges that are only counted at src take no edge tensor into their order, though the
// count comes first: the weights follow what reduces them.
// CHECK-LABEL: func.func @prepare(
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?>, %[[W:[^:]*]]: tensor<?xf32>
// CHECK-DAG:     %[[T:.*]] = gnn.transpose %[[G]]
// CHECK-DAG:     gnn.to_csr %[[T]] : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>{{$}}
// CHECK-DAG:     gnn.to_csr %[[G]] edges(%[[W]] : tensor<?xf32>)
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32> {gnn.input = "x"}, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %d = gnn.degree %g at src : !gnn.graph<?x?x?> -> tensor<?xf32>
  %s = gnn.scatter sum %w, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %y = arith.addf %d, %s : tensor<?xf32>
  %z = arith.addf %x, %y : tensor<?xf32>
  return %z : tensor<?xf32>
}
