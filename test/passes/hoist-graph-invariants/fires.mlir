// RUN: gnn-opt %s --gnn-hoist-graph-invariants --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-hoist-graph-invariants --canonicalize --cse | FileCheck %s --check-prefix=GCN

// The norm of a GCN is graph-only work: prepare returns the graph and one
// coefficient per edge; no node or edge tensor of features crosses over.
// GCN-LABEL: func.func @prepare(
// GCN-SAME:    %[[G:.*]]: !gnn.graph<?x?x?>) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>)
// GCN:         %[[L:.*]] = gnn.add_self_loops %[[G]]
// GCN:         %[[C:.*]] = gnn.to_csr %[[L]] :
// GCN:         %[[D:.*]] = gnn.degree %[[C]]
// The row count of an input is replaced by that of the degrees.
// GCN:         tensor.dim %[[D]]
// GCN:         %[[N:.*]] = arith.mulf
// GCN:         return %[[C]], %[[N]]
// GCN-LABEL: func.func @forward(
// GCN-NOT:     !gnn.graph<?x?x?>
// GCN-SAME:    %[[C:[^:]*]]: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %[[N:[^:]*]]: tensor<?xf32> {gnn.prepared = 1 : i64})
// GCN-NOT:     gnn.add_self_loops
// GCN-NOT:     math.rsqrt
// GCN:         gnn.gather %{{.*}}, %[[C]] at src

// Edge weights bound with the graph follow its edges into csr order.
// CHECK-LABEL: func.func @prepare(
// CHECK-SAME:    %[[G:.*]]: !gnn.graph<?x?x?>, %[[W:.*]]: tensor<?xf32> {gnn.graph_data = "edge_weight"})
// CHECK-NEXT:    %[[C:.*]], %[[P:.*]] = gnn.to_csr %[[G]] edges(%[[W]] : tensor<?xf32>)
// CHECK-NEXT:    return %[[C]], %[[P]]
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %{{.*}}: tensor<?x8xf32> {gnn.input = "x"}, %[[C:.*]]: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %[[P:.*]]: tensor<?xf32> {gnn.prepared = 1 : i64})
// The broadcast is repeated in forward, not stored.
// CHECK:         linalg.broadcast ins(%[[P]]
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x8xf32> {gnn.input = "x"},
                   %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> (tensor<?x8xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %m = gnn.gather %x, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %e = tensor.dim %w, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x8xf32>
  %rows = linalg.broadcast ins(%w : tensor<?xf32>) outs(%init : tensor<?x8xf32>) dimensions = [1]
  %wm = arith.mulf %m, %rows : tensor<?x8xf32>
  %s = gnn.scatter sum %wm, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// -----

// Weights of added self loops are made in the old order and follow; the weights
// that went in do not.
// CHECK-LABEL: func.func @prepare(
// CHECK:         %[[L:.*]], %[[LW:.*]] = gnn.add_self_loops %{{.*}} weights(%{{.*}}) fill
// CHECK:         %[[C:.*]], %[[P:.*]] = gnn.to_csr %[[L]] edges(%[[LW]] : tensor<?xf32>)
// CHECK:         %[[D:.*]] = gnn.degree %[[C]] weights(%[[P]] : tensor<?xf32>)
// CHECK:         %[[S:.*]] = gnn.gather %[[D]]
// CHECK:         %[[N:.*]] = arith.mulf %[[S]], %[[P]]
// CHECK:         return %[[C]], %[[N]]
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32> {gnn.input = "x"},
                   %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %l, %lw = gnn.add_self_loops %g weights(%w) fill 1.0 : !gnn.graph<?x?x?>, tensor<?xf32> -> !gnn.graph<?x?x?>, tensor<?xf32>
  %d = gnn.degree %l weights(%lw : tensor<?xf32>) at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
  %s = gnn.gather %d, %l at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %n = arith.mulf %s, %lw : tensor<?xf32>
  %m = gnn.gather %x, %l at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %wm = arith.mulf %m, %n : tensor<?xf32>
  %o = gnn.scatter sum %wm, %l at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %o : tensor<?xf32>
}

// -----

// Arithmetic on weights alone (the scale of a batch norm) is done once.
// CHECK-LABEL: func.func @prepare(
// CHECK-SAME:    %[[V:.*]]: tensor<8xf32> {gnn.weight = "var"}, %[[W:.*]]: tensor<8xf32> {gnn.weight = "gamma"}) -> tensor<8xf32>
// CHECK:         %[[R:.*]] = math.rsqrt
// CHECK:         %[[S:.*]] = arith.mulf %[[R]], %[[W]]
// CHECK:         return %[[S]]
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<?x8xf32> {gnn.input = "x"}, %[[S:.*]]: tensor<8xf32> {gnn.prepared = 0 : i64})
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%[[S]]
// CHECK:         arith.mulf %[[X]], %[[B]]
func.func @forward(%x: tensor<?x8xf32> {gnn.input = "x"}, %v: tensor<8xf32> {gnn.weight = "var"},
                   %gamma: tensor<8xf32> {gnn.weight = "gamma"}) -> (tensor<?x8xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %eps = arith.constant dense<1.0e-05> : tensor<8xf32>
  %ve = arith.addf %v, %eps : tensor<8xf32>
  %r = math.rsqrt %ve : tensor<8xf32>
  %s = arith.mulf %r, %gamma : tensor<8xf32>
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %init = tensor.empty(%n) : tensor<?x8xf32>
  %rows = linalg.broadcast ins(%s : tensor<8xf32>) outs(%init : tensor<?x8xf32>) dimensions = [0]
  %y = arith.mulf %x, %rows : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// Static extents: the csr graph keeps them.
// CHECK-LABEL: func.func @prepare(
// CHECK:         gnn.to_csr %{{.*}} : !gnn.graph<4x4x9> -> !gnn.graph<4x4x9, i32, csr>
// CHECK-LABEL: func.func @forward(
// CHECK:         gnn.scatter sum %{{.*}} at dst acc f32 : tensor<9x3xf32>, !gnn.graph<4x4x9, i32, csr> -> tensor<4x3xf32>
func.func @forward(%g: !gnn.graph<4x4x9>, %x: tensor<4x3xf32> {gnn.input = "x"}) -> (tensor<4x3xf32> {gnn.output = "out"}) {
  %m = gnn.gather %x, %g at src : tensor<4x3xf32>, !gnn.graph<4x4x9> -> tensor<9x3xf32>
  %o = gnn.scatter sum %m, %g at dst acc f32 : tensor<9x3xf32>, !gnn.graph<4x4x9> -> tensor<4x3xf32>
  return %o : tensor<4x3xf32>
}

// -----

// A size that only graph tensors have comes from one that crosses over anyway.
// CHECK-LABEL: func.func @prepare(
// CHECK-SAME:    -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>)
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[N:[^:]*]]: tensor<?xf32> {gnn.prepared = 1 : i64})
// CHECK:         tensor.dim %[[N]]
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x3xf32> {gnn.input = "x"}) -> (tensor<?x3xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %d = gnn.degree %g at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
  %r = math.rsqrt %d : tensor<?xf32>
  %n = tensor.dim %d, %c0 : tensor<?xf32>
  %m = gnn.gather %x, %g at src : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %o = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %init = tensor.empty(%n) : tensor<?x3xf32>
  %rows = linalg.broadcast ins(%r : tensor<?xf32>) outs(%init : tensor<?x3xf32>) dimensions = [1]
  %y = arith.mulf %o, %rows : tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}
