// RUN: gnn-eval --entry @edges %s | FileCheck %s --check-prefix=EDGES
// RUN: gnn-eval --entry @rows %s | FileCheck %s --check-prefix=ROWS
// RUN: gnn-eval --entry @heads %s | FileCheck %s --check-prefix=HEADS

// One value per edge, of both ends and of the edge itself.
// EDGES: 3xf64 [112, 123, 133]
func.func @edges() -> tensor<3xf32> {
  %src = arith.constant dense<[1, 2, 2]> : tensor<3xi64>
  %dst = arith.constant dense<[0, 1, 1]> : tensor<3xi64>
  %x = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %y = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %w = arith.constant dense<[100.0, 100.0, 110.0]> : tensor<3xf32>
  %g = gnn.graph %src, %dst : tensor<3xi64>, tensor<3xi64> -> !gnn.graph<2x3x3>
  %o = gnn.map over %g : !gnn.graph<2x3x3> src(%x : tensor<3xf32>) dst(%y : tensor<2xf32>) rows(%w : tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%u: f32, %v: f32, %c: f32):
    %a = arith.addf %u, %v : f32
    %b = arith.addf %a, %c : f32
    gnn.yield %b : f32
  }
  return %o : tensor<3xf32>
}

// ROWS: @rows #0: 2x2xf64 {{\[\[}}11, 0], [13, 16]]
// ROWS: @rows #1: 2xf64 [-19, 19]
func.func @rows() -> (tensor<2x2xf32>, tensor<2xf32>) {
  %x = arith.constant dense<[[1.0, -40.0], [3.0, -4.0]]> : tensor<2x2xf32>
  %p = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %o:2 = gnn.map rows(%x : tensor<2x2xf32>) param(%p : tensor<2xf32>) -> tensor<2x2xf32>, tensor<2xf32> {
  ^bb0(%row: vector<2xf32>, %bias: vector<2xf32>):
    %zero = arith.constant dense<0.0> : vector<2xf32>
    %acc = arith.constant -10.0 : f32
    %s = arith.addf %row, %bias : vector<2xf32>
    %r = arith.maximumf %s, %zero : vector<2xf32>
    %sum = vector.reduction <add>, %s : vector<2xf32> into f32
    %scaled = arith.addf %sum, %acc : f32
    %t = math.fma %scaled, %scaled, %acc : f32
    gnn.yield %r, %scaled : vector<2xf32>, f32
  }
  return %o#0, %o#1 : tensor<2x2xf32>, tensor<2xf32>
}

// Heads x features: a reduction per head, broadcast over its features.
// HEADS: 1x2x3xf64 {{\[\[\[}}0.166666667, 0.333333333, 0.5], [0.266666667, 0.333333333, 0.4]]]
func.func @heads() -> tensor<1x2x3xf32> {
  %x = arith.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]> : tensor<1x2x3xf32>
  %o = gnn.map rows(%x : tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
  ^bb0(%row: vector<2x3xf32>):
    %zero = arith.constant dense<0.0> : vector<2xf32>
    %s = vector.multi_reduction <add>, %row, %zero [1] : vector<2x3xf32> to vector<2xf32>
    %c = vector.shape_cast %s : vector<2xf32> to vector<2x1xf32>
    %b = vector.broadcast %c : vector<2x1xf32> to vector<2x3xf32>
    %y = arith.divf %row, %b : vector<2x3xf32>
    gnn.yield %y : vector<2x3xf32>
  }
  return %o : tensor<1x2x3xf32>
}
