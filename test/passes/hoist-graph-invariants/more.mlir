// RUN: gnn-opt %s --gnn-hoist-graph-invariants --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-hoist-graph-invariants=index=i64 --split-input-file | FileCheck %s --check-prefix=WIDE

// A graph that is csr already is not sorted again; an input that nobody reads
// stays an argument, because callers pass it. What is returned is computed by
// @forward, which writes it to the caller's memory in each run.
// CHECK-LABEL: func.func @prepare(
// CHECK-NOT:     gnn.to_csr
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[G:.*]]: !gnn.graph<?x?x?, i32, csr>, %{{.*}}: tensor<?xf32> {gnn.input = "x"})
// CHECK-NEXT:    %[[D:.*]] = gnn.degree %[[G]] at dst
// CHECK-NEXT:    return %[[D]]
func.func @forward(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?xf32> {gnn.input = "x"}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %d = gnn.degree %g at dst : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// -----

// A gather is repeated in forward: prepare returns its node tensor.
// CHECK-LABEL: func.func @prepare(
// CHECK-SAME:    -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>)
// CHECK-NOT:     gnn.gather
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %[[D:[^:]*]]: tensor<?xf32> {gnn.prepared = 1 : i64})
// CHECK:         gnn.gather %[[D]], %[[G]] at src
// An i32 graph is not widened.
// WIDE-LABEL: func.func @prepare(
// WIDE:         gnn.to_csr %{{.*}} : !gnn.graph<?x?x?, i32> -> !gnn.graph<?x?x?, i32, csr>
func.func @forward(%g: !gnn.graph<?x?x?, i32>, %x: tensor<?xf32> {gnn.input = "x"}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %d = gnn.degree %g at dst : !gnn.graph<?x?x?, i32> -> tensor<?xf32>
  %ds = gnn.gather %d, %g at src : tensor<?xf32>, !gnn.graph<?x?x?, i32> -> tensor<?xf32>
  %xs = gnn.gather %x, %g at src : tensor<?xf32>, !gnn.graph<?x?x?, i32> -> tensor<?xf32>
  %m = arith.mulf %ds, %xs : tensor<?xf32>
  %o = gnn.scatter sum %m, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?, i32> -> tensor<?xf32>
  return %o : tensor<?xf32>
}

// -----

// Edge attributes through a weight: a product of rows follows the csr order by
// itself, and is done once.
// CHECK-LABEL: func.func @prepare(
// CHECK-SAME:    -> (!gnn.graph<?x?x?, i32, csr>, tensor<?x4xf32>)
// CHECK:         %[[C:.*]], %[[P:.*]] = gnn.to_csr %{{.*}} edges(%{{.*}} : tensor<?x3xf32>)
// CHECK:         linalg.matmul ins(%[[P]]
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     linalg.matmul
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}, %a: tensor<?x3xf32> {gnn.graph_data = "edge_attr"},
                   %w: tensor<3x4xf32> {gnn.weight = "lin.weight"}) -> (tensor<?x4xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.dim %a, %c0 : tensor<?x3xf32>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %h = linalg.matmul ins(%a, %w : tensor<?x3xf32>, tensor<3x4xf32>) outs(%zeros : tensor<?x4xf32>) -> tensor<?x4xf32>
  %xs = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %m = arith.addf %h, %xs : tensor<?x4xf32>
  %o = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %o : tensor<?x4xf32>
}

// -----

// Two graphs, each sorted once; a graph given as index tensors.
// CHECK-LABEL: func.func @prepare(
// CHECK:         gnn.to_csr %{{.*}} : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
// CHECK:         %[[H:.*]] = gnn.graph
// CHECK:         gnn.to_csr %[[H]] : !gnn.graph<7x7x?> -> !gnn.graph<7x7x?, i32, csr>
// CHECK-LABEL: func.func @forward(
// CHECK-COUNT-2: gnn.scatter sum
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32> {gnn.input = "x"}, %y: tensor<7xf32> {gnn.input = "y"},
                   %s: tensor<?xi64> {gnn.graph_data = "src"}, %d: tensor<?xi64> {gnn.graph_data = "dst"})
    -> (tensor<?xf32> {gnn.output = "a"}, tensor<7xf32> {gnn.output = "b"}) {
  %h = gnn.graph %s, %d : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<7x7x?>
  %xs = gnn.gather %x, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %a = gnn.scatter sum %xs, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %ys = gnn.gather %y, %h at src : tensor<7xf32>, !gnn.graph<7x7x?> -> tensor<?xf32>
  %b = gnn.scatter sum %ys, %h at dst acc f32 : tensor<?xf32>, !gnn.graph<7x7x?> -> tensor<7xf32>
  return %a, %b : tensor<?xf32>, tensor<7xf32>
}

// -----

// Work on the graph that needs a size only an input has stays in forward.
// CHECK-LABEL: func.func @prepare(
// CHECK-NOT:     math.exp
// CHECK-LABEL: func.func @forward(
// CHECK:         math.exp
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %init = tensor.empty(%n) : tensor<?xf32>
  %ones = linalg.fill ins(%one : f32) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %e = math.exp %ones : tensor<?xf32>
  return %e : tensor<?xf32>
}

// -----

// Scores follow the graph's new order; the softmax is over the csr graph.
// CHECK-LABEL: func.func @prepare
// CHECK:         %[[C:.*]], %[[P:.*]] = gnn.to_csr %{{.*}} edges(%{{.*}} : tensor<?xf32>)
// CHECK-LABEL: func.func @forward
// CHECK:         gnn.segment_softmax %{{.*}}, %{{.*}} at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?, i32, csr>
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32> {gnn.input = "x"}, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"})
    -> (tensor<?xf32> {gnn.output = "out"}) {
  %m = gnn.gather %x, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %s = arith.mulf %m, %w : tensor<?xf32>
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?>
  %o = gnn.scatter sum %a, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %o : tensor<?xf32>
}

// -----

// Rows are looked up by an edge tensor, in the order of a graph that is built behind the look-up: it is built before.
// CHECK-LABEL: func.func @prepare(
// CHECK-SAME:    %[[T:arg[0-9]+]]: tensor<?xi64> {gnn.index = "t"}
// CHECK:         %[[G:.*]] = gnn.graph
// CHECK:         %{{.*}}, %[[SORTED:.*]] = gnn.to_csr %[[G]] edges(%[[T]] : tensor<?xi64>)
// CHECK:         gnn.index_graph gather %[[SORTED]]
// CHECK-LABEL: func.func @forward(
func.func @forward(%x: tensor<5x4xf32> {gnn.input = "x"}, %s: tensor<?xi64> {gnn.index = "s"}, %d: tensor<?xi64> {gnn.index = "d"},
                   %t: tensor<?xi64> {gnn.index = "t"}, %e: tensor<3x4xf32> {gnn.weight = "e"}) -> (tensor<5x4xf32> {gnn.output = "out"}) {
  %l = gnn.index_graph gather %t : tensor<?xi64> -> !gnn.graph<?x3x?, i32, csr>
  %r = gnn.gather %e, %l at src : tensor<3x4xf32>, !gnn.graph<?x3x?, i32, csr> -> tensor<?x4xf32>
  %g = gnn.graph %s, %d : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<5x5x?>
  %m = gnn.gather %x, %g at src : tensor<5x4xf32>, !gnn.graph<5x5x?> -> tensor<?x4xf32>
  %w = arith.mulf %m, %r : tensor<?x4xf32>
  %y = gnn.scatter sum %w, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<5x5x?> -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}

// -----

// Truth values stay: what they are compared of is stored, not they.
// CHECK-LABEL: func.func @prepare(
// CHECK-SAME:    -> tensor<?xf32> {
// CHECK-LABEL: func.func @forward(
// CHECK:         arith.cmpf ogt
// CHECK:         arith.select
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32> {gnn.input = "x"}, %w: tensor<?xf32> {gnn.graph_data = "w"}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %half = arith.constant 0.5 : f32
  %c0 = arith.constant 0 : index
  %d = gnn.scatter sum %w, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %n = tensor.dim %d, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%half : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %c = arith.cmpf ogt, %d, %f : tensor<?xf32>
  %s = arith.select %c, %x, %d : tensor<?xi1>, tensor<?xf32>
  return %s : tensor<?xf32>
}
