// RUN: gnn-eval --entry @sum %s | FileCheck %s --check-prefix=SUM
// RUN: gnn-eval --entry @mean %s | FileCheck %s --check-prefix=MEAN
// RUN: gnn-eval --entry @max %s | FileCheck %s --check-prefix=MAX
// RUN: gnn-eval --entry @min %s | FileCheck %s --check-prefix=MIN
// RUN: gnn-eval --entry @mul %s | FileCheck %s --check-prefix=MUL
// RUN: gnn-eval --entry @at_src %s | FileCheck %s --check-prefix=SRC
// RUN: gnn-eval --entry @no_edges %s | FileCheck %s --check-prefix=NO-EDGES
// RUN: gnn-eval --entry @no_nodes %s | FileCheck %s --check-prefix=NO-NODES
// RUN: gnn-eval --entry @long_row %s | FileCheck %s --check-prefix=LONG

// Node 0: a duplicate edge 1->0, a self loop. Node 1: one edge. Node 2: none.
func.func private @graph() -> !gnn.graph<3x3x4> {
  %src = arith.constant dense<[1, 1, 0, 2]> : tensor<4xi64>
  %dst = arith.constant dense<[0, 0, 0, 1]> : tensor<4xi64>
  %g = gnn.graph %src, %dst : tensor<4xi64>, tensor<4xi64> -> !gnn.graph<3x3x4>
  return %g : !gnn.graph<3x3x4>
}
func.func private @rows() -> tensor<4x2xf32> {
  %m = arith.constant dense<[[1.0, -2.0], [2.0, -3.0], [3.0, 0x7FC00000], [-4.0, 0x7FC00000]]> : tensor<4x2xf32>
  return %m : tensor<4x2xf32>
}

// SUM: @sum #0: 3x2xf64 {{\[\[}}6, nan], [-4, nan], [0, 0]]
func.func @sum() -> tensor<3x2xf32> {
  %g = call @graph() : () -> !gnn.graph<3x3x4>
  %m = call @rows() : () -> tensor<4x2xf32>
  %h = gnn.scatter sum %m, %g at dst acc f32 : tensor<4x2xf32>, !gnn.graph<3x3x4> -> tensor<3x2xf32>
  return %h : tensor<3x2xf32>
}

// MEAN: @mean #0: 3x2xf64 {{\[\[}}2, nan], [-4, nan], [0, 0]]
func.func @mean() -> tensor<3x2xf32> {
  %g = call @graph() : () -> !gnn.graph<3x3x4>
  %m = call @rows() : () -> tensor<4x2xf32>
  %h = gnn.scatter mean %m, %g at dst acc f32 : tensor<4x2xf32>, !gnn.graph<3x3x4> -> tensor<3x2xf32>
  return %h : tensor<3x2xf32>
}

// A NaN wins wherever it stands in the row; a row of negative numbers has a
// negative maximum, the empty row 0.
// MAX: @max #0: 3x2xf64 {{\[\[}}3, nan], [-4, nan], [0, 0]]
func.func @max() -> tensor<3x2xf32> {
  %g = call @graph() : () -> !gnn.graph<3x3x4>
  %m = call @rows() : () -> tensor<4x2xf32>
  %h = gnn.scatter max %m, %g at dst acc f32 : tensor<4x2xf32>, !gnn.graph<3x3x4> -> tensor<3x2xf32>
  return %h : tensor<3x2xf32>
}

// The NaN comes first here.
// MIN: @min #0: 3xf64 [nan, 5, 0]
func.func @min() -> tensor<3xf32> {
  %g = call @graph() : () -> !gnn.graph<3x3x4>
  %m = arith.constant dense<[0x7FC00000, 2.0, 3.0, 5.0]> : tensor<4xf32>
  %h = gnn.scatter min %m, %g at dst acc f32 : tensor<4xf32>, !gnn.graph<3x3x4> -> tensor<3xf32>
  return %h : tensor<3xf32>
}

// MUL: @mul #0: 3xf64 [24, 5, 1]
func.func @mul() -> tensor<3xf32> {
  %g = call @graph() : () -> !gnn.graph<3x3x4>
  %m = arith.constant dense<[4.0, 2.0, 3.0, 5.0]> : tensor<4xf32>
  %h = gnn.scatter mul %m, %g at dst acc f32 : tensor<4xf32>, !gnn.graph<3x3x4> -> tensor<3xf32>
  return %h : tensor<3xf32>
}

// SRC: @at_src #0: 3xf64 [3, 6, 5]
func.func @at_src() -> tensor<3xf32> {
  %g = call @graph() : () -> !gnn.graph<3x3x4>
  %m = arith.constant dense<[4.0, 2.0, 3.0, 5.0]> : tensor<4xf32>
  %h = gnn.scatter sum %m, %g at src acc f32 : tensor<4xf32>, !gnn.graph<3x3x4> -> tensor<3xf32>
  return %h : tensor<3xf32>
}

// NO-EDGES: @no_edges #0: 2x2xf64 {{\[\[}}0, 0], [0, 0]]
// NO-EDGES: @no_edges #1: 2x2xf64 {{\[\[}}1, 1], [1, 1]]
func.func @no_edges() -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %none = arith.constant dense<> : tensor<0xi64>
  %g = gnn.graph %none, %none : tensor<0xi64>, tensor<0xi64> -> !gnn.graph<2x2x0>
  %m = arith.constant dense<> : tensor<0x2xf32>
  %h = gnn.scatter max %m, %g at dst acc f32 : tensor<0x2xf32>, !gnn.graph<2x2x0> -> tensor<2x2xf32>
  %p = gnn.scatter mul %m, %g at dst acc f32 : tensor<0x2xf32>, !gnn.graph<2x2x0> -> tensor<2x2xf32>
  return %h, %p : tensor<2x2xf32>, tensor<2x2xf32>
}

// NO-NODES: @no_nodes #0: 0x2xf64 []
func.func @no_nodes() -> tensor<0x2xf32> {
  %none = arith.constant dense<> : tensor<0xi64>
  %g = gnn.graph %none, %none : tensor<0xi64>, tensor<0xi64> -> !gnn.graph<0x0x0>
  %m = arith.constant dense<> : tensor<0x2xf32>
  %h = gnn.scatter sum %m, %g at dst acc f32 : tensor<0x2xf32>, !gnn.graph<0x0x0> -> tensor<0x2xf32>
  return %h : tensor<0x2xf32>
}

// 20,000 edges of one row, each 0.1 as f32: no rounding of the sum to f32.
// LONG: @long_row #0: 2xf64 [2000.00003, 0]
func.func @long_row() -> tensor<2xf32> {
  %src = arith.constant dense<1> : tensor<20000xi64>
  %dst = arith.constant dense<0> : tensor<20000xi64>
  %g = gnn.graph %src, %dst : tensor<20000xi64>, tensor<20000xi64> -> !gnn.graph<2x2x20000>
  %m = arith.constant dense<0.1> : tensor<20000xf32>
  %h = gnn.scatter sum %m, %g at dst acc f32 : tensor<20000xf32>, !gnn.graph<2x2x20000> -> tensor<2xf32>
  return %h : tensor<2xf32>
}
