// RUN: gnn-opt %s --gnn-form-kernels --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-form-kernels=max-results=1 --split-input-file | FileCheck %s --check-prefix=APART

// The two logits of an attention head are reductions of the same rows.
// CHECK-LABEL: func @logits
// CHECK:         %[[L:.*]]:2 = call @map_0(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<?x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
// CHECK-NEXT:    return %[[L]]#0, %[[L]]#1
// CHECK:       gnn.map rows(%{{.*}} : tensor<?x2x3xf32>) param(%{{.*}}, %{{.*}} : tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<?x2xf32>, tensor<?x2xf32> {
// CHECK-NEXT:  ^bb0(%[[X:.*]]: vector<2x3xf32>, %[[A:.*]]: vector<1x2x3xf32>, %[[B:.*]]: vector<1x2x3xf32>):
// CHECK:         arith.mulf %[[X]]
// CHECK:         %[[S:.*]] = vector.multi_reduction <add>
// CHECK:         arith.mulf %[[X]]
// CHECK:         %[[T:.*]] = vector.multi_reduction <add>
// CHECK-NEXT:    gnn.yield %[[S]], %[[T]] : vector<2xf32>, vector<2xf32>
// APART-LABEL: func @logits
// APART:         call @map_0
// APART:         call @map_1
func.func @logits(%x: tensor<?x2x3xf32> {gnn.input = "x"}, %a: tensor<1x2x3xf32> {gnn.weight = "a"},
                  %b: tensor<1x2x3xf32> {gnn.weight = "b"}) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %s = gnn.map rows(%x : tensor<?x2x3xf32>) param(%a : tensor<1x2x3xf32>) -> tensor<?x2xf32> {
  ^bb0(%r: vector<2x3xf32>, %p: vector<1x2x3xf32>):
    %q = vector.shape_cast %p : vector<1x2x3xf32> to vector<2x3xf32>
    %m = arith.mulf %r, %q : vector<2x3xf32>
    %zero = arith.constant dense<0.0> : vector<2xf32>
    %y = vector.multi_reduction <add>, %m, %zero [1] : vector<2x3xf32> to vector<2xf32>
    gnn.yield %y : vector<2xf32>
  }
  %t = gnn.map rows(%x : tensor<?x2x3xf32>) param(%b : tensor<1x2x3xf32>) -> tensor<?x2xf32> {
  ^bb0(%r: vector<2x3xf32>, %p: vector<1x2x3xf32>):
    %q = vector.shape_cast %p : vector<1x2x3xf32> to vector<2x3xf32>
    %m = arith.mulf %r, %q : vector<2x3xf32>
    %zero = arith.constant dense<0.0> : vector<2xf32>
    %y = vector.multi_reduction <add>, %m, %zero [1] : vector<2x3xf32> to vector<2xf32>
    gnn.yield %y : vector<2xf32>
  }
  return %s, %t : tensor<?x2xf32>, tensor<?x2xf32>
}

// -----

// Plain tensor ops end there too; the rows that both read come first.
// CHECK-LABEL: func @two_roots
// CHECK:         %[[M:.*]]:2 = call @map_0(%arg0, %arg1, %arg2)
// CHECK-NEXT:    return %[[M]]#0, %[[M]]#1
func.func @two_roots(%x: tensor<?x4xf32> {gnn.input = "x"}, %y: tensor<?x4xf32> {gnn.input = "y"},
                     %z: tensor<?x4xf32> {gnn.input = "z"}) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %a = arith.addf %x, %y : tensor<?x4xf32>
  %b = arith.mulf %x, %z : tensor<?x4xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// No more than max-results: the fifth has a map of its own.
// CHECK-LABEL: func @five_results
// CHECK:         call @map_0(%arg0) : (tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>)
// CHECK:         call @map_1(%arg0) : (tensor<?x4xf32>) -> tensor<?x4xf32>
func.func @five_results(%x: tensor<?x4xf32> {gnn.input = "x"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %a = arith.negf %x : tensor<?x4xf32>
  %b = math.absf %x : tensor<?x4xf32>
  %c = math.exp %x : tensor<?x4xf32>
  %d = math.sqrt %x : tensor<?x4xf32>
  %e = math.tanh %x : tensor<?x4xf32>
  return %a, %b, %c, %d, %e : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// What depends on the other, or on what comes between them, stays apart.
// CHECK-LABEL: func @dependent
// CHECK:         %[[A:.*]] = call @map_0(%arg0)
// CHECK:         call @map_1(%[[A]], %arg0)
func.func @dependent(%x: tensor<?x4xf32> {gnn.input = "x"}) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %a = math.tanh %x : tensor<?x4xf32>
  %b = arith.addf %a, %x : tensor<?x4xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// Rows of one frame only: 2 heads of 3 features beside 6 features.
// CHECK-LABEL: func @other_frame
// CHECK:         call @map_0
// CHECK:         call @map_1
func.func @other_frame(%x: tensor<?x6xf32> {gnn.input = "x"}, %p: tensor<2xf32> {gnn.weight = "p"}) -> (tensor<?x6xf32>, tensor<?x2xf32>) {
  %a = math.tanh %x : tensor<?x6xf32>
  %b = gnn.map rows(%x : tensor<?x6xf32>) param(%p : tensor<2xf32>) -> tensor<?x2xf32> {
  ^bb0(%r: vector<6xf32>, %s: vector<2xf32>):
    %q = vector.shape_cast %r : vector<6xf32> to vector<2x3xf32>
    %y = vector.multi_reduction <add>, %q, %s [1] : vector<2x3xf32> to vector<2xf32>
    gnn.yield %y : vector<2xf32>
  }
  return %a, %b : tensor<?x6xf32>, tensor<?x2xf32>
}

// -----

// One map reads %s once for each head, the other once for each feature: the frames
// are alike, together they are none.
// CHECK-LABEL: func @heads_and_features
// CHECK:         call @map_0
// CHECK:         call @map_1
func.func @heads_and_features(%x: tensor<?x3x3xf32> {gnn.input = "x"}, %s: tensor<?x3xf32> {gnn.input = "s"})
    -> (tensor<?x3x3xf32>, tensor<?x3x3xf32>) {
  %a = gnn.map rows(%x, %s : tensor<?x3x3xf32>, tensor<?x3xf32>) -> tensor<?x3x3xf32> {
  ^bb0(%r: vector<3x3xf32>, %v: vector<3xf32>):
    %column = vector.shape_cast %v : vector<3xf32> to vector<3x1xf32>
    %heads = vector.broadcast %column : vector<3x1xf32> to vector<3x3xf32>
    %y = arith.mulf %r, %heads : vector<3x3xf32>
    gnn.yield %y : vector<3x3xf32>
  }
  %b = gnn.map rows(%x, %s : tensor<?x3x3xf32>, tensor<?x3xf32>) -> tensor<?x3x3xf32> {
  ^bb0(%r: vector<3x3xf32>, %v: vector<3xf32>):
    %features = vector.broadcast %v : vector<3xf32> to vector<3x3xf32>
    %y = arith.mulf %r, %features : vector<3x3xf32>
    gnn.yield %y : vector<3x3xf32>
  }
  return %a, %b : tensor<?x3x3xf32>, tensor<?x3x3xf32>
}

// -----

// Edges: what fusion left is read where it is.
// CHECK-LABEL: func @over_edges
// CHECK:         call @map_0
// CHECK:         call @map_1
func.func @over_edges(%g: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %x: tensor<?x4xf32> {gnn.input = "x"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32>
  %n = gnn.gather %x, %g at dst : tensor<?x4xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32>
  return %m, %n : tensor<?x4xf32>, tensor<?x4xf32>
}
