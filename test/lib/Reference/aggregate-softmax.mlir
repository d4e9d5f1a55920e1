// RUN: gnn-eval --entry @scalar_score %s | FileCheck %s --check-prefix=SCALAR
// RUN: gnn-eval --entry @heads %s | FileCheck %s --check-prefix=HEADS
// RUN: gnn-eval --entry @no_score_is_finite %s | FileCheck %s --check-prefix=INF
// RUN: gnn-eval --entry @one_wide_heads %s | FileCheck %s --check-prefix=ONE

// Node 0: edges from 1 (twice) and 0; node 1: one from 2; node 2: none; node 3: one from 0, itself twice.
func.func private @graph() -> !gnn.graph<4x4x7, csr> {
  %rows = arith.constant dense<[0, 3, 4, 4, 7]> : tensor<5xi64>
  %src = arith.constant dense<[1, 1, 0, 2, 0, 3, 3]> : tensor<7xi64>
  %g = gnn.graph %rows, %src : tensor<5xi64>, tensor<7xi64> -> !gnn.graph<4x4x7, csr>
  return %g : !gnn.graph<4x4x7, csr>
}

// Scores rise, fall, repeat, are large (no overflow), and are NaN. log(2) and log(3) make the weights fractions.
// Node 0: scores log 2, log 3, 0 of rows 2, 2, 1: m = log 3, weights 2/3, 1, 1/3.
// SCALAR: @scalar_score #0: 4x2xf64 {{\[\[}}3.66666667, 36.6666667], [3, 30], [0, 0], [nan, nan]]
// SCALAR: @scalar_score #1: 4xf64 [2, 1, 0, nan]
// SCALAR: @scalar_score #2: 4xf64 [1.09861229, 1000, -inf, nan]
func.func @scalar_score() -> (tensor<4x2xf32>, tensor<4xf32>, tensor<4xf32>) {
  %g = call @graph() : () -> !gnn.graph<4x4x7, csr>
  %x = arith.constant dense<[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0], [4.0, 40.0]]> : tensor<4x2xf32>
  %odds = arith.constant dense<[2.0, 3.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<7xf32>
  %more = arith.constant dense<[0.0, 0.0, 0.0, 1000.0, 0.0, 0x7FC00000, 5.0]> : tensor<7xf32>
  %o:3 = gnn.aggregate %g src(%x : tensor<4x2xf32>) edge(%odds, %more : tensor<7xf32>, tensor<7xf32>) reduce [softmax] acc f32
      : !gnn.graph<4x4x7, csr> -> tensor<4x2xf32>, tensor<4xf32>, tensor<4xf32> message {
  ^bb0(%u: vector<2xf32>, %c: f32, %d: f32):
    %log = math.log %c : f32
    %score = arith.addf %log, %d : f32
    gnn.yield %score, %u : f32, vector<2xf32>
  }
  return %o#0, %o#1, %o#2 : tensor<4x2xf32>, tensor<4xf32>, tensor<4xf32>
}

// Two heads of two features, divided in the epilogue, beside the mean of the scores. A score of -inf has no weight.
// HEADS: @heads #0: 4x2x2xf64 {{\[\[\[}}1.75, 1.75], [0, 0]], {{\[\[}}1, 1], [0, 0]], {{\[\[}}0, 0], [0, 0]], {{\[\[}}1, 1], [2, 2]]]
// HEADS: @heads #1: 4x2xf64 {{\[\[}}0, -inf], [0, 0], [0, 0], [0, -inf]]
func.func @heads() -> (tensor<4x2x2xf32>, tensor<4x2xf32>) {
  %g = call @graph() : () -> !gnn.graph<4x4x7, csr>
  %x = arith.constant dense<[[[1.0, 1.0], [2.0, 2.0]], [[2.125, 2.125], [0.0, 0.0]], [[1.0, 1.0], [0.0, 0.0]], [[1.0, 1.0], [9.0, 9.0]]]> : tensor<4x2x2xf32>
  %s = arith.constant dense<[[0.0, 0.0], [0.0, 9.0], [0.0, 0xFF800000], [0.0, 9.0], [0.0, 1.0], [0.0, 0xFF800000], [0.0, 0xFF800000]]> : tensor<7x2xf32>
  %o:2 = gnn.aggregate %g src(%x : tensor<4x2x2xf32>) edge(%s : tensor<7x2xf32>) reduce [softmax, mean] acc f32
      : !gnn.graph<4x4x7, csr> -> tensor<4x2x2xf32>, tensor<4x2xf32> message {
  ^bb0(%u: vector<2x2xf32>, %score: vector<2xf32>):
    %nine = arith.constant dense<[0.0, 9.0]> : vector<2xf32>
    %shifted = arith.subf %score, %nine : vector<2xf32>
    gnn.yield %score, %u, %shifted : vector<2xf32>, vector<2x2xf32>, vector<2xf32>
  } epilogue {
  ^bb0(%sum: vector<2x2xf32>, %den: vector<2xf32>, %max: vector<2xf32>, %mean: vector<2xf32>):
    %tiny = arith.constant dense<1.0e-16> : vector<2xf32>
    %d = arith.addf %den, %tiny : vector<2xf32>
    %c = vector.shape_cast %d : vector<2xf32> to vector<2x1xf32>
    %w = vector.broadcast %c : vector<2x1xf32> to vector<2x2xf32>
    %y = arith.divf %sum, %w : vector<2x2xf32>
    gnn.yield %y, %mean : vector<2x2xf32>, vector<2xf32>
  }
  return %o#0, %o#1 : tensor<4x2x2xf32>, tensor<4x2xf32>
}

// All scores of a node are -inf, or one is +inf: -inf - -inf and inf - inf are NaN, as in torch.
// INF: @no_score_is_finite #0: 2xf64 [nan, nan]
// INF: @no_score_is_finite #1: 2xf64 [nan, nan]
// INF: @no_score_is_finite #2: 2xf64 [-inf, inf]
func.func @no_score_is_finite() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %src = arith.constant dense<[0, 1, 0, 1]> : tensor<4xi64>
  %dst = arith.constant dense<[0, 0, 1, 1]> : tensor<4xi64>
  %g = gnn.graph %src, %dst : tensor<4xi64>, tensor<4xi64> -> !gnn.graph<2x2x4>
  %s = arith.constant dense<[0xFF800000, 0xFF800000, 1.0, 0x7F800000]> : tensor<4xf32>
  %x = arith.constant dense<1.0> : tensor<2xf32>
  %o:3 = gnn.aggregate %g src(%x : tensor<2xf32>) edge(%s : tensor<4xf32>) reduce [softmax] acc f32
      : !gnn.graph<2x2x4> -> tensor<2xf32>, tensor<2xf32>, tensor<2xf32> message {
  ^bb0(%u: f32, %score: f32):
    gnn.yield %score, %u : f32, f32
  }
  return %o#0, %o#1, %o#2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// One score per feature.
// ONE: @one_wide_heads #0: 1x2xf64 {{\[\[}}3, 20]]
// ONE: @one_wide_heads #1: 1x2xf64 {{\[\[}}2, 1]]
func.func @one_wide_heads() -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) {
  %src = arith.constant dense<[0, 1]> : tensor<2xi64>
  %dst = arith.constant dense<[0, 0]> : tensor<2xi64>
  %g = gnn.graph %src, %dst : tensor<2xi64>, tensor<2xi64> -> !gnn.graph<1x2x2>
  %s = arith.constant dense<[[5.0, 0.0], [5.0, 1000.0]]> : tensor<2x2xf32>
  %x = arith.constant dense<[[1.0, 10.0], [2.0, 20.0]]> : tensor<2x2xf32>
  %o:3 = gnn.aggregate %g src(%x : tensor<2x2xf32>) edge(%s : tensor<2x2xf32>) reduce [softmax] acc f32
      : !gnn.graph<1x2x2> -> tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32> message {
  ^bb0(%u: vector<2xf32>, %score: vector<2xf32>):
    gnn.yield %score, %u : vector<2xf32>, vector<2xf32>
  }
  return %o#0, %o#1, %o#2 : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>
}
