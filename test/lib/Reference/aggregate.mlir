// RUN: gnn-eval --entry @two_reductions %s | FileCheck %s --check-prefix=TWO
// RUN: gnn-eval --entry @mean_with_epilogue %s | FileCheck %s --check-prefix=MEAN
// RUN: gnn-eval --entry @dot_product %s | FileCheck %s --check-prefix=DOT
// RUN: gnn-eval --entry @no_edges %s | FileCheck %s --check-prefix=NONE

// Node 0: edges from 1 (twice) and 0; node 1: one from 2; node 2: none.
func.func private @graph() -> !gnn.graph<3x3x4, csr> {
  %rows = arith.constant dense<[0, 3, 4, 4]> : tensor<4xi64>
  %src = arith.constant dense<[1, 1, 0, 2]> : tensor<4xi64>
  %g = gnn.graph %rows, %src : tensor<4xi64>, tensor<4xi64> -> !gnn.graph<3x3x4, csr>
  return %g : !gnn.graph<3x3x4, csr>
}
func.func private @nodes() -> tensor<3x2xf32> {
  %x = arith.constant dense<[[1.0, -1.0], [2.0, -2.0], [-3.0, 0x7FC00000]]> : tensor<3x2xf32>
  return %x : tensor<3x2xf32>
}

// Results of one traversal: the sum of x[src] * w and the maximum of x[src].
// TWO: @two_reductions #0: 3x2xf64 {{\[\[}}64, -64], [-3000, nan], [0, 0]]
// TWO: @two_reductions #1: 3x2xf64 {{\[\[}}2, -1], [-3, nan], [0, 0]]
func.func @two_reductions() -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %g = call @graph() : () -> !gnn.graph<3x3x4, csr>
  %x = call @nodes() : () -> tensor<3x2xf32>
  %w = arith.constant dense<[2.0, 20.0, 20.0, 1000.0]> : tensor<4xf32>
  %a, %b = gnn.aggregate %g src(%x : tensor<3x2xf32>) edge(%w : tensor<4xf32>) reduce [sum, max] acc f32
      : !gnn.graph<3x3x4, csr> -> tensor<3x2xf32>, tensor<3x2xf32> message {
  ^bb0(%u: vector<2xf32>, %c: f32):
    %cv = vector.broadcast %c : f32 to vector<2xf32>
    %m = arith.mulf %u, %cv : vector<2xf32>
    gnn.yield %m, %u : vector<2xf32>, vector<2xf32>
  }
  return %a, %b : tensor<3x2xf32>, tensor<3x2xf32>
}

// The epilogue runs for the empty row too: bias + its own row.
// MEAN: 3x2xf64 {{\[\[}}12.6666667, 17.3333333], [9, nan], [7, nan]]
func.func @mean_with_epilogue() -> tensor<3x2xf32> {
  %g = call @graph() : () -> !gnn.graph<3x3x4, csr>
  %x = call @nodes() : () -> tensor<3x2xf32>
  %bias = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %a = gnn.aggregate %g src(%x : tensor<3x2xf32>) dst(%x : tensor<3x2xf32>) param(%bias : tensor<2xf32>) reduce [mean] acc f32
      : !gnn.graph<3x3x4, csr> -> tensor<3x2xf32> message {
  ^bb0(%u: vector<2xf32>, %v: vector<2xf32>, %b: vector<2xf32>):
    gnn.yield %u : vector<2xf32>
  } epilogue {
  ^bb0(%mean: vector<2xf32>, %v: vector<2xf32>, %b: vector<2xf32>):
    %s = arith.addf %mean, %b : vector<2xf32>
    %y = arith.addf %s, %v : vector<2xf32>
    gnn.yield %y : vector<2xf32>
  }
  return %a : tensor<3x2xf32>
}

// A scalar message by a reduction over features, as attention scores are.
// DOT: 3xf64 [10, nan, 0]
func.func @dot_product() -> tensor<3xf32> {
  %g = call @graph() : () -> !gnn.graph<3x3x4, csr>
  %x = call @nodes() : () -> tensor<3x2xf32>
  %a = gnn.aggregate %g src(%x : tensor<3x2xf32>) dst(%x : tensor<3x2xf32>) reduce [sum] acc f32
      : !gnn.graph<3x3x4, csr> -> tensor<3xf32> message {
  ^bb0(%u: vector<2xf32>, %v: vector<2xf32>):
    %p = arith.mulf %u, %v : vector<2xf32>
    %d = vector.reduction <add>, %p : vector<2xf32> into f32
    gnn.yield %d : f32
  }
  return %a : tensor<3xf32>
}

// NONE: 2xf64 [1, 1]
func.func @no_edges() -> tensor<2xf32> {
  %none = arith.constant dense<> : tensor<0xi64>
  %x = arith.constant dense<3.0> : tensor<2xf32>
  %g = gnn.graph %none, %none : tensor<0xi64>, tensor<0xi64> -> !gnn.graph<2x2x0>
  %a = gnn.aggregate %g src(%x : tensor<2xf32>) reduce [mul] acc f32 : !gnn.graph<2x2x0> -> tensor<2xf32> message {
  ^bb0(%u: f32):
    gnn.yield %u : f32
  }
  return %a : tensor<2xf32>
}
