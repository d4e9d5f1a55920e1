// RUN: gnn-eval --entry @pool %s | FileCheck %s --check-prefix=POOL
// RUN: gnn-eval --entry @edge_softmax %s | FileCheck %s --check-prefix=EDGE
// RUN: gnn-eval --entry @segments %s | FileCheck %s --check-prefix=SEG
// RUN: not gnn-eval --entry @falling %s 2>&1 | FileCheck %s --check-prefix=FALL
// RUN: not gnn-eval --entry @short %s 2>&1 | FileCheck %s --check-prefix=SHORT

// Segments of two rows, none, and three.
// POOL: @pool #0: 3x2xf64 {{\[\[}}1.5, 15], [0, 0], [4, 40]]
// POOL: @pool #1: 3x2xf64 {{\[\[}}2, 20], [0, 0], [5, 50]]
// POOL: @pool #2: 3x2xf64 {{\[\[}}2, 200], [1, 1], [60, 60000]]
func.func @pool() -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %o = arith.constant dense<[0, 2, 2, 5]> : tensor<4xi64>
  %x = arith.constant dense<[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0], [4.0, 40.0], [5.0, 50.0]]> : tensor<5x2xf32>
  %a = gnn.segment_reduce mean %x, %o acc f32 : tensor<5x2xf32>, tensor<4xi64> -> tensor<3x2xf32>
  %b = gnn.segment_reduce max %x, %o acc f32 : tensor<5x2xf32>, tensor<4xi64> -> tensor<3x2xf32>
  %c = gnn.segment_reduce mul %x, %o acc f32 : tensor<5x2xf32>, tensor<4xi64> -> tensor<3x2xf32>
  return %a, %b, %c : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}

// Destinations 1, 0, 1, 1, 2; sources 0, 0, 2, 2, 1. Large scores do not overflow, NaN stays in its segment.
// EDGE: @edge_softmax #0: 5x2xf64 {{\[\[}}0.5, 0], [1, 1], [0.25, 1], [0.25, 0], [nan, 1]]
// EDGE: @edge_softmax #1: 5xf64 [1, 0, 0.5, 0.5, 1]
func.func @edge_softmax() -> (tensor<5x2xf32>, tensor<5xf32>) {
  %src = arith.constant dense<[0, 0, 2, 2, 1]> : tensor<5xi64>
  %dst = arith.constant dense<[1, 0, 1, 1, 2]> : tensor<5xi64>
  %g = gnn.graph %src, %dst : tensor<5xi64>, tensor<5xi64> -> !gnn.graph<3x3x5>
  %odds = arith.constant dense<[[2.0, 1.0], [7.0, 1.0], [1.0, 1.0], [1.0, 1.0], [0x7FC00000, 1.0]]> : tensor<5x2xf32>
  %log = math.log %odds : tensor<5x2xf32>
  %more = arith.constant dense<[[0.0, -1000.0], [0.0, 1000.0], [0.0, 1000.0], [0.0, 0xFF800000], [0.0, 0.0]]> : tensor<5x2xf32>
  %s = arith.addf %log, %more : tensor<5x2xf32>
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<5x2xf32>, !gnn.graph<3x3x5>
  %one = arith.constant dense<[900.0, 0.0, 5.0, 5.0, -3.0]> : tensor<5xf32>
  %b = gnn.segment_softmax %one, %g at src acc f32 : tensor<5xf32>, !gnn.graph<3x3x5>
  return %a, %b : tensor<5x2xf32>, tensor<5xf32>
}

// SEG: 4xf64 [0.5, 0.5, nan, nan]
func.func @segments() -> tensor<4xf32> {
  %o = arith.constant dense<[0, 2, 2, 4]> : tensor<4xi32>
  %s = arith.constant dense<[-2000.0, -2000.0, 0xFF800000, 0xFF800000]> : tensor<4xf32>
  %a = gnn.segment_softmax %s, %o acc f32 : tensor<4xf32>, tensor<4xi32>
  return %a : tensor<4xf32>
}

// FALL: 'gnn.segment_softmax' op row pointer goes from 3 to 2 at segment 1; it rises to 4
func.func @falling() -> tensor<4xf32> {
  %o = arith.constant dense<[0, 3, 2, 4]> : tensor<4xi32>
  %s = arith.constant dense<0.0> : tensor<4xf32>
  %a = gnn.segment_softmax %s, %o acc f32 : tensor<4xf32>, tensor<4xi32>
  return %a : tensor<4xf32>
}

// SHORT: 'gnn.segment_reduce' op row pointer has 3 entries from 0 to 3; it goes from 0 to 4
func.func @short() -> tensor<2xf32> {
  %o = arith.constant dense<[0, 2, 3]> : tensor<3xi32>
  %s = arith.constant dense<0.0> : tensor<4xf32>
  %a = gnn.segment_reduce sum %s, %o acc f32 : tensor<4xf32>, tensor<3xi32> -> tensor<2xf32>
  return %a : tensor<2xf32>
}
