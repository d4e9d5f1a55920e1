// RUN: gnn-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @sum_of_ones_is_degree
// CHECK:         %[[D:.*]] = gnn.degree %{{.*}} at dst : !gnn.graph<3x3x4> -> tensor<3xf32>
// CHECK:         return %[[D]]
func.func @sum_of_ones_is_degree(%g: !gnn.graph<3x3x4>) -> tensor<3xf32> {
  %m = arith.constant dense<1.0> : tensor<4xf32>
  %h = gnn.scatter sum %m, %g at dst acc f32 : tensor<4xf32>, !gnn.graph<3x3x4> -> tensor<3xf32>
  return %h : tensor<3xf32>
}

// CHECK-LABEL: func @mean_of_ones_stays
// CHECK:         gnn.scatter mean
func.func @mean_of_ones_stays(%g: !gnn.graph<3x3x4>) -> tensor<3xf32> {
  %m = arith.constant dense<1.0> : tensor<4xf32>
  %h = gnn.scatter mean %m, %g at dst acc f32 : tensor<4xf32>, !gnn.graph<3x3x4> -> tensor<3xf32>
  return %h : tensor<3xf32>
}

// CHECK-LABEL: func @max_of_zeros_is_zero
// CHECK:         %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<3x8xf32>
// CHECK-NEXT:    return %[[Z]]
func.func @max_of_zeros_is_zero(%g: !gnn.graph<3x3x4>) -> tensor<3x8xf32> {
  %m = arith.constant dense<0.0> : tensor<4x8xf32>
  %h = gnn.scatter max %m, %g at dst acc f32 : tensor<4x8xf32>, !gnn.graph<3x3x4> -> tensor<3x8xf32>
  return %h : tensor<3x8xf32>
}

// No edge gives 1, not 0.
// CHECK-LABEL: func @mul_of_zeros_stays
// CHECK:         gnn.scatter mul
func.func @mul_of_zeros_stays(%g: !gnn.graph<3x3x4>) -> tensor<3xf32> {
  %m = arith.constant dense<0.0> : tensor<4xf32>
  %h = gnn.scatter mul %m, %g at dst acc f32 : tensor<4xf32>, !gnn.graph<3x3x4> -> tensor<3xf32>
  return %h : tensor<3xf32>
}

// CHECK-LABEL: func @negative_zeros_stay
// CHECK:         gnn.scatter max
func.func @negative_zeros_stay(%g: !gnn.graph<3x3x4>) -> tensor<3xf32> {
  %m = arith.constant dense<-0.0> : tensor<4xf32>
  %h = gnn.scatter max %m, %g at dst acc f32 : tensor<4xf32>, !gnn.graph<3x3x4> -> tensor<3xf32>
  return %h : tensor<3xf32>
}
